//! Key lists of plain objects, with their keys encoded once.
//!
//! JavaScript finds an object's shape while it walks it and writes the shape's number on the tape;
//! here lie the bytes. Numbers are given in order, their count is bounded, and JavaScript, which
//! decides what deserves a number, may start over with none.

use crate::buffer::{OutputBuffer, Position};

/// Shapes in use at once; JavaScript starts over when it has given this many.
pub const MAX_SHAPES: usize = 4096;

/// Longest key that is copied in one step of constant size.
const INLINE: usize = 32;

/// The bytes of one key in a wire format.
pub struct EncodedKey {
    inline: [u8; INLINE],
    length: usize,
    long: Option<Box<[u8]>>,
}

impl EncodedKey {
    /// A key of these bytes.
    #[must_use]
    pub fn new(bytes: &[u8]) -> Self {
        let mut inline = [0; INLINE];
        let long = match inline.get_mut(..bytes.len()) {
            Some(start) => {
                start.copy_from_slice(bytes);
                None
            }
            None => Some(bytes.into()),
        };
        Self { inline, length: bytes.len(), long }
    }

    /// Writes the bytes at `at`.
    #[inline(always)]
    pub fn write(&self, out: &mut OutputBuffer<'_>, at: Position) -> Position {
        match &self.long {
            None => {
                *out.slot::<INLINE>(at) = self.inline;
                at.advance(self.length)
            }
            Some(bytes) => out.extend(at, bytes),
        }
    }
}

/// The shapes of one wire format.
#[derive(Default)]
pub struct Shapes {
    /// The keys of all shapes, one shape after the other.
    keys: Vec<EncodedKey>,
    /// Where each shape's keys lie.
    ranges: Vec<(usize, usize)>,
}

impl Shapes {
    /// Gives a number to a list of encoded keys; none when the table is full.
    pub fn define(&mut self, keys: Vec<EncodedKey>) -> Option<usize> {
        if self.ranges.len() >= MAX_SHAPES {
            return None;
        }
        self.ranges.push((self.keys.len(), keys.len()));
        self.keys.extend(keys);
        Some(self.ranges.len() - 1)
    }

    /// Where a shape's first key lies, and how many it has.
    #[inline(always)]
    #[must_use]
    pub fn range(&self, number: usize) -> Option<(usize, usize)> {
        self.ranges.get(number).copied()
    }

    /// The key that lies at a place.
    #[inline(always)]
    #[must_use]
    pub fn key(&self, place: usize) -> Option<&EncodedKey> {
        self.keys.get(place)
    }

    /// Forgets all shapes.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ranges.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_of_every_length_come_back() {
        for length in [0, 1, 31, 32, 33, 300] {
            let bytes = vec![b'k'; length];
            let mut out = OutputBuffer::default();
            let end = EncodedKey::new(&bytes).write(&mut out, Position::START);
            assert_eq!(out.message(end), bytes);
        }
    }

    #[test]
    fn the_table_is_bounded() {
        let mut shapes = Shapes::default();
        for number in 0..MAX_SHAPES {
            assert_eq!(shapes.define(Vec::new()), Some(number));
        }
        assert_eq!(shapes.define(Vec::new()), None);
        shapes.clear();
        assert_eq!(shapes.define(Vec::new()), Some(0));
    }
}
