//! UTF-16 to UTF-8, with U+FFFD for every lone surrogate.

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

    /// The units without the padding.
    #[must_use]
    pub fn units(&self) -> &'a [u16] {
        &self.padded[..self.len()]
    }
}

/// Encodes `units` into `room`, which has three bytes a unit and 32 more; returns the bytes written.
/// Lone surrogates become U+FFFD.
#[must_use]
pub fn encode_utf16(units: &[u16], room: &mut [u8]) -> usize {
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

    #[test]
    fn lone_surrogates_become_replacement_characters() {
        let ours = |units: &[u16]| {
            let mut room = vec![0; units.len() * 3 + 32];
            let size = encode_utf16(units, &mut room);
            room[..size].to_vec()
        };
        assert_eq!(ours(&[0xd83d, 0xd83d, 0xde00]), "\u{fffd}\u{1f600}".as_bytes());
        assert_eq!(ours(&[0xde00, 0x61]), "\u{fffd}a".as_bytes());
    }
}
