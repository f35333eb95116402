//! ArrayBuffers and their views. V8: `src/objects/js-array-buffer.tq`.

use crate::v8::layout::ArrayType;
use crate::v8::memory::{Memory, Run, U8, Window};
use crate::v8::tagged::{JsArrayBuffer, JsTypedArray, JsView, Ref};

/// What an ArrayBuffer holds, or a view shows.
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
        let buffer = self.load(array.view(), layout.buffer);
        if !(kinds.first_typed..kinds.first_resizable).contains(&kind) || self.is_special_buffer(buffer) {
            return View::Special;
        }
        // Outside the heap the base is 0; within it is the tagged elements, and the sum is their data.
        let base = self.load(array, layout.base_pointer);
        let address = self.load(array, layout.external_pointer).wrapping_add(base);
        let length = self.load(array.view(), layout.byte_length) as usize;
        View::Bytes(self.outside(address, length))
    }

    /// The type of typed arrays of an elements kind, if it is one of those that all versions have.
    #[must_use]
    pub fn array_type(self, kind: u32) -> Option<ArrayType> {
        let kinds = &self.layout().elements;
        kinds.typed.get(kind.checked_sub(kinds.first_typed)? as usize).copied()
    }

    /// The bytes that a DataView shows.
    #[must_use]
    pub fn data_view(self, view: Ref<'gc, JsView>) -> View<'gc> {
        let layout = &self.layout().buffers;
        let View::Bytes(bytes) = self.buffer_bytes(self.load(view, layout.buffer)) else {
            return View::Special;
        };
        let offset = self.load(view, layout.byte_offset) as usize;
        let length = self.load(view, layout.byte_length) as usize;
        if offset > bytes.len() || length > bytes.len() - offset {
            return View::Special;
        }
        View::Bytes(bytes.behind(offset).first(length))
    }

    /// The bytes of an ArrayBuffer.
    #[must_use]
    pub fn buffer_bytes(self, buffer: Ref<'gc, JsArrayBuffer>) -> View<'gc> {
        if self.is_special_buffer(buffer) {
            return View::Special;
        }
        let layout = &self.layout().buffers;
        let length = self.load(buffer, layout.buffer_byte_length) as usize;
        let store = self.load(buffer, layout.backing_store);
        if store == 0 && length != 0 {
            return View::Special;
        }
        View::Bytes(self.outside(store, length))
    }

    /// Whether what a view says is its buffer is none, or one whose bytes can not be read in place.
    fn is_special_buffer(self, buffer: Ref<'gc, JsArrayBuffer>) -> bool {
        self.instance_type(self.map(buffer)) != self.layout().types.array_buffer
            || self.load(buffer, self.layout().buffers.buffer_flags) & self.layout().buffers.special_buffer
                != 0
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
