//! Tagged words and typed references: what stands in a slot of the heap, and what it points to.
//!
//! On 64-bit builds without pointer compression a word whose lowest bit is 0 is a Smi (its value in the
//! upper 32 bits), one that ends in 01 points to an object. V8: `include/v8-internal.h`.

use std::marker::PhantomData;

/// Low bits of a pointer to a heap object.
pub(super) const HEAP_OBJECT_TAG: u64 = 1;
const TAG_MASK: u64 = 3;
const SMI_SHIFT: u32 = 32;

/// A tagged word, as it stands in the heap while the window `'gc` is open.
#[derive(Clone, Copy)]
pub struct Tagged<'gc> {
    word: u64,
    window: PhantomData<&'gc ()>,
}

impl<'gc> Tagged<'gc> {
    pub(super) fn from_word(word: u64) -> Self {
        Self { word, window: PhantomData }
    }

    /// The value, if this is a small integer.
    #[inline(always)]
    #[must_use]
    pub fn smi(self) -> Option<i32> {
        (self.word & 1 == 0).then_some((self.word >> SMI_SHIFT) as i32)
    }

    /// The object, if this points to one.
    #[inline(always)]
    #[must_use]
    pub fn heap_object(self) -> Option<Ref<'gc, HeapObject>> {
        (self.word & TAG_MASK == HEAP_OBJECT_TAG).then(|| Ref::at((self.word - HEAP_OBJECT_TAG) as usize))
    }

    /// Whether both words are the same: the same object, or the same Smi.
    #[inline(always)]
    #[must_use]
    pub fn is(self, other: Tagged<'_>) -> bool {
        self.word == other.word
    }
}

/// A reference to a heap object of class `C`, valid while the window `'gc` is open.
///
/// Only this folder makes one: from a pointer whose instance type was looked at, or from a field that
/// holds nothing else.
pub struct Ref<'gc, C> {
    address: usize,
    window: PhantomData<&'gc ()>,
    class: PhantomData<fn() -> C>,
}

impl<C> Clone for Ref<'_, C> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<C> Copy for Ref<'_, C> {}

impl<'gc, C> Ref<'gc, C> {
    #[inline(always)]
    pub(super) fn at(address: usize) -> Self {
        Self { address, window: PhantomData, class: PhantomData }
    }

    /// The same object as of another class.
    #[inline(always)]
    pub(super) fn assume<D>(self) -> Ref<'gc, D> {
        Ref::at(self.address)
    }

    /// Where the object lies. Means nothing once the window is closed.
    #[inline(always)]
    #[must_use]
    pub fn address(self) -> usize {
        self.address
    }

    /// Whether both are the same object.
    #[inline(always)]
    #[must_use]
    pub fn is<D>(self, other: Ref<'_, D>) -> bool {
        self.address == other.address
    }

    /// The tagged word that points here.
    #[inline(always)]
    #[must_use]
    pub fn tagged(self) -> Tagged<'gc> {
        Tagged::from_word(self.address as u64 + HEAP_OBJECT_TAG)
    }
}

/// Classes whose instances are JavaScript objects.
pub trait IsJsObject {}

impl IsJsObject for JsArray {}
impl IsJsObject for JsError {}
impl IsJsObject for JsPrimitiveWrapper {}

impl<'gc, C: IsJsObject> Ref<'gc, C> {
    /// The same as any object.
    #[inline(always)]
    #[must_use]
    pub fn object(self) -> Ref<'gc, JsObject> {
        self.assume()
    }
}

impl<'gc> Ref<'gc, HeapObject> {
    /// The same as an object with properties. Which kind it really is, is looked at before any is read.
    #[inline(always)]
    #[must_use]
    pub fn with_properties(self) -> Ref<'gc, JsObject> {
        self.assume()
    }
}

impl<'gc> Ref<'gc, JsTypedArray> {
    /// The same as any view.
    #[inline(always)]
    #[must_use]
    pub fn view(self) -> Ref<'gc, JsView> {
        self.assume()
    }
}

macro_rules! classes {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {
        $($(#[$doc])* pub enum $name {})*
    };
}

classes! {
    /// Any object of the heap.
    HeapObject,
    /// A hidden class.
    Map,
    /// The descriptors of a map's own properties.
    DescriptorArray,
    /// An array of tagged words.
    FixedArray,
    /// An array of doubles.
    FixedDoubleArray,
    /// Fields that do not lie in their object.
    PropertyArray,
    /// A number that is no Smi.
    HeapNumber,
    /// A bigint.
    BigInt,
    /// Any string.
    AnyString,
    /// A string with its characters in place.
    SeqString,
    /// A concatenation.
    ConsString,
    /// A part of another string.
    SlicedString,
    /// A string that stands for its internalized copy.
    ThinString,
    /// A string with its characters outside the heap.
    ExternalString,
    /// Any JavaScript object.
    JsObject,
    /// An array.
    JsArray,
    /// A Date.
    JsDate,
    /// A Map or a Set.
    JsCollection,
    /// A typed array or DataView.
    JsView,
    /// A typed array.
    JsTypedArray,
    /// An ArrayBuffer.
    JsArrayBuffer,
    /// A boxed primitive.
    JsPrimitiveWrapper,
    /// A regular expression.
    JsRegExp,
    /// An error.
    JsError,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words() {
        assert_eq!(Tagged::from_word(0xffff_ffff_0000_0000).smi(), Some(-1));
        assert_eq!(Tagged::from_word(7 << 32).smi(), Some(7));
        assert!(Tagged::from_word(0x1001).smi().is_none());
        assert_eq!(Tagged::from_word(0x1001).heap_object().unwrap().address(), 0x1000);
        assert!(Tagged::from_word(0x1003).heap_object().is_none(), "a weak pointer");
        assert!(Tagged::from_word(0x1000).heap_object().is_none());
    }
}
