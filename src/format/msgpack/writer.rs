//! Writes MessagePack: the smallest header for every value, with msgpackr's exceptions.

use super::ext;
use super::marker::{
    FIXARRAY_MAX, FIXMAP_MAX, FIXNEG_MIN, FIXPOS_MAX, FIXPOS_MAX_WITH_RECORDS, FIXSTR_MAX, Marker, byte,
};
use crate::buffer::OutputBuffer;
use crate::format;
use crate::number::{Number, classify, fits_decimal};
use crate::options::{FLOAT32, FLOAT32_IF_FITS, NO_RECORDS, UNDEFINED_AS_NIL, VARIABLE_MAP_SIZE};
use crate::shapes::EncodedKey;
use crate::text::utf16::{self, PaddedText};

/// Writes one message. It owns its output while it does: behind a reference, the position would be
/// loaded and stored again for every byte.
pub struct Writer {
    out: OutputBuffer,
    options: u32,
    fixpos_max: i32,
}

impl Writer {
    /// A writer that appends to `out` under these option bits.
    #[must_use]
    pub fn new(out: OutputBuffer, options: u32) -> Self {
        let fixpos_max = if options & NO_RECORDS == 0 { FIXPOS_MAX_WITH_RECORDS } else { FIXPOS_MAX };
        Self { out, options, fixpos_max }
    }

    /// The output with what was written.
    #[must_use]
    pub fn into_output(self) -> OutputBuffer {
        self.out
    }

    fn has(&self, option: u32) -> bool {
        self.options & option != 0
    }

    #[inline(always)]
    fn with_u8(&mut self, marker: Marker, value: u8) {
        self.out.put([byte(marker), value]);
    }

    #[inline(always)]
    fn with_u16(&mut self, marker: Marker, value: u16) {
        let [a, b] = value.to_be_bytes();
        self.out.put([byte(marker), a, b]);
    }

    #[inline(always)]
    fn with_u32(&mut self, marker: Marker, value: u32) {
        let [a, b, c, d] = value.to_be_bytes();
        self.out.put([byte(marker), a, b, c, d]);
    }

    #[inline(always)]
    fn with_u64(&mut self, marker: Marker, value: u64) {
        let slot = self.out.slot::<9>();
        slot[0] = byte(marker);
        slot[1..].copy_from_slice(&value.to_be_bytes());
        self.out.advance(9);
    }

    #[inline(always)]
    fn positive(&mut self, value: u32) {
        if value <= self.fixpos_max as u32 {
            self.out.push(byte(Marker::FixPos(value as u8)));
        } else if value <= 0xff {
            self.with_u8(Marker::U8, value as u8);
        } else if value <= 0xffff {
            self.with_u16(Marker::U16, value as u16);
        } else {
            self.with_u32(Marker::U32, value);
        }
    }

    #[inline(always)]
    fn float(&mut self, value: f64) {
        // 32 bits are asked for only where a 32-bit integer could have been meant, so that NaN and
        // the infinities always take 64.
        if self.options & (FLOAT32 | FLOAT32_IF_FITS) != 0
            && (-2_147_483_648.0..4_294_967_296.0).contains(&value)
            && (self.has(FLOAT32) || fits_decimal(value))
        {
            self.with_u32(Marker::F32, (value as f32).to_bits());
        } else {
            let bits = if value.is_nan() { 0x7ff8_0000_0000_0000 } else { value.to_bits() };
            self.with_u64(Marker::F64, bits);
        }
    }
}

/// Header of a string of `length` bytes, at the start of a slot of five.
#[inline(always)]
fn string_header(length: usize) -> ([u8; 5], usize) {
    let [a, b, c, d] = (length as u32).to_be_bytes();
    if length <= FIXSTR_MAX {
        ([byte(Marker::FixStr(d)), 0, 0, 0, 0], 1)
    } else if length <= 0xff {
        ([byte(Marker::Str8), d, 0, 0, 0], 2)
    } else if length <= 0xffff {
        ([byte(Marker::Str16), c, d, 0, 0], 3)
    } else {
        ([byte(Marker::Str32), a, b, c, d], 5)
    }
}

#[inline(always)]
fn write_string(text: PaddedText<'_>, out: &mut OutputBuffer) {
    // The header is guessed from the number of units and the bytes are moved when the guess was too
    // short, which is cheaper than measuring first.
    let start = out.bytes().len();
    let (header, guessed) = string_header(text.len());
    *out.slot::<5>() = header;
    out.advance(guessed);
    let length = utf16::append(text, out);
    if length != text.len() {
        mend_header(start, guessed, length, out);
    }
}

#[cold]
#[inline(never)]
fn mend_header(start: usize, guessed: usize, length: usize, out: &mut OutputBuffer) {
    let (header, size) = string_header(length);
    out.widen(start + guessed, size - guessed);
    out.overwrite(start, &header[..size]);
}

