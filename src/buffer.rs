//! Memory: the growing output that writers append to, and the blocks that JavaScript sees as well.
//! Leaf module.
//!
//! The output's memory is always initialised, so a writer gets a slot of constant size by one
//! comparison and fills it with plain stores; zeroing happens on growth only, and the memory is
//! kept from message to message.

use std::alloc::{Layout, alloc_zeroed, dealloc, handle_alloc_error};
use std::ffi::c_void;
use std::ptr::NonNull;
use std::slice;
use std::sync::Arc;

/// Capacity that is always kept between messages; more is kept while messages need it.
const KEPT: usize = 1 << 20;
/// Node's Buffers and msgpackr end here.
const LIMIT: usize = u32::MAX as usize;
/// A message may be expected to need as much memory as a recent one, up to this.
const EXPECTED: usize = 1 << 26;
/// Largest slot.
pub const SLACK: usize = 64;

/// A place in an [`OutputBuffer`]: how many bytes were written so far.
///
/// It travels by value from writer call to writer call, so that it stays in a register. Kept in the
/// buffer it would be stored and loaded again for each byte, which was half of the time of a pack.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position(usize);

impl Position {
    /// Where a message begins.
    pub const START: Self = Self(0);

    /// The place `size` bytes on.
    #[inline(always)]
    #[must_use]
    pub fn advance(self, size: usize) -> Self {
        Self(self.0.wrapping_add(size))
    }

    /// Bytes from `start` to here.
    #[inline(always)]
    #[must_use]
    pub fn since(self, start: Self) -> usize {
        self.0.wrapping_sub(start.0)
    }
}

/// Bytes of a message under construction.
#[derive(Default)]
pub struct OutputBuffer {
    bytes: Vec<u8>,
    /// Slots may begin before this: wherever [`SLACK`] bytes are left.
    slots: usize,
    /// Not 0 if the message is too large to be returned. A whole word: padding would be copied in pieces
    /// when the buffer moves, which costs a tiny message 15 ns.
    overflowed: usize,
    /// Size that recent messages had at most; it fades.
    recent: usize,
}

impl OutputBuffer {
    /// Starts a message; memory that recent messages did not need is given back first.
    #[inline(always)]
    pub fn clear(&mut self) {
        if self.bytes.len() > KEPT {
            self.shrink();
        }
        self.overflowed = 0;
    }

    #[cold]
    fn shrink(&mut self) {
        if self.recent < self.bytes.len() / 8 {
            self.release();
        }
        self.recent -= self.recent / 8;
    }

    /// Gives back the memory.
    pub fn release(&mut self) {
        self.bytes = Vec::new();
        self.slots = 0;
    }

    /// Takes note of the size of a message that ends at `end`: memory is kept for the like of it.
    #[inline(always)]
    pub fn finish(&mut self, end: Position) {
        if end.0 > KEPT {
            self.recent = self.recent.max(end.0);
        }
    }

    /// The message up to `end`; empty if it outgrew the limit.
    #[inline(always)]
    #[must_use]
    pub fn message(&self, end: Position) -> &[u8] {
        self.bytes.get(..end.0).unwrap_or_default()
    }

    /// What the memory begins with, for a message that ends at `end` within it.
    #[inline(always)]
    #[must_use]
    pub fn short_message(&self, end: Position) -> Option<&[u8; SLACK]> {
        if end.0 <= SLACK { self.bytes.first_chunk() } else { None }
    }

    /// Whether the message that ends at `end` outgrew the limit of 4 GiB; its bytes then mean nothing.
    #[must_use]
    pub fn overflowed(&self, end: Position) -> bool {
        self.overflowed != 0 || end.0 > LIMIT
    }

    /// Bytes of memory held.
    #[must_use]
    pub fn capacity(&self) -> usize {
        self.bytes.len()
    }

    /// Room for `N` bytes at `at`.
    #[inline(always)]
    pub fn slot<const N: usize>(&mut self, at: Position) -> &mut [u8; N] {
        const { assert!(N <= SLACK) };
        let at = if at.0 < self.slots { at.0 } else { self.grow(at, N) };
        // SAFETY: `at` is below `slots`, behind which `SLACK` bytes lie: tested above, or by `grow`.
        let start = unsafe { self.bytes.as_mut_ptr().add(at) };
        // SAFETY: as above, and `N` is at most `SLACK`; the memory is initialised and borrowed mutably.
        unsafe { &mut *start.cast::<[u8; N]>() }
    }

