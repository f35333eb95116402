//! Finds the end of a value that comes in pieces, without building anything and without looking at any
//! byte twice.
//!
//! What is found is a hint: the value is then read as any other, and that decides. So values here may
//! seem longer or shorter than they are where a message is broken, but never is time or memory spent that
//! the bytes do not warrant.

use std::collections::HashMap;
use std::mem::replace;

use super::definitions::{Definitions, KnownRecords, Named};
use crate::error::MAX_DEPTH;
use crate::format::outline::{Extent, Outline, WideSlot};

/// What was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// The value ends here.
    End(usize),
    /// Not before there are so many bytes there can be any progress.
    Needs(u64),
    /// A record is not known, and reading the value may load it. Otherwise scanning may go on.
    Unloaded,
    /// Only reading the value can tell.
    Unclear,
}

/// Values that are still to come.
#[derive(Clone, Copy, Debug)]
enum Frame {
    /// Of a container.
    Values(u64),
    /// The list of a record's keys, which has not begun.
    KeyList(Definition),
    /// Keys of a record, of which there are so many in all.
    Keys(Definition, u64, u64),
}

/// What became of an item.
enum Taken {
    /// It is behind the position now, or its payload is.
    Whole,
    /// So many bytes of it are needed to tell.
    Short(u64),
    /// See [`Found::Unloaded`].
    Unloaded,
    /// See [`Found::Unclear`].
    Unclear,
}

#[derive(Clone, Copy, Debug)]
struct Definition {
    slot: usize,
    two_byte: bool,
}

/// The search for the end of one value.
pub struct Boundary {
    /// Where the next item begins, which may be behind the bytes that are there.
    position: u64,
    frames: Vec<Frame>,
    /// What the value itself has defined.
    definitions: Definitions,
    /// The number that the next value gets, and lengths of lists that have one.
    target: Option<u32>,
    lists: HashMap<u32, u64>,
    /// Where the strings of the last bundle are said to lie.
    strings: Option<u64>,
    /// Before there are so many bytes no bundle's strings are all there.
    least: u64,
    bundled: bool,
    /// Whether what is next is the length of a bundled string.
    cut: bool,
    /// Slots, of ids of one byte, that loading brought nothing for.
    integers: u64,
    unclear: bool,
}

impl Default for Boundary {
    fn default() -> Self {
        Self {
            position: 0,
            frames: vec![Frame::Values(1)],
            definitions: Definitions::default(),
            target: None,
            lists: HashMap::new(),
            strings: None,
            least: 0,
            bundled: false,
            cut: false,
            integers: 0,
            unclear: false,
        }
    }
}

impl Boundary {
    /// How far the scan has come.
    #[must_use]
    pub fn position(&self) -> u64 {
        self.position
    }

    /// Goes on with `input`, which is what it was and more.
    pub fn scan<O: Outline>(
        &mut self,
        input: &[u8],
        records: &impl KnownRecords,
        reaches: impl Fn(u8, bool) -> bool,
    ) -> Found {
        while !self.unclear {
            if !self.close() {
                let least = self.position.max(self.least);
                return match usize::try_from(self.position) {
                    Ok(position) if least <= input.len() as u64 => Found::End(position),
                    _ => Found::Needs(least),
                };
            }
            let Some(bytes) = usize::try_from(self.position).ok().and_then(|at| input.get(at..)) else {
                return self.needs(0);
            };
            match self.take(O::extent(bytes, &reaches), records) {
                Taken::Whole => {}
                Taken::Short(least) => return self.needs(least),
                Taken::Unloaded => return Found::Unloaded,
                Taken::Unclear => self.unclear = true,
            }
        }
        Found::Unclear
    }

    /// Every value has a byte at least.
    fn needs(&self, least: u64) -> Found {
        let left = match self.frames.last() {
            Some(Frame::Values(left) | Frame::Keys(_, left, _)) => *left,
            _ => 1,
        };
        Found::Needs(self.position.saturating_add(least.max(left)))
    }

