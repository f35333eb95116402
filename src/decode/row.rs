//! Counts small values in a row, so that they can be read together.

use super::definitions::{Definitions, KnownRecords, Named};
use crate::format::outline::{Extent, Outline};

/// A search for values in a row.
#[derive(Default)]
pub struct Row {
    definitions: Definitions,
    end: usize,
}

impl Row {
    /// Where the values counted last end.
    #[must_use]
    pub fn end(&self) -> usize {
        self.end
    }

    /// Counts the whole values from `start` on, up to `most` of them. It stops before what may not be the
    /// same when values are read together: references, bundles, extensions, records to be loaded.
    ///
    /// How deep they are does not matter, so that a number of values to come does for a stack.
    pub fn count<O: Outline>(
        &mut self,
        input: &[u8],
        start: usize,
        most: usize,
        records: &impl KnownRecords,
    ) -> usize {
        self.definitions.clear();
        self.end = start;
        let mut count = 0;
        while count < most {
            let Some(end) = self.value::<O>(input, self.end, records) else { break };
            self.end = end;
            count += 1;
        }
        count
    }

    /// Where the value at `at` ends, if it is whole and can be counted.
    #[inline(always)]
    fn value<O: Outline>(
        &mut self,
        input: &[u8],
        mut at: usize,
        records: &impl KnownRecords,
    ) -> Option<usize> {
        let mut left = 1_u64;
        while left > 0 {
            left -= 1;
            let (length, values) = O::BY_LEAD[usize::from(*input.get(at)?)];
            if length != 0 {
                at += usize::from(length);
                left += u64::from(values);
                continue;
            }
            let extent = O::extent(&input[at..], |_, _| false);
            let (length, values) = match extent {
                Extent::Bytes(length) => (length, 0),
                Extent::Values { head, count, .. } => (head, count),
                Extent::Record { slot, wide } => match self.definitions.find(slot, wide, records) {
                    Named::Record(keys, length) => (length, keys),
                    Named::Integer if !records.may_load() => (1, 0),
                    _ => return None,
                },
                Extent::Define { head, slot, two_byte } => {
                    let (end, keys) = keys::<O>(input, at + head as usize)?;
                    self.definitions.define(slot, keys, two_byte);
                    ((end - at) as u64, keys)
                }
                Extent::Reserved => (1, 0),
                _ => return None,
            };
            at += usize::try_from(length).ok()?;
            left += values;
            // A byte for each at least.
            if left > input.len().checked_sub(at)? as u64 {
                return None;
            }
        }
        (at <= input.len()).then_some(at)
    }
}

/// Where a list of keys ends, and how many there are.
fn keys<O: Outline>(input: &[u8], start: usize) -> Option<(usize, u64)> {
    let Extent::Values { head, count, list: true } = O::extent(input.get(start..)?, |_, _| false) else {
        return None;
    };
    let mut at = start + head as usize;
    for _ in 0..count {
        let Extent::Bytes(length) = O::extent(input.get(at..)?, |_, _| false) else { return None };
        at = at.checked_add(usize::try_from(length).ok()?)?;
    }
    Some((at, count))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode::Decoder;
    use crate::decode::definitions::TableRecords;
    use crate::decode::scan::scan;
    use crate::decode::sequence::Sequence;
    use crate::format::msgpack::outline::Msgpack;
    use crate::format::msgpack::scanner::Scanner;
    use crate::tape::records::ASKED;
    use proptest::prelude::*;

    fn count_with(input: &[u8], start: usize, most: usize, mode: u32) -> (usize, usize) {
        let decoder = Decoder::default();
        let mut row = Row::default();
        let count = row.count::<Msgpack>(input, start, most, &TableRecords::new(&decoder.records, mode));
        (count, row.end())
    }

    fn count(input: &[u8], start: usize, most: usize) -> (usize, usize) {
        count_with(input, start, most, 0)
    }

    #[test]
    fn whole_values() {
        let values = b"\x01\xa2ab\x92\x01\xc0\xa3a";
        assert_eq!(count(values, 0, 9), (3, 7));
        assert_eq!(count(values, 1, 1), (1, 4));
        assert_eq!(count(values, 7, 9), (0, 7));
        assert_eq!(count(values, 99, 9), (0, 99));
        assert_eq!(count(b"", 0, 9), (0, 0));
        assert_eq!(count(b"\xdd\xff\xff\xff\xff\x01", 0, 9), (0, 0));
        assert_eq!(count(b"\x40\x01\xd4\xff\xff\xd6\xff\0\0\0\0", 0, 9), (4, 11));
    }

    #[test]
    fn definitions_serve_what_follows() {
        assert_eq!(count(b"\xd4\x72\x40\x91\xa1a\x01\x40\x02\x40\x03\x40", 0, 9), (3, 11));
        assert_eq!(count(b"\xd5\x72\x63\x02\x91\xa1a\x01\x63\x02\x02\x63", 0, 9), (2, 11));
        assert_eq!(count(b"\xd4\x72\x40\x92\xa1a", 0, 9), (0, 0));
    }

    #[test]
    fn what_is_left_to_be_read_by_itself() {
        for isolated in [
            &b"\xd4\x73\0\x90"[..],
            b"\xc7\x02\x74\x01\x07",
            b"\xd6\x69\0\0\0\x01\x90",
            b"\xd6\x70\0\0\0\x01",
            b"\x91\xd6\x62\0\0\0\x06\xc1\x05\xa0\xa5hello",
            b"\xd4\x72\x40\xd4\x73\0\x91\xa1a\x01",
        ] {
            assert_eq!(count(&[b"\x01\x91", isolated, b"\x03"].concat(), 0, 9), (1, 1), "{isolated:x?}");
        }
        assert_eq!(count_with(b"\x01\x40\x02", 0, 9, ASKED), (1, 1));
    }

    proptest! {
        /// What is counted is read to the same end, together as well as one by one.
        #[test]
        fn counted_values_are_there(
            input in proptest::collection::vec(
                prop_oneof![any::<u8>(), 0x00u8..0x05, 0x80u8..0xa4, Just(0x72), Just(0xd4), 0x40u8..0x44], 0..60),
        ) {
            let (count, end) = count(&input, 0, 20);
            prop_assert!(end <= input.len());
            if count == 0 {
                return Ok(());
            }
            let mut decoder = Decoder::default();
            decoder.begin(true, true, false);
            decoder.records.begin(0, 0);
            let sequence = Sequence::new(Scanner::new(&input, 0, 0), count);
            if let Ok(scanned) = scan(&mut decoder, sequence, &input, 0, 0) {
                prop_assert_eq!(scanned.position, end);
            }
        }
    }
}
