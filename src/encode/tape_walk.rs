//! The tape walker's Rust half: from the tape that `src/js/walk.js` filled to the events of a
//! [`Writer`], in one pass with an explicit stack.

use std::mem;

use super::Tape;
use crate::buffer::Position;
use crate::error::EncodeError;
use crate::format::Writer;
use crate::shapes::{EncodedKey, Shapes};
use crate::tape::{ESCAPE, TAG_BITS, pack};
use crate::text::utf16::PaddedText;

/// What of a tape is still to be read. A tape that ends early or points elsewhere is an error, never a
/// panic.
struct Cursor<'a> {
    words: &'a [u32],
    side: &'a [u64],
    text: PaddedText<'a>,
    binary: &'a [u8],
}

impl<'a> Cursor<'a> {
    #[inline(always)]
    fn word(&mut self) -> Result<u32, EncodeError> {
        let (word, rest) = self.words.split_first().ok_or(EncodeError::BrokenTape)?;
        self.words = rest;
        Ok(*word)
    }

    #[inline(always)]
    fn length(&mut self, word: u32) -> Result<usize, EncodeError> {
        let payload = word >> TAG_BITS;
        Ok(if payload == ESCAPE { self.word()? } else { payload } as usize)
    }

    #[inline(always)]
    fn side(&mut self) -> Result<u64, EncodeError> {
        let (entry, rest) = self.side.split_first().ok_or(EncodeError::BrokenTape)?;
        self.side = rest;
        Ok(*entry)
    }

    #[inline(always)]
    fn numbers(&mut self, count: usize) -> Result<&'a [u64], EncodeError> {
        let (numbers, rest) = self.side.split_at_checked(count).ok_or(EncodeError::BrokenTape)?;
        self.side = rest;
        Ok(numbers)
    }

    #[inline(always)]
    fn binary(&mut self, length: usize) -> Result<&'a [u8], EncodeError> {
        let (bytes, rest) = self.binary.split_at_checked(length).ok_or(EncodeError::BrokenTape)?;
        self.binary = rest;
        Ok(bytes)
    }

    #[inline(always)]
    fn text(&mut self, length: usize) -> Result<PaddedText<'a>, EncodeError> {
        let (text, rest) = self.text.split(length).ok_or(EncodeError::BrokenTape)?;
        self.text = rest;
        Ok(text)
    }
}

/// Place of a container's next key: an array, map or record has none, and that of an object without a shape
/// is on top of a stack of its own. There lie the keys of a record without a shape, too, which are stepped
/// over when it ends.
const NO_KEY: usize = usize::MAX;
const LISTED_RECORD: usize = usize::MAX - 1;
const LISTED_KEY: usize = usize::MAX - 2;

/// A container on the way from the root to here.
#[derive(Clone, Copy)]
pub struct Frame {
    /// Where the next key lies among the shapes' keys, or one of the constants above.
    key: usize,
    /// Values that are still to come.
    left: usize,
}

/// Keys that lie on the tape: the lengths of those to come, and their text with all behind it.
#[derive(Clone, Copy)]
struct Listed<'a> {
    lengths: &'a [u32],
    text: PaddedText<'a>,
}

impl<'a> Listed<'a> {
    fn next(&mut self) -> Result<PaddedText<'a>, EncodeError> {
        let (length, lengths) = self.lengths.split_first().ok_or(EncodeError::BrokenTape)?;
        let (key, text) = self.text.split(*length as usize).ok_or(EncodeError::BrokenTape)?;
        *self = Self { lengths, text };
        Ok(key)
    }
}

