//! What references between values can name, as far as the scanner has to know: lists of keys. All others
//! JavaScript finds while it builds.
//!
//! A list may be referred to that names the keys of a record, or that is an array among the values.

use std::collections::HashMap;

use super::bundles::Cursor;
use super::record_shapes::ListId;
use crate::error::DecodeError;

/// Lists together may have so many times as many bytes as the input.
const MAX_CLAIMS: usize = 2;

/// What has an id.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Target {
    /// A list of keys.
    Keys(ListId),
    /// The value that begins at this place of the input, where this was the state of the bundles.
    Value(usize, Cursor),
}

/// The ids of a message.
#[derive(Default)]
pub struct References {
    targets: HashMap<u32, Target>,
    /// Bytes of lists that were read at another place than where they are needed.
    claimed: usize,
}

impl References {
    /// Readies the memory for a value; `continued` says that it follows another one in the same input.
    #[inline(always)]
    pub fn begin(&mut self, continued: bool) {
        if !continued && !self.targets.is_empty() {
            self.clear();
        }
    }

    /// Forgets all ids.
    #[cold]
    pub fn clear(&mut self) {
        if self.targets.capacity() > 1024 {
            self.targets = HashMap::new();
        }
        self.targets.clear();
        self.claimed = 0;
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.targets.is_empty()
    }

    /// Takes note of what has an id.
    #[inline(never)]
    pub fn note(&mut self, id: u32, target: Target) {
        self.targets.insert(id, target);
    }

    /// What has the id `id`.
    pub fn find(&self, id: u32) -> Result<Target, DecodeError> {
        self.targets.get(&id).copied().ok_or(DecodeError::UnknownReference(id))
    }

    /// Lays claim to a list of so many bytes that lies elsewhere.
    pub fn claim(&mut self, bytes: usize, input: usize) -> Result<(), DecodeError> {
        self.claimed += bytes;
        if self.claimed > input * MAX_CLAIMS { Err(DecodeError::TooManyValues) } else { Ok(()) }
    }
}

/// The id that the last bytes of a payload hold, which ends at `end`.
pub fn reference_id(input: &[u8], end: usize) -> Result<u32, DecodeError> {
    let start = end.checked_sub(4).ok_or(DecodeError::OutsideView)?;
    let bytes = input.get(start..end).and_then(|bytes| bytes.first_chunk());
    bytes.map(|bytes| u32::from_be_bytes(*bytes)).ok_or(DecodeError::OutsideView)
}
