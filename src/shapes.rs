//! Key lists of plain objects, with their keys encoded once.
//!
//! JavaScript finds an object's shape while it walks it and writes the shape's number on the tape;
//! here lie the bytes. Numbers are given in order, their count is bounded, and JavaScript, which
//! decides what deserves a number, may start over with none. The heap walker, which sees keys only,
//! finds the number by their encoded bytes.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};

use crate::buffer::{OutputBuffer, Position};

/// Shapes in use at once; JavaScript starts over when it has given this many.
pub const MAX_SHAPES: usize = 4096;

/// Longest key that is copied in one step of constant size.
const INLINE: usize = 32;

/// What stands for half a surrogate pair.
const REPLACEMENT: &[u8] = "\u{fffd}".as_bytes();

/// The bytes of one key in a wire format.
pub struct EncodedKey {
    inline: [u8; INLINE],
    length: usize,
    long: Option<Box<[u8]>>,
    /// The text, if the bytes do not tell it.
    lost: Option<Box<[u16]>>,
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
        Self { inline, length: bytes.len(), long, lost: None }
    }

    /// A key of these bytes, in which something else stands for halves of surrogate pairs in its text.
    #[must_use]
    pub fn lossy(bytes: &[u8], units: &[u16]) -> Self {
        Self { lost: Some(units.into()), ..Self::new(bytes) }
    }

    /// The text, if the bytes do not tell it.
    #[must_use]
    pub fn lost_units(&self) -> Option<&[u16]> {
        self.lost.as_deref()
    }

    /// The bytes.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        match &self.long {
            None => &self.inline[..self.length],
            Some(bytes) => bytes,
        }
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

/// A hash over the encoded keys of a list, one after the other. Collisions cost speed only.
#[derive(Clone, Copy)]
pub struct ListHash(u64);

impl ListHash {
    /// The hash with the next key.
    #[inline(always)]
    #[must_use]
    pub fn with(self, key: &[u8]) -> Self {
        let mut state = self.0;
        let (words, rest) = key.as_chunks::<8>();
        for word in words {
            state = mix(state, u64::from_le_bytes(*word));
        }
        let mut last = [0; 8];
        last[..rest.len()].copy_from_slice(rest);
        // The length keeps zeros at the end apart from none.
        Self(mix(mix(state, u64::from_le_bytes(last)), key.len() as u64))
    }
}

#[inline(always)]
fn mix(state: u64, word: u64) -> u64 {
    let product = u128::from(state ^ word) * 0x9e37_79b9_7f4a_7c15;
    product as u64 ^ (product >> 64) as u64
}

/// The shapes of one wire format.
pub struct Shapes {
    /// The keys of all shapes, one shape after the other.
    keys: Vec<EncodedKey>,
    /// Where each shape's keys lie.
    ranges: Vec<(usize, usize)>,
    /// Shapes by the hash of their keys.
    by_hash: HashMap<u64, u32>,
    seed: u64,
    generation: u32,
}

impl Default for Shapes {
    fn default() -> Self {
        let seed = RandomState::new().hash_one(0);
        Self { keys: Vec::new(), ranges: Vec::new(), by_hash: HashMap::new(), seed, generation: 0 }
    }
}

impl Shapes {
    /// Gives a number to a list of encoded keys, the one it has if it is known; none when the table is full.
    pub fn define(&mut self, keys: Vec<EncodedKey>) -> Option<usize> {
        let hash = keys.iter().fold(self.hash(), |hash, key| hash.with(key.bytes()));
        let is_equal =
            |found: &[EncodedKey]| found.iter().map(EncodedKey::bytes).eq(keys.iter().map(EncodedKey::bytes));
        if let Some(number) = self.find(hash, is_equal) {
            return Some(number as usize);
        }
        if self.ranges.len() >= MAX_SHAPES {
            return None;
        }
        let number = self.ranges.len();
        // Keys that differ in what was replaced have the same bytes, and may be other records.
        if !keys.iter().any(|key| key.bytes().windows(3).any(|part| part == REPLACEMENT)) {
            self.by_hash.insert(hash.0, number as u32);
        }
        self.ranges.push((self.keys.len(), keys.len()));
        self.keys.extend(keys);
        Some(number)
    }

    /// The hash of no keys.
    #[inline(always)]
    #[must_use]
    pub fn hash(&self) -> ListHash {
        ListHash(self.seed)
    }

    /// The shape of a key list, by its hash and a look at the keys. None, too, where bytes do not tell which
    /// keys they are of.
    #[must_use]
    pub fn find(&self, hash: ListHash, is_equal: impl FnOnce(&[EncodedKey]) -> bool) -> Option<u32> {
        let number = *self.by_hash.get(&hash.0)?;
        let (first, count) = *self.ranges.get(number as usize)?;
        is_equal(self.keys.get(first..first + count)?).then_some(number)
    }

