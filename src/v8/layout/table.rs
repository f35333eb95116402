//! The values of the symbols in the builds that were reviewed, for binaries that export none: Node on
//! Windows. They hold for the exact V8 version only, and are tried like any others. On other systems a
//! test compares them with what the running binary says.

/// The V8 versions of the columns below.
pub const VERSIONS: [&str; 5] = ["10.2.154.26", "11.3.244.8", "12.4.254.21", "13.6.233.17", "14.6.202.34"];

/// Says that a version has no such symbol.
const NONE: i64 = i64::MIN;

#[rustfmt::skip]
const VALUES: &[(&str, [i64; 5])] = &[
    ("ConsStringTag", [1; 5]),
    ("ExternalStringTag", [2; 5]),
    ("FirstNonstringType", [128; 5]),
    ("HeapObjectTag", [1; 5]),
    ("HeapObjectTagMask", [3; 5]),
    ("OneByteStringTag", [8; 5]),
    ("SeqStringTag", [0; 5]),
    ("SlicedStringTag", [3; 5]),
    ("SmiShiftSize", [31; 5]),
    ("SmiTag", [0; 5]),
    ("SmiTagMask", [1; 5]),
    ("SmiValueShift", [1; 5]),
    ("StringEncodingMask", [8; 5]),
    ("StringRepresentationMask", [7; 5]),
    ("StringTag", [0; 5]),
    ("TaggedSize", [8; 5]),
    ("ThinStringTag", [5; 5]),
    ("TwoByteStringTag", [0; 5]),
    ("bit_field2_elements_kind_mask", [252; 5]),
    ("bit_field2_elements_kind_shift", [2; 5]),
    ("bit_field3_is_dictionary_map_shift", [21; 5]),
    ("bit_field3_number_of_own_descriptors_mask", [1047552; 5]),
    ("bit_field3_number_of_own_descriptors_shift", [10; 5]),
    ("class_ConsString__first__String", [16; 5]),
    ("class_ConsString__second__String", [24; 5]),
    ("class_DescriptorArray__header_size__uintptr_t", [24, 24, 24, 24, 32]),
    ("class_ExternalString__resource__Object", [16; 5]),
    ("class_FixedArrayBase__length__SMI", [8; 5]),
    ("class_FixedArray__data__uintptr_t", [16; 5]),
    ("class_HeapNumber__value__double", [8; 5]),
    ("class_HeapObject__map__Map", [0; 5]),
    ("class_JSArrayBufferView__byte_length__size_t", [40, 40, 40, 56, 56]),
    ("class_JSArrayBufferView__byte_offset__size_t", [32, 32, 32, 48, 48]),
    ("class_JSArrayBuffer__backing_store__uintptr_t", [40, 48, 48, 56, 56]),
    ("class_JSArrayBuffer__byte_length__size_t", [24, 32, 32, 40, 40]),
    ("class_JSDate__value__Object", [24; 5]),
    ("class_JSObject__elements__Object", [16; 5]),
    ("class_JSReceiver__raw_properties_or_hash__Object", [8, 8, NONE, NONE, NONE]),
    ("class_JSReceiver__raw_properties_or_hash__Tagged_Object_", [NONE, NONE, 8, 8, 8]),
    ("class_JSRegExp__source__Object", [32; 5]),
    ("class_JSTypedArray__base_pointer__Object", [72, 72, NONE, NONE, NONE]),
    ("class_JSTypedArray__base_pointer__Tagged_Object_", [NONE, NONE, 72, 80, 80]),
    ("class_JSTypedArray__external_pointer__uintptr_t", [64, 64, 64, 72, 72]),
    ("class_Map__bit_field2__char", [15; 5]),
    ("class_Map__bit_field3__int", [16; 5]),
    ("class_Map__bit_field__char", [14; 5]),
    ("class_Map__inobject_properties_start_or_constructor_function_index__char", [9; 5]),
    ("class_Map__instance_descriptors_offset", [40; 5]),
    ("class_Map__instance_size_in_words__char", [8; 5]),
    ("class_Map__instance_type__uint16_t", [12; 5]),
    ("class_Map__prototype__Object", [24; 5]),
    ("class_SeqOneByteString__chars__char", [16; 5]),
    ("class_SeqTwoByteString__chars__char", [16; 5]),
    ("class_SlicedString__offset__SMI", [24; 5]),
    ("class_SlicedString__parent__String", [16; 5]),
    ("class_String__length__int32_t", [12; 5]),
    ("class_ThinString__actual__String", [16; 5]),
    ("elements_dictionary_elements", [12, 13, 13, 13, 13]),
    ("elements_fast_elements", [2; 5]),
    ("elements_fast_holey_elements", [3; 5]),
    ("jsarray_buffer_was_detached_mask", [4; 5]),
    ("namedictionary_prefix_start_index", [3; 5]),
    ("namedictionaryshape_entry_size", [3; 5]),
    ("namedictionaryshape_prefix_size", [2, 3, 3, 3, 3]),
    ("prop_attributes_DONT_ENUM", [2; 5]),
    ("prop_attributes_shift", [2; 5]),
    ("prop_desc_details", [1; 5]),
    ("prop_desc_key", [0; 5]),
    ("prop_desc_size", [3; 5]),
    ("prop_index_mask", [536346624; 5]),
    ("prop_index_shift", [19; 5]),
    ("prop_kind_Accessor", [1; 5]),
    ("prop_kind_mask", [1; 5]),
    ("prop_location_Field", [0; 5]),
    ("prop_location_mask", [32; 5]),
    ("type_HeapNumber__HEAP_NUMBER_TYPE", [130; 5]),
    ("type_JSArrayBuffer__JS_ARRAY_BUFFER_TYPE", [2061, 2062, 2062, 2062, 2063]),
    ("type_JSArray__JS_ARRAY_TYPE", [2104, 2113, 2115, 2119, 2121]),
    ("type_JSDataView__JS_DATA_VIEW_TYPE", [2059; 5]),
    ("type_JSDate__JS_DATE_TYPE", [2109, 2118, 2120, 2124, 2126]),
    ("type_JSError__JS_ERROR_TYPE", [2112, 2122, 2124, 2128, 2130]),
    ("type_JSMap__JS_MAP_TYPE", [2099, 2108, 2110, 2112, 2114]),
    ("type_JSObject__JS_OBJECT_TYPE", [1057; 5]),
    ("type_JSPrimitiveWrapper__JS_PRIMITIVE_WRAPPER_TYPE", [1041; 5]),
    ("type_JSRegExp__JS_REG_EXP_TYPE", [2120, 2131, 2133, 2137, 2139]),
    ("type_JSSet__JS_SET_TYPE", [2100, 2109, 2111, 2113, 2115]),
    ("type_JSTypedArray__JS_TYPED_ARRAY_TYPE", [2060, 2061, 2061, 2061, 2061]),
    ("type_Oddball__ODDBALL_TYPE", [131; 5]),
    ("type_PropertyArray__PROPERTY_ARRAY_TYPE", [254, 259, 269, 277, 283]),
];

/// The value of a symbol in V8 `version`, as `process.versions.v8` begins.
#[must_use]
pub fn value(version: &str, name: &str) -> Option<i64> {
    let exact = version.split('-').next()?;
    let column = VERSIONS.iter().position(|known| *known == exact)?;
    let (_, values) = VALUES.iter().find(|(known, _)| *known == name)?;
    (values[column] != NONE).then_some(values[column])
}

/// All symbols that are looked up.
pub fn names() -> impl Iterator<Item = &'static str> {
    VALUES.iter().map(|(name, _)| *name)
}
