//! Options of a packr or unpackr as bits of one word, and the form in which JavaScript hands them
//! over. Leaf module.
//!
//! `src/js/options.js` turns whatever a user gave (truthy values, deprecated spellings) into these
//! fields; the word then travels in the control block of every call.

use serde::Deserialize;

/// Small positive integers up to 127 take one byte: no record ids are in use.
pub const NO_RECORDS: u32 = 1 << 0;
/// Plain objects are written with the smallest map header.
pub const VARIABLE_MAP_SIZE: u32 = 1 << 1;
/// undefined is written as nil.
pub const UNDEFINED_AS_NIL: u32 = 1 << 2;
/// Fractions are written as 32-bit floats.
pub const FLOAT32: u32 = 1 << 3;
/// Fractions are written as 32-bit floats where that keeps their decimal digits.
pub const FLOAT32_IF_FITS: u32 = 1 << 4;
/// 32-bit floats are read as the decimal number they stand for.
pub const ROUND_FLOAT32: u32 = 1 << 5;
/// Maps are read as plain objects.
pub const MAPS_AS_OBJECTS: u32 = 1 << 6;
/// 64-bit integers are read as numbers.
pub const INT64_AS_NUMBER: u32 = 1 << 7;
/// 64-bit integers are read as numbers where that is exact.
pub const INT64_AUTO: u32 = 1 << 8;
/// Keys that are the text of a number are written as that number.
pub const COERCIBLE_KEYS: u32 = 1 << 9;
/// Plain objects are written as records.
pub const RECORDS: u32 = 1 << 10;
/// Records from slot 32 on have ids of two bytes.
pub const TWO_BYTE_IDS: u32 = 1 << 11;
/// Sets, errors, regular expressions and views are written with extension types.
pub const MORE_TYPES: u32 = 1 << 12;
/// Dates are written in whole seconds where those fit 32 bits.
pub const TIMESTAMP32: u32 = 1 << 13;
/// Objects that are met again are written as references.
pub const STRUCTURED_CLONE: u32 = 1 << 14;
/// Strings are collected behind the values.
pub const BUNDLE_STRINGS: u32 = 1 << 15;
/// A `Map` is written as an empty one.
pub const MAP_AS_EMPTY_OBJECT: u32 = 1 << 16;
/// A `Set` is written as an empty object.
pub const SET_AS_EMPTY_OBJECT: u32 = 1 << 17;
/// A toJSON is never called.
pub const NO_TO_JSON: u32 = 1 << 18;
/// A function is asked what to write for an invalid date.
pub const ASKS_ABOUT_INVALID_DATES: u32 = 1 << 19;
/// References are not read.
pub const NO_REFERENCES: u32 = 1 << 20;

/// Arrays may be keys of objects.
pub const ARRAY_KEYS: u32 = 1 << 21;
/// Arrays and records are frozen, by the builder for deep messages.
pub const FREEZE: u32 = 1 << 22;

// What the registry of extensions adds to the word of a call.

/// The type of undefined has another reader.
pub const UNDEFINED_REPLACED: u32 = 1 << 30;
/// The type of timestamps has another reader.
pub const TIMESTAMP_REPLACED: u32 = 1 << 31;

/// What 64-bit integers are read as.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum Int64As {
    /// bigint
    #[default]
    Bigint,
    /// number, possibly inexact
    Number,
    /// number if within 2^53, else bigint
    Auto,
    /// decimal string
    String,
}

