//! The tape: the flat memory through which JavaScript and Rust exchange values, in both directions.
//!
//! Owns the tags and the meaning of words; `src/js/tape.js` states the same numbers for JavaScript
//! and a test compares the two through [`Layout`]. Nothing else may give a number a meaning.
//!
//! * **Packing** (JavaScript writes, [`crate::encode`] reads): 32-bit words, the tag in the low
//!   [`TAG_BITS`] and a payload above; doubles and 64-bit integers lie in order in the side array,
//!   text lies in order in one UTF-16 string, and binary data in order in memory of Rust's.
//! * **Unpacking** ([`crate::decode`] writes, `src/js/build.js` reads): one 64-bit slot a value,
//!   NaN-boxed: a double in place, or a kind in the top 16 bits. Containers reserve the slots of
//!   their children at once and the parent's slot names the first of them, so that generated
//!   makers read children at constant distances.

mod layout;

pub use self::layout::Layout;

/// Width of a pack word's tag.
pub const TAG_BITS: u32 = 5;
/// Payload that says "the real payload is the next word": for lengths that 27 bits do not hold.
pub const ESCAPE: u32 = (1 << (32 - TAG_BITS)) - 1;

/// Tags of the packing direction. `n` is the payload.
pub mod pack {
    /// null
    pub const NIL: u32 = 0;
    /// undefined
    pub const UNDEFINED: u32 = 1;
    /// false
    pub const FALSE: u32 = 2;
    /// true
    pub const TRUE: u32 = 3;
    /// The byte 0xc1 of MessagePack, which the specification never uses.
    pub const C1: u32 = 4;
    /// Integer of 27 bits, signed, in the payload.
    pub const INT: u32 = 5;
    /// Signed 32-bit integer in the next word.
    pub const INT32: u32 = 6;
    /// Any number, in the side array; Rust finds the smallest form.
    pub const NUMBER: u32 = 7;
    /// Array of `n` numbers, all in the side array.
    pub const NUMBERS: u32 = 8;
    /// Signed 64-bit integer in the side array.
    pub const INT64: u32 = 9;
    /// Unsigned 64-bit integer in the side array.
    pub const UINT64: u32 = 10;
    /// String of `n` UTF-16 units, next in the text.
    pub const STR: u32 = 11;
    /// Binary of `n` bytes, next in the binary data.
    pub const BIN: u32 = 12;
    /// Array; `n` values follow.
    pub const ARRAY: u32 = 13;
    /// Object of the known shape `n`; its values follow.
    pub const OBJECT: u32 = 14;
    /// Object without a shape; its KEYS record lies `n` words behind this one, after its values.
    pub const OBJECT_WITH_KEYS: u32 = 15;
    /// Record of `n` keys: what the object is written as (one of the `AS_*`, and above [`FORM_BITS`] the slot
    /// of a record), the text position of the first key, then a word of UTF-16 length for each.
    pub const KEYS: u32 = 16;
    /// Map; `n` pairs of key and value follow.
    pub const MAP: u32 = 17;
    /// Date: milliseconds since 1970 in the side array, NaN when invalid.
    pub const DATE: u32 = 18;
    /// Object of a known shape, in the low [`SHAPE_BITS`] of the payload, that is an instance of the record
    /// whose slot lies above; its values follow.
    pub const RECORD: u32 = 19;
    /// The same, and the message defines the record here.
    pub const RECORD_DEFINED: u32 = 20;
    /// The value that follows belongs to the extension type `n`.
    pub const EXTENDED_VALUE: u32 = 21;
    /// Extension of type `n`; the next word is the length of its payload, next in the binary data.
    pub const EXTENSION: u32 = 22;
    /// Memory of a view or buffer whose class has the code `n`; the next word is its length, as above.
    pub const TYPED_ARRAY: u32 = 23;
    /// `n` bytes that are part of a message already, next in the binary data.
    pub const RAW: u32 = 24;
    /// `n` values or RAW follow, which together are one value.
    pub const PARTS: u32 = 25;
    /// The value that follows may be referred to by the id `n`; 0 is none.
    pub const TARGET: u32 = 26;
    /// The value of the id `n`, once more.
    pub const REFERENCE: u32 = 27;
    /// Stands before an object whose list of keys may be written twice: `n` is 0, or twice the id of the
    /// list, or that and 1 where the list is the one of the id, once more. The object follows.
    pub const KEY_LIST: u32 = 28;

