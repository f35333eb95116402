//! Blocks of memory that JavaScript sees as well.

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::ffi::c_void;
use std::ptr::NonNull;
use std::slice;
use std::sync::Arc;

use super::allocation_failed;

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
        let Some(start) = NonNull::new(start.cast::<u64>()) else { allocation_failed() };
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
