//! The waist of the hourglass: what a wire format offers to the walkers above it.
//!
//! A format is one [`Writer`] and one [`Scanner`]. Walkers, tape and builder know no format; a
//! format knows neither JavaScript nor V8.

pub mod msgpack;
pub mod outline;
pub mod types;

use crate::buffer::{Position, SLACK};
use crate::error::{DecodeError, EncodeError};
use crate::shapes::EncodedKey;
use crate::text::utf16::PaddedText;

/// Writes the values of one message, in order, to an output.
///
/// A container's header comes first; then exactly as many values as it announced. Each call takes the
/// place to write at and returns the place behind.
pub trait Writer {
    /// Whether strings are put elsewhere, so that a key's encoded bytes can not be copied.
    const COLLECTS: bool;

    /// null
    fn nil(&mut self, at: Position) -> Position;
    /// undefined
    fn undefined(&mut self, at: Position) -> Position;
    /// true or false
    fn boolean(&mut self, at: Position, value: bool) -> Position;
    /// The value that stands for a byte the format never uses. An error where it would be read as something
    /// else.
    fn reserved(&mut self, at: Position) -> Result<Position, EncodeError>;
    /// A whole number.
    fn int(&mut self, at: Position, value: i32) -> Position;
    /// Any JavaScript number.
    fn number(&mut self, at: Position, value: f64) -> Position;
    /// Up to `count` numbers, one after the other, as the bits that `next` gives for an index, until those
    /// are `end`, a NaN with low bits. The result is the place behind, and how many were written.
    fn numbers(
        &mut self,
        at: Position,
        count: usize,
        end: u64,
        next: impl Fn(usize) -> u64,
    ) -> (Position, usize);
    /// A bigint that fits 64 bits with its sign.
    fn int64(&mut self, at: Position, value: i64) -> Position;
    /// A bigint from 2^63 to 2^64-1.
    fn uint64(&mut self, at: Position, value: u64) -> Position;
    /// A string with readable units behind; lone surrogates are written as U+FFFD.
    fn string(&mut self, at: Position, text: PaddedText<'_>) -> Position;
    /// A string of UTF-16 units; lone surrogates are written as U+FFFD.
    fn two_byte_string(&mut self, at: Position, units: &[u16]) -> Position;
    /// A string of Latin-1 characters.
    fn one_byte_string(&mut self, at: Position, characters: &[u8]) -> Position;
    /// A string of 1 to 8 ASCII characters, in the low bytes of `word`; the bytes above are anything.
    fn ascii_word(&mut self, at: Position, word: u64, length: usize) -> Position;
    /// A string of `length` ASCII characters that `fill` writes, if it returns true. Otherwise none is
    /// written, and the caller goes on at `at`.
    fn ascii_string(
        &mut self,
        at: Position,
        length: usize,
        fill: impl FnOnce(&mut [u8]) -> bool,
    ) -> Option<Position>;
    /// Binary data.
    fn binary(&mut self, at: Position, bytes: &[u8]) -> Position;
    /// Header of an array.
    fn array(&mut self, at: Position, length: usize) -> Position;
    /// Header of a `Map`; pairs of key and value follow.
    fn map(&mut self, at: Position, pairs: usize) -> Position;
    /// Header of a plain object; pairs of key and value follow.
    fn object(&mut self, at: Position, pairs: usize) -> Position;
    /// Header of a record that is known by its slot; `count` values follow.
    fn record(&mut self, at: Position, slot: u32, count: usize) -> Position;
    /// Header of a record that is defined here: as many keys follow, and then as many values.
    fn define_record(&mut self, at: Position, slot: u32, count: usize) -> Position;
    /// The same without the keys: their list follows, as an array or a reference to one.
    fn define_record_by_list(&mut self, at: Position, slot: u32) -> Position;
    /// A key that was encoded before.
    fn key(&mut self, at: Position, key: &EncodedKey) -> Position;
    /// A date: milliseconds since 1970, NaN if invalid.
    fn date(&mut self, at: Position, milliseconds: f64) -> Position;
    /// Says that the value that follows belongs to the extension type `code`.
    fn extended_value(&mut self, at: Position, code: u8) -> Position;
    /// An extension of type `code` with a payload.
    fn extension(&mut self, at: Position, code: u8, payload: &[u8]) -> Position;
    /// Memory of a typed array, DataView or ArrayBuffer, by the code for its class.
    fn typed_array(&mut self, at: Position, code: u8, bytes: &[u8]) -> Position;
    /// Bytes that are part of a message already.
    fn raw(&mut self, at: Position, bytes: &[u8]) -> Position;
    /// Says that the value that follows may be referred to by `id`.
    fn target(&mut self, at: Position, id: u32) -> Position;
    /// The value that `id` refers to, once more.
    fn reference(&mut self, at: Position, id: u32) -> Position;

    /// Room at a place, to copy what was encoded before or to look at what was written.
    fn slot(&mut self, at: Position) -> &mut [u8; SLACK];
    /// What was written between two places.
    fn written(&self, from: Position, to: Position) -> &[u8];
    /// Whether memory at these addresses is being written to.
    fn meets(&self, start: usize, length: usize) -> bool;
    /// Encodes a key for [`Self::key`].
    fn encode_key(text: PaddedText<'_>) -> EncodedKey;

    /// Whether strings that follow are only looked at, and will be written over: none is put elsewhere.
    fn set_trying(&mut self, is_trying: bool);
    /// Ends the message, all of whose values were written.
    fn finish(&mut self, at: Position) -> Position;
}

/// What stands at one place of the input.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Item {
    /// Integer of 32 bits.
    Int(i32),
    /// Any other number.
    Double(f64),
    /// One of `tape::slot::SINGLE_*`.
    Single(u32),
    /// Text: start and length of its bytes.
    Str(usize, usize),
    /// Binary: start and length.
    Bin(usize, usize),
    /// Array of so many items, which follow.
    Array(usize),
    /// Map of so many pairs, which follow.
    Map(usize),
    /// Integer that asks for a bigint.
    Int64(i64),
    /// Integer above 2^63 that asks for a bigint.
    Uint64(u64),
    /// Date in milliseconds.
    Date(f64),
    /// The byte that the format never uses.
    Reserved,
    /// Extension with a payload.
    Ext {
        /// Type code.
        code: u8,
        /// Whether it had the one-byte form.
        short: bool,
        /// Where the payload starts.
        start: usize,
        /// Length of the payload.
        length: usize,
    },
    /// Id of the record in a slot, whose values follow; what it is otherwise is an integer.
    Record {
        /// The slot, if the id is no longer than what was read.
        slot: usize,
        /// The integer.
        int: i32,
    },
    /// Definition of the record in a slot. Its list of keys follows, then the values of the first one.
    Define {
        /// The slot; one that is out of range can not be named.
        slot: usize,
        /// Whether its id has two bytes.
        two_byte: bool,
    },
}

/// An item of the kinds that most values of most messages have.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scalar {
    /// A number or singleton, as a tape slot.
    Slot(u64),
    /// Text: start and length of its bytes.
    Str(usize, usize),
}

