//! Where a field lies: an offset that only a layout makes.

use std::marker::PhantomData;

/// A field of type `T` in every object of class `C`.
pub struct Field<C, T> {
    offset: u32,
    of: PhantomData<fn() -> (C, T)>,
}

impl<C, T> Clone for Field<C, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<C, T> Copy for Field<C, T> {}

impl<C, T> Field<C, T> {
    /// A field at so many bytes behind the start of its object.
    pub(super) fn at(offset: u32) -> Self {
        Self { offset, of: PhantomData }
    }

    /// Bytes from the object's start.
    #[inline(always)]
    #[must_use]
    pub fn offset(self) -> usize {
        self.offset as usize
    }
}
