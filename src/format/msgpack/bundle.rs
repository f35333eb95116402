//! Strings put together in bundles, as msgpackr's `bundleStrings` asks for: where a string of usual length
//! would stand, only its length does; its text is one piece of a long string behind the values.
//!
//! A bundle is opened before its first string by an extension that says how far away its two strings are, one
//! of all the text that is not ASCII and one of all that is. The next bundle's opening holds the strings of
//! the bundle before it, those of the last one end the message. Text that is not ASCII is joined as UTF-16, so
//! halves of surrogate pairs that come to lie side by side are a pair.

#[cfg(test)]
mod tests;

use std::ops::RangeInclusive;

use super::ext;
use super::marker::{Marker, byte};
use super::writer::Writer;
use crate::buffer::{OutputBuffer, Position, SLACK, allocation_failed};
use crate::error::EncodeError;
use crate::format::{self, Writer as _};
use crate::shapes::EncodedKey;
use crate::text::utf8::{append_utf16, is_ascii};
use crate::text::utf16::PaddedText;

/// Lengths in UTF-16 units of the strings that are collected.
const COLLECTED: RangeInclusive<usize> = 4..=4095;
/// Most units of a bundle behind its first string. ASCII fits an extension of 16-bit length then.
const MAX_UNITS: usize = 21_760;

/// Text of the open bundle. Kept between messages for its memory, which the size of a bundle bounds.
#[derive(Default)]
pub struct Texts {
    ascii: Vec<u8>,
    other: Vec<u16>,
}

impl Texts {
    fn clear(&mut self) {
        self.ascii.clear();
        self.other.clear();
    }

    /// How much there is of both.
    fn lengths(&self) -> (usize, usize) {
        (self.ascii.len(), self.other.len())
    }
}

/// Makes room for `count` more. All that a bundle can need is no more than a few thousand.
#[inline(always)]
fn reserve<T>(texts: &mut Vec<T>, count: usize) {
    if texts.try_reserve(count).is_err() {
        allocation_failed();
    }
}

/// Writes one message whose strings are bundled.
pub struct BundlingWriter<'m, 't> {
    plain: Writer<'m>,
    texts: &'t mut Texts,
    /// Where it is to be said how far away the strings of the open bundle are. The first string opens one.
    field: Option<Position>,
    /// Units of the open bundle behind its first string.
    units: usize,
    is_trying: bool,
}

impl<'m, 't> BundlingWriter<'m, 't> {
    /// A writer that writes through `plain`.
    pub fn new(plain: Writer<'m>, texts: &'t mut Texts) -> Self {
        texts.clear();
        Self { plain, texts, field: None, units: 0, is_trying: false }
    }

