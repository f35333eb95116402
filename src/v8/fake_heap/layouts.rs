//! Layouts for made-up heaps: those of the supported versions, with all types filled in, and their fields
//! one by one, so that tests can move them. [`super::shuffle`] makes layouts that no version has.

use crate::v8::layout::field::Field;
use crate::v8::layout::{
    BufferLayout, DateValue, DescriptorLayout, DictionaryLayout, Layout, MapLayout, ObjectLayout, SUPPORTED,
    StringLayout, Types, table,
};
use crate::v8::memory::Load;

/// The layout of a supported version, by its place among them.
pub(crate) fn of_version(version: usize) -> Layout {
    let lookup = |name: &str| table::value(table::VERSIONS[version], name);
    let layout = Layout::from_symbols(&lookup, SUPPORTED[version], false).expect("a layout for each version");
    Layout { types: types(&layout.types, version), ..layout }
}

/// The types with those that are learned from samples.
fn types(known: &Types, version: usize) -> Types {
    let pick = |types: [u16; 5]| types[version];
    Types {
        bigint: 129,
        hole: pick([131, 131, 261, 269, 274]),
        name_dictionary: pick([183, 179, 178, 209, 209]),
        number_dictionary: pick([185, 181, 180, 211, 211]),
        hash_map: pick([186, 182, 181, 212, 212]),
        hash_set: pick([187, 183, 182, 213, 213]),
        // Any number that no other type has.
        object_prototype: 1059,
        ..known.clone()
    }
}

/// Classes of V8, so far as they have fields of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    HeapObject,
    Map,
    DescriptorArray,
    ArrayBase,
    FixedArray,
    DoubleArray,
    PropertyArray,
    HeapNumber,
    BigInt,
    AnyString,
    OneByteString,
    TwoByteString,
    Cons,
    Sliced,
    Thin,
    External,
    JsObject,
    JsArray,
    Date,
    Collection,
    View,
    TypedArray,
    Buffer,
    Wrapper,
    RegExp,
}

impl Class {
    /// The class whose fields this one has as well.
    pub(crate) fn base(self) -> Option<Self> {
        match self {
            Self::HeapObject => None,
            Self::FixedArray | Self::DoubleArray => Some(Self::ArrayBase),
            Self::OneByteString
            | Self::TwoByteString
            | Self::Cons
            | Self::Sliced
            | Self::Thin
            | Self::External => Some(Self::AnyString),
            Self::JsArray
            | Self::Date
            | Self::Collection
            | Self::View
            | Self::Buffer
            | Self::Wrapper
            | Self::RegExp => Some(Self::JsObject),
            Self::TypedArray => Some(Self::View),
            _ => Some(Self::HeapObject),
        }
    }
}

/// A field whatever it holds.
pub(crate) trait AnyField {
    fn offset(&self) -> usize;
    fn width(&self) -> usize;
    fn move_to(&mut self, offset: usize);
}

impl<C, T: Load> AnyField for Field<C, T> {
    fn offset(&self) -> usize {
        Field::offset(*self)
    }

    fn width(&self) -> usize {
        T::SIZE
    }

    fn move_to(&mut self, offset: usize) {
        *self = Self::invented(offset as u32);
    }
}

/// A field of a layout.
pub(crate) struct Part<'l> {
    pub(crate) name: &'static str,
    pub(crate) class: Class,
    /// Whether more of its sort follow, up to the object's end.
    pub(crate) is_run: bool,
    pub(crate) field: &'l mut dyn AnyField,
}

