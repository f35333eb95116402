//! From symbols and a version to a [`Layout`]; what the symbols do not say is derived here, by rules that
//! hold for [`super::SUPPORTED`] versions and by samples. V8 headers are named where a rule mirrors one.

use super::field::Field;
use super::found::{Found, Lookup};
use super::{
    ArrayType, Bits, BufferLayout, DateValue, DescriptorLayout, DictionaryLayout, ElementsKinds, Layout,
    MapLayout, ObjectLayout, Refusal, SUPPORTED, StringLayout, Types, Version,
};
use crate::v8::memory::{Memory, Window};
use crate::v8::tagged::Tagged;

/// Symbols that must have these values: the code is written for them.
const FIXED: [(&str, i64); 26] = [
    ("TaggedSize", 8),
    ("SmiTag", 0),
    ("SmiTagMask", 1),
    ("SmiShiftSize", 31),
    ("SmiValueShift", 1),
    ("HeapObjectTag", 1),
    ("HeapObjectTagMask", 3),
    ("StringRepresentationMask", 7),
    ("StringEncodingMask", 8),
    ("StringTag", 0),
    ("SeqStringTag", 0),
    ("ConsStringTag", 1),
    ("ExternalStringTag", 2),
    ("SlicedStringTag", 3),
    ("ThinStringTag", 5),
    ("OneByteStringTag", 8),
    ("TwoByteStringTag", 0),
    ("elements_fast_elements", 2),
    ("elements_fast_holey_elements", 3),
    ("FirstNonstringType", 128),
    // Next to its neighbours, which samples prove: no object with interceptors is at hand everywhere.
    ("class_Map__bit_field__char", 14),
    ("prop_kind_mask", 1),
    ("prop_kind_Accessor", 1),
    ("prop_location_mask", 1 << 5),
    ("prop_location_Field", 0),
    ("jsarray_buffer_was_detached_mask", 1 << 2),
];

/// Interceptors for names and for indices, and a check of access (`src/objects/map.tq`, MapBitFields1).
const SPECIAL_MAP_BITS: u8 = 1 << 2 | 1 << 3 | 1 << 5;
/// "May have interesting properties" (`src/objects/map.tq`, MapBitFields3). Up to 11.5 the bit is set by
/// symbols only, so that it says nothing of toJSON.
const INTERESTING_BIT: u32 = 1 << 28;
const INTERESTING_SINCE: Version = Version { major: 12, minor: 4 };
/// Word of a name dictionary that holds its flags (`src/objects/dictionary.h`).
const DICTIONARY_FLAGS: usize = 5;
/// From here on a Date holds its time as a double (`src/objects/js-objects.h`).
const DOUBLE_DATES_SINCE: Version = Version { major: 13, minor: 6 };
/// From here on 64-bit integers come before floats among the kinds of typed arrays.
const BIGINTS_FIRST_SINCE: Version = Version { major: 13, minor: 6 };
/// From here on a view has its flags between its buffer and its offset.
const FLAGS_FIRST_SINCE: Version = Version { major: 13, minor: 6 };

/// Offsets that no symbol gives, by the names under which tests may change them.
pub const DERIVED: [&str; 12] = [
    "property_array_length",
    "property_array_data",
    "bigint_bits",
    "bigint_digits",
    "array_length",
    "collection_table",
    "wrapper_value",
    "descriptor_count",
    "external_data",
    "view_buffer",
    "buffer_flags",
    "regexp_flags",
];

/// The first kind of typed arrays, and of those that may be resized, by version as in [`SUPPORTED`].
const TYPED_KINDS: [(u32, u32); 5] = [(17, 28), (18, 29), (18, 30), (18, 30), (18, 30)];