    /// The output with what was written.
    #[must_use]
    pub fn into_output(self) -> OutputBuffer<'m> {
        self.plain.into_output()
    }

    /// Whether a string of `length` units is collected.
    #[inline(always)]
    fn collects(&self, length: usize) -> bool {
        !self.is_trying && COLLECTED.contains(&length)
    }

    /// Writes what stands for the string that was just added to the texts, whose lengths were `before`.
    #[inline(always)]
    fn collected(&mut self, at: Position, length: usize, before: (usize, usize)) -> Position {
        let is_ascii = self.texts.other.len() == before.1;
        self.units += length;
        let at = match self.field {
            Some(_) if self.units <= MAX_UNITS => at,
            Some(field) => self.next_bundle(at, field, before),
            None => {
                let at = self.put(at, [byte(Marker::FixExt4), ext::BUNDLE]);
                self.open(at)
            }
        };
        let at = self.put(at, [byte(Marker::Reserved)]);
        let length = length as i32;
        self.plain.int(at, if is_ascii { length } else { -length })
    }

    /// Opens a bundle, whose field stands here.
    fn open(&mut self, field: Position) -> Position {
        self.field = Some(field);
        self.units = 0;
        self.put(field, [0; 4])
    }

    /// Begins a bundle with the string that was added last, and ends the one before it.
    #[inline(never)]
    fn next_bundle(&mut self, at: Position, last_field: Position, before: (usize, usize)) -> Position {
        let header = 4;
        let field = at.advance(header);
        let start = self.put(field, [0; 4]);
        let end = self.end_bundle(start, last_field, before);
        self.texts.ascii.drain(..before.0);
        self.texts.other.drain(..before.1);
        let length = end.since(field);
        let (field, end) = if length <= 0xffff {
            let [a, b] = (length as u16).to_be_bytes();
            self.put(at, [byte(Marker::Ext16), a, b, ext::BUNDLE]);
            (field, end)
        } else {
            // Much text that is not ASCII: where the reference cuts the length off, it has all of its bytes here.
            let [a, b, c, d] = (length as u32).to_be_bytes();
            let moved = field.advance(2);
            let end = self.plain.output().shift(field, end, moved);
            self.put(at, [byte(Marker::Ext32), a, b, c, d, ext::BUNDLE]);
            self.point(last_field, start.advance(2));
            (moved, end)
        };
        // The rest of the field is written when the bundle ends.
        self.open(field);
        end
    }

    /// Writes the strings of the open bundle, the texts up to these lengths.
    fn end_bundle(&mut self, at: Position, field: Position, lengths: (usize, usize)) -> Position {
        self.point(field, at);
        let at = self.plain.two_byte_string(at, self.texts.other.get(..lengths.1).unwrap_or_default());
        self.plain.one_byte_string(at, self.texts.ascii.get(..lengths.0).unwrap_or_default())
    }

    /// Says in a field how far away the strings are.
    fn point(&mut self, field: Position, strings: Position) {
        let distance = strings.since(field) as u32;
        self.put(field, distance.to_be_bytes());
    }

    #[inline(always)]
    fn put<const N: usize>(&mut self, at: Position, bytes: [u8; N]) -> Position {
        self.plain.output().put(at, bytes)
    }

    #[inline(always)]
    fn collect_ascii(&mut self, at: Position, text: &[u8]) -> Position {
        let before = self.texts.lengths();
        reserve(&mut self.texts.ascii, text.len());
        self.texts.ascii.extend_from_slice(text);
        self.collected(at, text.len(), before)
    }

    #[inline(always)]
    fn collect_units(&mut self, at: Position, units: &[u16]) -> Position {
        let before = self.texts.lengths();
        if units.iter().fold(0, |all, unit| all | unit) < 0x80 {
            reserve(&mut self.texts.ascii, units.len());
            self.texts.ascii.extend(units.iter().map(|unit| *unit as u8));
        } else {
            reserve(&mut self.texts.other, units.len());
            self.texts.other.extend_from_slice(units);
        }
        self.collected(at, units.len(), before)
    }

    /// A key whose text is not ASCII.
    #[cold]
    fn other_key(&mut self, at: Position, key: &EncodedKey, text: &[u8]) -> Position {
        let before = self.texts.lengths();
        // Longer text has too many units in any case.
        if text.len() <= 3 * COLLECTED.end() {
            reserve(&mut self.texts.other, text.len());
            let length = match key.lost_units() {
                Some(units) => {
                    self.texts.other.extend_from_slice(units);
                    units.len()
                }
                None => append_utf16(text, &mut self.texts.other),
            };
            if self.collects(length) {
                return self.collected(at, length, before);
            }
            self.texts.other.truncate(before.1);
        }
        self.plain.key(at, key)
    }
}

/// The text of an encoded string.
fn text_of(encoded: &[u8]) -> &[u8] {
    let header = match encoded.first().map(|first| Marker::from_u8(*first)) {
        Some(Marker::Str8) => 2,
        Some(Marker::Str16) => 3,
        Some(Marker::Str32) => 5,
        _ => 1,
    };
    encoded.get(header..).unwrap_or_default()
}

/// Methods that have nothing to do with strings.
macro_rules! plainly {
    ($($name:ident($($argument:ident: $type:ty),*))*) => {
        $(
            #[inline(always)]
            fn $name(&mut self, at: Position, $($argument: $type),*) -> Position {
                self.plain.$name(at, $($argument),*)
            }
        )*
    };
}

impl format::Writer for BundlingWriter<'_, '_> {
    const COLLECTS: bool = true;

