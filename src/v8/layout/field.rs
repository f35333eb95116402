//! Where a field lies: an offset that only a layout makes.

use std::fmt;
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

impl<C, T> PartialEq for Field<C, T> {
    fn eq(&self, other: &Self) -> bool {
        self.offset == other.offset
    }
}

impl<C, T> Eq for Field<C, T> {}

impl<C, T> fmt::Debug for Field<C, T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "+{}", self.offset)
    }
}

impl<C, T> Field<C, T> {
    /// A field at so many bytes behind the start of its object.
    pub(super) const fn at(offset: u32) -> Self {
        Self { offset, of: PhantomData }
    }

    /// A field of a layout that is made up.
    #[cfg(test)]
    pub(crate) fn invented(offset: u32) -> Self {
        Self::at(offset)
    }

    /// Bytes from the object's start.
    #[inline(always)]
    #[must_use]
    pub fn offset(self) -> usize {
        self.offset as usize
    }
}
