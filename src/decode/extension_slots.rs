//! Slots of extensions, and of the references and bundles that have the form of one.

use super::extensions::Meaning;
use super::key_lists::Around;
use super::records::Records;
use super::references::{Target, reference_id};
use super::slots::grow;
use crate::buffer::SharedMemory;
use crate::error::DecodeError;
use crate::format::Scanner;
use crate::options::NO_REFERENCES;
use crate::tape::slot;

/// An extension's head: type, form, start and length of the payload.
#[derive(Clone, Copy)]
pub struct Head {
    /// Type code.
    pub code: u8,
    /// Whether it has the one-byte form.
    pub short: bool,
    /// Start of the payload.
    pub start: usize,
    /// Its length.
    pub length: usize,
}

/// What has become of an extension.
pub enum Put {
    /// It stands for no value; the one that goes here is still to come.
    Nothing,
    /// This slot names it, and that one is the first that is free.
    Value(u64, usize),
    /// The same; the value whose slot is the last that is not free is still to come.
    Owner(u64, usize),
}

/// Writes the slots of an extension to those from `free` on. `message` is the number of the message.
#[inline(never)]
pub fn put_extension<'a, S: Scanner<'a>>(
    slots: &mut SharedMemory,
    free: usize,
    scanner: S,
    head: Head,
    around: Around<'_>,
    records: &mut Records,
    message: u32,
) -> Result<Put, DecodeError> {
    let Head { code, short, start, length } = head;
    let Around { bundles, references, extensions, options } = around;
    let input = scanner.input();
    let mut put = |kind: u32, words: &[u64]| -> Result<(u64, usize), DecodeError> {
        let end = free + words.len();
        if slots.words().len() < end {
            grow(slots, free, words.len())?;
        }
        slots.words_mut()[free..end].copy_from_slice(words);
        Ok((slot::boxed(slot::RARE, kind, free as u32 * 2), end))
    };
    let payload = slot::words(start as u32, length as u32);
    let put = match extensions.meaning(code, short) {
        Meaning::Unknown => return Err(DecodeError::UnknownExtension(code, short)),
        Meaning::Payload(number) => {
            put(slot::RARE_EXT, &[payload, slot::words(number, u32::from(short)), 0])?
        }
        Meaning::PayloadAndMore(number) => {
            let reader = slot::words(number, u32::from(short));
            let definitions = records.log() as u32;
            if bundles.is_open() || !references.is_empty() {
                let [trailer, other, ascii] = bundles.progress().map(|word| word as u32);
                let more = slot::words(definitions, free as u32 + 3);
                let context = [slot::words(trailer, other), slot::words(ascii, message)];
                put(slot::RARE_EXT, &[payload, reader, more, context[0], context[1]])?
            } else {
                put(slot::RARE_EXT, &[payload, reader, slot::words(definitions, 0)])?
            }
        }
        Meaning::Value(number) => {
            let (named, end) = put(slot::RARE_EXT_VALUE, &[slot::words(number, 0), 0])?;
            return Ok(Put::Owner(named, end));
        }
        Meaning::Bundle => {
            bundles.open(scanner, start, length)?;
            return Ok(Put::Nothing);
        }
        Meaning::Target | Meaning::Pointer if options & NO_REFERENCES != 0 => {
            return Err(DecodeError::ReferencesDisabled);
        }
        Meaning::Target => {
            let id = reference_id(input, start + length)?;
            references.note(id, Target::Value(start + length, bundles.cursor()));
            let (named, end) = put(slot::RARE_TARGET, &[slot::words(id, 0), 0])?;
            return Ok(Put::Owner(named, end));
        }
        Meaning::Pointer => put(slot::RARE_POINTER, &[slot::words(reference_id(input, start + length)?, 0)])?,
    };
    Ok(Put::Value(put.0, put.1))
}
