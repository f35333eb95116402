//! Containers that are being scanned, and what a scan comes to.

use super::key_trie::NodeId;

/// What a container's slots mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Values only.
    Values,
    /// The same for a record, whose values are mostly of the frequent kinds.
    Record,
    /// Values of an object whose keys follow the trie; the node is that of the last key.
    Shaped,
    /// Keys and values of an object without a shape; the node is where the trie was left.
    Keyed,
    /// The one value of the innermost of arrays that hold nothing else; their number, without it, is `pending`.
    Nested,
}

/// A container that waits while one inside it is scanned.
#[derive(Clone, Copy)]
pub struct Frame {
    /// Its next slot.
    pub at: usize,
    /// One past its last slot.
    pub end: usize,
    /// The slot that names the container.
    pub owner: usize,
    /// Where its pending keys begin.
    pub pending: usize,
    /// Where it is in the trie of keys.
    pub node: NodeId,
    /// The key whose value it is, by which its first key is predicted.
    pub context: NodeId,
    /// What its slots mean.
    pub kind: Kind,
}

/// A value that was scanned whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scanned {
    /// The first slot that is not used.
    pub free: usize,
    /// Levels of nesting.
    pub depth: usize,
    /// Where in the input the value ends.
    pub position: usize,
    /// Definitions of records that are kept; their slots stand behind the short strings' definitions.
    pub kept: usize,
    /// How long the log of definitions is; its slots stand behind those.
    pub log: usize,
}
