//! Writes MessagePack: the smallest header for every value, with msgpackr's exceptions.

mod targets;

use super::ext;
use super::marker::{FIXARRAY_MAX, FIXMAP_MAX, FIXPOS_MAX, FIXPOS_MAX_WITH_RECORDS, Marker, byte};
use super::number_form::{self, is_nan, may_be_short, write_float, write_int};
use super::record_id::id_of;
use super::string_header::{guess_length, string_header};
use super::timestamp::write_timestamp;
use crate::buffer::{OutputBuffer, Position, SLACK};
use crate::error::EncodeError;
use crate::format;
use crate::number::{Number, as_i32, classify, fits_decimal};
use crate::options::{
    FLOAT32, FLOAT32_IF_FITS, NO_RECORDS, TIMESTAMP32, TWO_BYTE_IDS, UNDEFINED_AS_NIL, VARIABLE_MAP_SIZE,
};
use crate::shapes::EncodedKey;
use crate::text::utf16::PaddedText;
use crate::text::write;

/// Writes one message. It owns its output while it does, so that its memory is one step away.
pub struct Writer<'m> {
    out: OutputBuffer<'m>,
    options: u32,
    fixpos_max: i32,
}

impl<'m> Writer<'m> {
    /// A writer that appends to `out` under these option bits.
    #[must_use]
    pub fn new(out: OutputBuffer<'m>, options: u32) -> Self {
        let fixpos_max = if options & NO_RECORDS == 0 { FIXPOS_MAX_WITH_RECORDS } else { FIXPOS_MAX };
        Self { out, options, fixpos_max }
    }

    /// The output with what was written.
    #[must_use]
    pub fn into_output(self) -> OutputBuffer<'m> {
        self.out
    }

    /// The output with what was written so far.
    pub fn output(&mut self) -> &mut OutputBuffer<'m> {
        &mut self.out
    }

    #[inline(always)]
    fn has(&self, option: u32) -> bool {
        self.options & option != 0
    }

    #[inline(always)]
    fn with_u8(&mut self, at: Position, marker: Marker, value: u8) -> Position {
        self.out.put(at, [byte(marker), value])
    }

    #[inline(always)]
    fn with_u16(&mut self, at: Position, marker: Marker, value: u16) -> Position {
        let [a, b] = value.to_be_bytes();
        self.out.put(at, [byte(marker), a, b])
    }

    #[inline(always)]
    fn with_u32(&mut self, at: Position, marker: Marker, value: u32) -> Position {
        let [a, b, c, d] = value.to_be_bytes();
        self.out.put(at, [byte(marker), a, b, c, d])
    }

    #[inline(always)]
    fn with_u64(&mut self, at: Position, marker: Marker, value: u64) -> Position {
        let slot = self.out.slot::<9>(at);
        slot[0] = byte(marker);
        slot[1..].copy_from_slice(&value.to_be_bytes());
        at.advance(9)
    }

    /// Whether a fraction is written in 32 bits.
    #[inline(always)]
    fn is_single(&self, value: f64) -> bool {
        // 32 bits are asked for only where a 32-bit integer could have been meant, so that NaN and
        // the infinities always take 64.
        self.has(FLOAT32 | FLOAT32_IF_FITS)
            && (-2_147_483_648.0..4_294_967_296.0).contains(&value)
            && (self.has(FLOAT32) || fits_decimal(value))
    }

    #[inline(always)]
    fn wide_map(&mut self, at: Position, pairs: usize) -> Position {
        if pairs <= 0xffff {
            self.with_u16(at, Marker::Map16, pairs as u16)
        } else {
            self.with_u32(at, Marker::Map32, pairs as u32)
        }
    }

    /// Header of an extension whose length stands in it, with the type.
    fn wide_extension(&mut self, at: Position, length: usize, code: u8) -> Position {
        let at = if length <= 0xff {
            self.with_u8(at, Marker::Ext8, length as u8)
        } else if length <= 0xffff {
            self.with_u16(at, Marker::Ext16, length as u16)
        } else {
            self.with_u32(at, Marker::Ext32, length as u32)
        };
        self.out.push(at, code)
    }

    /// Writes the header of a string of `length` bytes.
    #[inline(always)]
    fn string_header(&mut self, at: Position, length: usize) -> Position {
        let (header, size) = string_header(length);
        *self.out.slot::<5>(at) = header;
        at.advance(size)
    }

    /// Writes a string whose text `write` writes, and which may take `guess` bytes. A wrong guess costs less
    /// than to measure every string first: the text moves if the header takes other room.
    #[inline(always)]
    fn guessed_string(
        &mut self,
        at: Position,
        guess: usize,
        write: impl FnOnce(&mut OutputBuffer<'m>, Position) -> Position,
    ) -> Position {
        let (_, guessed) = string_header(guess);
        let text = at.advance(guessed);
        let end = write(&mut self.out, text);
        let (header, size) = string_header(end.since(text));
        let end = if size == guessed { end } else { self.out.shift(text, end, at.advance(size)) };
        // Behind the header lies text.
        match size {
            1 => self.out.slot::<1>(at)[0] = header[0],
            2 => *self.out.slot::<2>(at) = [header[0], header[1]],
            3 => *self.out.slot::<3>(at) = [header[0], header[1], header[2]],
            _ => *self.out.slot::<5>(at) = header,
        }
        end
    }
}

