//! Objects while they are scanned: keys that were not predicted, objects that have no shape, and the
//! key lists they may deserve one for.

use super::key_trie::{EdgeId, KeyTrie, MAX_KEYS, NodeId};
use crate::error::DecodeError;
use crate::format::{Item, Scanner};
use crate::tape::slot;

/// A key of an object without a shape, as it lies in the input.
#[derive(Clone, Copy)]
pub struct PendingKey {
    /// Where its header starts.
    pub item: usize,
    /// Where its text starts.
    pub start: usize,
    /// Length of its text.
    pub length: usize,
}

/// In an object without a shape keys and values alternate: whether a value comes next.
#[inline(always)]
pub fn is_value_next(at: usize, end: usize) -> bool {
    (end - at) & 1 == 1
}

/// Refuses a key that is no container and still has no property name; containers are refused when
/// they end, as what is wrong inside them comes first. `bundled` says that there are bundled strings.
#[inline(never)]
pub fn check_key<'a, S: Scanner<'a>>(mut scanner: S, bundled: bool) -> Result<(), DecodeError> {
    match scanner.next()? {
        Item::Bin(..) | Item::Date(_) => Err(DecodeError::InvalidKey),
        Item::Reserved if !bundled => Err(DecodeError::InvalidKey),
        _ => Ok(()),
    }
}

/// Refuses a container that was a key and ended now. What only JavaScript can judge is left to it: `named` is
/// the slot that names the container, and `arrays` says that arrays may be keys.
#[cold]
#[inline(never)]
pub fn check_container_key(named: u64, arrays: bool) -> Result<(), DecodeError> {
    let (kind, part) = ((named >> 48) as u32, (named >> 32) as u32 & 0xffff);
    match (kind, part) {
        (slot::RARE, slot::RARE_TARGET | slot::RARE_EXT_VALUE) => Ok(()),
        (slot::ARRAY, _) if arrays => Ok(()),
        _ => Err(DecodeError::InvalidKey),
    }
}

/// The next key where the prediction was wrong: its node, if the trie has it, and where it ends.
#[inline(never)]
pub fn find_key<'a, S: Scanner<'a>>(
    keys: &mut KeyTrie,
    mut scanner: S,
    padded: &[u8],
    node: NodeId,
    edge: EdgeId,
) -> Result<Option<(NodeId, usize)>, DecodeError> {
    let position = scanner.position();
    if let Some((found, length)) = keys.match_sibling(node, &padded[position..], edge)
        && length <= scanner.input().len() - position
    {
        return Ok(Some((found, position + length)));
    }
    let Some((start, length)) = scanner.text_key()? else { return Ok(None) };
    let text = &scanner.input()[start..start + length];
    let found = keys.find(node, text, edge);
    Ok(found.map(|found| (found, scanner.position())))
}

/// Turns an object that followed the trie along `path` into one of `pairs` pairs, at `header`.
#[inline(never)]
pub fn unshape(tape: &mut [u64], owner: usize, header: usize, path: &[NodeId], pairs: usize) {
    let values = tape[owner] as u32 as usize / 2;
    tape[header] = slot::words(pairs as u32, 0);
    for (index, key) in path.iter().enumerate() {
        tape[header + 1 + 2 * index] = slot::boxed(slot::RARE, slot::RARE_KEY, *key);
        tape[header + 2 + 2 * index] = tape[values + index];
    }
    tape[owner] = slot::boxed(slot::RARE, slot::RARE_OBJECT, header as u32 * 2);
}

/// At the end of an object without a shape: its key list may deserve one.
#[inline(never)]
pub fn learn(keys: &mut KeyTrie, input: &[u8], pending: &[PendingKey], prefix: NodeId, pairs: usize) {
    // A key that was no string is missing here; such an object has no shape.
    if pairs <= MAX_KEYS && pending.len() + keys.path(prefix).len() == pairs {
        let encoded =
            pending.iter().map(|key| (&input[key.item..key.start + key.length], key.start - key.item));
        keys.learn(prefix, encoded);
    }
}
