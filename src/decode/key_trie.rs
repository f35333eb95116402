//! The key lists that messages have shown more than once, as a trie: a node is a key after certain
//! keys, so the node of an object's last key is its shape.
//!
//! Reading an object costs one comparison a key: each node remembers which key followed last time,
//! and which key the map in its value began with. A key list is learned only when it is met the
//! second time, and the trie is bounded, so endless new key sets leave nothing behind.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};

/// A node of the trie, and for an object's last key the number of its shape.
pub type NodeId = u32;
/// The node before any key: the shape of the empty object.
pub const ROOT: NodeId = 0;

/// Shape numbers are 16 bits on the tape; half of that is kept.
const MAX_NODES: usize = 1 << 15;
/// Objects with more keys are data, not records.
pub const MAX_KEYS: usize = 512;
/// Longer keys are data too.
const MAX_KEY_LENGTH: usize = 255;
/// Key lists met once that are remembered, as hashes.
const MET_ONCE: usize = 4096;
/// Bytes of an encoded key that are compared as two words.
const HEAD: usize = 16;

struct Node {
    /// First bytes of the key as it was encoded, with zeros behind.
    head: [u64; 2],
    /// Which bits of `head` belong to the key.
    mask: [u64; 2],
    /// Length of the encoded key.
    length: usize,
    /// Where it lies among `KeyTrie::encoded`.
    start: usize,
    /// Bytes before its text.
    header: usize,
    parent: NodeId,
    /// The key that came next last time.
    next: NodeId,
    /// The first key of the map that was this key's value last time.
    first: NodeId,
}

/// The trie of one wire format.
pub struct KeyTrie {
    nodes: Vec<Node>,
    encoded: Vec<u8>,
    /// Hash of parent and text to node; a node that differs after all counts as none.
    children: HashMap<u64, NodeId>,
    /// Hashes of key lists met once, each at the place its low bits name.
    met_once: Vec<u64>,
    /// Seeds the hashes, so that input can not be made to collide.
    seed: RandomState,
    generation: u32,
}

impl Default for KeyTrie {
    fn default() -> Self {
        let root = Node {
            head: [0; 2],
            // The root matches nothing, so it can stand for "no prediction".
            mask: [0; 2],
            length: usize::MAX,
            start: 0,
            header: 0,
            parent: ROOT,
            next: ROOT,
            first: ROOT,
        };
        Self {
            nodes: vec![root],
            encoded: Vec::new(),
            children: HashMap::new(),
            met_once: Vec::new(),
            seed: RandomState::new(),
            generation: 0,
        }
    }
}

impl KeyTrie {
    /// Makes room when the trie is full. Not while a message with its numbers is being built.
    pub fn renew(&mut self) {
        if self.nodes.len() + MAX_KEYS > MAX_NODES {
            *self = Self { generation: self.generation.wrapping_add(1), ..Self::default() };
        }
    }

    /// Changes whenever node numbers lose their meaning.
    #[must_use]
    pub fn generation(&self) -> u32 {
        self.generation
    }