    /// Leaves the containers that are complete. The result is whether there is anything to come.
    #[inline(always)]
    fn close(&mut self) -> bool {
        loop {
            match self.frames.last() {
                Some(Frame::Values(0)) => {
                    self.frames.pop();
                }
                Some(Frame::Keys(definition, 0, keys)) => {
                    let (definition, keys) = (*definition, *keys);
                    self.frames.pop();
                    self.define(definition, keys);
                }
                Some(_) => return true,
                None => match self.strings.take() {
                    // The strings lie right behind, or what is broken is left to whoever reads it.
                    Some(strings) if strings == self.position => self.frames.push(Frame::Values(2)),
                    _ => return false,
                },
            }
        }
    }

    /// The keys of a record are known; its values follow.
    fn define(&mut self, Definition { slot, two_byte }: Definition, keys: u64) {
        self.definitions.define(slot, keys, two_byte);
        self.frames.push(Frame::Values(keys));
    }

    /// Goes behind an item.
    #[inline(always)]
    fn take(&mut self, extent: Extent, records: &impl KnownRecords) -> Taken {
        if matches!(self.frames.last(), Some(Frame::KeyList(_))) && !may_list_keys(&extent) {
            return Taken::Unclear;
        }
        let cut = replace(&mut self.cut, false);
        match extent {
            Extent::Short(least) => {
                self.cut = cut;
                return Taken::Short(least);
            }
            Extent::Bytes(length) | Extent::Extension(length) => {
                self.position += length;
                self.count();
            }
            Extent::Prefix(head) => self.position += head,
            Extent::Reserved => {
                self.position += 1;
                self.cut = self.bundled;
                if !self.bundled {
                    self.count();
                }
            }
            Extent::Bundle { head, strings } => {
                self.bundled = true;
                let strings = self.position + strings;
                self.strings = Some(strings);
                // Each of the two has a byte at least.
                self.least = self.least.max(strings + 2);
                self.position += head;
            }
            Extent::Target { head, id } => {
                self.position += head;
                self.target = Some(id);
                return Taken::Whole;
            }
            Extent::Values { head, count, list } => {
                if list && let Some(id) = self.target {
                    self.lists.insert(id, count);
                }
                self.position += head;
                if let Some(Frame::KeyList(definition)) = self.frames.last() {
                    let definition = *definition;
                    self.frames.pop();
                    if !self.enter(Frame::Keys(definition, count, count)) {
                        return Taken::Unclear;
                    }
                } else {
                    self.count();
                    if !self.enter(Frame::Values(count)) {
                        return Taken::Unclear;
                    }
                }
            }
            Extent::Pointer { head, id } => {
                self.position += head;
                if let Some(Frame::KeyList(definition)) = self.frames.last() {
                    let definition = *definition;
                    let Some(keys) = self.lists.get(&id) else { return Taken::Unclear };
                    self.frames.pop();
                    self.define(definition, *keys);
                } else {
                    self.count();
                }
            }
            Extent::Define { head, slot, two_byte } => {
                self.position += head;
                self.count();
                if !self.enter(Frame::KeyList(Definition { slot, two_byte })) {
                    return Taken::Unclear;
                }
            }
            Extent::Record { .. } if cut => {
                self.position += 1;
                self.count();
            }
            Extent::Record { slot, wide } => return self.record(slot, wide, records),
        }
        self.target = None;
        Taken::Whole
    }

    /// Counts a value in its container.
    #[inline(always)]
    fn count(&mut self) {
        if let Some(Frame::Values(left) | Frame::Keys(_, left, _)) = self.frames.last_mut() {
            *left -= 1;
        }
    }

