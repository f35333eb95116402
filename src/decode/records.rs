//! Which record is in which slot: the table that record ids name, and what a message changes in it.
//!
//! The table is that of the unpackr that reads; JavaScript fills it. What a message defines is put back
//! when it has been scanned, unless JavaScript keeps it and the message was whole.

use super::key_lists::{Around, KeyList, read_list, skip_keys};
use super::record_shapes::{ListId, NO_LIST, RecordShapes};
use crate::buffer::SharedMemory;
use crate::error::DecodeError;
use crate::format::Scanner;
use crate::tape::records::{ASKED, KEPT, OFF, SLOTS, TWO_BYTE, WIDE};
use crate::tape::slot::words;

/// The record table and the key lists that it names.
pub struct Records {
    /// The table, which JavaScript sees as well.
    pub table: SharedMemory,
    /// Key lists.
    pub shapes: RecordShapes,
    /// Slots that the message has defined, and what was there.
    changed: Vec<u32>,
    replaced: Vec<u32>,
    /// The list that was defined last.
    previous: ListId,
    /// Whether extensions may have to read under the definitions so far.
    logged: bool,
    mode: u32,
    /// Slots in use.
    used: usize,
    /// Whether there may be ids of two bytes.
    wide: bool,
    /// Changes whenever numbers lose their meaning.
    generation: u32,
    /// No message was scanned since then.
    fresh: bool,
}

impl Default for Records {
    fn default() -> Self {
        Self {
            table: SharedMemory::new(SLOTS.div_ceil(2)),
            shapes: RecordShapes::default(),
            changed: Vec::new(),
            replaced: Vec::new(),
            previous: NO_LIST,
            logged: false,
            mode: 0,
            used: 0,
            wide: false,
            generation: 0,
            fresh: true,
        }
    }
}

impl Records {
    /// Readies the table for a message. `mode` and `used` are what JavaScript says.
    #[inline(always)]
    pub fn begin(&mut self, mode: u32, used: usize) {
        self.mode = mode;
        self.used = used;
        self.wide = mode & WIDE != 0;
        self.previous = NO_LIST;
        self.fresh = false;
        self.logged = false;
        self.changed.clear();
    }

    /// Whether ids may mean anything from the start.
    #[inline(always)]
    #[must_use]
    pub fn are_expected(&self) -> bool {
        self.mode & OFF == 0 && (self.used != 0 || self.mode & ASKED != 0)
    }

    /// Whether the key lists should go. Not right after they did, or JavaScript could never use them.
    #[inline(always)]
    #[must_use]
    pub fn is_full(&self) -> bool {
        !self.fresh && self.shapes.is_full()
    }

    /// Forgets all key lists: the numbers in the table mean nothing any more.
    pub fn renew(&mut self) {
        self.shapes = RecordShapes::default();
        self.generation = self.generation.wrapping_add(1);
        self.fresh = true;
    }

    /// Changes whenever numbers lose their meaning.
    #[must_use]
    pub fn generation(&self) -> u32 {
        self.generation
    }

    /// The list of the record whose id `scanner` has begun to read, as the one of `slot`: none if it is
    /// an integer. Also where the id ends.
    #[inline(always)]
    pub fn find<'a, S: Scanner<'a>>(
        &self,
        scanner: S,
        slot: usize,
    ) -> Result<(Option<ListId>, usize), DecodeError> {
        // Most ids have one byte, and then no function gets the scanner.
        match self.word(slot) {
            word if word == 0 || word & TWO_BYTE != 0 => self.find_wide(scanner, slot),
            word => Ok((Some(word - 1), scanner.position())),
        }
    }

    /// The same where the id may go on, or is none.
    #[inline(never)]
    fn find_wide<'a, S: Scanner<'a>>(
        &self,
        mut scanner: S,
        mut slot: usize,
    ) -> Result<(Option<ListId>, usize), DecodeError> {
        let mut word = self.word(slot);
        let mut two_byte = false;
        if (word & TWO_BYTE != 0 || word == 0 && self.wide)
            && let Some(wide) = scanner.second_byte(slot)?
        {
            slot = wide;
            word = self.word(slot);
            two_byte = true;
        }
        if word != 0 {
            return Ok((Some((word & !TWO_BYTE) - 1), scanner.position()));
        }
        if two_byte || self.mode & ASKED != 0 {
            return Err(DecodeError::UndefinedRecord(slot as u32));
        }
        Ok((None, scanner.position()))
    }

    #[inline(always)]
    fn word(&self, slot: usize) -> u32 {
        self.table.half_words().get(slot).copied().unwrap_or(0)
    }