impl format::Writer for Writer {
    #[inline(always)]
    fn nil(&mut self) {
        self.out.push(byte(Marker::Null));
    }

    fn undefined(&mut self) {
        if self.has(UNDEFINED_AS_NIL) {
            self.nil();
        } else {
            self.out.put([byte(Marker::FixExt1), ext::UNDEFINED, 0]);
        }
    }

    #[inline(always)]
    fn boolean(&mut self, value: bool) {
        self.out.push(byte(if value { Marker::True } else { Marker::False }));
    }

    fn reserved(&mut self) {
        self.out.push(byte(Marker::Reserved));
    }

    #[inline(always)]
    fn int(&mut self, value: i32) {
        if value >= 0 {
            self.positive(value as u32);
        } else if value >= FIXNEG_MIN {
            self.out.push(byte(Marker::FixNeg(value as i8)));
        } else if let Ok(small) = i8::try_from(value) {
            self.with_u8(Marker::I8, small as u8);
        } else if let Ok(small) = i16::try_from(value) {
            self.with_u16(Marker::I16, small as u16);
        } else {
            self.with_u32(Marker::I32, value as u32);
        }
    }

    #[inline(always)]
    fn number(&mut self, value: f64) {
        match classify(value) {
            Number::Int(int) => {
                if let Ok(small) = i32::try_from(int) {
                    self.int(small);
                } else if let Ok(positive) = u32::try_from(int) {
                    self.positive(positive);
                } else {
                    self.float(value);
                }
            }
            Number::Float(value) => self.float(value),
        }
    }

    fn int64(&mut self, value: i64) {
        self.with_u64(Marker::I64, value as u64);
    }

    fn uint64(&mut self, value: u64) {
        self.with_u64(Marker::U64, value);
    }

    #[inline(always)]
    fn string(&mut self, text: PaddedText<'_>) {
        write_string(text, &mut self.out);
    }

    fn binary(&mut self, bytes: &[u8]) {
        let length = bytes.len();
        if length <= 0xff {
            self.with_u8(Marker::Bin8, length as u8);
        } else if length <= 0xffff {
            self.with_u16(Marker::Bin16, length as u16);
        } else {
            self.with_u32(Marker::Bin32, length as u32);
        }
        self.out.extend(bytes);
    }

    #[inline(always)]
    fn array(&mut self, length: usize) {
        if length <= FIXARRAY_MAX {
            self.out.push(byte(Marker::FixArray(length as u8)));
        } else if length <= 0xffff {
            self.with_u16(Marker::Array16, length as u16);
        } else {
            self.with_u32(Marker::Array32, length as u32);
        }
    }

    #[inline(always)]
    fn map(&mut self, pairs: usize) {
        if pairs <= FIXMAP_MAX {
            self.out.push(byte(Marker::FixMap(pairs as u8)));
        } else {
            self.wide_map(pairs);
        }
    }

    #[inline(always)]
    fn object(&mut self, pairs: usize) {
        if self.has(VARIABLE_MAP_SIZE) {
            self.map(pairs);
        } else {
            self.wide_map(pairs);
        }
    }

    #[inline(always)]
    fn key(&mut self, key: &EncodedKey) {
        key.append(&mut self.out);
    }

    fn date(&mut self, milliseconds: f64) {
        if milliseconds.is_nan() {
            self.out.put([byte(Marker::FixExt1), ext::TIMESTAMP, 0xff]);
            return;
        }
        let seconds = (milliseconds / 1e3).floor();
        let nanoseconds = ((milliseconds - seconds * 1e3) * 1e6) as u32;
        if nanoseconds == 0 && (0.0..4_294_967_296.0).contains(&seconds) {
            self.out.put([byte(Marker::FixExt4), ext::TIMESTAMP]);
            self.out.put((seconds as u32).to_be_bytes());
        } else if milliseconds > 0.0 && seconds < 17_179_869_184.0 {
            self.out.put([byte(Marker::FixExt8), ext::TIMESTAMP]);
            self.out.put((u64::from(nanoseconds) << 34 | seconds as u64).to_be_bytes());
        } else {
            self.out.put([byte(Marker::Ext8), 12, ext::TIMESTAMP]);
            self.out.put(nanoseconds.to_be_bytes());
            self.out.put((seconds as i64).to_be_bytes());
        }
    }

    fn encode_key(text: PaddedText<'_>, out: &mut OutputBuffer) {
        write_string(text, out);
    }
}

impl Writer {
    #[inline(always)]
    fn wide_map(&mut self, pairs: usize) {
        if pairs <= 0xffff {
            self.with_u16(Marker::Map16, pairs as u16);
        } else {
            self.with_u32(Marker::Map32, pairs as u32);
        }
    }
}