    /// Enters a container. The result is whether it may be nested so deep: reading it will say that.
    #[inline(always)]
    fn enter(&mut self, frame: Frame) -> bool {
        let fits = self.frames.len() <= MAX_DEPTH;
        if fits {
            self.frames.push(frame);
        }
        fits
    }

    /// Goes behind the id of a record, or an integer.
    fn record(&mut self, slot: usize, wide: WideSlot, records: &impl KnownRecords) -> Taken {
        let bit = 1 << (slot & 63);
        let (keys, length) = match self.definitions.find(slot, wide, records) {
            Named::Record(keys, length) => (Some(keys), length),
            Named::Integer if records.may_load() && self.integers & bit == 0 => {
                self.integers |= bit;
                return Taken::Unloaded;
            }
            Named::Integer => (None, 1),
            Named::Short => return Taken::Short(2),
            Named::Nothing => return Taken::Unclear,
        };
        self.position += length;
        self.target = None;
        self.count();
        match keys {
            Some(keys) if !self.enter(Frame::Values(keys)) => Taken::Unclear,
            _ => Taken::Whole,
        }
    }
}

/// Whether an item may be, or come before, a list of keys whose length is known. What an extension makes of
/// its value is not.
fn may_list_keys(extent: &Extent) -> bool {
    matches!(
        extent,
        Extent::Values { list: true, .. }
            | Extent::Pointer { .. }
            | Extent::Target { .. }
            | Extent::Bundle { .. }
            | Extent::Short(_)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode::Decoder;
    use crate::decode::definitions::TableRecords;
    use crate::decode::extensions::ExtensionTypes;
    use crate::decode::scan::scan;
    use crate::format::msgpack::outline::Msgpack;
    use crate::format::msgpack::scanner::Scanner;
    use crate::tape::reader;
    use crate::tape::records::{ASKED, SLOTS, TWO_BYTE, WIDE};
    use proptest::prelude::*;

    /// Records given by a list of slots and key counts.
    #[derive(Default)]
    struct Given {
        records: Vec<(usize, u64, bool)>,
        may_load: bool,
    }

    impl KnownRecords for Given {
        fn get(&self, slot: usize) -> Option<(u64, bool)> {
            let record = self.records.iter().find(|(each, ..)| *each == slot)?;
            Some((record.1, record.2))
        }
        fn is_wide(&self) -> bool {
            self.records.iter().any(|(.., two_byte)| *two_byte)
        }
        fn may_load(&self) -> bool {
            self.may_load
        }
    }

    /// The types that are known without being registered.
    fn types() -> ExtensionTypes {
        let mut types = ExtensionTypes::default();
        for (code, kind) in [
            (0x62, reader::BUNDLE),
            (0x65, reader::VALUE),
            (0x69, reader::TARGET),
            (0x70, reader::POINTER),
            (0x73, reader::VALUE),
            (0x78, reader::VALUE),
        ] {
            types.set(code, kind, 0);
        }
        types
    }

    fn find(boundary: &mut Boundary, input: &[u8], records: &Given) -> Found {
        boundary.scan::<Msgpack>(input, records, |code, short| types().reaches(code, short))
    }

    /// What is found when the input is given in two parts, for all ways to cut it and byte by byte; always
    /// the same.
    fn ends(input: &[u8], records: &Given) -> Found {
        let whole = find(&mut Boundary::default(), input, records);
        let mut bytewise = Boundary::default();
        for cut in 0..=input.len() {
            let mut halved = Boundary::default();
            let first = find(&mut halved, &input[..cut], records);
            if let (Found::Needs(needed), Found::End(end)) = (first, whole) {
                assert!(needed > cut as u64 && needed <= end as u64, "{input:x?} needs {needed} at {cut}");
            }
            assert_eq!(find(&mut halved, input, records), whole, "{input:x?} cut at {cut}");
            let found = find(&mut bytewise, &input[..cut], records);
            match whole {
                Found::End(end) if cut >= end => assert_eq!(found, whole),
                Found::End(_) => assert!(matches!(found, Found::Needs(_)), "{input:x?} at {cut}"),
                _ => {}
            }
        }
        whole
    }

    /// The end of a value that is all of `input`, also when other bytes follow.
    fn assert_whole(input: &[u8], records: &Given) {
        assert_eq!(ends(input, records), Found::End(input.len()), "{input:x?}");
        let followed = [input, b"\x40\xdd"].concat();
        assert_eq!(ends(&followed, records), Found::End(input.len()), "{input:x?}");
    }

    #[test]
    fn values_of_every_kind() {
        for input in [
            &b"\x01"[..],
            b"\xa3abc",
            b"\xd9\x03abc",
            b"\x90",
            b"\x93\x01\xa1a\xc0",
            b"\x82\xa1a\x91\x91\x90\xa1b\x80",
            b"\xdc\x00\x02\xcd\x01\x02\xcb\0\0\0\0\0\0\0\0",
            b"\xde\x00\x01\xa1a\xd3\0\0\0\0\0\0\0\0",
            b"\xc4\x03abc",
            b"\xd4\x00\x00",
            b"\xd4\x73\x00\x92\x01\x02",
            b"\x92\xd4\x65\x00\x93\xa1a\xa1b\xd4\x00\x00\xd4\x78\x00\x92\xa1a\xa0",
            b"\xd7\xff\0\0\0\0\0\0\0\0",
            b"\xc7\x02\x74\x01\x07",
            b"\xc1",
            b"\x92\xc1\x01",
        ] {
            assert_whole(input, &Given::default());
        }
    }

    #[test]
    fn records_are_values() {
        let known = Given {
            records: vec![(0, 2, false), (3, 0, false), (35, 1, true), (99, 3, true)],
            may_load: false,
        };
        for input in [
            &b"\x40\x01\x02"[..],
            b"\x43",
            b"\x92\x43\x43",
            b"\x40\x40\x01\x02\x40\x03\x04",
            b"\x63\x00\x05",
            b"\x63\x02\x01\x02\x03",
            // Not known: an integer, also where ids of two bytes are.
            b"\x92\x41\x42",
        ] {
            assert_whole(input, &known);
        }
        // Without records of two bytes the byte is an integer.
        assert_whole(b"\x92\x63\x02", &Given::default());
        // One of two bytes that is not known is refused by whoever reads it.
        assert_eq!(find(&mut Boundary::default(), b"\x61\x01", &known), Found::Unclear);
    }

    #[test]
    fn definitions_count() {
        for input in [
            &b"\xd4\x72\x40\x92\xa1a\xa1b\x01\x02"[..],
            b"\xd4\x72\x40\x90",
            b"\x93\xd4\x72\x40\x91\xa1a\x01\x40\x02\x40\x03",
            // What a record holds may already refer to it, and may define it anew.
            b"\xd4\x72\x40\x91\xa1a\x40\x40\x01",
            b"\x93\xd4\x72\x40\x92\xa1a\xa1b\x01\x02\xd4\x72\x40\x91\xa1c\x03\x40\x04",
            b"\x92\xd5\x72\x63\x02\x91\xa1a\x01\x63\x02\x02",
            // Two bytes that name nothing.
            b"\x92\xd5\x72\x41\x02\x91\xa1a\x01\x41",
            // Among keys an id is an integer only where no record has it.
            b"\xd4\x72\x40\xdc\x00\x01\x41\x01",
        ] {
            assert_whole(input, &Given::default());
        }
    }

    #[test]
    fn clones_and_their_key_lists() {
        for input in [
            &b"\xd6\x69\0\0\0\x01\x91\xd6\x70\0\0\0\x01"[..],
            b"\x92\xd6\x69\0\0\0\x01\xd4\x72\x40\x91\xa1x\x01\xd6\x70\0\0\0\x01",
            b"\x93\xd4\x72\x40\xd6\x69\0\0\0\x01\x91\xa1a\x01\xd4\x72\x41\x91\xa1b\x01\
              \xd4\x72\x40\xd6\x70\0\0\0\x01\x02",
            // A list of values is a list of keys as well.
            b"\x92\xd6\x69\0\0\0\x05\x92\xa1a\xa1b\xd4\x72\x40\xd6\x70\0\0\0\x05\x01\x02",
            b"\xd6\x69\0\0\0\x01\xd4\x73\x00\x91\xd6\x70\0\0\0\x01",
        ] {
            assert_whole(input, &Given::default());
        }
        // A number that nothing has.
        let unknown = b"\xd4\x72\x40\xd6\x70\0\0\0\x01\x02";
        assert_eq!(find(&mut Boundary::default(), unknown, &Given::default()), Found::Unclear);
        // It is of the list behind it, and not of a later one.
        let other = b"\x93\xd6\x69\0\0\0\x01\x05\x91\x01\xd4\x72\x40\xd6\x70\0\0\0\x01\x02";
        assert_eq!(find(&mut Boundary::default(), other, &Given::default()), Found::Unclear);
    }

    #[test]
    fn bundles_have_strings_behind() {
        for input in [
            // As msgpackr packs ['hello'] and { name: 'hello' }.
            &b"\x91\xd6\x62\0\0\0\x06\xc1\x05\xa0\xa5hello"[..],
            b"\xd4\x72\x40\x91\xd6\x62\0\0\0\x08\xc1\x04\xc1\x05\xa0\xa9namehello",
            // Two bundles in a row.
            b"\x92\xd6\x62\0\0\0\x13\xc1\x04\xc8\0\x0a\x62\0\0\0\x0c\xa0\xa4abcd\xc1\x04\xa0\xa4efgh",
        ] {
            assert_whole(input, &Given::default());
        }
    }

    #[test]
    fn strings_elsewhere_have_to_be_there() {
        let none = Given::default();
        // They do not make the value longer.
        let input = b"\x91\xd6\x62\0\0\0\x09\xc1\x05\xa0\xa5hello";
        let mut bytewise = Boundary::default();
        for length in 0..14 {
            let found = find(&mut bytewise, &input[..length], &none);
            assert!(matches!(found, Found::Needs(needed) if needed > length as u64), "{length}");
        }
        assert_eq!(find(&mut bytewise, input, &none), Found::End(9));
        // Also those of a bundle that another one has followed.
        let input = b"\x92\xd6\x62\xff\xff\xff\xff\xc1\0\xd6\x62\0\0\0\x06\xc1\0\xa0\xa0";
        assert_eq!(find(&mut Boundary::default(), input, &none), Found::Needs(3 + 0xffff_ffff + 2));
    }

    #[test]
    fn lengths_of_bundled_strings_are_no_records() {
        let known = Given { records: vec![(0, 3, false), (35, 1, true)], may_load: true };
        assert_whole(b"\x92\xd6\x62\0\0\0\x08\xc1\x40\xc1\x63\xa0\xa0", &known);
        assert_whole(b"\x92\xd6\x62\0\0\0\x0a\xc1\x01\x40\x01\x02\x03\xa0\xa0", &known);
    }

    #[test]
    fn keys_that_something_else_makes_are_unclear() {
        for input in [
            &b"\xd4\x72\x40\xa1a\x01"[..],
            b"\xd4\x72\x40\x81\x01\x01\x01",
            b"\xd4\x72\x40\xd4\x73\x00\x91\x01\x01",
        ] {
            let mut boundary = Boundary::default();
            assert_eq!(find(&mut boundary, input, &Given::default()), Found::Unclear, "{input:x?}");
            // It stays so.
            assert_eq!(find(&mut boundary, input, &Given::default()), Found::Unclear);
        }
    }

    #[test]
    fn records_that_may_be_loaded_are_asked_for_once() {
        let mut records = Given { records: vec![], may_load: true };
        let mut boundary = Boundary::default();
        let input = b"\x93\x40\x40\x41";
        assert_eq!(find(&mut boundary, input, &records), Found::Unloaded);
        assert_eq!(find(&mut boundary, input, &records), Found::Unloaded);
        assert_eq!(find(&mut boundary, input, &records), Found::End(4));
        let mut boundary = Boundary::default();
        assert_eq!(find(&mut boundary, &input[..2], &records), Found::Unloaded);
        records.records.push((0, 1, false));
        assert_eq!(find(&mut boundary, &input[..2], &records), Found::Needs(3));
        assert_eq!(find(&mut boundary, b"\x93\x40\x01\x40\x02\x03", &records), Found::End(6));
    }

    #[test]
    fn what_is_announced_is_waited_for() {
        let none = Given::default();
        let mut boundary = Boundary::default();
        assert_eq!(find(&mut boundary, b"\xdd\xff\xff\xff\xff", &none), Found::Needs(5 + 0xffff_ffff));
        assert_eq!(find(&mut boundary, b"\xdd\xff\xff\xff\xff\x01", &none), Found::Needs(5 + 0xffff_ffff));
        let text = find(&mut Boundary::default(), b"\x92\xdb\xff\xff\xff\xff", &none);
        assert_eq!(text, Found::Needs(6 + 0xffff_ffff + 1));
        let pairs = find(&mut Boundary::default(), b"\xdf\xff\xff\xff\xff", &none);
        assert_eq!(pairs, Found::Needs(5 + 2 * 0xffff_ffff));
    }

    #[test]
    fn depth_is_limited() {
        let none = Given::default();
        let mut input = vec![0x91; MAX_DEPTH];
        input.push(0x01);
        assert_eq!(find(&mut Boundary::default(), &input, &none), Found::End(MAX_DEPTH + 1));
        input[MAX_DEPTH] = 0x91;
        assert_eq!(find(&mut Boundary::default(), &input, &none), Found::Unclear);
    }

    #[test]
    fn the_record_table_is_read() {
        let mut decoder = Decoder::default();
        let list = decoder.records.shapes.give(b"\x92\xa1a\xa1b", 2);
        decoder.records.table.half_words_mut()[5] = list + 1;
        decoder.records.table.half_words_mut()[40] = (list + 1) | TWO_BYTE;
        let records = TableRecords::new(&decoder.records, WIDE);
        assert_eq!(records.get(5), Some((2, false)));
        assert_eq!(records.get(40), Some((2, true)));
        assert_eq!([records.get(4), records.get(SLOTS)], [None, None]);
        assert!(records.is_wide() && !records.may_load());
        assert!(TableRecords::new(&decoder.records, ASKED).may_load());
    }

    proptest! {
        /// Whatever can be read ends where it is found to end, and no bytes make it panic.
        #[test]
        fn the_end_is_where_reading_ends(
            input in proptest::collection::vec(
                prop_oneof![any::<u8>(), 0x00u8..0x05, 0x80u8..0xa4, Just(0x72), Just(0xd4), 0x40u8..0x44], 0..40),
        ) {
            let mut decoder = Decoder::default();
            decoder.begin(true, true, false);
            decoder.records.begin(0, 0);
            let read = scan(&mut decoder, Scanner::new(&input, 0, 0), &input, 0, 0);
            let found = find(&mut Boundary::default(), &input, &Given::default());
            if let Ok(scanned) = read {
                prop_assert!(matches!(found, Found::Unclear) || found == Found::End(scanned.position), "{:?}", found);
            }
            let mut bytewise = Boundary::default();
            for length in 0..=input.len() {
                let _ = find(&mut bytewise, &input[..length], &Given::default());
            }
            prop_assert_eq!(find(&mut bytewise, &input, &Given::default()), found);
        }
    }
}
