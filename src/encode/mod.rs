//! Packing: a walker turns a JavaScript value into calls on a [`crate::format::Writer`]. There are two, and
//! what both can take they write alike.

pub mod handover;
mod heap_built_ins;
mod heap_exotic;
pub mod heap_identities;
mod heap_listed;
mod heap_objects;
mod heap_text;
pub mod heap_walk;
pub mod plan;
pub mod records;
pub mod tape_walk;

#[cfg(test)]
mod heap_tests;

use crate::text::utf16::PaddedText;

/// One message on the tape, with what lies beside it.
#[derive(Clone, Copy)]
pub struct Tape<'a> {
    /// The words, from the first of the message to its last.
    pub words: &'a [u32],
    /// The side array from the message's first entry on: doubles, and 64-bit integers as bits.
    pub side: &'a [u64],
    /// All text, in order.
    pub text: PaddedText<'a>,
    /// All binary data, in order.
    pub binary: &'a [u8],
}
