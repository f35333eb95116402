//! Where the fields of V8's objects lie in this process, and what its numbers mean.
//!
//! Made in four steps, and any doubt ends them with a reason: the V8 version must be one that was
//! reviewed ([`SUPPORTED`]); the symbols that V8 publishes for debuggers are looked up ([`symbols`], or
//! [`table`] where the binary has none), under each spelling they had; what is not published follows from
//! the version ([`derive`]) or from objects whose kind is known ([`derive::Samples`]); then every field is
//! tried on known objects ([`selftest`]), through reads that can not fault.

#![expect(missing_docs, reason = "fields that have no words of their own mean what V8's of that name do")]

pub mod derive;
pub mod field;
pub mod found;
pub mod hot;
pub mod selftest;
#[expect(unsafe_code, reason = "values of exported symbols are read where the loader says they are")]
pub mod symbols;
pub mod table;

use self::field::Field;
use super::memory::{F64, Pointer, U8, U16, U32, U64, Word};
use super::tagged::{
    AnyString, BigInt, ConsString, DescriptorArray, ExternalString, FixedArray, FixedDoubleArray, HeapNumber,
    HeapObject, JsArray, JsArrayBuffer, JsCollection, JsDate, JsObject, JsPrimitiveWrapper, JsRegExp,
    JsTypedArray, JsView, Map, PropertyArray, SeqString, SlicedString, ThinString,
};

/// Versions of V8 that were reviewed: those of Node 18, 20, 22, 24 and 26.
pub const SUPPORTED: [Version; 5] = [
    Version { major: 10, minor: 2 },
    Version { major: 11, minor: 3 },
    Version { major: 12, minor: 4 },
    Version { major: 13, minor: 6 },
    Version { major: 14, minor: 6 },
];

/// A V8 version, as far as layouts depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version {
    /// The first number.
    pub major: u32,
    /// The second.
    pub minor: u32,
}

impl Version {
    /// The version that `text`, as in `process.versions.v8`, begins with.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let mut numbers = text.split('.');
        Some(Self { major: numbers.next()?.parse().ok()?, minor: numbers.next()?.parse().ok()? })
    }
}

/// Why the heap is not read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal(pub String);

/// The layout of one process. Field names are V8's (`src/objects/*.tq`).
#[derive(Clone)]
pub struct Layout {
    pub heap_object_map: Field<HeapObject, Pointer<Map>>,
    pub map: MapLayout,
    pub descriptors: DescriptorLayout,
    pub string: StringLayout,
    pub fixed_array_length: Field<FixedArray, Word>,
    pub fixed_array_data: Field<FixedArray, Word>,
    pub double_array_length: Field<FixedDoubleArray, Word>,
    pub double_array_data: Field<FixedDoubleArray, U64>,
    pub property_array_length: Field<PropertyArray, Word>,
    pub property_array_data: Field<PropertyArray, Word>,
    pub heap_number_value: Field<HeapNumber, F64>,
    pub bigint_bits: Field<BigInt, U32>,
    pub bigint_digits: Field<BigInt, U64>,
    pub object: ObjectLayout,
    pub array_length: Field<JsArray, Word>,
    pub date_value: DateValue,
    pub collection_table: Field<JsCollection, Pointer<FixedArray>>,
    pub wrapper_value: Field<JsPrimitiveWrapper, Word>,
    pub regexp_source: Field<JsRegExp, Word>,
    pub regexp_flags: Field<JsRegExp, Word>,
    pub buffers: BufferLayout,
    pub dictionary: DictionaryLayout,
    pub elements: ElementsKinds,
    pub types: Types,
}

/// Fields of a `Map`.
#[derive(Clone)]
pub struct MapLayout {
    pub instance_size_in_words: Field<Map, U8>,
    pub inobject_properties_start: Field<Map, U8>,
    pub instance_type: Field<Map, U16>,
    pub bit_field: Field<Map, U8>,
    pub bit_field2: Field<Map, U8>,
    pub bit_field3: Field<Map, U32>,
    pub prototype: Field<Map, Word>,
    pub instance_descriptors: Field<Map, Pointer<DescriptorArray>>,
    /// Bits of `bit_field`: interceptors, and a check of access.
    pub special_bits: u8,
    pub elements_kind: Bits,
    pub own_descriptors: Bits,
    /// Bit of `bit_field3`.
    pub is_dictionary: u32,
    /// Bit of `bit_field3` that is clear if no property is named toJSON, where V8 has such a bit.
    pub interesting: Option<u32>,
}

/// Some bits of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bits {
    pub mask: u32,
    pub shift: u32,
}

impl Bits {
    /// What the bits of `word` say.
    #[inline(always)]
    #[must_use]
    pub fn of(self, word: u32) -> u32 {
        (word & self.mask) >> self.shift
    }
}

