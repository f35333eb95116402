//! Memory: the growing output that writers append to, and the blocks that JavaScript sees as well.
//! Leaf module.
//!
//! The output's memory is always initialised, so a writer gets a slot of constant size by one
//! bounds check and fills it with plain stores; zeroing happens on growth only, and the memory is
//! kept from message to message.

use std::alloc::{Layout, alloc_zeroed, dealloc, handle_alloc_error};
use std::ffi::c_void;
use std::ptr::NonNull;
use std::slice;
use std::sync::Arc;

/// Capacity kept between messages; a larger buffer is given back.
const KEPT: usize = 1 << 20;
/// Node's Buffers and msgpackr end here.
const LIMIT: usize = u32::MAX as usize;

/// Bytes of a message under construction.
#[derive(Default)]
pub struct OutputBuffer {
    bytes: Vec<u8>,
    length: usize,
    overflowed: bool,
}

impl OutputBuffer {
    /// Starts a message; memory of an earlier large one is given back first.
    pub fn clear(&mut self) {
        if self.bytes.len() > KEPT {
            self.bytes = Vec::new();
        }
        self.length = 0;
        self.overflowed = false;
    }

    /// The message so far.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes[..self.length]
    }

    /// Whether the message outgrew the limit of 4 GiB; its bytes then mean nothing.
    #[must_use]
    pub fn overflowed(&self) -> bool {
        self.overflowed || self.length > LIMIT
    }

    /// Bytes of memory held.
    #[must_use]
    pub fn capacity(&self) -> usize {
        self.bytes.len()
    }

    /// Room for `N` bytes at the end; call [`Self::advance`] with how many of them count.
    #[inline(always)]
    pub fn slot<const N: usize>(&mut self) -> &mut [u8; N] {
        if self.bytes.len() - self.length < N {
            self.grow(N);
        }
        let start = self.length;
        self.bytes[start..start + N].first_chunk_mut().expect("a slice of N bytes")
    }

    /// Room for `size` bytes at the end.
    #[inline(always)]
    pub fn room(&mut self, size: usize) -> &mut [u8] {
        if self.bytes.len() - self.length < size {
            self.grow(size);
        }
        let start = self.length;
        &mut self.bytes[start..start + size]
    }

    /// Counts `size` bytes of the room handed out last.
    #[inline(always)]
    pub fn advance(&mut self, size: usize) {
        self.length += size;
        debug_assert!(self.length <= self.bytes.len());
    }

    /// Appends one byte.
    #[inline(always)]
    pub fn push(&mut self, byte: u8) {
        self.slot::<1>()[0] = byte;
        self.advance(1);
    }

    /// Appends an array of known size.
    #[inline(always)]
    pub fn put<const N: usize>(&mut self, bytes: [u8; N]) {
        *self.slot::<N>() = bytes;
        self.advance(N);
    }

    /// Appends any bytes.
    #[inline]
    pub fn extend(&mut self, bytes: &[u8]) {
        self.room(bytes.len()).copy_from_slice(bytes);
        self.advance(bytes.len());
    }

    /// Makes room for `by` bytes at `at` by moving what lies behind.
    pub fn widen(&mut self, at: usize, by: usize) {
        self.room(by);
        self.bytes.copy_within(at..self.length, at + by);
        self.advance(by);
    }

    /// Replaces bytes written before.
    pub fn overwrite(&mut self, at: usize, bytes: &[u8]) {
        self.bytes[at..at + bytes.len()].copy_from_slice(bytes);
    }

    #[inline(always)]
    fn grow(&mut self, size: usize) {
        if self.length > LIMIT {
            // Too large to ever be returned: start over, so that memory stays bounded until the
            // walk ends and asks.
            self.overflowed = true;
            self.length = 0;
        }
        self.bytes = grown(std::mem::take(&mut self.bytes), self.length + size);
    }
}

/// Memory for at least `needed` bytes. By value, so that the caller's fields may stay in registers.
#[cold]
#[inline(never)]
fn grown(mut bytes: Vec<u8>, needed: usize) -> Vec<u8> {
    if bytes.len() < needed {
        bytes.resize(needed.max(bytes.len() * 2).max(4096), 0);
    }
    bytes
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
        out.push(1);
        out.put([2, 3]);
        out.extend(&[4; 5000]);
        assert_eq!(out.bytes().len(), 5003);
        assert_eq!(out.bytes()[..4], [1, 2, 3, 4]);
        assert!(!out.overflowed());
    }

    #[test]
    fn a_large_message_is_not_kept() {
        let mut out = OutputBuffer::default();
        out.extend(&vec![0; KEPT + 1]);
        out.clear();
        assert_eq!(out.capacity(), 0);
    }
}
