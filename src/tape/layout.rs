//! The numbers of the tape as JavaScript sees them, for the test that compares both sides.

use serde::Serialize;

use crate::options;

use super::{ESCAPE, TAG_BITS, control, known, pack, reader, records, slot};

/// The numbers above as JavaScript sees them, for the test that compares both sides.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Layout {
    tag_bits: u32,
    escape: u32,
    pack: Vec<(&'static str, u32)>,
    slot: Vec<(&'static str, u32)>,
    control: Vec<(&'static str, usize)>,
    known: Vec<(&'static str, u32)>,
    shape_bits: u32,
    form_bits: u32,
    forms: Vec<(&'static str, u32)>,
    records: Vec<(&'static str, u32)>,
    reader: Vec<(&'static str, u32)>,
    options: Vec<(&'static str, u32)>,
}

macro_rules! names {
    ($module:ident: $($name:ident)*) => { vec![$((stringify!($name), $module::$name)),*] };
}

impl Layout {
    /// What this build uses.
    #[must_use]
    pub fn current() -> Self {
        Self {
            tag_bits: TAG_BITS,
            escape: ESCAPE,
            pack: names!(pack: NIL UNDEFINED FALSE TRUE C1 INT INT32 NUMBER NUMBERS INT64 UINT64 STR BIN
                ARRAY OBJECT OBJECT_WITH_KEYS KEYS MAP DATE RECORD RECORD_DEFINED EXTENDED_VALUE EXTENSION
                TYPED_ARRAY RAW PARTS TARGET REFERENCE KEY_LIST),
            slot: names!(slot: INT STR WIDE OBJECT ARRAY SINGLE RARE ARRAY_ANY ARRAY_INTS ARRAY_DOUBLES ARRAY_TUPLES
                SINGLE_NULL SINGLE_UNDEFINED SINGLE_FALSE SINGLE_TRUE SINGLE_C1 SINGLE_EMPTY_STRING SINGLE_SHORT_STRING
                RARE_NEXT_PIECE RARE_NEXT_WIDE RARE_LONG_STR RARE_OBJECT RARE_MAP RARE_BIN RARE_INT64
                RARE_UINT64 RARE_DATE RARE_EXT RARE_EXT_VALUE RARE_KEY RARE_RECORD RARE_TARGET RARE_POINTER
                RARE_TARGET_KEYS RECORD_SHAPE),
            control: names!(control: OPTIONS TAPE_START TAPE_END SIDE_START TEXT_LENGTH CHUNK_START
                RESULT_LENGTH RESULT_PLACED INPUT_START INPUT_END SLOT_START PIECES LATIN_PIECE
                WIDE_PIECE GENERATION SLOT_CAPACITY SHAPE TEXTS BINARY DEFINITIONS DEPTH PACK_WORDS PACK_SIDE HANDOVER RECORD_SLOTS
                RECORD_MODE RECORDS_DEFINED RECORD_UNKNOWN KNOWN_SHAPES FIRST_OWN END_OWN NEWS CONTEXT DEFINITION_LOG SEQUENCE LENGTH),
            known: names!(known: NOTHING OWN MAP SLOT),
            shape_bits: pack::SHAPE_BITS,
            form_bits: pack::FORM_BITS,
            forms: names!(pack: AS_MAP AS_RECORD AS_DEFINITION),
            records: vec![
                ("SLOTS", records::SLOTS as u32),
                ("ONE_BYTE_SLOTS", records::ONE_BYTE_SLOTS as u32),
                ("TWO_BYTE", records::TWO_BYTE),
                ("KEPT", records::KEPT),
                ("ASKED", records::ASKED),
                ("WIDE", records::WIDE),
                ("OFF", records::OFF),
                ("CONTINUED", records::CONTINUED),
            ],
            reader: names!(reader: NONE PAYLOAD PAYLOAD_AND_MORE VALUE VALUE_OF_SHORT TARGET POINTER BUNDLE
                UNDEFINED TIMESTAMP),
            options: names!(options: MAPS_AS_OBJECTS NO_REFERENCES ARRAY_KEYS FREEZE),
        }
    }
}
