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
const MET_ONCE: usize = 1 << 14;
/// Siblings that are compared before a key is looked up.
const MAX_COMPARED: usize = 6;
/// Bytes of an encoded key that are compared as two words.
const HEAD: usize = 16;

/// A prediction: the key that may come next, as the input would have it.
#[derive(Clone, Copy)]
pub struct Edge {
    /// First bytes of the encoded key, with zeros behind.
    head: [u64; 2],
    /// Which bits of `head` belong to the key.
    mask: [u64; 2],
    /// Length of the encoded key.
    length: u32,
    /// The key's node.
    node: NodeId,
}

/// What comes after no key at all: nothing.
const NO_EDGE: Edge = Edge { head: [1; 2], mask: [0; 2], length: 0, node: ROOT };

impl Edge {
    /// Node and encoded length of the predicted key if `bytes` begin with it. A key longer than they
    /// are is never found here.
    #[inline(always)]
    #[must_use]
    pub fn follow(&self, bytes: &[u8; HEAD]) -> Option<(NodeId, usize)> {
        let [low, high] = split(*bytes);
        let equal = (low & self.mask[0] == self.head[0]) & (high & self.mask[1] == self.head[1]);
        equal.then_some((self.node, self.length as usize))
    }
}

/// Where a prediction is kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EdgeId(usize);

impl EdgeId {
    /// The first key of a map that is the value of `context`.
    #[inline(always)]
    #[must_use]
    pub fn first_in(context: NodeId) -> Self {
        Self(context as usize * 2 + 1)
    }

    /// The key after `node`.
    #[inline(always)]
    #[must_use]
    pub fn after(node: NodeId) -> Self {
        Self(node as usize * 2)
    }
}

struct Node {
    /// Where the encoded key lies among `KeyTrie::encoded`.
    start: usize,
    length: usize,
    /// Bytes before its text.
    header: usize,
    parent: NodeId,
    /// Another key after the same ones; following these leads through all and back here.
    sibling: NodeId,
    /// One of the keys that may come next.
    child: NodeId,
    /// The prediction that names this node.
    edge: Edge,
}

/// The trie of one wire format.
pub struct KeyTrie {
    nodes: Vec<Node>,
    /// Two for each node: what came after it, and what its value began with, the last time.
    edges: Vec<Edge>,
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
        let root =
            Node { start: 0, length: 0, header: 0, parent: ROOT, sibling: ROOT, child: ROOT, edge: NO_EDGE };
        Self {
            nodes: vec![root],
            edges: vec![NO_EDGE; 2],
            encoded: Vec::new(),
            children: HashMap::new(),
            met_once: Vec::new(),
            seed: RandomState::new(),
            generation: 0,
        }
    }
}

impl KeyTrie {
    /// Whether there may not be room for another message's keys.
    #[inline(always)]
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.nodes.len() + MAX_KEYS > MAX_NODES
    }

    /// Forgets all keys. Not while a message with its numbers is being built.
    pub fn renew(&mut self) {
        *self = Self { generation: self.generation.wrapping_add(1), ..Self::default() };
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

    /// A prediction.
    #[inline(always)]
    #[must_use]
    pub fn edge(&self, id: EdgeId) -> &Edge {
        &self.edges[id.0]
    }

    /// The key that `rest` begins with, if it is one of the few met most recently after `parent`: its
    /// node and its encoded length. Comparing is cheaper than a look-up. Predicted from now on.
    #[inline(never)]
    pub fn match_sibling(&mut self, parent: NodeId, rest: &[u8], edge: EdgeId) -> Option<(NodeId, usize)> {
        let start = match self.edges[edge.0].node {
            ROOT => self.nodes[parent as usize].child,
            predicted => predicted,
        };
        let mut id = start;
        for _ in 0..MAX_COMPARED {
            let node = &self.nodes[id as usize];
            if let Some(length) = self.begins_with(node, rest) {
                self.edges[edge.0] = node.edge;
                return Some((id, length));
            }
            id = node.sibling;
            if id == start {
                break;
            }
        }
        None
    }

    /// Length of a node's encoded key if `rest` begins with it.
    #[inline(always)]
    fn begins_with(&self, node: &Node, rest: &[u8]) -> Option<usize> {
        if let Some(head) = rest.first_chunk()
            && node.length <= HEAD
        {
            return node.edge.follow(head).map(|(_, length)| length);
        }
        let key = &self.encoded[node.start..node.start + node.length];
        (node.length != 0 && rest.starts_with(key)).then_some(node.length)
    }

    /// The node of the key `text` after `parent`, predicted from now on.
    pub fn find(&mut self, parent: NodeId, text: &[u8], edge: EdgeId) -> Option<NodeId> {
        let found = *self.children.get(&self.hash(parent, text))?;
        let node = &self.nodes[found as usize];
        if node.parent != parent || self.text(found) != text {
            return None;
        }
        self.edges[edge.0] = node.edge;
        Some(found)
    }

    fn hash(&self, parent: NodeId, text: &[u8]) -> u64 {
        self.seed.hash_one((parent, text))
    }

    /// Text of a node's key.
    #[must_use]
    pub fn text(&self, node: NodeId) -> &[u8] {
        match self.nodes.get(node as usize) {
            Some(node) => &self.encoded[node.start + node.header..node.start + node.length],
            None => &[],
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
            match self.find(parent, text, EdgeId::after(parent)) {
                Some(node) => parent = node,
                None if self.nodes.len() >= MAX_NODES => return,
                None => parent = self.insert(parent, encoded, header),
            }
        }
    }

    fn insert(&mut self, parent: NodeId, encoded: &[u8], header: usize) -> NodeId {
        let id = self.nodes.len() as NodeId;
        let sibling = match self.nodes[parent as usize].child {
            ROOT => id,
            elder => std::mem::replace(&mut self.nodes[elder as usize].sibling, id),
        };
        self.nodes.push(Node {
            start: self.encoded.len(),
            length: encoded.len(),
            header,
            parent,
            sibling,
            child: ROOT,
            edge: edge_to(id, encoded),
        });
        self.edges.extend([NO_EDGE; 2]);
        self.nodes[parent as usize].child = id;
        self.encoded.extend_from_slice(encoded);
        self.children.insert(self.hash(parent, &encoded[header..]), id);
        self.edges[EdgeId::after(parent).0] = edge_to(id, encoded);
        id
    }
}