    /// Room for `size` bytes at `at`.
    #[inline(always)]
    pub fn room(&mut self, at: Position, size: usize) -> &mut [u8] {
        let end = at.0.wrapping_add(size);
        let at = if end >= size && end < self.slots { at.0 } else { self.grow(at, size) };
        &mut self.bytes[at..at + size]
    }

    /// Writes one byte.
    #[inline(always)]
    pub fn push(&mut self, at: Position, byte: u8) -> Position {
        self.slot::<1>(at)[0] = byte;
        at.advance(1)
    }

    /// Writes an array of known size.
    #[inline(always)]
    pub fn put<const N: usize>(&mut self, at: Position, bytes: [u8; N]) -> Position {
        *self.slot::<N>(at) = bytes;
        at.advance(N)
    }

    /// Writes any bytes.
    #[inline]
    pub fn extend(&mut self, at: Position, bytes: &[u8]) -> Position {
        self.room(at, bytes.len()).copy_from_slice(bytes);
        at.advance(bytes.len())
    }

    /// Moves what was written from `from` to `to` on by `by` bytes.
    pub fn widen(&mut self, from: Position, to: Position, by: usize) -> Position {
        self.room(to, by);
        // A message beyond the limit is only counted.
        if to.0 <= self.bytes.len() {
            self.bytes.copy_within(from.0..to.0, from.0 + by);
        }
        to.advance(by)
    }

    /// Makes room for `size` bytes at `at` and returns where they may be written: there, or, for a
    /// message too large to ever be returned, at the start, so that memory stays bounded until the walk
    /// ends and asks.
    #[cold]
    #[inline(never)]
    fn grow(&mut self, at: Position, size: usize) -> usize {
        let at = if at.0 > LIMIT {
            self.overflowed = 1;
            0
        } else {
            at.0
        };
        let needed = at + size + SLACK;
        if self.bytes.len() < needed {
            let expected = if at > KEPT / 16 { self.recent.min(EXPECTED) } else { 0 };
            let wanted = needed.max(self.bytes.len() * 2).max(expected).max(1 << 14);
            // Fresh memory is zero already, and what is not written is never touched.
            let mut larger = vec![0; wanted];
            larger[..at].copy_from_slice(&self.bytes[..at]);
            self.bytes = larger;
        }
        self.slots = self.bytes.len() - SLACK + 1;
        at
    }
}

/// Zeroed memory that JavaScript sees as an ArrayBuffer. Whoever lets go last frees it, so neither
/// an early end of the environment nor a late garbage collection can leave the other side dangling.
pub struct SharedMemory {
    /// The same as in the block, one step nearer.
    start: NonNull<u64>,
    words: usize,
    block: Arc<Block>,
}

struct Block {
    start: NonNull<u64>,
    words: usize,
}

// SAFETY: the pointer is only dereferenced through `SharedMemory`, which stays on its thread;
// another thread may at most run `drop`, when V8 releases a backing store there.
unsafe impl Send for Block {}
// SAFETY: as above, no shared reference gives access to the memory.
unsafe impl Sync for Block {}

impl Block {
    fn layout(words: usize) -> Layout {
        Layout::array::<u64>(words).expect("the caps on tape sizes keep this within address space")
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        // SAFETY: allocated in `SharedMemory::new` with the same layout, and this is the last owner.
        unsafe { dealloc(self.start.as_ptr().cast(), Self::layout(self.words)) };
    }
}

impl SharedMemory {
    /// Memory of `words` 64-bit words, all zero; pages that are never touched cost nothing.
    #[must_use]
    pub fn new(words: usize) -> Self {
        let words = words.max(1);
        let layout = Block::layout(words);
        // SAFETY: the layout has a size above zero.
        let start = unsafe { alloc_zeroed(layout) };
        let Some(start) = NonNull::new(start.cast::<u64>()) else { handle_alloc_error(layout) };
        Self { start, words, block: Arc::new(Block { start, words }) }
    }

