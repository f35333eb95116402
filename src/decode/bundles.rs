//! Bundled strings: strings that a message holds joined, in two runs behind its values, and cuts from them
//! by length alone, in the order in which the values come.
//!
//! Lengths are in UTF-16 units. A run of ASCII is cut as it lies in the input; the other is transcoded
//! once. A message may have several bundles in a row; which one is in force changes where the next is
//! opened. Together they can be no longer than the input, so that small headers can not ask for the same
//! strings again and again.

use std::mem::replace;

use crate::error::DecodeError;
use crate::format::{Item, Scanner};
use crate::text::utf8;

/// Memory for transcoded units that is kept between messages.
const KEPT_UNITS: usize = 1 << 16;

/// Bytes of strings that values elsewhere in the message may have transcoded once more, for as many of them
/// as there are: an extension that reads ahead does not know what was read before.
const MAX_READ_AGAIN: usize = 1 << 28;

/// Where the next strings are cut from: bytes of the input if they are all ASCII, else units.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Run {
    start: usize,
    at: usize,
    end: usize,
    ascii: bool,
}

/// The state of the bundle in force.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cursor {
    /// Where its strings lie in the input; 0 if no bundle was opened.
    trailer: usize,
    /// Where they end.
    end: usize,
    /// What came from other text, and what came from ASCII.
    runs: [Run; 2],
}

/// A string that was cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// ASCII text: start in the input, and length.
    Ascii(usize, usize),
    /// Units of [`Bundles::units`].
    Units(usize, usize),
}

/// The bundles of a message.
#[derive(Default)]
pub struct Bundles {
    cursor: Cursor,
    units: Vec<u16>,
    /// Bytes of all strings that were asked for; and before this value of the message.
    claimed: usize,
    claimed_before: usize,
    /// Bytes of strings that were read again.
    read_again: usize,
}

impl Bundles {
    /// Readies the memory for a value; `continued` says that it follows another one in the same input.
    #[inline(always)]
    pub fn begin(&mut self, continued: bool) {
        if self.claimed != 0 || self.cursor.trailer != 0 {
            self.clear(continued);
        }
    }

    #[cold]
    fn clear(&mut self, continued: bool) {
        self.cursor = Cursor::default();
        // Strings of the value before are made already.
        self.units.clear();
        if !continued {
            self.claimed = 0;
            self.read_again = 0;
            if self.units.capacity() > KEPT_UNITS {
                self.units = Vec::new();
            }
        }
        self.claimed_before = self.claimed;
    }

    /// The value is going to be scanned once more.
    pub fn undo(&mut self) {
        self.claimed = self.claimed_before;
    }