/// Writes the message on `tape` through `writer`; the result is where it ends. `stack` is memory that
/// is kept between calls.
pub fn walk<W: Writer>(
    tape: Tape<'_>,
    shapes: &Shapes,
    stack: &mut Vec<Frame>,
    writer: &mut W,
) -> Result<Position, EncodeError> {
    let Tape { words, side, text, binary } = tape;
    let mut cursor = Cursor { words, side, text, binary };
    let mut listed: Vec<Listed<'_>> = Vec::new();
    stack.clear();
    let mut key = NO_KEY;
    let mut left = 1;
    // What the last KEY_LIST says of the object that follows it.
    let mut key_list = 0;
    let mut at = Position::START;
    loop {
        while left == 0 {
            if key == LISTED_KEY || key == LISTED_RECORD {
                listed.pop();
                (cursor.words, cursor.text) = skip_keys(cursor.words, tape.text)?;
            }
            match stack.pop() {
                Some(outer) => Frame { key, left } = outer,
                None if cursor.words.is_empty() => return Ok(writer.finish(at)),
                None => return Err(EncodeError::BrokenTape),
            }
        }
        left -= 1;
        if key < LISTED_KEY {
            at = writer.key(at, shapes.key(key).ok_or(EncodeError::BrokenTape)?);
            key += 1;
        } else if key == LISTED_KEY {
            at = write_listed_key(&mut listed, writer, at)?;
        }
        let word = cursor.word()?;
        match word & ((1 << TAG_BITS) - 1) {
            pack::STR => {
                let length = cursor.length(word)?;
                at = writer.string(at, cursor.text(length)?);
            }
            pack::INT => at = writer.int(at, (word as i32) >> TAG_BITS),
            pack::NUMBER => at = writer.number(at, f64::from_bits(cursor.side()?)),
            pack::INT32 => at = writer.int(at, cursor.word()? as i32),
            pack::NIL => at = writer.nil(at),
            pack::TRUE => at = writer.boolean(at, true),
            pack::FALSE => at = writer.boolean(at, false),
            pack::UNDEFINED => at = writer.undefined(at),
            pack::OBJECT => {
                let range = shapes.range((word >> TAG_BITS) as usize);
                let (first, count) = range.ok_or(EncodeError::BrokenTape)?;
                at = writer.object(at, count);
                stack.push(Frame { key, left });
                (key, left) = (first, count);
            }
            pack::RECORD | pack::RECORD_DEFINED => {
                let shape = word >> TAG_BITS & ((1 << pack::SHAPE_BITS) - 1);
                let slot = word >> (TAG_BITS + pack::SHAPE_BITS);
                let (first, count) = shapes.range(shape as usize).ok_or(EncodeError::BrokenTape)?;
                if word & ((1 << TAG_BITS) - 1) == pack::RECORD {
                    at = writer.record(at, slot, count);
                } else {
                    let keys;
                    (at, keys) = begin_definition(writer, at, slot, count, mem::take(&mut key_list));
                    for place in first..first + keys {
                        at = writer.key(at, shapes.key(place).ok_or(EncodeError::BrokenTape)?);
                    }
                }
                stack.push(Frame { key, left });
                (key, left) = (NO_KEY, count);
            }
            pack::ARRAY => {
                let length = cursor.length(word)?;
                at = writer.array(at, length);
                stack.push(Frame { key, left });
                (key, left) = (NO_KEY, length);
            }
            pack::NUMBERS => {
                let length = cursor.length(word)?;
                at = writer.array(at, length);
                for bits in cursor.numbers(length)? {
                    at = writer.number(at, f64::from_bits(*bits));
                }
            }
            pack::OBJECT_WITH_KEYS => {
                // The distance counts from this word.
                let distance = ((word >> TAG_BITS) as usize).checked_sub(1).ok_or(EncodeError::BrokenTape)?;
                let record = cursor.words.get(distance..).ok_or(EncodeError::BrokenTape)?;
                let (form, keys) = listed_keys(record, tape.text)?;
                let count = keys.lengths.len();
                at = match form & ((1 << pack::FORM_BITS) - 1) {
                    pack::AS_RECORD => writer.record(at, form >> pack::FORM_BITS, count),
                    pack::AS_DEFINITION => {
                        let slot = form >> pack::FORM_BITS;
                        let (mut at, left) =
                            begin_definition(writer, at, slot, count, mem::take(&mut key_list));
                        let mut all = keys;
                        for _ in 0..left {
                            at = writer.string(at, all.next()?);
                        }
                        at
                    }
                    _ => writer.object(at, count),
                };
                let key_place = if form == pack::AS_MAP { LISTED_KEY } else { LISTED_RECORD };
                stack.push(Frame { key, left });
                (key, left) = (key_place, count);
                listed.push(keys);
            }
            pack::MAP => {
                let pairs = cursor.length(word)?;
                at = writer.map(at, pairs);
                stack.push(Frame { key, left });
                (key, left) = (NO_KEY, pairs * 2);
            }
            pack::BIN => {
                let length = cursor.length(word)?;
                at = writer.binary(at, cursor.binary(length)?);
            }
            pack::EXTENSION | pack::TYPED_ARRAY => {
                let length = cursor.word()? as usize;
                let bytes = cursor.binary(length)?;
                let code = (word >> TAG_BITS) as u8;
                at = if word & ((1 << TAG_BITS) - 1) == pack::EXTENSION {
                    writer.extension(at, code, bytes)
                } else {
                    writer.typed_array(at, code, bytes)
                };
            }
            pack::RAW => {
                let length = cursor.length(word)?;
                at = writer.raw(at, cursor.binary(length)?);
            }
            pack::EXTENDED_VALUE | pack::TARGET => {
                let payload = word >> TAG_BITS;
                if word & ((1 << TAG_BITS) - 1) == pack::EXTENDED_VALUE {
                    at = writer.extended_value(at, payload as u8);
                } else if payload != 0 {
                    at = writer.target(at, payload);
                }
                stack.push(Frame { key, left });
                (key, left) = (NO_KEY, 1);
            }
            pack::PARTS => {
                stack.push(Frame { key, left });
                (key, left) = (NO_KEY, (word >> TAG_BITS) as usize);
            }
            pack::KEY_LIST => {
                key_list = word >> TAG_BITS;
                stack.push(Frame { key, left });
                (key, left) = (NO_KEY, 1);
            }
            pack::REFERENCE => at = writer.reference(at, word >> TAG_BITS),
            pack::DATE => at = writer.date(at, f64::from_bits(cursor.side()?)),
            pack::INT64 => at = writer.int64(at, cursor.side()? as i64),
            pack::UINT64 => at = writer.uint64(at, cursor.side()?),
            pack::C1 => at = writer.reserved(at)?,
            _ => return Err(EncodeError::BrokenTape),
        }
    }
}

