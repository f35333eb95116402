//! The tape walker's Rust half: from the tape that `src/js/walk.js` filled to the events of a
//! [`Writer`], in one pass with an explicit stack.

use smallvec::SmallVec;

use super::Tape;
use crate::buffer::OutputBuffer;
use crate::error::EncodeError;
use crate::format::Writer;
use crate::shapes::{EncodedKey, Shapes};
use crate::tape::{ESCAPE, TAG_BITS, pack};

/// Reads the tape in order. A tape that ends early or points elsewhere is an error, never a panic.
struct Cursor<'a> {
    tape: Tape<'a>,
    at: usize,
    side: usize,
    text: usize,
    binary: usize,
}

impl<'a> Cursor<'a> {
    #[inline(always)]
    fn word(&mut self) -> Result<u32, EncodeError> {
        let word = self.tape.words.get(self.at).copied().ok_or(EncodeError::BrokenTape)?;
        self.at += 1;
        Ok(word)
    }

    #[inline(always)]
    fn length(&mut self, word: u32) -> Result<usize, EncodeError> {
        let payload = word >> TAG_BITS;
        Ok(if payload == ESCAPE { self.word()? } else { payload } as usize)
    }

    #[inline(always)]
    fn side(&mut self) -> Result<u64, EncodeError> {
        let entry = self.tape.side.get(self.side).copied().ok_or(EncodeError::BrokenTape)?;
        self.side += 1;
        Ok(entry)
    }

    #[inline(always)]
    fn numbers(&mut self, count: usize) -> Result<&'a [u64], EncodeError> {
        let end = self.side.checked_add(count).ok_or(EncodeError::BrokenTape)?;
        let numbers = self.tape.side.get(self.side..end).ok_or(EncodeError::BrokenTape)?;
        self.side = end;
        Ok(numbers)
    }
}

/// Place of a container's next key: an array or map has none, and that of an object without a shape
/// is on top of a stack of its own.
const NO_KEY: usize = usize::MAX;
const LISTED_KEY: usize = usize::MAX - 1;

/// A container on the way from the root to here.
#[derive(Clone, Copy)]
struct Frame {
    /// Where the next key lies among the shapes' keys, or one of the constants above.
    key: usize,
    /// Values that are still to come.
    left: usize,
}

/// Keys that lie on the tape: the lengths of those to come, and where their text starts.
struct Listed<'a> {
    lengths: &'a [u32],
    start: usize,
}