impl format::Writer for Writer<'_> {
    const COLLECTS: bool = false;

    #[inline(always)]
    fn nil(&mut self, at: Position) -> Position {
        self.out.push(at, byte(Marker::Null))
    }

    fn undefined(&mut self, at: Position) -> Position {
        if self.has(UNDEFINED_AS_NIL) {
            self.nil(at)
        } else {
            self.out.put(at, [byte(Marker::FixExt1), ext::UNDEFINED, 0])
        }
    }

    #[inline(always)]
    fn boolean(&mut self, at: Position, value: bool) -> Position {
        self.out.push(at, byte(if value { Marker::True } else { Marker::False }))
    }

    fn reserved(&mut self, at: Position) -> Result<Position, EncodeError> {
        Ok(self.out.push(at, byte(Marker::Reserved)))
    }

    #[inline(always)]
    fn int(&mut self, at: Position, value: i32) -> Position {
        let written = write_int(i64::from(value), self.fixpos_max, self.out.slot(at));
        at.advance(written.expect("within 32 bits"))
    }

    #[inline(always)]
    fn number(&mut self, at: Position, value: f64) -> Position {
        if let Number::Int(int) = classify(value)
            && let Some(size) = write_int(int, self.fixpos_max, self.out.slot(at))
        {
            return at.advance(size);
        }
        if self.is_single(value) {
            return self.with_u32(at, Marker::F32, (value as f32).to_bits());
        }
        write_float(value.to_bits(), self.out.slot(at));
        at.advance(number_form::SIZE)
    }

    #[inline(always)]
    fn numbers(
        &mut self,
        at: Position,
        count: usize,
        end: u64,
        next: impl Fn(usize) -> u64,
    ) -> (Position, usize) {
        debug_assert!(!may_be_short(end) && is_nan(end));
        let mut at = at;
        if self.has(FLOAT32 | FLOAT32_IF_FITS) {
            for index in 0..count {
                let bits = next(index);
                if bits == end {
                    return (at, index);
                }
                at = self.number(at, f64::from_bits(bits));
            }
            return (at, count);
        }
        for index in 0..count {
            let bits = next(index);
            if may_be_short(bits) {
                let value = f64::from_bits(bits);
                at = match as_i32(value) {
                    Some(int) => self.int(at, int),
                    None => self.number(at, value),
                };
            } else if is_nan(bits) && bits == end {
                return (at, index);
            } else {
                write_float(bits, self.out.slot(at));
                at = at.advance(number_form::SIZE);
            }
        }
        (at, count)
    }

    fn int64(&mut self, at: Position, value: i64) -> Position {
        self.with_u64(at, Marker::I64, value as u64)
    }

    fn uint64(&mut self, at: Position, value: u64) -> Position {
        self.with_u64(at, Marker::U64, value)
    }

    #[inline(always)]
    fn string(&mut self, at: Position, text: PaddedText<'_>) -> Position {
        let guess = guess_length(text.units());
        self.guessed_string(at, guess, |out, at| write::padded(text, out, at))
    }

    fn two_byte_string(&mut self, at: Position, units: &[u16]) -> Position {
        self.guessed_string(at, guess_length(units), |out, at| write::units(units, out, at))
    }

    #[inline(always)]
    fn one_byte_string(&mut self, at: Position, characters: &[u8]) -> Position {
        self.guessed_string(at, characters.len(), |out, at| write::latin1(characters, out, at))
    }

    #[inline(always)]
    fn ascii_word(&mut self, at: Position, word: u64, length: usize) -> Position {
        let slot = self.out.slot::<9>(at);
        slot[0] = byte(Marker::FixStr(length as u8));
        slot[1..].copy_from_slice(&word.to_le_bytes());
        at.advance(1 + length)
    }

    #[inline(always)]
    fn ascii_string(
        &mut self,
        at: Position,
        length: usize,
        fill: impl FnOnce(&mut [u8]) -> bool,
    ) -> Option<Position> {
        let start = self.string_header(at, length);
        fill(self.out.room(start, length)).then(|| start.advance(length))
    }

    fn binary(&mut self, at: Position, bytes: &[u8]) -> Position {
        let length = bytes.len();
        let at = if length <= 0xff {
            self.with_u8(at, Marker::Bin8, length as u8)
        } else if length <= 0xffff {
            self.with_u16(at, Marker::Bin16, length as u16)
        } else {
            self.with_u32(at, Marker::Bin32, length as u32)
        };
        self.out.extend(at, bytes)
    }

    #[inline(always)]
    fn array(&mut self, at: Position, length: usize) -> Position {
        if length <= FIXARRAY_MAX {
            self.out.push(at, byte(Marker::FixArray(length as u8)))
        } else if length <= 0xffff {
            self.with_u16(at, Marker::Array16, length as u16)
        } else {
            self.with_u32(at, Marker::Array32, length as u32)
        }
    }

    #[inline(always)]
    fn map(&mut self, at: Position, pairs: usize) -> Position {
        if pairs <= FIXMAP_MAX {
            self.out.push(at, byte(Marker::FixMap(pairs as u8)))
        } else {
            self.wide_map(at, pairs)
        }
    }

    #[inline(always)]
    fn object(&mut self, at: Position, pairs: usize) -> Position {
        if self.has(VARIABLE_MAP_SIZE) { self.map(at, pairs) } else { self.wide_map(at, pairs) }
    }

    #[inline(always)]
    fn record(&mut self, at: Position, slot: u32, _count: usize) -> Position {
        let (id, length) = id_of(slot, self.has(TWO_BYTE_IDS));
        *self.out.slot::<2>(at) = id;
        at.advance(length)
    }

    fn define_record(&mut self, at: Position, slot: u32, count: usize) -> Position {
        let at = self.define_record_by_list(at, slot);
        self.array(at, count)
    }

    #[inline(always)]
    fn define_record_by_list(&mut self, at: Position, slot: u32) -> Position {
        let (id, length) = id_of(slot, self.has(TWO_BYTE_IDS));
        let marker = if length == 1 { Marker::FixExt1 } else { Marker::FixExt2 };
        // The second byte of a short id is written over.
        *self.out.slot::<4>(at) = [byte(marker), ext::RECORD, id[0], id[1]];
        at.advance(2 + length)
    }

    #[inline(always)]
    fn key(&mut self, at: Position, key: &EncodedKey) -> Position {
        key.write(&mut self.out, at)
    }

    fn date(&mut self, at: Position, milliseconds: f64) -> Position {
        let whole_seconds = self.has(TIMESTAMP32);
        at.advance(write_timestamp(milliseconds, whole_seconds, self.out.slot(at)))
    }

    fn extended_value(&mut self, at: Position, code: u8) -> Position {
        self.out.put(at, [byte(Marker::FixExt1), code, 0])
    }

    fn extension(&mut self, at: Position, code: u8, payload: &[u8]) -> Position {
        let marker = match payload.len() {
            1 => Marker::FixExt1,
            2 => Marker::FixExt2,
            4 => Marker::FixExt4,
            8 => Marker::FixExt8,
            16 => Marker::FixExt16,
            length => {
                let at = self.wide_extension(at, length, code);
                return self.out.extend(at, payload);
            }
        };
        let at = self.out.put(at, [byte(marker), code]);
        self.out.extend(at, payload)
    }

    fn typed_array(&mut self, at: Position, code: u8, bytes: &[u8]) -> Position {
        let at = self.wide_extension(at, bytes.len() + 1, ext::TYPED_ARRAY);
        let at = self.out.push(at, code);
        self.out.extend(at, bytes)
    }

    fn raw(&mut self, at: Position, bytes: &[u8]) -> Position {
        self.out.extend(at, bytes)
    }

    fn target(&mut self, at: Position, id: u32) -> Position {
        let at = self.out.put(at, [byte(Marker::FixExt4), ext::TARGET]);
        self.out.put(at, id.to_be_bytes())
    }

    fn reference(&mut self, at: Position, id: u32) -> Position {
        let at = self.out.put(at, [byte(Marker::FixExt4), ext::REFERENCE]);
        self.out.put(at, id.to_be_bytes())
    }

    #[inline(always)]
    fn slot(&mut self, at: Position) -> &mut [u8; SLACK] {
        self.out.slot(at)
    }

    fn written(&self, from: Position, to: Position) -> &[u8] {
        self.out.message(to).get(from.since(Position::START)..).unwrap_or_default()
    }

    fn meets(&self, start: usize, length: usize) -> bool {
        self.out.meets(start, length)
    }

    fn encode_key(text: PaddedText<'_>) -> EncodedKey {
        let mut writer = Self::new(OutputBuffer::default(), 0);
        let end = writer.string(Position::START, text);
        let bytes = writer.out.message(end);
        if char::decode_utf16(text.units().iter().copied()).any(|character| character.is_err()) {
            return EncodedKey::lossy(bytes, text.units());
        }
        EncodedKey::new(bytes)
    }

    #[inline(always)]
    fn set_trying(&mut self, _is_trying: bool) {}

    #[inline(always)]
    fn finish(&mut self, at: Position) -> Position {
        at
    }
}