/// Begins the definition of a record of `count` keys, whose list is what the KEY_LIST before it says. The
/// result is where to go on, and how many keys follow.
#[inline(always)]
fn begin_definition<W: Writer>(
    writer: &mut W,
    at: Position,
    slot: u32,
    count: usize,
    key_list: u32,
) -> (Position, usize) {
    if key_list == 0 {
        return (writer.define_record(at, slot, count), count);
    }
    let at = writer.define_record_by_list(at, slot);
    let id = key_list >> 1;
    if key_list & 1 == 1 {
        return (writer.reference(at, id), 0);
    }
    let at = writer.target(at, id);
    (writer.array(at, count), count)
}

#[cold]
fn write_listed_key<W: Writer>(
    listed: &mut [Listed<'_>],
    writer: &mut W,
    at: Position,
) -> Result<Position, EncodeError> {
    let keys = listed.last_mut().ok_or(EncodeError::BrokenTape)?;
    Ok(writer.string(at, keys.next()?))
}

/// The KEYS record that `words` begin with, and the form of its object.
fn listed_keys<'a>(words: &'a [u32], text: PaddedText<'a>) -> Result<(u32, Listed<'a>), EncodeError> {
    let [word, form, start, lengths @ ..] = words else { return Err(EncodeError::BrokenTape) };
    if *word & ((1 << TAG_BITS) - 1) != pack::KEYS {
        return Err(EncodeError::BrokenTape);
    }
    let lengths = lengths.get(..(word >> TAG_BITS) as usize).ok_or(EncodeError::BrokenTape)?;
    let (_, text) = text.split(*start as usize).ok_or(EncodeError::BrokenTape)?;
    Ok((*form, Listed { lengths, text }))
}