impl Layout {
    /// The layout that the symbols and the version give. Its derived types are still to be found, see
    /// [`Samples`]. A version that was not reviewed is refused, or, if `any_version`, taken for the last one
    /// before it that was.
    pub fn from_symbols(lookup: Lookup<'_>, version: Version, any_version: bool) -> Result<Self, Refusal> {
        let known = SUPPORTED.iter().rposition(|supported| *supported <= version);
        let Some(known) = known.filter(|known| any_version || SUPPORTED[*known] == version) else {
            return Err(Refusal(format!("V8 {}.{} was not reviewed", version.major, version.minor)));
        };
        let version = SUPPORTED[known];
        let mut found = Found::new(lookup);
        for (symbol, value) in FIXED {
            found.fixed(symbol, value);
        }
        let layout = Self {
            heap_object_map: found.field(&["class_HeapObject__map__Map"]),
            map: map(&mut found, version),
            descriptors: descriptors(&mut found),
            string: string(&mut found),
            fixed_array_length: found.field(&["class_FixedArrayBase__length__SMI"]),
            fixed_array_data: found.field(&["class_FixedArray__data__uintptr_t"]),
            double_array_length: found.field(&["class_FixedArrayBase__length__SMI"]),
            // Not exported, but both kinds of arrays begin alike (fixed-array.h).
            double_array_data: found.field(&["class_FixedArray__data__uintptr_t"]),
            // property-array.h
            property_array_length: found.derived("property_array_length", 8),
            property_array_data: found.derived("property_array_data", 16),
            heap_number_value: found.field(&["class_HeapNumber__value__double"]),
            // bigint.h
            bigint_bits: found.derived("bigint_bits", 8),
            bigint_digits: found.derived("bigint_digits", 16),
            object: ObjectLayout {
                properties: found.field(&[
                    "class_JSReceiver__raw_properties_or_hash__Tagged_Object_",
                    "class_JSReceiver__raw_properties_or_hash__Object",
                ]),
                elements: found.field(&["class_JSObject__elements__Object"]),
                start: Field::at(0),
            },
            // js-array.tq
            array_length: found.derived("array_length", 24),
            date_value: date(&mut found, version),
            // js-collection.tq
            collection_table: found.derived("collection_table", 24),
            // js-objects.tq
            wrapper_value: found.derived("wrapper_value", 24),
            regexp_source: found.field(&["class_JSRegExp__source__Object"]),
            // js-regexp.tq: the word behind the source
            regexp_flags: regexp_flags(&mut found),
            buffers: buffers(&mut found, version),
            dictionary: dictionary(&mut found, version),
            elements: ElementsKinds {
                first_double: 4,
                last_double: 5,
                last_fast: 11,
                dictionary: found.number(&["elements_dictionary_elements"], 13),
                first_typed: TYPED_KINDS[known].0,
                first_resizable: TYPED_KINDS[known].1,
                typed: array_types(version),
            },
            types: types(&mut found),
        };
        found.finish()?;
        Ok(layout)
    }
}

fn map(found: &mut Found<'_>, version: Version) -> MapLayout {
    let dictionary_shift = found.number(&["bit_field3_is_dictionary_map_shift"], 31);
    MapLayout {
        instance_size_in_words: found.field(&["class_Map__instance_size_in_words__char"]),
        inobject_properties_start: found
            .field(&["class_Map__inobject_properties_start_or_constructor_function_index__char"]),
        instance_type: found.field(&["class_Map__instance_type__uint16_t"]),
        bit_field: found.field(&["class_Map__bit_field__char"]),
        bit_field2: found.field(&["class_Map__bit_field2__char"]),
        bit_field3: found.field(&["class_Map__bit_field3__int"]),
        prototype: found.field(&["class_Map__prototype__Object"]),
        instance_descriptors: found.field(&["class_Map__instance_descriptors_offset"]),
        special_bits: SPECIAL_MAP_BITS,
        elements_kind: found.bits("bit_field2_elements_kind_mask", "bit_field2_elements_kind_shift"),
        own_descriptors: found
            .bits("bit_field3_number_of_own_descriptors_mask", "bit_field3_number_of_own_descriptors_shift"),
        is_dictionary: 1 << dictionary_shift,
        interesting: (version >= INTERESTING_SINCE).then_some(INTERESTING_BIT),
    }
}

fn descriptors(found: &mut Found<'_>) -> DescriptorLayout {
    let kind = found.number(&["prop_kind_mask"], 1);
    let accessor = found.number(&["prop_kind_Accessor"], 1);
    let location = found.number(&["prop_location_mask"], 1 << 8);
    let attributes_shift = found.number(&["prop_attributes_shift"], 8);
    let dont_enum = found.number(&["prop_attributes_DONT_ENUM"], 7) << attributes_shift;
    DescriptorLayout {
        // descriptor-array.tq: number_of_descriptors
        count: found.derived("descriptor_count", 10),
        first: found.field(&["class_DescriptorArray__header_size__uintptr_t"]),
        size: found.number(&["prop_desc_size"], 8) as usize,
        key: found.number(&["prop_desc_key"], 8) as usize,
        details: found.number(&["prop_desc_details"], 8) as usize,
        plain: 0,
        relevant: kind | location | dont_enum,
        dont_enum,
        accessor: accessor & kind,
        index: found.bits("prop_index_mask", "prop_index_shift"),
    }
}

