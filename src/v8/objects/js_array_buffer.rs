//! Typed arrays and their buffers. V8: `src/objects/js-array-buffer.tq`.

use crate::v8::memory::{Memory, Run, U8, Window};
use crate::v8::tagged::{JsArrayBuffer, JsTypedArray, Ref};

/// What a typed array shows.
#[derive(Clone, Copy)]
pub enum View<'gc> {
    /// Bytes that only this thread writes.
    Bytes(Run<'gc, U8>),
    /// A buffer that is shared, resizable or detached: JavaScript must look at it.
    Special,
}

impl<'gc, M: Memory> Window<'gc, M> {
    /// The bytes that a typed array of elements kind `kind` shows. A detached view keeps its old length
    /// and address, so the buffer is asked first.
    #[must_use]
    pub fn view(self, array: Ref<'gc, JsTypedArray>, kind: u32) -> View<'gc> {
        let (layout, kinds) = (&self.layout().buffers, &self.layout().elements);
        let buffer = self.load(array, layout.buffer);
        if !(kinds.first_typed..kinds.first_resizable).contains(&kind)
            || self.instance_type(self.map(buffer)) != self.layout().types.array_buffer
            || self.load(buffer, layout.buffer_flags) & layout.special_buffer != 0
        {
            return View::Special;
        }
        // Outside the heap the base is 0; within it is the tagged elements, and the sum is their data.
        let base = self.load(array, layout.base_pointer);
        let address = self.load(array, layout.external_pointer).wrapping_add(base);
        let length = self.load(array, layout.byte_length) as usize;
        View::Bytes(self.outside(address, length))
    }

    /// The memory of an ArrayBuffer of our own: address and length, unless it was detached.
    #[inline(always)]
    #[must_use]
    pub(in crate::v8) fn backing_store(self, buffer: Ref<'gc, JsArrayBuffer>) -> Option<(usize, usize)> {
        let layout = &self.layout().buffers;
        let flags = self.load(buffer, layout.buffer_flags);
        let store = self.load(buffer, layout.backing_store);
        let length = self.load(buffer, layout.buffer_byte_length);
        (flags & layout.detached == 0 && store != 0).then_some((store as usize, length as usize))
    }
}
