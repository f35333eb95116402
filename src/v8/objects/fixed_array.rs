//! Arrays of words and of doubles, and the numbers they hold. V8: `src/objects/fixed-array.h`,
//! `property-array.h`, `heap-number.tq`.

use crate::v8::memory::{Memory, Run, U64, Window, Word};
use crate::v8::tagged::{FixedArray, FixedDoubleArray, HeapNumber, PropertyArray, Ref, Tagged};

/// The pattern of a hole among doubles, which no number has (`src/common/globals.h`, kHoleNanInt64).
pub const HOLE_NAN: u64 = 0xfff7_ffff_fff7_ffff;
/// Bits of a property array's length word that are the length; the others are a hash.
const PROPERTY_ARRAY_LENGTH: i32 = 0x3ff;

impl<'gc, M: Memory> Window<'gc, M> {
    /// The words of an array.
    #[inline(always)]
    #[must_use]
    pub fn words(self, array: Ref<'gc, FixedArray>) -> Run<'gc, Word> {
        let length = self.load(array, self.hot().fixed_array_length).smi().unwrap_or(0);
        self.run(array, self.hot().fixed_array_data, length.max(0) as usize)
    }

    /// The doubles of an array, as bits.
    #[inline(always)]
    #[must_use]
    pub fn doubles(self, array: Ref<'gc, FixedDoubleArray>) -> Run<'gc, U64> {
        let length = self.load(array, self.layout().double_array_length).smi().unwrap_or(0);
        self.run(array, self.layout().double_array_data, length.max(0) as usize)
    }

    /// The fields in a property array.
    #[inline(always)]
    #[must_use]
    pub fn fields(self, array: Ref<'gc, PropertyArray>) -> Run<'gc, Word> {
        let length = self.load(array, self.layout().property_array_length).smi().unwrap_or(0);
        self.run(array, self.layout().property_array_data, (length & PROPERTY_ARRAY_LENGTH) as usize)
    }

    /// The value of a heap number.
    #[inline(always)]
    #[must_use]
    pub fn heap_number(self, number: Ref<'gc, HeapNumber>) -> f64 {
        self.load(number, self.hot().heap_number_value)
    }

    /// The number behind a word, if it is one.
    #[must_use]
    pub fn number(self, value: Tagged<'gc>) -> Option<f64> {
        if let Some(smi) = value.smi() {
            return Some(f64::from(smi));
        }
        let object = value.heap_object()?;
        let is_number = self.instance_type(self.map(object)) == self.hot().heap_number;
        is_number.then(|| self.heap_number(object.assume()))
    }

    /// Whether a word is a hole. Up to V8 11 a hole is an oddball among others, and only `the_hole` itself
    /// is one.
    #[inline(always)]
    #[must_use]
    pub fn is_hole(self, value: Tagged<'gc>, the_hole: Tagged<'gc>) -> bool {
        if value.is(the_hole) {
            return true;
        }
        let types = &self.layout().types;
        types.hole != types.oddball
            && value.heap_object().is_some_and(|object| self.instance_type(self.map(object)) == types.hole)
    }
}