fn string(found: &mut Found<'_>) -> StringLayout {
    let one_byte = "class_SeqOneByteString__chars__char";
    let resource = found.number(&["class_ExternalString__resource__Object"], 512);
    StringLayout {
        length: found.field(&["class_String__length__int32_t"]),
        one_byte: found.field(&[one_byte]),
        two_byte: found.field(&["class_SeqTwoByteString__chars__char"]),
        word: found.field(&[one_byte]),
        cons_first: found.field(&["class_ConsString__first__String"]),
        cons_second: found.field(&["class_ConsString__second__String"]),
        sliced_parent: found.field(&["class_SlicedString__parent__String"]),
        sliced_offset: found.field(&["class_SlicedString__offset__SMI"]),
        thin_actual: found.field(&["class_ThinString__actual__String"]),
        // string.tq: the word behind the resource
        external_data: found.derived("external_data", resource + 8),
    }
}

fn date(found: &mut Found<'_>, version: Version) -> DateValue {
    // The type in this name is the old one in every version.
    let offset = found.number(&["class_JSDate__value__Object"], 512);
    if version >= DOUBLE_DATES_SINCE {
        DateValue::Double(Field::at(offset))
    } else {
        DateValue::Tagged(Field::at(offset))
    }
}

fn regexp_flags<C, T>(found: &mut Found<'_>) -> Field<C, T> {
    let source = found.number(&["class_JSRegExp__source__Object"], 512);
    found.derived("regexp_flags", source + 8)
}

/// elements-kind.h
fn array_types(version: Version) -> [ArrayType; ArrayType::COUNT] {
    use ArrayType::{
        BigInt64, BigUint64, Float32, Float64, Int8, Int16, Int32, Uint8, Uint8Clamped, Uint16, Uint32,
    };
    if version >= BIGINTS_FIRST_SINCE {
        [Uint8, Int8, Uint16, Int16, Uint32, Int32, BigUint64, BigInt64, Uint8Clamped, Float32, Float64]
    } else {
        [Uint8, Int8, Uint16, Int16, Uint32, Int32, Float32, Float64, Uint8Clamped, BigUint64, BigInt64]
    }
}

/// js-array-buffer.tq
fn buffers(found: &mut Found<'_>, version: Version) -> BufferLayout {
    let byte_offset = found.number(&["class_JSArrayBufferView__byte_offset__size_t"], 512).max(16);
    let byte_length = found.number(&["class_JSArrayBufferView__byte_length__size_t"], 512);
    let backing_store = found.number(&["class_JSArrayBuffer__backing_store__uintptr_t"], 512);
    let detached = found.number(&["jsarray_buffer_was_detached_mask"], i64::from(u32::MAX));
    let buffer = byte_offset - if version >= FLAGS_FIRST_SINCE { 16 } else { 8 };
    BufferLayout {
        byte_length: Field::at(byte_length),
        byte_offset: Field::at(byte_offset),
        buffer: found.derived("view_buffer", buffer),
        external_pointer: found.field(&["class_JSTypedArray__external_pointer__uintptr_t"]),
        base_pointer: found.field(&[
            "class_JSTypedArray__base_pointer__Tagged_Object_",
            "class_JSTypedArray__base_pointer__Object",
        ]),
        backing_store: Field::at(backing_store),
        buffer_byte_length: found.field(&["class_JSArrayBuffer__byte_length__size_t"]),
        buffer_flags: found.derived("buffer_flags", backing_store + 16),
        special_buffer: detached | 1 << 4 | 1 << 5,
        detached,
    }
}

/// dictionary.h, hash-table.h, property-details.h
fn dictionary(found: &mut Found<'_>, version: Version) -> DictionaryLayout {
    let prefix = found.number(&["namedictionary_prefix_start_index"], 8) as usize;
    let attributes_shift = found.number(&["prop_attributes_shift"], 8);
    DictionaryLayout {
        names: prefix + found.number(&["namedictionaryshape_prefix_size"], 8) as usize,
        numbers: prefix + 1,
        entry: found.number(&["namedictionaryshape_entry_size"], 3) as usize,
        interesting: (version >= INTERESTING_SINCE).then_some(DICTIONARY_FLAGS),
        enumeration_index: Bits { mask: 0x7fff_ff00, shift: 8 },
        dont_enum: found.number(&["prop_attributes_DONT_ENUM"], 7) << attributes_shift,
        accessor: found.number(&["prop_kind_Accessor"], 1),
    }
}