/// Writes the message on `tape` through `writer`.
pub fn walk<W: Writer>(tape: Tape<'_>, shapes: &Shapes, writer: &mut W) -> Result<(), EncodeError> {
    let mut cursor = Cursor { tape, at: 0, side: 0, text: 0, binary: 0 };
    // Messages are seldom nested deeper, and an allocation costs as much as a small message.
    let mut stack: SmallVec<[Frame; 16]> = SmallVec::new();
    let mut listed: Vec<Listed<'_>> = Vec::new();
    let mut key = NO_KEY;
    let mut left = 1;
    loop {
        while left == 0 {
            if key == LISTED_KEY {
                listed.pop();
                (cursor.at, cursor.text) = skip_keys(tape, cursor.at)?;
            }
            match stack.pop() {
                Some(outer) => Frame { key, left } = outer,
                None => return Ok(()),
            }
        }
        left -= 1;
        if key < LISTED_KEY {
            writer.key(shapes.key(key).ok_or(EncodeError::BrokenTape)?);
            key += 1;
        } else if key == LISTED_KEY {
            write_listed_key(tape, &mut listed, writer)?;
        }
        let word = cursor.word()?;
        match word & ((1 << TAG_BITS) - 1) {
            pack::STR => {
                let length = cursor.length(word)?;
                let text = cursor.tape.text.part(cursor.text, length).ok_or(EncodeError::BrokenTape)?;
                cursor.text += length;
                writer.string(text);
            }
            pack::INT => writer.int((word as i32) >> TAG_BITS),
            pack::NUMBER => writer.number(f64::from_bits(cursor.side()?)),
            pack::INT32 => writer.int(cursor.word()? as i32),
            pack::NIL => writer.nil(),
            pack::TRUE => writer.boolean(true),
            pack::FALSE => writer.boolean(false),
            pack::UNDEFINED => writer.undefined(),
            pack::OBJECT => {
                let range = shapes.range((word >> TAG_BITS) as usize);
                let (first, count) = range.ok_or(EncodeError::BrokenTape)?;
                writer.object(count);
                stack.push(Frame { key, left });
                (key, left) = (first, count);
            }
            pack::ARRAY => {
                let length = cursor.length(word)?;
                writer.array(length);
                stack.push(Frame { key, left });
                (key, left) = (NO_KEY, length);
            }
            pack::NUMBERS => {
                let length = cursor.length(word)?;
                writer.array(length);
                for bits in cursor.numbers(length)? {
                    writer.number(f64::from_bits(*bits));
                }
            }
            pack::OBJECT_WITH_KEYS => {
                let record = (cursor.at - 1).checked_add((word >> TAG_BITS) as usize);
                let keys = listed_keys(tape, record.ok_or(EncodeError::BrokenTape)?)?;
                writer.object(keys.lengths.len());
                stack.push(Frame { key, left });
                (key, left) = (LISTED_KEY, keys.lengths.len());
                listed.push(keys);
            }
            pack::MAP => {
                let pairs = cursor.length(word)?;
                writer.map(pairs);
                stack.push(Frame { key, left });
                (key, left) = (NO_KEY, pairs * 2);
            }
            pack::BIN => {
                let bytes = cursor.tape.binaries.get(cursor.binary).ok_or(EncodeError::BrokenTape)?;
                cursor.binary += 1;
                writer.binary(bytes);
            }
            pack::DATE => writer.date(f64::from_bits(cursor.side()?)),
            pack::INT64 => writer.int64(cursor.side()? as i64),
            pack::UINT64 => writer.uint64(cursor.side()?),
            pack::C1 => writer.reserved(),
            _ => return Err(EncodeError::BrokenTape),
        }
    }
}

#[cold]
fn write_listed_key<W: Writer>(
    tape: Tape<'_>,
    listed: &mut [Listed<'_>],
    writer: &mut W,
) -> Result<(), EncodeError> {
    let keys = listed.last_mut().ok_or(EncodeError::BrokenTape)?;
    let (length, rest) = keys.lengths.split_first().ok_or(EncodeError::BrokenTape)?;
    let length = *length as usize;
    writer.string(tape.text.part(keys.start, length).ok_or(EncodeError::BrokenTape)?);
    *keys = Listed { lengths: rest, start: keys.start + length };
    Ok(())
}

/// The KEYS record at `at`.
fn listed_keys<'a>(tape: Tape<'a>, at: usize) -> Result<Listed<'a>, EncodeError> {
    let record = tape.words.get(at..).ok_or(EncodeError::BrokenTape)?;
    let [word, start, lengths @ ..] = record else { return Err(EncodeError::BrokenTape) };
    if *word & ((1 << TAG_BITS) - 1) != pack::KEYS {
        return Err(EncodeError::BrokenTape);
    }
    let lengths = lengths.get(..(word >> TAG_BITS) as usize).ok_or(EncodeError::BrokenTape)?;
    Ok(Listed { lengths, start: *start as usize })
}

/// Steps over the KEYS record at `at` and its text: where word and text go on.
#[cold]
fn skip_keys(tape: Tape<'_>, at: usize) -> Result<(usize, usize), EncodeError> {
    let Listed { lengths, start } = listed_keys(tape, at)?;
    let text = lengths.iter().map(|length| *length as usize).sum::<usize>();
    Ok((at + 2 + lengths.len(), start + text))
}

/// Encodes the keys of a new shape: `lengths` in UTF-16 units, all text in order.
pub fn encode_keys<W: Writer>(
    tape: Tape<'_>,
    encoded: &mut OutputBuffer,
) -> Result<Vec<EncodedKey>, EncodeError> {
    let mut start = 0;
    tape.words
        .iter()
        .map(|length| {
            let text = tape.text.part(start, *length as usize).ok_or(EncodeError::BrokenTape)?;
            start += *length as usize;
            encoded.clear();
            W::encode_key(text, encoded);
            Ok(EncodedKey::new(encoded.bytes()))
        })
        .collect()
}
