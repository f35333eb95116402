//! UTF-16 to UTF-8, with U+FFFD for every lone surrogate.

use super::arch::{self, SLACK};

/// Units that may be read behind the end of a text, so that short strings are copied in one step.
pub const PADDING: usize = 16;

/// A text of UTF-16 units followed by [`PADDING`] readable ones.
#[derive(Clone, Copy)]
pub struct PaddedText<'a> {
    padded: &'a [u16],
}

impl<'a> PaddedText<'a> {
    /// The text is all of `padded` but the last [`PADDING`] units; fewer than those are no text.
    #[must_use]
    pub fn new(padded: &'a [u16]) -> Self {
        const NONE: &[u16] = &[0; PADDING];
        Self { padded: if padded.len() < PADDING { NONE } else { padded } }
    }

    /// Length in units.
    #[inline(always)]
    #[must_use]
    pub fn len(&self) -> usize {
        self.padded.len() - PADDING
    }

    /// Whether there is no text.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The first `length` units and the rest, if the text is as long.
    #[inline(always)]
    #[must_use]
    pub fn split(&self, length: usize) -> Option<(Self, Self)> {
        let first = self.padded.get(..length.checked_add(PADDING)?)?;
        Some((Self { padded: first }, Self { padded: &self.padded[length..] }))
    }

    /// The first units, and the padding behind if they are fewer.
    #[inline(always)]
    #[must_use]
    pub fn first_block(&self) -> &'a [u16; PADDING] {
        self.padded.first_chunk().expect("padded")
    }

    /// The units behind [`Self::first_block`], if the text is as long as that.
    #[inline(always)]
    #[must_use]
    pub fn second_block(&self) -> &'a [u16; PADDING] {
        self.padded[PADDING..].first_chunk().expect("padded")
    }

    /// The units without the padding.
    #[must_use]
    pub fn units(&self) -> &'a [u16] {
        &self.padded[..self.len()]
    }
}

/// Encodes `units` as UTF-8 to the start of `room` and returns the size; every lone surrogate becomes
/// U+FFFD.
///
/// # Panics
/// If the room is less than three bytes a unit and [`SLACK`]. All of that may be overwritten.
#[inline]
#[must_use]
pub fn encode_utf16(units: &[u16], room: &mut [u8]) -> usize {
    assert!(room.len() >= 3 * units.len() + SLACK, "no room");
    arch::utf16(units, units.len(), room)
}

/// The same for a padded text, whose end is read in one step.
///
/// # Panics
/// As [`encode_utf16`].
#[inline]
#[must_use]
pub fn encode_padded(text: PaddedText<'_>, room: &mut [u8]) -> usize {
    assert!(room.len() >= 3 * text.len() + SLACK, "no room");
    arch::utf16(text.padded, text.len(), room)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lone_surrogates_become_replacement_characters() {
        let mut room = [0; 9 + SLACK];
        let size = encode_utf16(&[0xd83d, 0xd83d, 0xde00], &mut room);
        assert_eq!(&room[..size], "\u{fffd}\u{1f600}".as_bytes());
        let size = encode_utf16(&[0xde00, 0x61], &mut room);
        assert_eq!(&room[..size], "\u{fffd}a".as_bytes());
    }

    #[test]
    fn padding_is_not_part_of_the_text() {
        let mut room = [0; 9 + SLACK];
        let padded = [&[0x20ac, 0xd83d], &[0xde00; PADDING][..]].concat();
        let text = PaddedText::new(&padded);
        let size = encode_padded(text, &mut room);
        assert_eq!(&room[..size], "\u{20ac}\u{fffd}".as_bytes());
        let (first, rest) = text.split(1).expect("two units");
        assert_eq!((first.len(), rest.units()), (1, &[0xd83d][..]));
        assert!(text.split(3).is_none());
        assert!(text.split(usize::MAX).is_none());
        assert_eq!(encode_padded(PaddedText::new(&[0x61]), &mut room), 0);
    }

    #[test]
    #[should_panic = "no room"]
    fn room_is_checked() {
        let _ = encode_utf16(&[0x61, 0x62], &mut [0; 5 + SLACK]);
    }

    #[test]
    #[should_panic = "no room"]
    fn room_for_padded_text_is_checked() {
        let _ = encode_padded(PaddedText::new(&[0x61; PADDING + 1]), &mut [0; 2 + SLACK]);
    }
}