    /// Number of nodes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether only the root is there.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nodes.len() == 1
    }

    /// The key expected after `node`.
    #[inline(always)]
    #[must_use]
    pub fn next_after(&self, node: NodeId) -> NodeId {
        self.nodes[node as usize].next
    }

    /// The first key expected in a map that is the value of `context`.
    #[inline(always)]
    #[must_use]
    pub fn first_in(&self, context: NodeId) -> NodeId {
        self.nodes[context as usize].first
    }

    /// Length of `node`'s encoded key if the input has it at `at`. What lies behind the input's end
    /// may be taken for a part of it.
    #[inline(always)]
    #[must_use]
    pub fn matches(&self, node: NodeId, input: &[u8], at: usize) -> Option<usize> {
        let node = &self.nodes[node as usize];
        let rest = &input[at..];
        match rest.first_chunk::<HEAD>() {
            Some(bytes) if node.length <= HEAD => {
                let [low, high] = split(*bytes);
                let equal = (low & node.mask[0] == node.head[0]) & (high & node.mask[1] == node.head[1]);
                equal.then_some(node.length)
            }
            _ => self.matches_slowly(node, rest),
        }
    }

    #[inline(never)]
    fn matches_slowly(&self, node: &Node, rest: &[u8]) -> Option<usize> {
        let key = self.encoded.get(node.start..node.start.checked_add(node.length)?)?;
        rest.starts_with(key).then_some(node.length)
    }

    /// The node of the key `text` after `parent`; remembered as the next prediction made from
    /// `context`.
    pub fn find(&mut self, parent: NodeId, text: &[u8], context: NodeId, starts: bool) -> Option<NodeId> {
        let found = *self.children.get(&self.hash(parent, text))?;
        let node = &self.nodes[found as usize];
        if node.parent != parent || self.text(found) != text {
            return None;
        }
        let context = &mut self.nodes[context as usize];
        if starts {
            context.first = found;
        } else {
            context.next = found;
        }
        Some(found)
    }

    fn hash(&self, parent: NodeId, text: &[u8]) -> u64 {
        self.seed.hash_one((parent, text))
    }

    /// Text of a node's key.
    #[must_use]
    pub fn text(&self, node: NodeId) -> &[u8] {
        match self.nodes.get(node as usize) {
            Some(node) if node.length != usize::MAX => {
                &self.encoded[node.start + node.header..node.start + node.length]
            }
            _ => &[],
        }
    }

    /// The nodes from the first key to `node`.
    #[must_use]
    pub fn path(&self, node: NodeId) -> Vec<NodeId> {
        let mut path = Vec::new();
        let mut node = node;
        while node != ROOT && (node as usize) < self.nodes.len() {
            path.push(node);
            node = self.nodes[node as usize].parent;
        }
        path.reverse();
        path
    }

    /// Takes note of an object's keys: those of `prefix`, then `keys`. Each is given as encoded, with
    /// the length of its header.
    pub fn learn<'a>(&mut self, prefix: NodeId, keys: impl Iterator<Item = (&'a [u8], usize)> + Clone) {
        if keys.clone().any(|(encoded, header)| encoded.len() - header > MAX_KEY_LENGTH) {
            return;
        }
        let hash = keys.clone().fold(u64::from(prefix), |hash, (encoded, header)| {
            self.seed.hash_one((hash, &encoded[header..]))
        });
        if self.met_once.is_empty() {
            self.met_once = vec![0; MET_ONCE];
        }
        let place = &mut self.met_once[hash as usize % MET_ONCE];
        if *place != hash {
            *place = hash;
            return;
        }
        let mut parent = prefix;
        for (encoded, header) in keys {
            let text = &encoded[header..];
            match self.find(parent, text, parent, false) {
                Some(node) => parent = node,
                None if self.nodes.len() >= MAX_NODES => return,
                None => parent = self.insert(parent, encoded, header),
            }
        }
    }

    fn insert(&mut self, parent: NodeId, encoded: &[u8], header: usize) -> NodeId {
        let id = self.nodes.len() as NodeId;
        let mut head = [0; HEAD];
        let mut mask = [0; HEAD];
        for (index, byte) in encoded.iter().take(HEAD).enumerate() {
            head[index] = *byte;
            mask[index] = 0xff;
        }
        self.nodes.push(Node {
            head: split(head),
            mask: split(mask),
            length: encoded.len(),
            start: self.encoded.len(),
            header,
            parent,
            next: ROOT,
            first: ROOT,
        });
        self.encoded.extend_from_slice(encoded);
        self.children.insert(self.hash(parent, &encoded[header..]), id);
        self.nodes[parent as usize].next = id;
        id
    }
}

/// The two words of a key's head.
#[inline(always)]
fn split(bytes: [u8; HEAD]) -> [u64; 2] {
    let whole = u128::from_le_bytes(bytes);
    [whole as u64, (whole >> 64) as u64]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn learn(trie: &mut KeyTrie, keys: &[&[u8]]) {
        trie.learn(ROOT, keys.iter().map(|key| (*key, 1)));
    }

    #[test]
    fn a_list_counts_from_the_second_time_on() {
        let mut trie = KeyTrie::default();
        let keys: [&[u8]; 2] = [b"\xa2id", b"\xa4name"];
        learn(&mut trie, &keys);
        assert!(trie.is_empty());
        learn(&mut trie, &keys);
        assert_eq!(trie.len(), 3);
        let id = trie.find(ROOT, b"id", ROOT, true).unwrap();
        let name = trie.find(id, b"name", id, false).unwrap();
        assert_eq!(trie.path(name), [id, name]);
        assert_eq!(trie.text(name), b"name");
        assert_eq!(trie.first_in(ROOT), id);
        assert_eq!(trie.matches(id, b"\xa2id", 0), Some(3));
        assert_eq!(trie.matches(id, b"\xa2idxxxxxxxxxxxxxxxxxx", 0), Some(3));
        assert_eq!(trie.matches(id, b"\xa2ix", 0), None);
        assert_eq!(trie.matches(ROOT, b"\xa2idxxxxxxxxxxxxxxxxxx", 0), None);
        assert_eq!(trie.matches(ROOT, b"", 0), None);
    }

    #[test]
    fn long_keys_are_compared_whole() {
        let mut trie = KeyTrie::default();
        let key = [&[0xd9, 40][..], &[b'k'; 40]].concat();
        for _ in 0..2 {
            trie.learn(ROOT, std::iter::once((&key[..], 2)));
        }
        assert_eq!(trie.matches(1, &key, 0), Some(42));
        let mut other = key.clone();
        other[41] = b'x';
        assert_eq!(trie.matches(1, &other, 0), None);
        assert_eq!(trie.matches(1, &key[..41], 0), None);
    }

    #[test]
    fn endless_new_key_sets_leave_a_bounded_trie() {
        let mut trie = KeyTrie::default();
        for number in 0..100_000_u32 {
            let key = [&[0xa4][..], &number.to_le_bytes()].concat();
            // Every set comes twice, so each is learned.
            for _ in 0..2 {
                trie.renew();
                learn(&mut trie, &[&key]);
            }
            assert!(trie.len() <= MAX_NODES);
        }
        assert!(trie.generation() > 0);
    }
}