/// The options that change what Rust does.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Options {
    /// Record ids may be in use, which take the place of some integers.
    pub use_records: bool,
    /// See [`VARIABLE_MAP_SIZE`].
    pub variable_map_size: bool,
    /// See [`UNDEFINED_AS_NIL`].
    pub encode_undefined_as_nil: bool,
    /// msgpackr's numbers: 0 never, up to 3 always, from 4 on if it fits; above 2 rounds when reading.
    pub use_float32: f64,
    /// See [`MAPS_AS_OBJECTS`].
    pub maps_as_objects: bool,
    /// See [`COERCIBLE_KEYS`].
    pub coercible_key_as_number: bool,
    /// See [`RECORDS`].
    pub records: bool,
    /// See [`TWO_BYTE_IDS`].
    pub two_byte_ids: bool,
    /// See [`MORE_TYPES`].
    pub more_types: bool,
    /// See [`TIMESTAMP32`].
    pub use_timestamp32: bool,
    /// See [`STRUCTURED_CLONE`].
    pub structured_clone: bool,
    /// See [`BUNDLE_STRINGS`].
    pub bundle_strings: bool,
    /// See [`MAP_AS_EMPTY_OBJECT`].
    pub map_as_empty_object: bool,
    /// See [`SET_AS_EMPTY_OBJECT`].
    pub set_as_empty_object: bool,
    /// Not [`NO_TO_JSON`].
    pub use_to_json: bool,
    /// See [`ASKS_ABOUT_INVALID_DATES`].
    pub on_invalid_date: bool,
    /// Not [`NO_REFERENCES`].
    pub references: bool,
    /// See [`ARRAY_KEYS`].
    pub allow_arrays_in_map_keys: bool,
    /// See [`FREEZE`].
    pub freeze_data: bool,
    /// See [`Int64As`]; strings are made of bigints in JavaScript.
    pub int64_as_type: Int64As,
}

impl Options {
    /// The options as one word.
    #[must_use]
    pub fn bits(&self) -> u32 {
        let flags = [
            (NO_RECORDS, !self.use_records),
            (VARIABLE_MAP_SIZE, self.variable_map_size),
            (UNDEFINED_AS_NIL, self.encode_undefined_as_nil),
            (FLOAT32, self.use_float32 > 0.0 && self.use_float32 < 4.0),
            (FLOAT32_IF_FITS, self.use_float32 >= 4.0),
            (ROUND_FLOAT32, self.use_float32 > 2.0),
            (MAPS_AS_OBJECTS, self.maps_as_objects),
            (INT64_AS_NUMBER, self.int64_as_type == Int64As::Number),
            (INT64_AUTO, self.int64_as_type == Int64As::Auto),
            (COERCIBLE_KEYS, self.coercible_key_as_number),
            (RECORDS, self.records),
            (TWO_BYTE_IDS, self.two_byte_ids),
            (MORE_TYPES, self.more_types),
            (TIMESTAMP32, self.use_timestamp32),
            (STRUCTURED_CLONE, self.structured_clone),
            (BUNDLE_STRINGS, self.bundle_strings),
            (MAP_AS_EMPTY_OBJECT, self.map_as_empty_object),
            (SET_AS_EMPTY_OBJECT, self.set_as_empty_object),
            (NO_TO_JSON, !self.use_to_json),
            (ASKS_ABOUT_INVALID_DATES, self.on_invalid_date),
            (NO_REFERENCES, !self.references),
            (ARRAY_KEYS, self.allow_arrays_in_map_keys),
            (FREEZE, self.freeze_data),
        ];
        flags.iter().filter(|(_, on)| *on).fold(0, |bits, (bit, _)| bits | bit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn module_level_options() {
        let options =
            Options { maps_as_objects: true, use_to_json: true, references: true, ..Options::default() };
        assert_eq!(options.bits(), NO_RECORDS | MAPS_AS_OBJECTS);
    }

    #[test]
    fn float32_modes() {
        let given = Options { use_records: true, use_to_json: true, references: true, ..Options::default() };
        let bits = |use_float32| Options { use_float32, ..given }.bits();
        assert_eq!(bits(0.0), 0);
        assert_eq!(bits(1.0), FLOAT32);
        assert_eq!(bits(3.0), FLOAT32 | ROUND_FLOAT32);
        assert_eq!(bits(4.0), FLOAT32_IF_FITS | ROUND_FLOAT32);
    }
}
