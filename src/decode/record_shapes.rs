//! The key lists of records, each held once, by the bytes that they have on the wire.
//!
//! A list that is defined again, as it is in each message of a packr that shares nothing, is found by
//! comparing: each list remembers which one was defined after it the last time. Numbers stay valid until
//! the table is cleared, which it is between messages when it has become too large, so that endless new
//! lists leave nothing behind.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};

/// Number of a key list.
pub type ListId = u32;
/// No list: what comes before the first definition of a message.
pub const NO_LIST: ListId = ListId::MAX;

/// Lists kept between messages.
const MAX_LISTS: usize = 24_000;
/// Bytes kept of lists that messages have defined.
const MAX_DEFINED: usize = 4 << 20;
/// The same for lists that JavaScript has given: they are wanted, but their owners may be gone.
const MAX_GIVEN: usize = 16 << 20;

struct List {
    /// Where its bytes lie among `RecordShapes::encoded`.
    start: usize,
    length: usize,
    keys: usize,
    /// The list that was defined next the last time.
    next: ListId,
}

/// The key lists of one wire format.
pub struct RecordShapes {
    lists: Vec<List>,
    encoded: Vec<u8>,
    /// Hash of a list's bytes to its number; a list that differs after all counts as none.
    by_hash: HashMap<u64, ListId>,
    /// Seeds the hashes, so that input can not be made to collide.
    seed: RandomState,
    /// The list that a message defined first the last time.
    first: ListId,
    /// Bytes of lists that JavaScript has given.
    given: usize,
}

impl Default for RecordShapes {
    fn default() -> Self {
        Self {
            lists: Vec::new(),
            encoded: Vec::new(),
            by_hash: HashMap::new(),
            seed: RandomState::new(),
            first: NO_LIST,
            given: 0,
        }
    }
}

impl RecordShapes {
    /// Whether the table should be cleared before the next message.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.lists.len() > MAX_LISTS
            || self.given > MAX_GIVEN
            || self.encoded.len() - self.given > MAX_DEFINED
    }

    /// The list expected after `previous` if `rest` begins with it, and its length in bytes.
    #[inline(always)]
    #[must_use]
    pub fn expected(&self, previous: ListId, rest: &[u8]) -> Option<(ListId, usize)> {
        let id = match self.lists.get(previous as usize) {
            Some(list) => list.next,
            None => self.first,
        };
        let bytes = self.bytes(id)?;
        // A list tells where it ends, so no other one begins with it.
        rest.starts_with(bytes).then_some((id, bytes.len()))
    }

    /// The number of a list of so many keys, expected after `previous` from now on.
    pub fn find_or_add(&mut self, previous: ListId, bytes: &[u8], keys: usize) -> ListId {
        let id = self.intern(bytes, keys);
        match self.lists.get_mut(previous as usize) {
            Some(list) => list.next = id,
            None => self.first = id,
        }
        id
    }

    /// The number of a list that JavaScript has.
    pub fn give(&mut self, bytes: &[u8], keys: usize) -> ListId {
        let before = self.encoded.len();
        let id = self.intern(bytes, keys);
        self.given += self.encoded.len() - before;
        id
    }

    fn intern(&mut self, bytes: &[u8], keys: usize) -> ListId {
        let hash = self.seed.hash_one(bytes);
        if let Some(id) = self.by_hash.get(&hash)
            && self.bytes(*id) == Some(bytes)
        {
            return *id;
        }
        let id = self.lists.len() as ListId;
        self.lists.push(List { start: self.encoded.len(), length: bytes.len(), keys, next: NO_LIST });
        self.encoded.extend_from_slice(bytes);
        self.by_hash.insert(hash, id);
        id
    }

    /// How many keys a list has.
    #[inline(always)]
    #[must_use]
    pub fn keys(&self, id: ListId) -> usize {
        self.lists.get(id as usize).map_or(0, |list| list.keys)
    }

    /// The bytes of a list.
    #[inline(always)]
    #[must_use]
    pub fn bytes(&self, id: ListId) -> Option<&[u8]> {
        self.lists.get(id as usize).map(|list| &self.encoded[list.start..list.start + list.length])
    }

    /// How many lists there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.lists.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.lists.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_bytes_have_the_same_number() {
        let mut shapes = RecordShapes::default();
        let a = shapes.find_or_add(NO_LIST, b"\x91\xa1a", 1);
        let b = shapes.find_or_add(a, b"\x92\xa1a\xa1b", 2);
        assert_ne!(a, b);
        assert_eq!(shapes.give(b"\x91\xa1a", 1), a);
        assert_eq!((shapes.keys(a), shapes.keys(b), shapes.keys(NO_LIST)), (1, 2, 0));
        assert_eq!(shapes.bytes(b), Some(&b"\x92\xa1a\xa1b"[..]));
        assert_eq!(shapes.bytes(2), None);
    }

    #[test]
    fn the_order_of_definitions_is_expected_again() {
        let mut shapes = RecordShapes::default();
        assert_eq!(shapes.expected(NO_LIST, b"\x91\xa1a"), None);
        let a = shapes.find_or_add(NO_LIST, b"\x91\xa1a", 1);
        let b = shapes.find_or_add(a, b"\x91\xa1b", 1);
        assert_eq!(shapes.expected(NO_LIST, b"\x91\xa1a\x01"), Some((a, 3)));
        assert_eq!(shapes.expected(NO_LIST, b"\x91\xa1"), None);
        assert_eq!(shapes.expected(a, b"\x91\xa1b\x01"), Some((b, 3)));
        assert_eq!(shapes.expected(b, b"\x91\xa1b"), None);
    }

    #[test]
    fn it_is_full_by_number_and_by_size() {
        let mut shapes = RecordShapes::default();
        let mut number = 0_u32;
        while !shapes.is_full() {
            shapes.find_or_add(NO_LIST, &number.to_le_bytes(), 1);
            number += 1;
        }
        assert_eq!(shapes.len(), MAX_LISTS + 1);
        let mut shapes = RecordShapes::default();
        shapes.find_or_add(NO_LIST, &vec![0; MAX_DEFINED + 1], 1);
        assert!(shapes.is_full());
        let mut shapes = RecordShapes::default();
        shapes.give(&vec![0; MAX_DEFINED + 1], 1);
        assert!(!shapes.is_full());
        shapes.give(&vec![1; MAX_GIVEN], 1);
        assert!(shapes.is_full());
    }
}