    /// Changes when numbers lose their meaning.
    #[inline(always)]
    #[must_use]
    pub fn generation(&self) -> u32 {
        self.generation
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
        *self = Self { generation: self.generation.wrapping_add(1), ..Self::default() };
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
    use std::collections::HashSet;

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
    fn text_that_the_bytes_do_not_tell_is_kept() {
        let key = EncodedKey::lossy(b"\xa4a\xef\xbf\xbd", &[0x61, 0xd800]);
        let mut out = OutputBuffer::default();
        let end = key.write(&mut out, Position::START);
        assert_eq!(out.message(end), key.bytes());
        assert_eq!(key.bytes(), b"\xa4a\xef\xbf\xbd");
        assert_eq!(key.lost_units(), Some(&[0x61, 0xd800][..]));
        assert_eq!(EncodedKey::new(key.bytes()).lost_units(), None);
    }

    #[test]
    fn shapes_are_found_by_their_keys() {
        let mut shapes = Shapes::default();
        let lists: [&[&[u8]]; 4] = [&[], &[b"\xa1a"], &[b"\xa1a", b"\xa0"], &[b"\xa0", b"\xa1a"]];
        for keys in lists {
            shapes.define(keys.iter().map(|key| EncodedKey::new(key)).collect());
        }
        let find = |keys: &[&[u8]]| {
            let hash = keys.iter().fold(shapes.hash(), |hash, key| hash.with(key));
            shapes.find(hash, |found| found.iter().map(EncodedKey::bytes).eq(keys.iter().copied()))
        };
        for (number, keys) in lists.iter().enumerate() {
            assert_eq!(find(keys), Some(number as u32));
        }
        assert_eq!(find(&[b"\xa0"]), None);
        assert_eq!(find(&[b"\xa1a", b"\xa1a"]), None);
    }

    #[test]
    fn keys_are_told_apart_from_others_of_the_same_bytes() {
        let mut shapes = Shapes::default();
        let hash = |keys: &[&[u8]]| keys.iter().fold(shapes.hash(), |hash, key| hash.with(key)).0;
        let lists: [&[&[u8]]; 6] = [
            &[b"\xa2ab"],
            &[b"\xa2ab\0"],
            &[b"\xa2", b"ab"],
            &[b"\xa2ab", b""],
            &[b"\xa2ab", b"\0\0\0\0\0\0\0\0"],
            &[b"\xa2ab\0\0\0\0\0"],
        ];
        let hashes: HashSet<_> = lists.iter().map(|keys| hash(keys)).collect();
        assert_eq!(hashes.len(), lists.len());
        // Should two hashes be the same one day, the keys are looked at.
        shapes.define(vec![EncodedKey::new(b"\xa1a")]);
        let hash = shapes.hash().with(b"\xa1a");
        assert_eq!(shapes.find(hash, |_| false), None);
        assert_eq!(shapes.find(hash, |found| found.len() == 1), Some(0));
    }

    #[test]
    fn keys_have_one_number() {
        let mut shapes = Shapes::default();
        for _ in 0..2 {
            for (number, key) in [b"\xa1a", b"\xa1b"].into_iter().enumerate() {
                assert_eq!(shapes.define(vec![EncodedKey::new(key)]), Some(number));
                assert_eq!(shapes.find(shapes.hash().with(key), |_| true), Some(number as u32));
            }
        }
        assert_eq!(shapes.len(), 2);
    }

    #[test]
    fn shapes_of_keys_with_replaced_characters_are_not_found() {
        let mut shapes = Shapes::default();
        let key = b"\xa4a\xef\xbf\xbd";
        for number in 0..2 {
            assert_eq!(shapes.define(vec![EncodedKey::new(b"\xa1a"), EncodedKey::new(key)]), Some(number));
        }
        assert_eq!(shapes.find(shapes.hash().with(b"\xa1a").with(key), |_| true), None);
        assert_eq!(shapes.key(1).map(EncodedKey::bytes), Some(&key[..]));
    }

    #[test]
    fn cleared_shapes_are_forgotten() {
        let mut shapes = Shapes::default();
        shapes.define(vec![EncodedKey::new(b"\xa1a")]);
        let (before, generation) = (shapes.hash().with(b"\xa1a"), shapes.generation());
        shapes.clear();
        assert_ne!(shapes.generation(), generation);
        for hash in [before, shapes.hash().with(b"\xa1a")] {
            assert_eq!(shapes.find(hash, |_| true), None);
        }
        assert_eq!((shapes.range(0), shapes.key(0).is_none(), shapes.len()), (None, true, 0));
    }

    #[test]
    fn the_table_is_bounded() {
        let mut shapes = Shapes::default();
        let keys = |number: usize| vec![EncodedKey::new(&number.to_le_bytes())];
        for number in 0..MAX_SHAPES {
            assert_eq!(shapes.define(keys(number)), Some(number));
        }
        assert_eq!(shapes.define(keys(MAX_SHAPES)), None);
        assert_eq!(shapes.define(keys(MAX_SHAPES - 1)), Some(MAX_SHAPES - 1));
        shapes.clear();
        assert_eq!(shapes.define(keys(MAX_SHAPES)), Some(0));
    }
}