    /// Width of a shape's number beside a slot.
    pub const SHAPE_BITS: u32 = 12;
    /// Width of a form.
    pub const FORM_BITS: u32 = 2;
    /// An object as a map.
    pub const AS_MAP: u32 = 0;
    /// An instance of a record.
    pub const AS_RECORD: u32 = 1;
    /// An instance of a record that is defined here.
    pub const AS_DEFINITION: u32 = 2;
}

/// What is known of a shape: the entries of the table that JavaScript hands to the heap walker, by shape.
pub mod known {
    /// Nothing: JavaScript must decide what it is written as.
    pub const NOTHING: u32 = 0;
    /// A record that each message defines for itself.
    pub const OWN: u32 = 1;
    /// A map.
    pub const MAP: u32 = 2;
    /// The record of slot 0; those of the others follow.
    pub const SLOT: u32 = 3;
}

/// Kinds of the unpacking direction: the top 16 bits of a slot that is not a double.
pub mod slot {
    /// Signed 32-bit integer in the low word.
    pub const INT: u32 = 0xfff8;
    /// ASCII string: low word its offset in the current piece, bits 32..48 its length.
    pub const STR: u32 = 0xfff9;
    /// String with other characters: offset and length in the current wide piece.
    pub const WIDE: u32 = 0xfffa;
    /// Object of a known shape (bits 32..48); low word: word index of its first value.
    pub const OBJECT: u32 = 0xfffb;
    /// Array (bits 32..48: one of the `ARRAY_*`); low word: word index of its length slot.
    pub const ARRAY: u32 = 0xfffc;
    /// Singleton named by the low word, one of the `SINGLE_*`.
    pub const SINGLE: u32 = 0xfffd;
    /// The rare kinds; bits 32..48 one of the `RARE_*`, low word: word index of its slots.
    pub const RARE: u32 = 0xfffe;

    /// Elements of any kind.
    pub const ARRAY_ANY: u32 = 0;
    /// Elements are all INT slots.
    pub const ARRAY_INTS: u32 = 1;
    /// Elements are all doubles.
    pub const ARRAY_DOUBLES: u32 = 2;
    /// Added to one of those: elements are arrays of so many numbers each as the high word of the length slot
    /// says, whose slots follow, without heads.
    pub const ARRAY_TUPLES: u32 = 4;

    /// null
    pub const SINGLE_NULL: u32 = 0;
    /// undefined
    pub const SINGLE_UNDEFINED: u32 = 1;
    /// false
    pub const SINGLE_FALSE: u32 = 2;
    /// true
    pub const SINGLE_TRUE: u32 = 3;
    /// The byte 0xc1 of MessagePack.
    pub const SINGLE_C1: u32 = 4;
    /// The empty string.
    pub const SINGLE_EMPTY_STRING: u32 = 5;
    /// Short string 0; the others follow.
    pub const SINGLE_SHORT_STRING: u32 = 8;

    /// String that begins the next piece: a slot of piece number and length.
    pub const RARE_NEXT_PIECE: u32 = 0;
    /// Wide string that begins the next wide piece: a slot of piece number and length.
    pub const RARE_NEXT_WIDE: u32 = 1;
    /// String that is a piece by itself: a slot of piece number.
    pub const RARE_LONG_STR: u32 = 2;
    /// Object without a shape: a slot of pair count, then the pairs.
    pub const RARE_OBJECT: u32 = 3;
    /// Map: a slot of pair count, then the pairs.
    pub const RARE_MAP: u32 = 4;
    /// Binary: a slot of offset and length in the input.
    pub const RARE_BIN: u32 = 5;
    /// Signed 64-bit integer: a raw slot.
    pub const RARE_INT64: u32 = 6;
    /// Unsigned 64-bit integer: a raw slot.
    pub const RARE_UINT64: u32 = 7;
    /// Date: a slot of milliseconds as a double.
    pub const RARE_DATE: u32 = 8;
    /// Extension with a payload: a slot of offset and length; one of its reader and whether it had the
    /// one-byte form; and one of how many records were defined before it, and its context (0 for none).
    pub const RARE_EXT: u32 = 9;
    /// Extension that is followed by one value: a slot of its reader, then the value.
    pub const RARE_EXT_VALUE: u32 = 10;
    /// Key that the trie knows by the number in the low word.
    pub const RARE_KEY: u32 = 11;
    /// Record whose number OBJECT does not hold: a slot of the number, then the values.
    pub const RARE_RECORD: u32 = 12;
    /// Value that others refer to: a slot of its id, then the value.
    pub const RARE_TARGET: u32 = 13;
    /// Reference to such a value: a slot of its id.
    pub const RARE_POINTER: u32 = 14;
    /// Record whose definition can be referred to: a slot of id and number of the list, then the record.
    pub const RARE_TARGET_KEYS: u32 = 15;

