//! The waist of the hourglass: what a wire format offers to the walkers above it.
//!
//! A format is one [`Writer`] and one [`Scanner`]. Walkers, tape and builder know no format; a
//! format knows neither JavaScript nor V8.

pub mod msgpack;

use crate::buffer::OutputBuffer;
use crate::error::DecodeError;
use crate::shapes::EncodedKey;
use crate::text::utf16::PaddedText;

/// Writes the values of one message, in order, to an [`OutputBuffer`].
///
/// A container's header comes first; then exactly as many values as it announced.
pub trait Writer {
    /// null
    fn nil(&mut self);
    /// undefined
    fn undefined(&mut self);
    /// true or false
    fn boolean(&mut self, value: bool);
    /// The value that stands for a byte the format never uses.
    fn reserved(&mut self);
    /// A whole number.
    fn int(&mut self, value: i32);
    /// Any JavaScript number.
    fn number(&mut self, value: f64);
    /// A bigint that fits 64 bits with its sign.
    fn int64(&mut self, value: i64);
    /// A bigint from 2^63 to 2^64-1.
    fn uint64(&mut self, value: u64);
    /// A string; lone surrogates are written as U+FFFD.
    fn string(&mut self, text: PaddedText<'_>);
    /// Binary data.
    fn binary(&mut self, bytes: &[u8]);
    /// Header of an array.
    fn array(&mut self, length: usize);
    /// Header of a `Map`; pairs of key and value follow.
    fn map(&mut self, pairs: usize);
    /// Header of a plain object; pairs of key and value follow.
    fn object(&mut self, pairs: usize);
    /// A key that was encoded before.
    fn key(&mut self, key: &EncodedKey);
    /// A date: milliseconds since 1970, NaN if invalid.
    fn date(&mut self, milliseconds: f64);

    /// Encodes a key for [`Self::key`].
    fn encode_key(text: PaddedText<'_>, out: &mut OutputBuffer);
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
    /// Extension with a payload.
    Ext {
        /// Type code.
        code: u8,
        /// Which header it had: the error for an unknown type depends on it.
        short: bool,
        /// Where the payload starts.
        start: usize,
        /// Length of the payload.
        length: usize,
    },
    /// Extension that owns the item that follows.
    ExtValue(u8),
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
    /// The next item as a key, if it is a string: start of its text and its length.
    fn text_key(&mut self) -> Result<Option<(usize, usize)>, DecodeError>;
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