    /// Reads the key list of a definition. The result is its number, and where it ends.
    #[inline(never)]
    pub fn define<'a, S: Scanner<'a>>(
        &mut self,
        mut scanner: S,
        slot: usize,
        two_byte: bool,
        mut around: Around<'_>,
    ) -> Result<KeyList, DecodeError> {
        let start = scanner.position();
        let input = scanner.input();
        let read = match self.shapes.expected(self.previous, &input[start..]) {
            Some((list, length)) => KeyList { list, end: start + length, target: None },
            None => {
                let from = scanner;
                match skip_keys(&mut scanner)? {
                    Some(keys) => {
                        let end = scanner.position();
                        let list = self.shapes.find_or_add(self.previous, &input[start..end], keys);
                        KeyList { list, end, target: None }
                    }
                    None => read_list(from, self.previous, &mut self.shapes, &mut around)?,
                }
            }
        };
        let id = read.list;
        self.previous = id;
        let flag = if two_byte { TWO_BYTE } else { 0 };
        if let Some(word) = self.table.half_words_mut().get_mut(slot) {
            self.changed.push(slot as u32);
            self.replaced.push(*word);
            *word = (id + 1) | flag;
            self.wide |= two_byte;
        }
        Ok(read)
    }

    /// Takes note that extensions may have to read under the definitions so far, and returns how many those
    /// are.
    pub fn log(&mut self) -> usize {
        self.logged = true;
        self.changed.len()
    }

    /// The definitions, if any extension may have to read under them: slot and word, and the word before.
    /// Only until [`Self::end`].
    #[must_use]
    pub fn logged(&self) -> Vec<[u64; 2]> {
        if !self.logged {
            return Vec::new();
        }
        // Each word was replaced by the next one of its slot, and the last one stands.
        let mut log: Vec<[u64; 2]> = Vec::with_capacity(self.changed.len());
        let mut later = std::collections::HashMap::new();
        for (slot, before) in self.changed.iter().zip(&self.replaced).rev() {
            let word = later.insert(*slot, *before).unwrap_or_else(|| self.word(*slot as usize));
            log.push([words(*slot, word), words(*before, 0)]);
        }
        log.reverse();
        log
    }

    /// How many definitions the message has.
    #[inline(always)]
    #[must_use]
    pub fn changed(&self) -> usize {
        self.changed.len()
    }

    /// Ends a message: what it has defined is put back unless it is kept. The result is the slots with
    /// definitions that are kept.
    pub fn end(&mut self, whole: bool) -> &[u32] {
        if whole && self.mode & KEPT != 0 {
            for slot in &self.changed {
                self.used = self.used.max(*slot as usize + 1);
            }
            self.replaced.clear();
        } else {
            let table = self.table.half_words_mut();
            for (slot, word) in self.changed.drain(..).zip(self.replaced.drain(..)).rev() {
                table[slot as usize] = word;
            }
        }
        &self.changed
    }