    /// The memory as 64-bit words.
    #[must_use]
    pub fn words(&self) -> &[u64] {
        // SAFETY: JavaScript, the only other writer, does not run during a native call, and Rust
        // writes only through `&mut self`.
        unsafe { slice::from_raw_parts(self.start.as_ptr(), self.words) }
    }

    /// The memory as 64-bit words, to write.
    pub fn words_mut(&mut self) -> &mut [u64] {
        // SAFETY: as in `words`, and `self` is borrowed mutably; clones of the Arc exist only as
        // tokens of ArrayBuffers, which do not reach the memory from Rust.
        unsafe { slice::from_raw_parts_mut(self.start.as_ptr(), self.words) }
    }

    /// The memory as 32-bit words.
    #[must_use]
    pub fn half_words(&self) -> &[u32] {
        // SAFETY: as in `words`; twice as many words of half the size and alignment.
        unsafe { slice::from_raw_parts(self.start.as_ptr().cast(), self.words * 2) }
    }

    /// The memory as 32-bit words, to write.
    pub fn half_words_mut(&mut self) -> &mut [u32] {
        // SAFETY: as in `words_mut` and `half_words`.
        unsafe { slice::from_raw_parts_mut(self.start.as_ptr().cast(), self.words * 2) }
    }

    /// Start, length in bytes, and a token that owns a share of the memory until [`Self::end_share`].
    #[must_use]
    pub fn share(&self) -> (*mut c_void, usize, *mut c_void) {
        let token = Arc::into_raw(Arc::clone(&self.block));
        (self.start.as_ptr().cast(), self.words * 8, token.cast_mut().cast())
    }

    /// Ends the share of a token.
    ///
    /// # Safety
    /// `token` came from [`Self::share`] and is given back once.
    pub unsafe fn end_share(token: *mut c_void) {
        // SAFETY: the token is the Arc that `share` gave away.
        drop(unsafe { Arc::from_raw(token.cast::<Block>().cast_const()) });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn appends_and_grows() {
        let mut out = OutputBuffer::default();
        let mut at = out.push(Position::START, 1);
        at = out.put(at, [2, 3]);
        at = out.extend(at, &[4; 50_000]);
        assert_eq!(out.message(at).len(), 50_003);
        assert_eq!(out.message(at)[..4], [1, 2, 3, 4]);
        assert!(!out.overflowed(at));
    }

    #[test]
    fn every_end_of_the_memory_has_its_slot() {
        let mut out = OutputBuffer::default();
        let mut at = Position::START;
        for byte in 0..40_000_u32 {
            out.slot::<SLACK>(at)[0] = byte as u8;
            at = at.advance(1);
        }
        assert!(out.message(at).iter().enumerate().all(|(index, byte)| index as u8 == *byte));
    }

    #[test]
    fn memory_is_kept_as_long_as_messages_need_it() {
        let mut out = OutputBuffer::default();
        let end = out.extend(Position::START, &vec![0; 4 * KEPT]);
        out.finish(end);
        assert_eq!(out.message(end).len(), 4 * KEPT);
        out.clear();
        assert!(out.capacity() > 4 * KEPT);
        for _ in 0..100 {
            out.clear();
        }
        assert_eq!(out.capacity(), 0);
    }

    #[test]
    fn a_message_beyond_the_limit_is_only_counted() {
        let mut out = OutputBuffer::default();
        let far = Position(LIMIT + 1);
        let end = out.put(far, [1, 2]);
        assert!(out.overflowed(end));
        assert!(out.message(end).is_empty());
        assert!(out.capacity() < 1 << 15);
        out.clear();
        let end = out.push(Position::START, 1);
        assert!(!out.overflowed(end));
    }

    #[test]
    fn what_was_written_can_be_moved() {
        let mut out = OutputBuffer::default();
        let from = out.push(Position::START, 1);
        let to = out.put(from, [2, 3]);
        let end = out.widen(from, to, 2);
        assert_eq!(out.message(end), [1, 2, 3, 2, 3]);
    }
}
