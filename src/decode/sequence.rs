//! Values in a row, scanned as if they were the elements of one array: a message for each costs more than
//! the values themselves where those are small.

use crate::error::DecodeError;
use crate::format::{Item, Numbers, Scalar, Scanner};

/// Arrays below this length are not taken for runs of numbers.
const SHORT: usize = 4;

/// A scanner that begins with the head of an array which the input does not have. Extensions, which include
/// all that has parts elsewhere, end it as if the input were cut.
#[derive(Clone, Copy)]
pub struct Sequence<S> {
    values: S,
    /// Elements of the array, until its head was read.
    head: Option<usize>,
}

impl<S> Sequence<S> {
    /// The next `count` values of a scanner, of which there must be as many.
    #[must_use]
    pub fn new(values: S, count: usize) -> Self {
        Self { values, head: Some(count) }
    }
}

impl<'a, S: Scanner<'a>> Scanner<'a> for Sequence<S> {
    const IN_ROW: bool = true;

    #[inline(always)]
    fn input(&self) -> &'a [u8] {
        self.values.input()
    }

    #[inline(always)]
    fn position(&self) -> usize {
        self.values.position()
    }

    #[inline(always)]
    fn seek(&mut self, position: usize) {
        self.values.seek(position);
    }

    #[inline(always)]
    fn scalar(&mut self) -> Option<Scalar> {
        if self.head.is_some() { None } else { self.values.scalar() }
    }

    #[inline(always)]
    fn next(&mut self) -> Result<Item, DecodeError> {
        match self.head.take() {
            Some(count) => Ok(Item::Array(count)),
            // What an extension is may depend on where the value begins and ends: no array is like that.
            None => match self.values.next() {
                Ok(Item::Ext { .. }) => Err(DecodeError::Incomplete),
                item => item,
            },
        }
    }

    #[inline(always)]
    fn numbers(&mut self, slots: &mut [u64]) -> Numbers {
        // Short ones mix numbers with other values more often than not, and then a run is begun in vain.
        if slots.len() < SHORT {
            return Numbers { count: 0, doubles: false, ints: false };
        }
        self.values.numbers(slots)
    }

    #[inline(always)]
    fn short_array(&self) -> usize {
        self.values.short_array()
    }

    #[inline(always)]
    fn nested(&self) -> usize {
        self.values.nested()
    }

    fn tuples(&mut self, size: usize, slots: &mut [u64]) -> Option<Numbers> {
        self.values.tuples(size, slots)
    }

    #[inline(always)]
    fn expect_records(&mut self) {
        self.values.expect_records();
    }

    #[inline(always)]
    fn second_byte(&mut self, slot: usize) -> Result<Option<usize>, DecodeError> {
        self.values.second_byte(slot)
    }

    #[inline(always)]
    fn claim(&mut self, values: usize) -> Result<(), DecodeError> {
        self.values.claim(values)
    }

    fn text_key(&mut self) -> Result<Option<(usize, usize)>, DecodeError> {
        self.values.text_key()
    }

    fn put_list(to: &mut Vec<u8>, count: usize) {
        S::put_list(to, count);
    }

    fn put_key(to: &mut Vec<u8>, text: Result<&str, &[u16]>) {
        S::put_key(to, text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode::Decoder;
    use crate::decode::scan::scan;
    use crate::format::msgpack::scanner::Scanner as MsgpackScanner;

    fn slots(input: &[u8], start: usize, count: Option<usize>) -> (Vec<u64>, usize) {
        let mut decoder = Decoder::default();
        decoder.begin(true, true, false);
        decoder.records.begin(0, 0);
        let scanner = MsgpackScanner::new(input, start, 0);
        let scanned = match count {
            Some(count) => scan(&mut decoder, Sequence::new(scanner, count), input, 0, 0),
            None => scan(&mut decoder, scanner, input, 0, 0),
        }
        .unwrap();
        (decoder.slots.words()[..scanned.free].to_vec(), scanned.position)
    }

    #[test]
    fn values_in_a_row_are_those_of_an_array() {
        for values in [
            &[&b"\x01"[..], b"\xcb\x3f\xf8\0\0\0\0\0\0", b"\x03", b"\x04"][..],
            &[b"\x92\x01\xc0", b"\xc3"],
            &[b"\xd4\x72\x40\x91\x05\x01", b"\x40\x02", b"\x81\x01\x90"],
        ] {
            let row = values.concat();
            let array = [&[0x90 | values.len() as u8], &row[..]].concat();
            let (wanted, end) = slots(&array, 0, None);
            assert_eq!(slots(&row, 0, Some(values.len())), (wanted.clone(), end - 1));
            // What stands before and behind does not matter.
            let among = [b"\xc1\xc1", &row[..], b"\xdd"].concat();
            assert_eq!(slots(&among, 2, Some(values.len())), (wanted, end + 1));
        }
    }

    #[test]
    fn what_is_cut_is_no_sequence() {
        let mut decoder = Decoder::default();
        decoder.begin(true, true, false);
        decoder.records.begin(0, 0);
        let sequence = Sequence::new(MsgpackScanner::new(b"\x01", 0, 0), 2);
        assert_eq!(scan(&mut decoder, sequence, b"\x01", 0, 0), Err(DecodeError::Incomplete));
        for extension in [&b"\xd4\x73\0\x90"[..], b"\xc7\x01\x74\x10", b"\x91\xd6\x62\0\0\0\x06"] {
            let sequence = Sequence::new(MsgpackScanner::new(extension, 0, 0), 1);
            assert_eq!(scan(&mut decoder, sequence, extension, 0, 0), Err(DecodeError::Incomplete));
        }
    }
}