    /// Set in the shape of an OBJECT that is a record; the rest is the record's number.
    pub const RECORD_SHAPE: u32 = 1 << 15;

    /// Most units of a STR or WIDE slot.
    pub const MAX_INLINE_LENGTH: usize = 0xffff;

    /// A slot of this kind, with its two parts.
    #[inline(always)]
    #[must_use]
    pub const fn boxed(kind: u32, part: u32, low: u32) -> u64 {
        (((kind << 16) | part) as u64) << 32 | low as u64
    }
    /// A slot without a kind: two bare words.
    #[inline(always)]
    #[must_use]
    pub const fn words(low: u32, high: u32) -> u64 {
        (high as u64) << 32 | low as u64
    }
    /// A signed 32-bit integer.
    #[inline(always)]
    #[must_use]
    pub const fn int(value: i32) -> u64 {
        boxed(INT, 0, value as u32)
    }
    /// A double; every NaN becomes the one that no kind uses.
    #[inline(always)]
    #[must_use]
    pub fn double(value: f64) -> u64 {
        if value.is_nan() { 0x7ff8_0000_0000_0000 } else { value.to_bits() }
    }
    /// A singleton.
    #[inline(always)]
    #[must_use]
    pub const fn single(which: u32) -> u64 {
        boxed(SINGLE, 0, which)
    }
}

/// Words of the control block, which both sides read and write around each call.
pub mod control {
    /// Option bits of this call ([`crate::options`]).
    pub const OPTIONS: usize = 0;
    /// Pack: first and one-past-last word of the message on the tape.
    pub const TAPE_START: usize = 1;
    /// See `TAPE_START`.
    pub const TAPE_END: usize = 2;
    /// Pack: first entry of the message in the side array.
    pub const SIDE_START: usize = 3;
    /// Pack: UTF-16 units of text.
    pub const TEXT_LENGTH: usize = 4;
    /// Pack: where in the chunk the result may begin; for `take`, where it goes.
    pub const CHUNK_START: usize = 5;
    /// Pack, out: length of the result, and whether it lies in the chunk (1) or must be taken (0).
    pub const RESULT_LENGTH: usize = 6;
    /// See `RESULT_LENGTH`.
    pub const RESULT_PLACED: usize = 7;
    /// Unpack: bounds of the input to read; out: `INPUT_START` is the end of the value read.
    pub const INPUT_START: usize = 8;
    /// See `INPUT_START`.
    pub const INPUT_END: usize = 9;
    /// Unpack: first slot that may be written (an outer message may own those before); out: first
    /// slot not used.
    pub const SLOT_START: usize = 10;
    /// Unpack, out: number of text pieces. The first is returned; for each other, `piece` is called
    /// with its number here.
    pub const PIECES: usize = 11;
    /// Unpack, out: the piece that STR slots are cut from first, or -1. Set if there is any piece.
    pub const LATIN_PIECE: usize = 12;
    /// The same for WIDE slots.
    pub const WIDE_PIECE: usize = 13;
    /// Unpack, out: changes when the numbers of shapes got new meanings.
    pub const GENERATION: usize = 14;
    /// Unpack, out: slots of the tape; a change means that the tape moved.
    pub const SLOT_CAPACITY: usize = 15;
    /// Out of `defineShape`: the shape's number, or -1.
    pub const SHAPE: usize = 16;
    /// Pack: strings in the list beside the text.
    pub const TEXTS: usize = 17;
    /// Pack: where in the binary data the message's begins; for `putBinary`, where the bytes go, and
    /// out, how many there were.
    pub const BINARY: usize = 18;
    /// Unpack, out: short strings to define, from the first free slot on: number and length in the
    /// low word (16 bits each), offset in the first piece in the high word. In, at the next scan: 0
    /// when that was done.
    pub const DEFINITIONS: usize = 19;
    /// Unpack, out: levels of nesting; more than there can be if only the builder for deep messages will do.
    pub const DEPTH: usize = 20;
    /// Pack, out: words of the tape that Rust reads; other memory than JavaScript writes is noticed by it.
    pub const PACK_WORDS: usize = 21;
    /// The same for the side array, in entries.
    pub const PACK_SIDE: usize = 22;
    /// Heap pack, out: 0, or 1 and the number of the reason why the walk stopped.
    pub const HANDOVER: usize = 23;
    /// Unpack, in and out: how many slots of the record table are in use; those behind are zero.
    pub const RECORD_SLOTS: usize = 24;
    /// Unpack: what happens to record ids, of the bits in [`super::records`]; out: 0.
    pub const RECORD_MODE: usize = 25;
    /// Unpack, out: how many kept definitions there are: the slot of each stands from the first free slot
    /// on, behind the short strings' definitions.
    pub const RECORDS_DEFINED: usize = 26;
    /// Unpack, out: 0, or 1 and the slot of a record id for which there is no shape, or -1 where the
    /// numbers in the record table got new meanings. Unless it is 0 nothing was read.
    pub const RECORD_UNKNOWN: usize = 27;
    /// Heap pack: shapes in the table of known ones.
    pub const KNOWN_SHAPES: usize = 28;
    /// Heap pack: slots of the records that a message may define, the first and one past the last.
    pub const FIRST_OWN: usize = 29;
    /// See `FIRST_OWN`.
    pub const END_OWN: usize = 30;
    /// Unpack, out: 1 if there is something new in `SLOT_CAPACITY`, `GENERATION`, `RECORDS_DEFINED` or
    /// `RECORD_UNKNOWN`, or if there is much memory to give back. JavaScript sets it to 0 when it knows, and
    /// with it the latter two.
    pub const NEWS: usize = 31;
    /// Unpack: the context of an extension inside which this value is read, or 0; out: 0.
    pub const CONTEXT: usize = 32;
    /// Unpack, out: how many definitions of records there were, if extensions may have to read under them.
    /// Two slots for each stand behind the slots that `RECORDS_DEFINED` counts: slot and new word, and the
    /// word before.
    pub const DEFINITION_LOG: usize = 33;
    /// Unpack: how many values in a row are read, as an array, or 0 for one; out: 0.
    pub const SEQUENCE: usize = 34;
    /// Number of words in the block.
    pub const LENGTH: usize = 35;
}

