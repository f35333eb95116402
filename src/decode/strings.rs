//! How a message's strings reach JavaScript: a few long strings, the pieces, that it slices.
//!
//! ASCII strings are cut from a piece that is a span of the input as it is; others are cut from a
//! piece of UTF-16 that is transcoded here. A slice keeps its piece alive, so a piece spans at most
//! [`MAX_PIECE`] bytes; a longer string is a piece by itself. Measured against one engine string per
//! string, slicing is about three times faster.

use crate::tape::slot;
use crate::text::utf8;

/// Bytes of text that a short string may keep alive.
pub const MAX_PIECE: usize = 1 << 16;
/// The same in UTF-16 units.
const MAX_WIDE_PIECE: usize = MAX_PIECE / 2;
/// Start of no piece: further than a piece's length from every place of an input, either way round.
const NO_PIECE: usize = usize::MAX / 2;
/// Memory of the UTF-16 arena that is kept between messages, in units.
const KEPT_UNITS: usize = 1 << 19;
/// The same for the list of pieces.
const KEPT_PIECES: usize = 1 << 10;

/// Text that becomes one JavaScript string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece {
    /// Bytes of the input, all of them to be taken as Latin-1.
    Latin {
        /// Start in the input.
        start: usize,
        /// End in the input.
        end: usize,
    },
    /// Units of the arena.
    Wide {
        /// Start in the arena.
        start: usize,
        /// End in the arena.
        end: usize,
    },
}

/// The pieces of the message being scanned.
pub struct Strings {
    pieces: Vec<Piece>,
    arena: Vec<u16>,
    /// The open pieces, as far as there are any.
    latin: Option<usize>,
    wide: Option<usize>,
    /// Bounds of the open piece of the input; its entry among the pieces gets the end when it closes.
    latin_start: usize,
    latin_end: usize,
    /// How far it went before, where its strings do not come in the order of the input.
    latin_reach: usize,
    /// The first pieces of both kinds, in force until a slot names another.
    first_latin: Option<usize>,
    first_wide: Option<usize>,
}

/// What the slot of a string is to say; `Next` and `Long` need a slot of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Text {
    /// The whole slot.
    Slot(u64),
    /// A rare kind, and the words of its slot.
    Rare(u32, u64),
}

impl Default for Strings {
    fn default() -> Self {
        Self {
            pieces: Vec::new(),
            arena: Vec::new(),
            latin: None,
            wide: None,
            latin_start: NO_PIECE,
            latin_end: 0,
            latin_reach: 0,
            first_latin: None,
            first_wide: None,
        }
    }
}

impl Strings {
    /// Forgets the last message.
    #[inline(always)]
    pub fn clear(&mut self) {
        // Without a piece nothing else has changed.
        if !self.pieces.is_empty() {
            self.clear_pieces();
        }
    }

    fn clear_pieces(&mut self) {
        if self.arena.capacity() > KEPT_UNITS {
            self.arena = Vec::new();
        }
        if self.pieces.capacity() > KEPT_PIECES {
            self.pieces = Vec::new();
        }
        self.arena.clear();
        self.pieces.clear();
        self.latin = None;
        self.wide = None;
        self.latin_start = NO_PIECE;
        self.latin_end = 0;
        self.latin_reach = 0;
        self.first_latin = None;
        self.first_wide = None;
    }

    /// The pieces so far.
    #[must_use]
    pub fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// The arena's units in a piece.
    #[must_use]
    pub fn units(&self, start: usize, end: usize) -> &[u16] {
        &self.arena[start..end]
    }

    /// The first piece of each kind that short strings are cut from.
    #[must_use]
    pub fn first(&self) -> (Option<usize>, Option<usize>) {
        (self.first_latin, self.first_wide)
    }

    /// Bytes of memory held.
    #[must_use]
    pub fn memory(&self) -> usize {
        self.arena.capacity() * 2 + self.pieces.capacity() * size_of::<Piece>()
    }

    /// Whether ASCII strings are cut from the piece that came first.
    #[must_use]
    pub fn in_first_piece(&self) -> bool {
        self.latin.is_some() && self.latin == self.first_latin
    }

    /// Registers a string of any kind.
    #[inline(always)]
    pub fn add(&mut self, input: &[u8], start: usize, length: usize) -> Text {
        let bytes = &input[start..start + length];
        if utf8::is_ascii(bytes) { self.add_ascii(start, length) } else { self.add_wide(bytes) }
    }

    /// Registers the ASCII string that lies at `start` of the input.
    #[inline(always)]
    pub fn add_ascii(&mut self, start: usize, length: usize) -> Text {
        let offset = start.wrapping_sub(self.latin_start);
        if offset < MAX_PIECE && offset + length <= MAX_PIECE && length <= slot::MAX_INLINE_LENGTH {
            self.latin_end = start + length;
            return Text::Slot(slot::boxed(slot::STR, length as u32, offset as u32));
        }
        self.open_latin(start, length)
    }