    plainly! {
        nil()
        undefined()
        boolean(value: bool)
        int(value: i32)
        number(value: f64)
        int64(value: i64)
        uint64(value: u64)
        binary(bytes: &[u8])
        array(length: usize)
        map(pairs: usize)
        object(pairs: usize)
        record(slot: u32, count: usize)
        define_record(slot: u32, count: usize)
        define_record_by_list(slot: u32)
        date(milliseconds: f64)
        extended_value(code: u8)
        extension(code: u8, payload: &[u8])
        typed_array(code: u8, bytes: &[u8])
        raw(bytes: &[u8])
        target(id: u32)
        reference(id: u32)
    }

    #[inline(always)]
    fn numbers(
        &mut self,
        at: Position,
        count: usize,
        end: u64,
        next: impl Fn(usize) -> u64,
    ) -> (Position, usize) {
        self.plain.numbers(at, count, end, next)
    }

    fn reserved(&mut self, at: Position) -> Result<Position, EncodeError> {
        match self.field {
            Some(_) => Err(EncodeError::ReservedInBundle),
            None => self.plain.reserved(at),
        }
    }

    #[inline(always)]
    fn string(&mut self, at: Position, text: PaddedText<'_>) -> Position {
        if self.collects(text.len()) {
            self.collect_units(at, text.units())
        } else {
            self.plain.string(at, text)
        }
    }

    #[inline(always)]
    fn two_byte_string(&mut self, at: Position, units: &[u16]) -> Position {
        if self.collects(units.len()) {
            self.collect_units(at, units)
        } else {
            self.plain.two_byte_string(at, units)
        }
    }

    #[inline(always)]
    fn one_byte_string(&mut self, at: Position, characters: &[u8]) -> Position {
        if !self.collects(characters.len()) {
            return self.plain.one_byte_string(at, characters);
        }
        if is_ascii(characters) {
            return self.collect_ascii(at, characters);
        }
        let before = self.texts.lengths();
        reserve(&mut self.texts.other, characters.len());
        self.texts.other.extend(characters.iter().map(|character| u16::from(*character)));
        self.collected(at, characters.len(), before)
    }

    #[inline(always)]
    fn ascii_word(&mut self, at: Position, word: u64, length: usize) -> Position {
        match word.to_le_bytes().get(..length) {
            Some(text) if self.collects(length) => self.collect_ascii(at, text),
            _ => self.plain.ascii_word(at, word, length),
        }
    }

    #[inline(always)]
    fn ascii_string(
        &mut self,
        at: Position,
        length: usize,
        fill: impl FnOnce(&mut [u8]) -> bool,
    ) -> Option<Position> {
        if !self.collects(length) {
            return self.plain.ascii_string(at, length, fill);
        }
        let before = self.texts.lengths();
        let ascii = &mut self.texts.ascii;
        reserve(ascii, length);
        ascii.resize(before.0 + length, 0);
        if !fill(&mut ascii[before.0..]) {
            ascii.truncate(before.0);
            return None;
        }
        Some(self.collected(at, length, before))
    }

    #[inline(always)]
    fn key(&mut self, at: Position, key: &EncodedKey) -> Position {
        let text = text_of(key.bytes());
        if text.len() < *COLLECTED.start() {
            self.plain.key(at, key)
        } else if !is_ascii(text) {
            self.other_key(at, key, text)
        } else if self.collects(text.len()) {
            self.collect_ascii(at, text)
        } else {
            self.plain.key(at, key)
        }
    }

    #[inline(always)]
    fn slot(&mut self, at: Position) -> &mut [u8; SLACK] {
        self.plain.slot(at)
    }

    fn written(&self, from: Position, to: Position) -> &[u8] {
        self.plain.written(from, to)
    }

    fn meets(&self, start: usize, length: usize) -> bool {
        self.plain.meets(start, length)
    }

    fn encode_key(text: PaddedText<'_>) -> EncodedKey {
        Writer::encode_key(text)
    }

    fn set_trying(&mut self, is_trying: bool) {
        self.is_trying = is_trying;
    }

    fn finish(&mut self, at: Position) -> Position {
        match self.field {
            Some(field) => self.end_bundle(at, field, self.texts.lengths()),
            None => at,
        }
    }
}