/// All fields of a layout. Taken apart without a rest, so that a new one is not forgotten.
pub(crate) fn parts(layout: &mut Layout) -> Vec<Part<'_>> {
    let Layout {
        heap_object_map,
        map,
        descriptors,
        string,
        fixed_array_length,
        fixed_array_data,
        double_array_length,
        double_array_data,
        property_array_length,
        property_array_data,
        heap_number_value,
        bigint_bits,
        bigint_digits,
        object,
        array_length,
        date_value,
        collection_table,
        wrapper_value,
        regexp_source,
        regexp_flags,
        buffers,
        dictionary:
            DictionaryLayout {
                names: _,
                numbers: _,
                entry: _,
                interesting: _,
                enumeration_index: _,
                dont_enum: _,
                accessor: _,
            },
        elements: _,
        types: _,
    } = layout;
    let DescriptorLayout {
        count,
        first,
        size: _,
        key: _,
        details: _,
        plain: _,
        relevant: _,
        dont_enum: _,
        accessor: _,
        index: _,
    } = descriptors;
    let ObjectLayout { properties, elements, start } = object;
    let date: &mut dyn AnyField = match date_value {
        DateValue::Tagged(field) => field,
        DateValue::Double(field) => field,
    };
    let mut parts = vec![
        one("heap_object_map", Class::HeapObject, heap_object_map),
        one("descriptors.count", Class::DescriptorArray, count),
        run("descriptors.first", Class::DescriptorArray, first),
        one("fixed_array_length", Class::ArrayBase, fixed_array_length),
        run("fixed_array_data", Class::FixedArray, fixed_array_data),
        one("double_array_length", Class::ArrayBase, double_array_length),
        run("double_array_data", Class::DoubleArray, double_array_data),
        one("property_array_length", Class::PropertyArray, property_array_length),
        run("property_array_data", Class::PropertyArray, property_array_data),
        one("heap_number_value", Class::HeapNumber, heap_number_value),
        one("bigint_bits", Class::BigInt, bigint_bits),
        run("bigint_digits", Class::BigInt, bigint_digits),
        one("object.properties", Class::JsObject, properties),
        one("object.elements", Class::JsObject, elements),
        run("object.start", Class::JsObject, start),
        one("array_length", Class::JsArray, array_length),
        one("date_value", Class::Date, date),
        one("collection_table", Class::Collection, collection_table),
        one("wrapper_value", Class::Wrapper, wrapper_value),
        one("regexp_source", Class::RegExp, regexp_source),
        one("regexp_flags", Class::RegExp, regexp_flags),
    ];
    parts.extend(parts_of_map(map));
    parts.extend(parts_of_string(string));
    parts.extend(parts_of_buffers(buffers));
    parts
}

fn one<'l>(name: &'static str, class: Class, field: &'l mut dyn AnyField) -> Part<'l> {
    Part { name, class, is_run: false, field }
}

fn run<'l>(name: &'static str, class: Class, field: &'l mut dyn AnyField) -> Part<'l> {
    Part { name, class, is_run: true, field }
}

fn parts_of_map(map: &mut MapLayout) -> Vec<Part<'_>> {
    let MapLayout {
        instance_size_in_words,
        inobject_properties_start,
        instance_type,
        bit_field,
        bit_field2,
        bit_field3,
        prototype,
        instance_descriptors,
        special_bits: _,
        elements_kind: _,
        own_descriptors: _,
        is_dictionary: _,
        interesting: _,
    } = map;
    vec![
        one("map.instance_size_in_words", Class::Map, instance_size_in_words),
        one("map.inobject_properties_start", Class::Map, inobject_properties_start),
        one("map.instance_type", Class::Map, instance_type),
        one("map.bit_field", Class::Map, bit_field),
        one("map.bit_field2", Class::Map, bit_field2),
        one("map.bit_field3", Class::Map, bit_field3),
        one("map.prototype", Class::Map, prototype),
        one("map.instance_descriptors", Class::Map, instance_descriptors),
    ]
}

fn parts_of_string(string: &mut StringLayout) -> Vec<Part<'_>> {
    let StringLayout {
        length,
        one_byte,
        two_byte,
        word,
        cons_first,
        cons_second,
        sliced_parent,
        sliced_offset,
        thin_actual,
        external_data,
    } = string;
    vec![
        one("string.length", Class::AnyString, length),
        run("string.one_byte", Class::OneByteString, one_byte),
        run("string.two_byte", Class::TwoByteString, two_byte),
        run("string.word", Class::OneByteString, word),
        one("string.cons_first", Class::Cons, cons_first),
        one("string.cons_second", Class::Cons, cons_second),
        one("string.sliced_parent", Class::Sliced, sliced_parent),
        one("string.sliced_offset", Class::Sliced, sliced_offset),
        one("string.thin_actual", Class::Thin, thin_actual),
        one("string.external_data", Class::External, external_data),
    ]
}

fn parts_of_buffers(buffers: &mut BufferLayout) -> Vec<Part<'_>> {
    let BufferLayout {
        byte_length,
        byte_offset,
        buffer,
        external_pointer,
        base_pointer,
        backing_store,
        buffer_byte_length,
        buffer_flags,
        special_buffer: _,
        detached: _,
    } = buffers;
    vec![
        one("buffers.byte_length", Class::View, byte_length),
        one("buffers.byte_offset", Class::View, byte_offset),
        one("buffers.buffer", Class::View, buffer),
        one("buffers.external_pointer", Class::TypedArray, external_pointer),
        one("buffers.base_pointer", Class::TypedArray, base_pointer),
        one("buffers.backing_store", Class::Buffer, backing_store),
        one("buffers.buffer_byte_length", Class::Buffer, buffer_byte_length),
        one("buffers.buffer_flags", Class::Buffer, buffer_flags),
    ]
}