    #[inline(never)]
    fn open_latin(&mut self, start: usize, length: usize) -> Text {
        let number = self.pieces.len();
        self.pieces.push(Piece::Latin { start, end: start + length });
        if length > slot::MAX_INLINE_LENGTH {
            return Text::Rare(slot::RARE_LONG_STR, slot::words(number as u32, 0));
        }
        self.close_latin();
        self.latin = Some(number);
        self.latin_start = start;
        self.latin_end = start + length;
        self.latin_reach = 0;
        if self.first_latin.is_none() {
            self.first_latin = Some(number);
            return Text::Slot(slot::boxed(slot::STR, length as u32, 0));
        }
        Text::Rare(slot::RARE_NEXT_PIECE, slot::words(number as u32, length as u32))
    }

    /// Writes down how far the open piece of the input goes.
    pub fn close_latin(&mut self) {
        if let Some(open) = self.latin
            && let Some(Piece::Latin { end, .. }) = self.pieces.get_mut(open)
        {
            *end = self.latin_end.max(self.latin_reach);
        }
    }

    /// The next string, or the last one, is not where the input goes on: the open piece must not become shorter.
    pub fn keep_reach(&mut self) {
        self.latin_reach = self.latin_reach.max(self.latin_end);
    }

    /// Registers a string that is not ASCII.
    #[inline(never)]
    pub fn add_wide(&mut self, bytes: &[u8]) -> Text {
        let begin = self.arena.len();
        let length = utf8::append_utf16(bytes, &mut self.arena);
        self.added_wide(begin, length)
    }

    /// Registers a string of these units.
    #[inline(never)]
    pub fn add_units(&mut self, units: &[u16]) -> Text {
        let begin = self.arena.len();
        self.arena.extend_from_slice(units);
        self.added_wide(begin, units.len())
    }

    /// Registers the last units of the arena as a string.
    #[inline(always)]
    fn added_wide(&mut self, begin: usize, length: usize) -> Text {
        if let Some(open) = self.wide
            && let Some(Piece::Wide { start: first, end }) = self.pieces.get_mut(open)
            && *end == begin
            && begin + length - *first <= MAX_WIDE_PIECE
        {
            *end = begin + length;
            return Text::Slot(slot::boxed(slot::WIDE, length as u32, (begin - *first) as u32));
        }
        let number = self.pieces.len();
        self.pieces.push(Piece::Wide { start: begin, end: begin + length });
        if length > slot::MAX_INLINE_LENGTH {
            return Text::Rare(slot::RARE_LONG_STR, slot::words(number as u32, 0));
        }
        self.wide = Some(number);
        if self.first_wide.is_none() {
            self.first_wide = Some(number);
            return Text::Slot(slot::boxed(slot::WIDE, length as u32, 0));
        }
        Text::Rare(slot::RARE_NEXT_WIDE, slot::words(number as u32, length as u32))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_piece_spans_no_more_than_its_bound() {
        let input = vec![b'a'; 3 * MAX_PIECE];
        let mut strings = Strings::default();
        let mut at = 0;
        while at + 1000 < input.len() {
            strings.add(&input, at, 1000);
            at += 1000;
        }
        strings.close_latin();
        assert!(strings.pieces().len() > 2);
        for piece in strings.pieces() {
            assert!(matches!(piece, Piece::Latin { start, end } if end - start <= MAX_PIECE));
        }
    }

    #[test]
    fn strings_may_come_in_another_order() {
        let mut strings = Strings::default();
        strings.add_ascii(10, 5);
        strings.keep_reach();
        strings.add_ascii(500, 20);
        strings.keep_reach();
        strings.add_ascii(20, 5);
        strings.close_latin();
        assert_eq!(strings.pieces(), [Piece::Latin { start: 10, end: 520 }]);
    }

    #[test]
    fn long_strings_stand_alone() {
        let input = vec![b'a'; 2 * MAX_PIECE];
        let mut strings = Strings::default();
        assert_eq!(strings.add(&input, 0, 5), Text::Slot(slot::boxed(slot::STR, 5, 0)));
        assert_eq!(strings.add(&input, 10, MAX_PIECE), Text::Rare(slot::RARE_LONG_STR, slot::words(1, 0)));
        assert_eq!(strings.pieces().len(), 2);
        assert_eq!(strings.first(), (Some(0), None));
    }

    #[test]
    fn other_text_goes_through_the_arena() {
        let input = "aé日😀".as_bytes();
        let mut strings = Strings::default();
        assert_eq!(strings.add(input, 1, 2), Text::Slot(slot::boxed(slot::WIDE, 1, 0)));
        assert_eq!(strings.add(input, 3, 7), Text::Slot(slot::boxed(slot::WIDE, 3, 1)));
        let [Piece::Wide { start, end }] = strings.pieces() else { panic!("one piece") };
        assert_eq!(String::from_utf16(strings.units(*start, *end)).unwrap(), "é日😀");
    }
}