    /// Whether a bundle is in force.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.cursor.trailer != 0
    }

    /// Where the message goes on behind the strings of the bundle that was opened last, if there is one.
    #[inline(always)]
    #[must_use]
    pub fn end(&self) -> Option<usize> {
        if self.is_open() { Some(self.cursor.end) } else { None }
    }

    /// Transcoded text.
    #[must_use]
    pub fn units(&self) -> &[u16] {
        &self.units
    }

    /// The state, to go back to.
    #[must_use]
    pub fn cursor(&self) -> Cursor {
        self.cursor
    }

    /// Goes back to a state of the same message.
    pub fn set_cursor(&mut self, cursor: Cursor) {
        self.cursor = cursor;
    }

    /// The state as two words of each run's progress, to go back to when other messages were scanned
    /// meanwhile; see [`Self::reopen`].
    #[must_use]
    pub fn progress(&self) -> [usize; 3] {
        let [other, ascii] = self.cursor.runs.map(|run| run.at - run.start);
        [self.cursor.trailer, other, ascii]
    }

    /// Brings back the state that [`Self::progress`] told.
    pub fn reopen<'a, S: Scanner<'a>>(
        &mut self,
        scanner: S,
        [trailer, other, ascii]: [usize; 3],
    ) -> Result<(), DecodeError> {
        if trailer == 0 {
            self.cursor = Cursor::default();
            return Ok(());
        }
        if self.cursor.trailer != trailer {
            // The message has paid for these strings.
            let claimed = replace(&mut self.claimed, 0);
            let read = self.read(scanner, trailer);
            self.read_again += replace(&mut self.claimed, claimed);
            read?;
            if self.read_again > MAX_READ_AGAIN {
                return Err(DecodeError::BundlesOverlap);
            }
        }
        for (run, progress) in self.cursor.runs.iter_mut().zip([other, ascii]) {
            run.at = (run.start + progress).min(run.end);
        }
        Ok(())
    }

    /// Opens the bundle that an extension names whose payload is `length` bytes at `start`.
    #[cold]
    #[inline(never)]
    pub fn open<'a, S: Scanner<'a>>(
        &mut self,
        scanner: S,
        start: usize,
        length: usize,
    ) -> Result<(), DecodeError> {
        let payload = &scanner.input()[start..start + length];
        let mut offset = [0; 4];
        for (byte, given) in offset.iter_mut().zip(payload) {
            *byte = *given;
        }
        self.read(scanner, start + u32::from_be_bytes(offset) as usize)
    }

    /// Puts the bundle in force whose strings begin at `trailer`.
    fn read<'a, S: Scanner<'a>>(&mut self, mut scanner: S, trailer: usize) -> Result<(), DecodeError> {
        let input = scanner.input();
        if trailer > input.len() {
            return Err(DecodeError::NoBundle(true));
        }
        scanner.seek(trailer);
        let mut runs = [Run::default(); 2];
        for run in &mut runs {
            if scanner.position() == input.len() {
                return Err(DecodeError::NoBundle(true));
            }
            let (start, length) = scanner.text_key()?.ok_or(DecodeError::NoBundle(false))?;
            self.claimed += length;
            if self.claimed > input.len() {
                return Err(DecodeError::BundlesOverlap);
            }
            *run = self.run(input, start, length);
        }
        self.claimed += 2;
        self.cursor = Cursor { trailer, end: scanner.position(), runs };
        Ok(())
    }

    fn run(&mut self, input: &[u8], start: usize, length: usize) -> Run {
        let text = &input[start..start + length];
        if utf8::is_ascii(text) {
            return Run { start, at: start, end: start + length, ascii: true };
        }
        let start = self.units.len();
        let units = utf8::append_utf16(text, &mut self.units);
        Run { start, at: start, end: start + units, ascii: false }
    }

    /// Cuts the next string, whose length is the next item: negative for what did not come from ASCII. Also
    /// where the item ends. What is longer than the rest is the rest.
    #[inline(never)]
    pub fn cut<'a, S: Scanner<'a>>(&mut self, mut scanner: S) -> Result<(Cut, usize), DecodeError> {
        let length = match scanner.next()? {
            Item::Int(length) | Item::Record { int: length, .. } => i64::from(length),
            Item::Double(length) if length > 0.0 => i64::MAX,
            _ => return Err(DecodeError::NoBundledLength),
        };
        let run = &mut self.cursor.runs[usize::from(length > 0)];
        let start = run.at;
        let length = usize::try_from(length.unsigned_abs()).unwrap_or(usize::MAX).min(run.end - start);
        run.at += length;
        let cut = if run.ascii { Cut::Ascii(start, length) } else { Cut::Units(start, length) };
        Ok((cut, scanner.position()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::msgpack::scanner::Scanner as MsgpackScanner;

    fn scanner(input: &[u8], at: usize) -> MsgpackScanner<'_> {
        MsgpackScanner::new(input, at, 0)
    }

    #[test]
    fn strings_are_cut_in_order() {
        // Behind six bytes: "h\u{e9}\u{1f600}" and "abc".
        let input = b"\xd6b\0\0\0\x04\xa7h\xc3\xa9\xf0\x9f\x98\x80\xa3abc";
        let mut bundles = Bundles::default();
        bundles.open(scanner(input, 6), 2, 4).unwrap();
        assert_eq!(bundles.end(), Some(input.len()));
        let mut cut = |length: &[u8]| bundles.cut(scanner(length, 0)).unwrap();
        assert_eq!(cut(&[2]), (Cut::Ascii(15, 2), 1));
        assert_eq!(cut(&[0xfd]), (Cut::Units(0, 3), 1));
        assert_eq!(cut(&[0]), (Cut::Units(3, 0), 1));
        assert_eq!(cut(&[0xd0, 0x80]), (Cut::Units(3, 1), 2));
        assert_eq!(cut(&[0xce, 0xff, 0xff, 0xff, 0xff]), (Cut::Ascii(17, 1), 5));
        assert_eq!(cut(&[9]), (Cut::Ascii(18, 0), 1));
        assert_eq!(bundles.units(), "hé😀".encode_utf16().collect::<Vec<_>>());
        let wrong = bundles.cut(scanner(&[0xc0], 0));
        assert_eq!(wrong, Err(DecodeError::NoBundledLength));
    }

    #[test]
    fn what_is_no_bundle() {
        let open = |input: &[u8]| Bundles::default().open(scanner(input, 6), 2, 4);
        assert_eq!(open(b"\xd6b\0\0\0\x04\xa0\x01"), Err(DecodeError::NoBundle(false)));
        assert_eq!(open(b"\xd6b\0\0\0\x04\xa0"), Err(DecodeError::NoBundle(true)));
        assert_eq!(open(b"\xd6b\xff\xff\xff\xff\xa0"), Err(DecodeError::NoBundle(true)));
        assert_eq!(open(b"\xd6b\0\0\0\x04\xa2a"), Err(DecodeError::Missing(1)));
    }

    #[test]
    fn the_same_strings_are_not_read_again_and_again() {
        let mut input = vec![0; 40];
        input.extend(b"\xbaabcdefghijklmnopqrstuvwxyz\xa0");
        let mut bundles = Bundles::default();
        let scanner = scanner(&input, 0);
        assert_eq!(bundles.read(scanner, 40), Ok(()));
        bundles.begin(true);
        assert_eq!(bundles.read(scanner, 40), Ok(()));
        assert_eq!(bundles.read(scanner, 40), Err(DecodeError::BundlesOverlap));
        bundles.begin(false);
        assert_eq!(bundles.read(scanner, 40), Ok(()));
    }

    #[test]
    fn a_state_comes_back() {
        let input = b"\xd6b\0\0\0\x04\xa3\xc3\xa9a\xa3abc";
        let mut bundles = Bundles::default();
        let scanner = scanner(input, 6);
        bundles.open(scanner, 2, 4).unwrap();
        bundles.cut(MsgpackScanner::new(&[2], 0, 0)).unwrap();
        let progress = bundles.progress();
        bundles.begin(false);
        bundles.reopen(scanner, progress).unwrap();
        assert_eq!(bundles.progress(), progress);
        bundles.reopen(scanner, [0; 3]).unwrap();
        assert!(!bundles.is_open());
    }
}
