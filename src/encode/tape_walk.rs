//! The tape walker's Rust half: from the tape that `src/js/walk.js` filled to the events of a
//! [`Writer`], in one pass with an explicit stack.

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

/// The keys of the objects on the way from the root to here.
enum Keys<'a> {
    /// An array or a map: no keys of its own.
    None,
    /// An object of a known shape.
    Shape(&'a [EncodedKey]),
    /// An object whose keys lie on the tape: their lengths, and where their text starts.
    Listed(&'a [u32], usize),
}

struct Frame<'a> {
    keys: Keys<'a>,
    /// Values of this container that are still to come.
    left: usize,
}

/// Writes the message on `tape` through `writer`.
pub fn walk<W: Writer>(tape: Tape<'_>, shapes: &Shapes, writer: &mut W) -> Result<(), EncodeError> {
    let mut cursor = Cursor { tape, at: 0, side: 0, text: 0, binary: 0 };
    let mut stack: Vec<Frame<'_>> = Vec::new();
    let mut frame = Frame { keys: Keys::None, left: 1 };
    loop {
        while frame.left == 0 {
            if let Keys::Listed(..) = frame.keys {
                skip_keys(&mut cursor)?;
            }
            match stack.pop() {
                Some(outer) => frame = outer,
                None => return Ok(()),
            }
        }
        frame.left -= 1;
        match frame.keys {
            Keys::None => {}
            Keys::Shape(keys) => {
                let (key, rest) = keys.split_first().ok_or(EncodeError::BrokenTape)?;
                writer.key(key);
                frame.keys = Keys::Shape(rest);
            }
            Keys::Listed(lengths, start) => {
                let (length, rest) = lengths.split_first().ok_or(EncodeError::BrokenTape)?;
                let length = *length as usize;
                writer.string(cursor.tape.text.part(start, length).ok_or(EncodeError::BrokenTape)?);
                frame.keys = Keys::Listed(rest, start + length);
            }
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
                let keys = shapes.keys((word >> TAG_BITS) as usize).ok_or(EncodeError::BrokenTape)?;
                writer.object(keys.len());
                if !keys.is_empty() {
                    stack.push(std::mem::replace(
                        &mut frame,
                        Frame { keys: Keys::Shape(keys), left: keys.len() },
                    ));
                }
            }
            pack::ARRAY => {
                let length = cursor.length(word)?;
                writer.array(length);
                if length != 0 {
                    stack.push(std::mem::replace(&mut frame, Frame { keys: Keys::None, left: length }));
                }
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
                let (lengths, start) = listed_keys(&cursor, record.ok_or(EncodeError::BrokenTape)?)?;
                writer.object(lengths.len());
                let left = lengths.len();
                stack.push(std::mem::replace(&mut frame, Frame { keys: Keys::Listed(lengths, start), left }));
            }
            pack::MAP => {
                let pairs = cursor.length(word)?;
                writer.map(pairs);
                if pairs != 0 {
                    stack.push(std::mem::replace(&mut frame, Frame { keys: Keys::None, left: pairs * 2 }));
                }
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

/// The KEYS record at `at`: the keys' lengths and where their text starts.
fn listed_keys<'a>(cursor: &Cursor<'a>, at: usize) -> Result<(&'a [u32], usize), EncodeError> {
    let record = cursor.tape.words.get(at..).ok_or(EncodeError::BrokenTape)?;
    let [word, start, lengths @ ..] = record else { return Err(EncodeError::BrokenTape) };
    if *word & ((1 << TAG_BITS) - 1) != pack::KEYS {
        return Err(EncodeError::BrokenTape);
    }
    let lengths = lengths.get(..(word >> TAG_BITS) as usize).ok_or(EncodeError::BrokenTape)?;
    Ok((lengths, *start as usize))
}

/// Steps over the KEYS record that follows the values of an object, and over its text.
fn skip_keys(cursor: &mut Cursor<'_>) -> Result<(), EncodeError> {
    let (lengths, start) = listed_keys(cursor, cursor.at)?;
    cursor.text = start + lengths.iter().map(|length| *length as usize).sum::<usize>();
    cursor.at += 2 + lengths.len();
    Ok(())
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
