'use strict'
// The tape's numbers for JavaScript, side by side with src/tape.rs, where each is explained. A test
// compares the two.

const TAG_BITS = 5
const ESCAPE = 0x7ffffff
const SHAPE_BITS = 12
const FORM_BITS = 2

const pack = {
  NIL: 0,
  UNDEFINED: 1,
  FALSE: 2,
  TRUE: 3,
  C1: 4,
  INT: 5,
  INT32: 6,
  NUMBER: 7,
  NUMBERS: 8,
  INT64: 9,
  UINT64: 10,
  STR: 11,
  BIN: 12,
  ARRAY: 13,
  OBJECT: 14,
  OBJECT_WITH_KEYS: 15,
  KEYS: 16,
  MAP: 17,
  DATE: 18,
  RECORD: 19,
  RECORD_DEFINED: 20,
  EXTENDED_VALUE: 21,
  EXTENSION: 22,
  TYPED_ARRAY: 23,
  RAW: 24,
  PARTS: 25,
  TARGET: 26,
  REFERENCE: 27,
  KEY_LIST: 28,
}

const slot = {
  INT: 0xfff8,
  STR: 0xfff9,
  WIDE: 0xfffa,
  OBJECT: 0xfffb,
  ARRAY: 0xfffc,
  SINGLE: 0xfffd,
  RARE: 0xfffe,

  ARRAY_ANY: 0,
  ARRAY_INTS: 1,
  ARRAY_DOUBLES: 2,
  ARRAY_TUPLES: 4,

  SINGLE_NULL: 0,
  SINGLE_UNDEFINED: 1,
  SINGLE_FALSE: 2,
  SINGLE_TRUE: 3,
  SINGLE_C1: 4,
  SINGLE_EMPTY_STRING: 5,
  SINGLE_SHORT_STRING: 8,

  RARE_NEXT_PIECE: 0,
  RARE_NEXT_WIDE: 1,
  RARE_LONG_STR: 2,
  RARE_OBJECT: 3,
  RARE_MAP: 4,
  RARE_BIN: 5,
  RARE_INT64: 6,
  RARE_UINT64: 7,
  RARE_DATE: 8,
  RARE_EXT: 9,
  RARE_EXT_VALUE: 10,
  RARE_KEY: 11,
  RARE_RECORD: 12,
  RARE_TARGET: 13,
  RARE_POINTER: 14,
  RARE_TARGET_KEYS: 15,

  RECORD_SHAPE: 0x8000,
}

/** A slot's kind as the signed number that its high word shifted right by 16 gives. */
const kind = {
  INT: slot.INT - 0x10000,
  STR: slot.STR - 0x10000,
  WIDE: slot.WIDE - 0x10000,
  OBJECT: slot.OBJECT - 0x10000,
  ARRAY: slot.ARRAY - 0x10000,
  SINGLE: slot.SINGLE - 0x10000,
  RARE: slot.RARE - 0x10000,
}

const control = {
  OPTIONS: 0,
  TAPE_START: 1,
  TAPE_END: 2,
  SIDE_START: 3,
  TEXT_LENGTH: 4,
  CHUNK_START: 5,
  RESULT_LENGTH: 6,
  RESULT_PLACED: 7,
  INPUT_START: 8,
  INPUT_END: 9,
  SLOT_START: 10,
  PIECES: 11,
  LATIN_PIECE: 12,
  WIDE_PIECE: 13,
  GENERATION: 14,
  SLOT_CAPACITY: 15,
  SHAPE: 16,
  TEXTS: 17,
  BINARY: 18,
  DEFINITIONS: 19,
  DEPTH: 20,
  PACK_WORDS: 21,
  PACK_SIDE: 22,
  HANDOVER: 23,
  RECORD_SLOTS: 24,
  RECORD_MODE: 25,
  RECORDS_DEFINED: 26,
  RECORD_UNKNOWN: 27,
  KNOWN_SHAPES: 28,
  FIRST_OWN: 29,
  END_OWN: 30,
  NEWS: 31,
  CONTEXT: 32,
  DEFINITION_LOG: 33,
  SEQUENCE: 34,
  LENGTH: 35,
}

/** What an object with its keys on the tape is written as. */
const forms = {
  AS_MAP: 0,
  AS_RECORD: 1,
  AS_DEFINITION: 2,
}

const known = {
  NOTHING: 0,
  OWN: 1,
  MAP: 2,
  SLOT: 3,
}

const records = {
  SLOTS: 8224,
  ONE_BYTE_SLOTS: 32,
  TWO_BYTE: 0x80000000,
  KEPT: 1,
  ASKED: 2,
  WIDE: 4,
  OFF: 8,
  CONTINUED: 16,
}

/** Option bits that JavaScript looks at, too, see src/options.rs. */
const options = {
  MAPS_AS_OBJECTS: 1 << 6,
  NO_REFERENCES: 1 << 20,
  ARRAY_KEYS: 1 << 21,
  FREEZE: 1 << 22,
}

/** What the reader of an extension type takes. */
const reader = {
  NONE: 0,
  PAYLOAD: 1,
  PAYLOAD_AND_MORE: 2,
  VALUE: 3,
  VALUE_OF_SHORT: 4,
  TARGET: 5,
  POINTER: 6,
  BUNDLE: 7,
  UNDEFINED: 8,
  TIMESTAMP: 9,
}

module.exports = {
  TAG_BITS,
  ESCAPE,
  SHAPE_BITS,
  FORM_BITS,
  pack,
  slot,
  kind,
  control,
  forms,
  known,
  records,
  reader,
  options,
}