/// Reads items off a message, front to back.
///
/// Every length is checked against what is left before it is reported, so a caller may index the
/// input with what it gets. A copy looks ahead.
pub trait Scanner<'a>: Copy {
    /// Whether the values of arrays are tried as those of records are. Rows of small values gain 5 % by that.
    const IN_ROW: bool = false;

    /// The whole input.
    fn input(&self) -> &'a [u8];
    /// Where the next item starts.
    fn position(&self) -> usize;
    /// Goes on at `position`, which an earlier item or a key ended at.
    fn seek(&mut self, position: usize);
    /// Reads the next item if it is of a frequent kind and whole; otherwise nothing is read.
    fn scalar(&mut self) -> Option<Scalar>;
    /// Reads the head of the next item.
    fn next(&mut self) -> Result<Item, DecodeError>;
    /// Reads as many plain numbers as follow, up to `slots.len()`, as tape slots.
    fn numbers(&mut self, slots: &mut [u64]) -> Numbers;
    /// How many elements the next item has, if that is an array of one to three; 0 if it is anything else.
    fn short_array(&self) -> usize;
    /// Reads arrays of `size` plain numbers each, as many as fill `slots` with their elements. None, and nothing
    /// is read, if anything else is among them.
    fn tuples(&mut self, size: usize, slots: &mut [u64]) -> Option<Numbers>;
    /// How many arrays of one element follow, each the element of the one before; nothing is read.
    fn nested(&self) -> usize;
    /// From here on, what can be the id of a record is one.
    fn expect_records(&mut self);
    /// Reads on in the id of the record in `slot`, if one of two bytes can begin as it did: the slot that
    /// it names then.
    fn second_byte(&mut self, slot: usize) -> Result<Option<usize>, DecodeError>;
    /// Lays claim to the values of a record.
    fn claim(&mut self, values: usize) -> Result<(), DecodeError>;
    /// The next item as a key, if it is a string: start of its text and its length.
    fn text_key(&mut self) -> Result<Option<(usize, usize)>, DecodeError>;
    /// Appends the header of a list of keys to one that is made anew.
    fn put_list(to: &mut Vec<u8>, count: usize);
    /// Appends a key: its text, or if that is no text its UTF-16 units as binary.
    fn put_key(to: &mut Vec<u8>, text: Result<&str, &[u16]>);
}

/// Outcome of [`Scanner::numbers`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Numbers {
    /// How many were read.
    pub count: usize,
    /// Whether any was a double.
    pub doubles: bool,
    /// Whether any was an integer.
    pub ints: bool,
}