/// Steps over the KEYS record that `words` begin with, and over its text: what remains of both.
#[cold]
fn skip_keys<'a>(words: &'a [u32], text: PaddedText<'a>) -> Result<(&'a [u32], PaddedText<'a>), EncodeError> {
    let (_, keys) = listed_keys(words, text)?;
    let length = keys.lengths.iter().map(|length| *length as usize).sum();
    let (_, text) = keys.text.split(length).ok_or(EncodeError::BrokenTape)?;
    Ok((&words[3 + keys.lengths.len()..], text))
}

/// Encodes the keys of a new shape: `lengths` in UTF-16 units, all text in order.
pub fn encode_keys<W: Writer>(tape: Tape<'_>) -> Result<Vec<EncodedKey>, EncodeError> {
    let mut rest = tape.text;
    tape.words
        .iter()
        .map(|length| {
            let (text, behind) = rest.split(*length as usize).ok_or(EncodeError::BrokenTape)?;
            rest = behind;
            Ok(W::encode_key(text))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::buffer::OutputBuffer;
    use crate::format::msgpack::writer::Writer as MsgpackWriter;
    use crate::options::NO_RECORDS;
    use crate::text::utf16::PADDING;
    use proptest::prelude::*;

    fn word(tag: u32, payload: u32) -> u32 {
        payload << TAG_BITS | tag
    }

    fn padded(text: &str) -> Vec<u16> {
        text.encode_utf16().chain([0; PADDING]).collect()
    }

    fn pack_with(shapes: &Shapes, words: &[u32], side: &[f64], text: &str) -> Result<Vec<u8>, EncodeError> {
        let side: Vec<u64> = side.iter().map(|number| number.to_bits()).collect();
        let text = padded(text);
        let tape = Tape { words, side: &side, text: PaddedText::new(&text), binary: &[] };
        let mut writer = MsgpackWriter::new(OutputBuffer::default(), NO_RECORDS);
        let end = walk(tape, shapes, &mut Vec::new(), &mut writer)?;
        Ok(writer.output().message(end).to_vec())
    }

    fn pack(words: &[u32], side: &[f64], text: &str) -> Result<Vec<u8>, EncodeError> {
        pack_with(&Shapes::default(), words, side, text)
    }

    #[test]
    fn scalars() {
        assert_eq!(pack(&[word(pack::NIL, 0)], &[], "").unwrap(), [0xc0]);
        assert_eq!(pack(&[word(pack::INT, 5)], &[], "").unwrap(), [5]);
        assert_eq!(pack(&[word(pack::INT, u32::MAX)], &[], "").unwrap(), [0xff]);
        assert_eq!(pack(&[pack::INT32, i32::MIN as u32], &[], "").unwrap(), [0xd2, 0x80, 0, 0, 0]);
        assert_eq!(pack(&[pack::NUMBER], &[-0.0], "").unwrap(), [0]);
        assert_eq!(pack(&[word(pack::STR, 2)], &[], "ab").unwrap(), [0xa2, b'a', b'b']);
        assert_eq!(pack(&[pack::DATE], &[1.0], "").unwrap(), [0xd7, 0xff, 0, 0x3d, 9, 0, 0, 0, 0, 0]);
    }

    #[test]
    fn binary_is_taken_in_order() {
        let text = padded("");
        let run = |binary: &[u8]| {
            let words = [word(pack::ARRAY, 2), word(pack::BIN, 2), word(pack::BIN, 1)];
            let tape = Tape { words: &words, side: &[], text: PaddedText::new(&text), binary };
            let mut writer = MsgpackWriter::new(OutputBuffer::default(), NO_RECORDS);
            let end = walk(tape, &Shapes::default(), &mut Vec::new(), &mut writer)?;
            Ok(writer.output().message(end).to_vec())
        };
        assert_eq!(run(&[1, 2, 3]), Ok(vec![0x92, 0xc4, 2, 1, 2, 0xc4, 1, 3]));
        assert_eq!(run(&[1, 2]), Err(EncodeError::BrokenTape));
    }

    #[test]
    fn values_in_parts() {
        let text = padded("x");
        let words = [
            word(pack::ARRAY, 4),
            word(pack::PARTS, 2),
            word(pack::RAW, 1),
            word(pack::STR, 1),
            word(pack::EXTENSION, 7),
            2,
            word(pack::EXTENDED_VALUE, 0x73),
            word(pack::ARRAY, 0),
            word(pack::TYPED_ARRAY, 16),
            1,
        ];
        let tape = Tape { words: &words, side: &[], text: PaddedText::new(&text), binary: &[1, 2, 3, 4] };
        let mut writer = MsgpackWriter::new(OutputBuffer::default(), NO_RECORDS);
        let end = walk(tape, &Shapes::default(), &mut Vec::new(), &mut writer).unwrap();
        let expected = [0x94, 1, 0xa1, b'x', 0xd5, 7, 2, 3, 0xd4, 0x73, 0, 0x90, 0xc7, 2, 0x74, 16, 4];
        assert_eq!(writer.output().message(end), expected);
    }

    #[test]
    fn references() {
        let mut shapes = Shapes::default();
        let key = MsgpackWriter::encode_key(PaddedText::new(&padded("a")));
        let number = shapes.define(vec![key]).unwrap() as u32;
        let define = |slot: u32| word(pack::RECORD_DEFINED, slot << pack::SHAPE_BITS | number);
        let words = [
            word(pack::ARRAY, 3),
            word(pack::TARGET, 1),
            word(pack::KEY_LIST, 2 << 1),
            define(0),
            word(pack::NIL, 0),
            word(pack::TARGET, 0),
            word(pack::KEY_LIST, 2 << 1 | 1),
            define(0),
            word(pack::NIL, 0),
            word(pack::REFERENCE, 1),
        ];
        let expected = [
            &[0x93, 0xd6, 0x69, 0, 0, 0, 1, 0xd4, 0x72, 0x40, 0xd6, 0x69, 0, 0, 0, 2, 0x91, 0xa1, b'a', 0xc0]
                [..],
            &[0xd4, 0x72, 0x40, 0xd6, 0x70, 0, 0, 0, 2, 0xc0, 0xd6, 0x70, 0, 0, 0, 1],
        ];
        assert_eq!(pack_with(&shapes, &words, &[], "").unwrap(), expected.concat());
    }

    #[test]
    fn a_tape_that_goes_on_is_an_error() {
        assert_eq!(pack(&[word(pack::NIL, 0), word(pack::NIL, 0)], &[], ""), Err(EncodeError::BrokenTape));
    }

    #[test]
    fn lengths_behind_the_escape() {
        let words = [word(pack::STR, ESCAPE), 3];
        assert_eq!(pack(&words, &[], "abc").unwrap(), [0xa3, b'a', b'b', b'c']);
    }

    #[test]
    fn keys_of_shapes_stand_between_the_values() {
        let mut shapes = Shapes::default();
        let keys = ["a", "bc"].map(|key| MsgpackWriter::encode_key(PaddedText::new(&padded(key))));
        let number = shapes.define(keys.into()).unwrap() as u32;
        let words =
            [word(pack::OBJECT, number), word(pack::ARRAY, 1), word(pack::NIL, 0), word(pack::TRUE, 0)];
        let expected = [0xde, 0, 2, 0xa1, b'a', 0x91, 0xc0, 0xa2, b'b', b'c', 0xc3];
        assert_eq!(pack_with(&shapes, &words, &[], "").unwrap(), expected);
    }

    #[test]
    fn listed_keys_stand_behind_the_values_on_the_tape() {
        // {k: "v", l: nil}, then "x": the text lies in the order in which it was met.
        let words = [
            word(pack::ARRAY, 2),
            word(pack::OBJECT_WITH_KEYS, 3),
            word(pack::STR, 1),
            word(pack::NIL, 0),
            word(pack::KEYS, 2),
            pack::AS_MAP,
            1,
            1,
            1,
            word(pack::STR, 1),
        ];
        let expected = [0x92, 0xde, 0, 2, 0xa1, b'k', 0xa1, b'v', 0xa1, b'l', 0xc0, 0xa1, b'x'];
        assert_eq!(pack(&words, &[], "vklx").unwrap(), expected);
    }

    #[test]
    fn records_of_shapes() {
        let mut shapes = Shapes::default();
        let keys = ["a", "b"].map(|key| MsgpackWriter::encode_key(PaddedText::new(&padded(key))));
        let number = shapes.define(keys.into()).unwrap() as u32;
        let record = |tag, slot: u32| word(tag, slot << pack::SHAPE_BITS | number);
        let words = [
            record(pack::RECORD_DEFINED, 3),
            record(pack::RECORD, 3),
            word(pack::INT, 1),
            word(pack::INT, 2),
            word(pack::NIL, 0),
        ];
        let expected = [0xd4, 0x72, 0x43, 0x92, 0xa1, b'a', 0xa1, b'b', 0x43, 1, 2, 0xc0];
        assert_eq!(pack_with(&shapes, &words, &[], "").unwrap(), expected);
    }

    #[test]
    fn records_with_their_keys_on_the_tape() {
        let form = |form, slot: u32| slot << pack::FORM_BITS | form;
        let words = [
            word(pack::ARRAY, 2),
            word(pack::OBJECT_WITH_KEYS, 2),
            word(pack::NIL, 0),
            word(pack::KEYS, 1),
            form(pack::AS_DEFINITION, 1),
            0,
            1,
            word(pack::OBJECT_WITH_KEYS, 2),
            word(pack::TRUE, 0),
            word(pack::KEYS, 1),
            form(pack::AS_RECORD, 1),
            1,
            1,
        ];
        let expected = [0x92, 0xd4, 0x72, 0x41, 0x91, 0xa1, b'k', 0xc0, 0x41, 0xc3];
        assert_eq!(pack(&words, &[], "kk").unwrap(), expected);
    }

    #[test]
    fn a_tape_that_ends_early_is_an_error() {
        for words in [
            &[][..],
            &[word(pack::ARRAY, 1)],
            &[word(pack::STR, 1)],
            &[pack::NUMBER],
            &[pack::INT32],
            &[word(pack::OBJECT, 7)],
            &[word(pack::OBJECT_WITH_KEYS, 0)],
            &[word(pack::OBJECT_WITH_KEYS, 9)],
            &[word(pack::BIN, 1)],
            &[31],
            &[word(pack::EXTENSION, 1), 1],
            &[word(pack::PARTS, 2), word(pack::NIL, 0)],
            &[word(pack::TARGET, 1)],
            &[word(pack::RAW, 1)],
        ] {
            assert_eq!(pack(words, &[], ""), Err(EncodeError::BrokenTape), "{words:?}");
        }
    }

    proptest! {
        #[test]
        fn no_tape_makes_it_panic(
            words in proptest::collection::vec(prop_oneof![(0u32..32, 0u32..4).prop_map(|(tag, n)| word(tag, n)), any::<u32>()], 0..30),
            side in proptest::collection::vec(any::<f64>(), 0..4),
        ) {
            let _ = pack(&words, &side, "some text");
        }
    }
}
