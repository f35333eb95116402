//! The window in which the heap may be read.
//!
//! V8 moves and frees objects of an isolate's heap only in a collection, which that isolate's own thread
//! runs. While this thread is inside a native function it gets there only through a Node-API call that
//! allocates or runs JavaScript; requests of other threads (a worker's termination, an interrupt, a
//! collection that a background thread needs) wait for a check that only V8's own code makes. V8:
//! `src/heap/local-heap.cc`, `src/heap/collection-barrier.cc`, `src/execution/stack-guard.h`.
//!
//! What goes on meanwhile on other threads (marking, sweeping, compiling) writes to mark bits, to dead
//! memory, to the hash field of strings and to four bytes of descriptor arrays: none is read here.
//!
//! So a window borrows the [`Env`] mutably, every Node-API call needs the `Env`, and all that is read
//! borrows from the window: that no call happens while something read is in use is checked by the
//! compiler (`__test__/rust/compile-fail`). The one way out would be to open a window where JavaScript is
//! not waiting for us: in a finalizer, which may run in mid-collection, or on another thread. `Env` is
//! made only by the trampoline of hot functions, and is not `Send`.

use std::marker::PhantomData;

use super::Heap;
use super::handle;
use super::layout::Layout;
use super::memory::{Live, Window};
use super::probe::Probe;
use super::tagged::Tagged;
use crate::node_api::env::Env;
use crate::node_api::module::Arguments;

/// No collection happens while this lives.
pub struct NoGcScope<'env> {
    env: PhantomData<&'env mut Env>,
    /// Other threads have nothing to look for here.
    this_thread: PhantomData<*const ()>,
}

impl<'env> NoGcScope<'env> {
    /// Opens the window; it closes when the scope is dropped.
    #[must_use]
    pub fn enter(_: &'env mut Env) -> Self {
        Self { env: PhantomData, this_thread: PhantomData }
    }

    /// The heap to read from, by a layout that was proven.
    #[inline(always)]
    #[must_use]
    pub fn window<'gc>(&'gc self, heap: &'gc Heap) -> Window<'gc, Live> {
        Window::new(Live::shared(), heap.layout())
    }

    /// The heap to read from by a layout that was not proven, through reads that can not fault.
    #[must_use]
    pub fn probing<'gc>(&'gc self, probe: &'gc Probe, layout: &'gc Layout) -> Window<'gc, Probe> {
        Window::new(probe, layout)
    }

    /// An argument of the running call.
    #[inline(always)]
    #[must_use]
    pub fn argument<const N: usize>(&self, arguments: &Arguments<'_, N>, index: usize) -> Option<Tagged<'_>> {
        handle::tagged(arguments.handle(index))
    }
}