fn types(found: &mut Found<'_>) -> Types {
    Types {
        first_nonstring: found.instance_type("FirstNonstringType"),
        heap_number: found.instance_type("type_HeapNumber__HEAP_NUMBER_TYPE"),
        oddball: found.instance_type("type_Oddball__ODDBALL_TYPE"),
        property_array: found.instance_type("type_PropertyArray__PROPERTY_ARRAY_TYPE"),
        object: found.instance_type("type_JSObject__JS_OBJECT_TYPE"),
        array: found.instance_type("type_JSArray__JS_ARRAY_TYPE"),
        date: found.instance_type("type_JSDate__JS_DATE_TYPE"),
        js_map: found.instance_type("type_JSMap__JS_MAP_TYPE"),
        js_set: found.instance_type("type_JSSet__JS_SET_TYPE"),
        typed_array: found.instance_type("type_JSTypedArray__JS_TYPED_ARRAY_TYPE"),
        array_buffer: found.instance_type("type_JSArrayBuffer__JS_ARRAY_BUFFER_TYPE"),
        primitive_wrapper: found.instance_type("type_JSPrimitiveWrapper__JS_PRIMITIVE_WRAPPER_TYPE"),
        data_view: found.instance_type("type_JSDataView__JS_DATA_VIEW_TYPE"),
        regexp: found.instance_type("type_JSRegExp__JS_REG_EXP_TYPE"),
        error: found.instance_type("type_JSError__JS_ERROR_TYPE"),
        ..Types::default()
    }
}

/// Objects of a kind that is known, from which the types without a symbol are learned.
#[derive(Clone, Copy)]
pub struct Samples<'gc> {
    /// A bigint.
    pub bigint: Tagged<'gc>,
    /// `Object.prototype`.
    pub object_prototype: Tagged<'gc>,
    /// An array that begins with a hole.
    pub holey: Tagged<'gc>,
    /// An object in dictionary mode.
    pub dictionary: Tagged<'gc>,
    /// An array in dictionary mode.
    pub sparse: Tagged<'gc>,
    /// A Map.
    pub map: Tagged<'gc>,
    /// A Set.
    pub set: Tagged<'gc>,
}

impl Samples<'_> {
    /// How many there are.
    pub const COUNT: usize = 7;

    /// Finds the types. The window reads by a layout that still lacks them.
    pub fn complete<M: Memory>(self, window: Window<'_, M>, types: &mut Types) -> Result<(), Refusal> {
        let missing = |what: &str| Refusal(format!("the sample for {what} does not look like one"));
        let type_of = |value: Option<Tagged<'_>>, what: &str| {
            let object = value.and_then(Tagged::heap_object).ok_or_else(|| missing(what))?;
            Ok(window.instance_type(window.map(object)))
        };
        types.bigint = type_of(Some(self.bigint), "a bigint")?;
        types.object_prototype = type_of(Some(self.object_prototype), "Object.prototype")?;
        types.hole = type_of(window.element_of(self.holey, 0), "a hole")?;
        types.name_dictionary = type_of(window.properties_of(self.dictionary), "a dictionary")?;
        types.number_dictionary = type_of(window.elements_of(self.sparse), "sparse elements")?;
        types.hash_map = type_of(window.table_of(self.map), "a Map's table")?;
        types.hash_set = type_of(window.table_of(self.set), "a Set's table")?;
        if window.failed() { Err(Refusal("a sample lies outside memory".into())) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::v8::layout::table;

    #[test]
    fn every_supported_version_has_a_layout() {
        for (version, text) in SUPPORTED.iter().zip(table::VERSIONS) {
            let lookup = |name: &str| table::value(text, name);
            assert_eq!(Version::parse(text), Some(*version));
            assert!(Layout::from_symbols(&lookup, *version, false).is_ok(), "{text}");
        }
    }

    #[test]
    fn a_missing_or_odd_symbol_is_named() {
        let text = table::VERSIONS[1];
        let version = Version::parse(text).unwrap();
        for name in table::names() {
            let without = |other: &str| if other == name { None } else { table::value(text, other) };
            if table::value(text, name).is_some() {
                let refusal = Layout::from_symbols(&without, version, false).err().expect(name);
                assert!(refusal.0.contains(name), "{name}: {}", refusal.0);
                let odd = |other: &str| if other == name { Some(-1) } else { table::value(text, other) };
                let refusal = Layout::from_symbols(&odd, version, false).err().expect(name);
                assert!(refusal.0.contains(name), "{name}: {}", refusal.0);
            }
        }
    }

    #[test]
    fn other_versions_are_refused() {
        let version = Version::parse("12.9.1").unwrap();
        let lookup = |name: &str| table::value(table::VERSIONS[2], name);
        let refusal = Layout::from_symbols(&lookup, version, false).err().unwrap();
        assert_eq!(refusal.0, "V8 12.9 was not reviewed");
        assert!(Layout::from_symbols(&lookup, version, true).is_ok());
        let older = Version::parse("9.4.1").unwrap();
        assert!(Layout::from_symbols(&lookup, older, true).is_err());
    }
}
