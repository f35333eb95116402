//! The fields and numbers that a walk needs for nearly every value.
//!
//! They are found and proven like all others, and they are the same in every build that was reviewed. So
//! a heap that is read for real has them as constants, and a build where one differs is refused: that
//! saves a load for each load, some 10 % of a walk. What is on trial, and tests, read by the layout.

use super::field::Field;
use super::{Bits, Layout};
use crate::v8::memory::{F64, Pointer, U8, U16, U32, U64, Word};
use crate::v8::tagged::{AnyString, FixedArray, HeapNumber, HeapObject, JsObject, Map, SeqString};

/// Those fields; their names are those of [`Layout`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hot {
    pub heap_object_map: Field<HeapObject, Pointer<Map>>,
    pub instance_type: Field<Map, U16>,
    pub instance_size_in_words: Field<Map, U8>,
    pub inobject_properties_start: Field<Map, U8>,
    pub bit_field3: Field<Map, U32>,
    pub prototype: Field<Map, Word>,
    pub own_descriptors: Bits,
    pub string_length: Field<AnyString, U32>,
    pub string_one_byte: Field<SeqString, U8>,
    pub string_word: Field<SeqString, U64>,
    pub heap_number_value: Field<HeapNumber, F64>,
    pub fixed_array_length: Field<FixedArray, Word>,
    pub fixed_array_data: Field<FixedArray, Word>,
    pub elements: Field<JsObject, Pointer<HeapObject>>,
    pub start: Field<JsObject, Word>,
    pub descriptor_size: usize,
    pub descriptor_key: usize,
    pub descriptor_details: usize,
    pub plain_details: u32,
    pub relevant_details: u32,
    pub field_index: Bits,
    pub first_nonstring: u16,
    pub heap_number: u16,
    pub oddball: u16,
    pub object: u16,
}

/// What they are in every build that was reviewed.
pub const HOT: Hot = Hot {
    heap_object_map: Field::at(0),
    instance_type: Field::at(12),
    instance_size_in_words: Field::at(8),
    inobject_properties_start: Field::at(9),
    bit_field3: Field::at(16),
    prototype: Field::at(24),
    own_descriptors: Bits { mask: 0x3ff << 10, shift: 10 },
    string_length: Field::at(12),
    string_one_byte: Field::at(16),
    string_word: Field::at(16),
    heap_number_value: Field::at(8),
    fixed_array_length: Field::at(8),
    fixed_array_data: Field::at(16),
    elements: Field::at(16),
    start: Field::at(0),
    descriptor_size: 3,
    descriptor_key: 0,
    descriptor_details: 1,
    plain_details: 0,
    relevant_details: 1 | 1 << 3 | 1 << 5,
    field_index: Bits { mask: 0x3ff << 19, shift: 19 },
    first_nonstring: 128,
    heap_number: 130,
    oddball: 131,
    object: 1057,
};

impl Layout {
    /// The fields as this layout has them.
    #[inline(always)]
    #[must_use]
    pub fn hot(&self) -> Hot {
        Hot {
            heap_object_map: self.heap_object_map,
            instance_type: self.map.instance_type,
            instance_size_in_words: self.map.instance_size_in_words,
            inobject_properties_start: self.map.inobject_properties_start,
            bit_field3: self.map.bit_field3,
            prototype: self.map.prototype,
            own_descriptors: self.map.own_descriptors,
            string_length: self.string.length,
            string_one_byte: self.string.one_byte,
            string_word: self.string.word,
            heap_number_value: self.heap_number_value,
            fixed_array_length: self.fixed_array_length,
            fixed_array_data: self.fixed_array_data,
            elements: self.object.elements,
            start: self.object.start,
            descriptor_size: self.descriptors.size,
            descriptor_key: self.descriptors.key,
            descriptor_details: self.descriptors.details,
            plain_details: self.descriptors.plain,
            relevant_details: self.descriptors.relevant,
            field_index: self.descriptors.index,
            first_nonstring: self.types.first_nonstring,
            heap_number: self.types.heap_number,
            oddball: self.types.oddball,
            object: self.types.object,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::v8::layout::{SUPPORTED, table};

    #[test]
    fn they_are_the_same_in_every_build() {
        for (version, text) in SUPPORTED.iter().zip(table::VERSIONS) {
            let layout = Layout::from_symbols(&|name| table::value(text, name), *version, false);
            assert_eq!(layout.ok().map(|layout| layout.hot()), Some(HOT), "{text}");
        }
    }
}