/// The record table, which both sides write, and the bits of `RECORD_MODE`.
///
/// A word of the table is 0, or 1 and the number of a key list, with [`TWO_BYTE`] on top.
///
/// [`TWO_BYTE`]: records::TWO_BYTE
pub mod records {
    /// Words of the table: ids of two bytes reach this far.
    pub const SLOTS: usize = ONE_BYTE_SLOTS * 257;
    /// Slots whose ids always have one byte; ids of those behind may have two.
    pub const ONE_BYTE_SLOTS: usize = 32;
    /// Set in a word whose record has an id of two bytes.
    pub const TWO_BYTE: u32 = 1 << 31;

    /// Definitions stay in force for later messages.
    pub const KEPT: u32 = 1;
    /// Reading stops at an id without a shape, which may be loaded. Otherwise it is an integer.
    pub const ASKED: u32 = 2;
    /// The table has records with ids of two bytes.
    pub const WIDE: u32 = 4;
    /// Nothing is a record id, whatever the table says.
    pub const OFF: u32 = 8;
    /// The value may refer to what the one scanned before has defined.
    pub const CONTINUED: u32 = 16;
}

/// What the reader of an extension type takes.
pub mod reader {
    /// There is none.
    pub const NONE: u32 = 0;
    /// The payload.
    pub const PAYLOAD: u32 = 1;
    /// The payload, and it may ask for values elsewhere in the message.
    pub const PAYLOAD_AND_MORE: u32 = 2;
    /// The value that follows.
    pub const VALUE: u32 = 3;
    /// The value that follows the one-byte form; the payload of other forms.
    pub const VALUE_OF_SHORT: u32 = 4;
    /// The value that follows can be referred to by the id in the payload.
    pub const TARGET: u32 = 5;
    /// The value that has the id in the payload goes here.
    pub const POINTER: u32 = 6;
    /// The strings that later values are cut from lie where the payload says.
    pub const BUNDLE: u32 = 7;
    /// undefined
    pub const UNDEFINED: u32 = 8;
    /// Date
    pub const TIMESTAMP: u32 = 9;
}

/// Grows or shrinks the packing tape's memory to this many words at most.
pub const MAX_PACK_WORDS: usize = 1 << 29;
/// Slots of the unpacking tape at most; a word index must stay a positive 32-bit integer.
pub const MAX_SLOTS: usize = 1 << 29;