/// The prediction of a key.
fn edge_to(node: NodeId, encoded: &[u8]) -> Edge {
    if encoded.len() > HEAD {
        return Edge { node, ..NO_EDGE };
    }
    let mut head = [0; HEAD];
    let mut mask = [0; HEAD];
    head[..encoded.len()].copy_from_slice(encoded);
    mask[..encoded.len()].fill(0xff);
    Edge { head: split(head), mask: split(mask), length: encoded.len() as u32, node }
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
        let id = trie.find(ROOT, b"id", EdgeId::first_in(ROOT)).unwrap();
        let name = trie.find(id, b"name", EdgeId::after(id)).unwrap();
        assert_eq!(trie.path(name), [id, name]);
        assert_eq!(trie.text(name), b"name");
        let first = trie.edge(EdgeId::first_in(ROOT));
        assert_eq!(first.follow(b"\xa2idxxxxxxxxxxxxx"), Some((id, 3)));
        assert_eq!(first.follow(b"\xa2ixxxxxxxxxxxxxx"), None);
        let none = trie.edge(EdgeId::after(name));
        assert_eq!(none.follow(&[0; HEAD]), None);
    }

    #[test]
    fn siblings_are_found_by_comparing() {
        let mut trie = KeyTrie::default();
        let keys: [&[u8]; 3] = [b"\xa1a", b"\xa1b", b"\xa1c"];
        for key in keys.iter().chain(&keys) {
            learn(&mut trie, &[key]);
        }
        assert_eq!(trie.len(), 4);
        let edge = EdgeId::first_in(ROOT);
        for (index, key) in keys.iter().enumerate() {
            let node = index as NodeId + 1;
            assert_eq!(trie.match_sibling(ROOT, key, edge), Some((node, 2)));
            assert_eq!(trie.edge(edge).node, node);
        }
        assert_eq!(trie.match_sibling(ROOT, b"\xa1d", edge), None);
        assert_eq!(trie.match_sibling(1, b"\xa1d", EdgeId::after(1)), None);
    }

    #[test]
    fn long_keys_are_compared_whole() {
        let mut trie = KeyTrie::default();
        let key = [&[0xd9, 40][..], &[b'k'; 40]].concat();
        for _ in 0..2 {
            trie.learn(ROOT, std::iter::once((&key[..], 2)));
        }
        let edge = EdgeId::after(ROOT);
        assert_eq!(trie.edge(edge).follow(key.first_chunk().unwrap()), None);
        assert_eq!(trie.match_sibling(ROOT, &key, edge), Some((1, 42)));
        let mut other = key.clone();
        other[41] = b'x';
        assert_eq!(trie.match_sibling(ROOT, &other, edge), None);
        assert_eq!(trie.match_sibling(ROOT, &key[..41], edge), None);
    }

    #[test]
    fn endless_new_key_sets_leave_a_bounded_trie() {
        let mut trie = KeyTrie::default();
        for number in 0..100_000_u32 {
            let key = [&[0xa4][..], &number.to_le_bytes()].concat();
            // Every set comes twice, so each is learned.
            for _ in 0..2 {
                if trie.is_full() {
                    trie.renew();
                }
                learn(&mut trie, &[&key]);
            }
            assert!(trie.len() <= MAX_NODES);
        }
        assert!(trie.generation() > 0);
    }
}