    /// How many slots are in use.
    #[must_use]
    pub fn used(&self) -> usize {
        self.used
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode::Decoder;
    use crate::decode::frame::Scanned;
    use crate::decode::scan::scan;
    use crate::format::msgpack::scanner::Scanner as MsgpackScanner;
    use crate::tape::slot;
    use proptest::prelude::*;

    fn read(
        decoder: &mut Decoder,
        input: &[u8],
        mode: u32,
        used: usize,
    ) -> Result<(Scanned, Vec<u64>), DecodeError> {
        decoder.begin(true, true, false);
        decoder.records.begin(mode, used);
        let scanned = scan(decoder, MsgpackScanner::new(input, 0, 0), input, 0, 0)?;
        let slots = decoder.slots.words()[..scanned.free + scanned.kept].to_vec();
        Ok((scanned, slots))
    }

    fn slots(input: &[u8]) -> Vec<u64> {
        let (scanned, slots) = read(&mut Decoder::default(), input, 0, 0).unwrap();
        assert_eq!(scanned.position, input.len());
        slots
    }

    fn record(list: u32, first_value: u32) -> u64 {
        slot::boxed(slot::OBJECT, slot::RECORD_SHAPE | list, first_value * 2)
    }

    fn table(decoder: &Decoder) -> Vec<(usize, u32)> {
        let words = decoder.records.table.half_words();
        words.iter().copied().enumerate().filter(|(_, word)| *word != 0).collect()
    }

    /// A decoder whose table has records of one key: in the slots of one byte, and from 32 on of two.
    fn with_table(used: usize) -> (Decoder, u32) {
        let mut decoder = Decoder::default();
        for slot in 0..used {
            let keys = [&[0x91, 0xa3][..], format!("{slot:03}").as_bytes()].concat();
            let list = decoder.records.shapes.give(&keys, 1);
            let flag = if slot < 32 { 0 } else { TWO_BYTE };
            decoder.records.table.half_words_mut()[slot] = (list + 1) | flag;
        }
        (decoder, if used > 32 { WIDE } else { 0 })
    }

    #[test]
    fn a_definition_is_a_record_and_names_others() {
        let [array, length, first, second, one, two] = slots(b"\x92\xd4\x72\x40\x91\xa1a\x01\x40\x02")[..]
        else {
            panic!("six slots")
        };
        assert_eq!(array, slot::boxed(slot::ARRAY, slot::ARRAY_ANY, 2));
        assert_eq!(length, slot::words(2, 0));
        assert_eq!([first, second], [record(0, 4), record(0, 5)]);
        assert_eq!([one, two], [slot::int(1), slot::int(2)]);
        // Without keys there are no values, and a record may hold others of its kind.
        assert_eq!(slots(b"\xd4\x72\x40\x90"), [record(0, 1)]);
        assert_eq!(
            slots(b"\xd4\x72\x40\x91\xa1a\x40\x40\x01"),
            [record(0, 1), record(0, 2), record(0, 3), slot::int(1)]
        );
    }

    #[test]
    fn ids_of_two_bytes() {
        let all = slots(b"\x93\xd5\x72\x60\x02\x91\xa1a\x01\x60\x02\x02\x3f");
        assert_eq!(all[2..], [record(0, 5), record(0, 6), slot::int(63), slot::int(1), slot::int(2)]);
        // A first byte that is an id of its own names nothing, and does no harm.
        assert_eq!(slots(b"\x92\xd5\x72\x40\x00\x91\xa1a\x01\x40")[3], slot::int(64));
        let undefined = read(&mut Decoder::default(), b"\x92\xd5\x72\x60\x02\x90\x7f\x05", 0, 0);
        assert_eq!(undefined, Err(DecodeError::UndefinedRecord(223)));
    }

    #[test]
    fn without_records_all_are_integers() {
        let (scanned, slots) = read(&mut Decoder::default(), b"\x93\x40\x60\x7f", 0, 0).unwrap();
        assert_eq!((scanned.free, slots[3]), (5, slot::int(0x60)));
        let (mut decoder, wide) = with_table(40);
        for mode in [OFF, OFF | ASKED | wide] {
            let (_, slots) = read(&mut decoder, b"\x93\x40\x60\x7f", mode, 40).unwrap();
            assert_eq!(slots[2..], [slot::int(0x40), slot::int(0x60), slot::int(0x7f)]);
        }
    }

    #[test]
    fn the_table_is_used() {
        let (mut decoder, mode) = with_table(100);
        let (_, slots) =
            read(&mut decoder, b"\x94\x40\x01\x5f\x02\x60\x00\x03\x63\x02\x04", mode, 100).unwrap();
        assert_eq!(slots[2..6], [record(0, 6), record(31, 7), record(32, 8), record(99, 9)]);
        let (mut decoder, mode) = with_table(32);
        let (_, slots) = read(&mut decoder, b"\x92\x5f\x02\x60", mode, 32).unwrap();
        assert_eq!(slots[2..4], [record(31, 4), slot::int(0x60)]);
    }

    #[test]
    fn what_is_not_known_is_asked_for() {
        let mut decoder = Decoder::default();
        for (input, slot) in [(&b"\x92\x01\x45"[..], 5), (b"\x7f", 63)] {
            assert_eq!(read(&mut decoder, input, ASKED, 0), Err(DecodeError::UndefinedRecord(slot)));
        }
        let (mut decoder, mode) = with_table(40);
        let unknown = read(&mut decoder, b"\x7f\x05\x05", mode | ASKED, 40);
        assert_eq!(unknown, Err(DecodeError::UndefinedRecord(223)));
        assert_eq!(read(&mut decoder, b"\x7f", mode | ASKED, 40), Err(DecodeError::Incomplete));
    }

    #[test]
    fn definitions_are_put_back_or_kept() {
        let redefined = b"\x92\xd4\x72\x41\x91\xa1x\x01\xd4\x72\x41\x91\xa1y\x01";
        let (mut decoder, mode) = with_table(3);
        let before = table(&decoder);
        read(&mut decoder, redefined, mode, 3).unwrap();
        assert_eq!(table(&decoder), before);
        assert_eq!(decoder.records.used(), 3);
        // As long as it is cut, nothing is kept.
        for length in 0..redefined.len() {
            read(&mut decoder, &redefined[..length], mode | KEPT, 3).unwrap_err();
            assert_eq!(table(&decoder), before);
        }
        let (scanned, slots) = read(&mut decoder, redefined, mode | KEPT, 3).unwrap();
        assert_eq!(slots[scanned.free..], [slot::words(1, 0), slot::words(1, 0)]);
        let list = decoder.records.shapes.len() as u32 - 1;
        assert_eq!(table(&decoder)[1], (1, list + 1));
        // The next message begins with it, and a slot behind the others counts.
        let (_, slots) = read(&mut decoder, b"\x41\x07", mode, 3).unwrap();
        assert_eq!(slots, [record(list, 1), slot::int(7)]);
        read(&mut decoder, b"\xd4\x72\x50\x90", mode | KEPT, 3).unwrap();
        assert_eq!(decoder.records.used(), 17);
    }

    #[test]
    fn keys_that_name_properties() {
        let named =
            b"\xd4\x72\x40\x97\x01\xc0\xc3\xcb\x3f\xf8\0\0\0\0\0\0\xd3\0\0\0\0\0\0\0\x01\xd4\0\0\xd9\x01a\
            \x01\x02\x03\x04\x05\x06\x07";
        assert_eq!(slots(named).len(), 8);
        for unfit in [&b"\x90"[..], b"\x80", b"\xc4\x01a", b"\xc1", b"\xd6\xff\0\0\0\0"] {
            let input = [b"\xd4\x72\x40\x91", unfit, b"\x01"].concat();
            let refused = read(&mut Decoder::default(), &input, 0, 0);
            assert_eq!(refused, Err(DecodeError::InvalidKey), "{unfit:x?}");
        }
        for no_list in [&b"\xa1a"[..], b"\x05", b"\x81\x01\x01"] {
            let input = [b"\xd4\x72\x40", no_list, b"\x01"].concat();
            let refused = read(&mut Decoder::default(), &input, 0, 0);
            assert_eq!(refused, Err(DecodeError::KeysNotArray), "{no_list:x?}");
        }
    }

    #[test]
    fn values_that_are_not_there_take_no_room() {
        // A list of many keys, and each record in the first value of the one before.
        let mut input = b"\xd4\x72\x40\xdc\x10\x00".to_vec();
        input.resize(input.len() + 0x1000, 0x01);
        input.resize(input.len() + 0x3000, 0x40);
        let mut decoder = Decoder::default();
        let before = decoder.slots.words().len();
        assert_eq!(read(&mut decoder, &input, 0, 0), Err(DecodeError::Incomplete));
        assert_eq!(decoder.slots.words().len(), before);
    }

    #[test]
    fn endless_new_lists_are_forgotten() {
        let mut decoder = Decoder::default();
        for number in 0..100_000_u32 {
            let message = [b"\xd4\x72\x40\x91\xa4", &number.to_le_bytes()[..], b"\x01"].concat();
            read(&mut decoder, &message, 0, 0).unwrap();
            assert!(decoder.records.shapes.len() < 1 << 15);
        }
        assert!(decoder.generation() > 0);
        assert_eq!(table(&decoder), []);
    }

    #[test]
    fn more_lists_than_a_slot_can_name() {
        let count = (1 << 15) + 2_u32;
        let mut message = [&[0xdd], &count.to_be_bytes()[..]].concat();
        for number in 0..count {
            message.extend([b"\xd4\x72\x40\x91\xa4", &number.to_le_bytes()[..], b"\x01"].concat());
        }
        let mut decoder = Decoder::default();
        let (_, slots) = read(&mut decoder, &message, 0, 0).unwrap();
        let last = slots[1 + count as usize];
        assert_eq!((last >> 32) as u32, slot::RARE << 16 | slot::RARE_RECORD);
        let at = last as u32 as usize / 2;
        assert_eq!(slots[at..at + 2], [slot::words(count - 1, 0), slot::int(1)]);
        assert!(decoder.records.is_full());
        assert!(decoder.begin(true, true, false), "the next message begins with none");
        assert!(decoder.records.shapes.is_empty());
        // But not twice in a row, whatever JavaScript has given meanwhile.
        decoder.records.shapes.give(&vec![0; 17 << 20], 1);
        assert!(!decoder.begin(true, true, false));
    }

    proptest! {
        #[test]
        fn no_bytes_make_it_panic_or_change_the_table(
            input in proptest::collection::vec(
                prop_oneof![any::<u8>(), 0x3fu8..0x80, Just(0x72), 0x90u8..0xa3, 0xd4u8..0xd6], 0..60),
            modes in 0u32..8,
            used in prop_oneof![Just(0usize), Just(20), Just(40), Just(100)],
        ) {
            let (mut decoder, wide) = with_table(used);
            let before = table(&decoder);
            for _ in 0..3 {
                let mode = modes & (ASKED | OFF) | wide;
                if let Ok((scanned, slots)) = read(&mut decoder, &input, mode, used) {
                    prop_assert!(scanned.position <= input.len());
                    prop_assert!(slots.len() <= 8 * input.len() + 8);
                }
                prop_assert_eq!(&table(&decoder), &before);
            }
            // Kept: what the table names exists.
            let _ = read(&mut decoder, &input, wide | KEPT, used);
            for (slot, word) in table(&decoder) {
                prop_assert!(slot < decoder.records.used());
                prop_assert!(((word & !TWO_BYTE) as usize) <= decoder.records.shapes.len());
            }
        }
    }
}
