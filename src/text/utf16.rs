//! UTF-16 to UTF-8, with U+FFFD for every lone surrogate.

use crate::buffer::OutputBuffer;

/// Units that may be read behind the end of a text, so that short strings are copied in one step.
pub const PADDING: usize = BLOCK;
const BLOCK: usize = 16;

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

    /// The units without the padding.
    #[must_use]
    pub fn units(&self) -> &'a [u16] {
        &self.padded[..self.len()]
    }
}

/// Appends `text` as UTF-8; the result is the number of bytes.
#[inline(always)]
pub fn append(text: PaddedText<'_>, out: &mut OutputBuffer) -> usize {
    let length = text.len();
    if length <= BLOCK {
        let block: &[u16; BLOCK] = text.padded.first_chunk().expect("padded");
        // Units behind the text may be non-ASCII too: that only costs the general path.
        return match narrow(block) {
            Some(bytes) => {
                *out.slot::<BLOCK>() = bytes;
                out.advance(length);
                length
            }
            None => append_any(text.units(), out),
        };
    }
    append_long(text, out)
}

fn append_long(text: PaddedText<'_>, out: &mut OutputBuffer) -> usize {
    let length = text.len();
    let mut done = 0;
    while done < length {
        let block: &[u16; BLOCK] = text.padded[done..].first_chunk().expect("padded");
        let Some(bytes) = narrow(block) else {
            return done + append_any(&text.padded[done..length], out);
        };
        *out.slot::<BLOCK>() = bytes;
        let count = BLOCK.min(length - done);
        out.advance(count);
        done += count;
    }
    done
}

/// The units as bytes, if all are ASCII. Works on copies: told apart from the output, the loop
/// becomes a few vector instructions.
#[inline(always)]
fn narrow(block: &[u16; BLOCK]) -> Option<[u8; BLOCK]> {
    let units = *block;
    let union = units.iter().fold(0, |union, unit| union | unit);
    (union < 0x80).then(|| units.map(|unit| unit as u8))
}

/// Any text, unit by unit; a part of it may still be ASCII.
#[inline(never)]
fn append_any(units: &[u16], out: &mut OutputBuffer) -> usize {
    let room = out.room(units.len() * 3);
    let size = encode(units, room);
    out.advance(size);
    size
}

/// Encodes into `room`, which has three bytes a unit.
fn encode(units: &[u16], room: &mut [u8]) -> usize {
    let mut at = 0;
    let mut index = 0;
    while index < units.len() {
        let unit = u32::from(units[index]);
        index += 1;
        match unit {
            0..0x80 => {
                room[at] = unit as u8;
                at += 1;
            }
            0x80..0x800 => {
                let bytes = [0xc0 | (unit >> 6) as u8, continuation(unit)];
                room[at..at + 2].copy_from_slice(&bytes);
                at += 2;
            }
            0xd800..0xdc00 if index < units.len() && (units[index] & 0xfc00) == 0xdc00 => {
                let point = 0x1_0000 + ((unit & 0x3ff) << 10) + u32::from(units[index] & 0x3ff);
                index += 1;
                let bytes = [
                    0xf0 | (point >> 18) as u8,
                    continuation(point >> 12),
                    continuation(point >> 6),
                    continuation(point),
                ];
                room[at..at + 4].copy_from_slice(&bytes);
                at += 4;
            }
            _ => {
                let point = if unit & 0xf800 == 0xd800 { 0xfffd } else { unit };
                let bytes = [0xe0 | (point >> 12) as u8, continuation(point >> 6), continuation(point)];
                room[at..at + 3].copy_from_slice(&bytes);
                at += 3;
            }
        }
    }
    at
}

#[inline(always)]
fn continuation(point: u32) -> u8 {
    0x80 | (point & 0x3f) as u8
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn ours(units: &[u16], behind: u16) -> Vec<u8> {
        let mut padded = units.to_vec();
        padded.resize(units.len() + PADDING, behind);
        let mut out = OutputBuffer::default();
        let size = append(PaddedText::new(&padded), &mut out);
        assert_eq!(size, out.bytes().len());
        out.bytes().to_vec()
    }

    #[test]
    fn lone_surrogates_become_replacement_characters() {
        assert_eq!(ours(&[0xd83d, 0xd83d, 0xde00], 0), "\u{fffd}\u{1f600}".as_bytes());
        assert_eq!(ours(&[0xde00, 0x61], 0), "\u{fffd}a".as_bytes());
        // The unit behind the text must not complete a pair.
        assert_eq!(ours(&[0xd83d], 0xde00), "\u{fffd}".as_bytes());
    }

    #[test]
    fn every_length_around_the_block() {
        for length in 0..70 {
            let text: String = "abcdefghij".chars().cycle().take(length).collect();
            let units: Vec<u16> = text.encode_utf16().collect();
            assert_eq!(ours(&units, 0xe9), text.as_bytes());
            for at in 0..length {
                let mut units = units.clone();
                units[at] = 0x20ac;
                assert_eq!(ours(&units, 0), String::from_utf16_lossy(&units).as_bytes());
            }
        }
    }

    proptest! {
        #[test]
        fn equals_the_standard_library(units in proptest::collection::vec(prop_oneof![0u16..0x80, 0u16..0x900, 0xd700u16..0xe100], 0..80)) {
            prop_assert_eq!(ours(&units, 0), String::from_utf16_lossy(&units).into_bytes());
        }
    }
}