/// A `DescriptorArray`, and the meaning of property details.
#[derive(Clone)]
pub struct DescriptorLayout {
    pub count: Field<DescriptorArray, U16>,
    pub first: Field<DescriptorArray, Word>,
    /// Words of a descriptor, and the places of key and details in it.
    pub size: usize,
    pub key: usize,
    pub details: usize,
    /// Details that an own enumerable data property in a field has under `relevant`.
    pub plain: u32,
    pub relevant: u32,
    pub dont_enum: u32,
    pub accessor: u32,
    pub index: Bits,
}

/// Fields of strings, and their type bits.
#[derive(Clone)]
pub struct StringLayout {
    pub length: Field<AnyString, U32>,
    pub one_byte: Field<SeqString, U8>,
    pub two_byte: Field<SeqString, U16>,
    /// The data word that strings of 1 to 8 one-byte characters have.
    pub word: Field<SeqString, U64>,
    pub cons_first: Field<ConsString, Pointer<AnyString>>,
    pub cons_second: Field<ConsString, Pointer<AnyString>>,
    pub sliced_parent: Field<SlicedString, Pointer<AnyString>>,
    pub sliced_offset: Field<SlicedString, Word>,
    pub thin_actual: Field<ThinString, Pointer<AnyString>>,
    pub external_data: Field<ExternalString, U64>,
}

/// Fields of any JavaScript object.
#[derive(Clone)]
pub struct ObjectLayout {
    pub properties: Field<JsObject, Word>,
    pub elements: Field<JsObject, Pointer<HeapObject>>,
    /// The first word of any object; in-object properties count from here.
    pub start: Field<JsObject, Word>,
}

/// How a Date holds its time.
#[derive(Clone)]
pub enum DateValue {
    /// As a Smi or heap number.
    Tagged(Field<JsDate, Word>),
    /// As a double in place.
    Double(Field<JsDate, F64>),
}

/// Fields of typed arrays and their buffers.
#[derive(Clone)]
pub struct BufferLayout {
    pub byte_length: Field<JsView, U64>,
    pub byte_offset: Field<JsView, U64>,
    pub buffer: Field<JsView, Pointer<JsArrayBuffer>>,
    pub external_pointer: Field<JsTypedArray, U64>,
    pub base_pointer: Field<JsTypedArray, U64>,
    pub backing_store: Field<JsArrayBuffer, U64>,
    pub buffer_byte_length: Field<JsArrayBuffer, U64>,
    pub buffer_flags: Field<JsArrayBuffer, U32>,
    /// Bits of the buffer's flags that keep its bytes from being read in place: detached, shared,
    /// resizable.
    pub special_buffer: u32,
    pub detached: u32,
}

/// Hash tables: a `FixedArray` with a prefix and then entries.
#[derive(Clone)]
pub struct DictionaryLayout {
    /// Words before the entries of a name dictionary.
    pub names: usize,
    /// Words before the entries of a number dictionary.
    pub numbers: usize,
    /// Words of an entry: key, value, details.
    pub entry: usize,
    /// Word of a name dictionary whose lowest bit is clear if no key is toJSON, where V8 has it.
    pub interesting: Option<usize>,
    pub enumeration_index: Bits,
    pub dont_enum: u32,
    pub accessor: u32,
}

/// What the elements of a typed array are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArrayType {
    Int8,
    Uint8,
    Uint8Clamped,
    Int16,
    Uint16,
    Int32,
    Uint32,
    Float32,
    Float64,
    BigInt64,
    BigUint64,
}

impl ArrayType {
    /// How many there are, without those of later years.
    pub const COUNT: usize = 11;
}

/// Numbers of elements kinds (`src/objects/elements-kind.h`).
#[derive(Clone)]
pub struct ElementsKinds {
    pub first_double: u32,
    pub last_double: u32,
    pub last_fast: u32,
    pub dictionary: u32,
    pub first_typed: u32,
    pub first_resizable: u32,
    /// The types of typed arrays by elements kind, from the first on.
    pub typed: [ArrayType; ArrayType::COUNT],
}

/// Instance types (`src/objects/instance-type.h`).
#[derive(Clone, Default)]
pub struct Types {
    pub first_nonstring: u16,
    pub heap_number: u16,
    pub oddball: u16,
    pub bigint: u16,
    pub hole: u16,
    pub property_array: u16,
    pub name_dictionary: u16,
    pub number_dictionary: u16,
    pub hash_map: u16,
    pub hash_set: u16,
    pub object: u16,
    /// The type of `Object.prototype`, which no other object has.
    pub object_prototype: u16,
    pub array: u16,
    pub date: u16,
    pub js_map: u16,
    pub js_set: u16,
    pub typed_array: u16,
    pub array_buffer: u16,
    pub primitive_wrapper: u16,
    pub data_view: u16,
    pub regexp: u16,
    pub error: u16,
}
