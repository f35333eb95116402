//! Reads MessagePack off untrusted bytes, front to back.
//!
//! Every length is checked against what is left before it is used. Errors are msgpackr's: which one
//! a cut message gives depends on how the reference reads the header it was cut in.

use super::ext;
use super::key_list;
use super::marker::{FIXPOS_MAX, FIXPOS_MAX_WITH_RECORDS, Marker};
use super::numbers::{self, unsigned};
use super::record_id::{may_go_on, slot_of, wide_slot};
use super::short_arrays;
use crate::error::DecodeError;
use crate::format::{self, Item, Numbers, Scalar};
use crate::options::{TIMESTAMP_REPLACED, UNDEFINED_REPLACED};
use crate::tape::slot;

/// Scanner of one input, which may hold several messages in a row.
#[derive(Clone, Copy)]
pub struct Scanner<'a> {
    input: &'a [u8],
    at: usize,
    options: u32,
    /// Bytes that wide headers of arrays have laid claim to: together no more than there are, or the
    /// input is cut.
    claimed: usize,
    /// The same for maps and records, of which msgpackr only checks each by itself, or none. More than a
    /// multiple of the input is refused too, which bounds the tape by the input whatever the nesting.
    claimed_by_maps: usize,
    /// Up to here a positive integer of one byte is one; what is above is the id of a record.
    max_int: u8,
}

type Scanned<T> = Result<T, DecodeError>;

/// Nested maps may together announce so many times as many items as there are bytes.
const MAX_CLAIMS_OF_MAPS: usize = 2;

impl<'a> Scanner<'a> {
    /// Scans `input` from `start` under these option bits.
    #[must_use]
    pub fn new(input: &'a [u8], start: usize, options: u32) -> Self {
        Self {
            input,
            at: start.min(input.len()),
            options,
            claimed: 0,
            claimed_by_maps: 0,
            max_int: FIXPOS_MAX as u8,
        }
    }

    #[inline(always)]
    fn left(&self) -> usize {
        self.input.len() - self.at
    }

    /// The next `N` bytes, or `short` if they are not there.
    #[inline(always)]
    fn take<const N: usize>(&mut self, short: DecodeError) -> Scanned<[u8; N]> {
        let bytes = *self.input[self.at..].first_chunk::<N>().ok_or(short)?;
        self.at += N;
        Ok(bytes)
    }

    #[inline(always)]
    fn u8(&mut self, short: DecodeError) -> Scanned<usize> {
        Ok(usize::from(self.take::<1>(short)?[0]))
    }

    #[inline(always)]
    fn u16(&mut self) -> Scanned<usize> {
        Ok(usize::from(u16::from_be_bytes(self.take(DecodeError::OutsideView)?)))
    }

    #[inline(always)]
    fn u32(&mut self) -> Scanned<usize> {
        Ok(u32::from_be_bytes(self.take(DecodeError::OutsideView)?) as usize)
    }

    /// A run of `length` bytes; its header says whether a shortfall is known.
    #[inline(always)]
    fn run(&mut self, length: usize, tells: bool) -> Scanned<(usize, usize)> {
        let left = self.left();
        if length > left {
            return Err(if tells { missing(length - left) } else { DecodeError::Incomplete });
        }
        let start = self.at;
        self.at += length;
        Ok((start, length))
    }

    /// Checks that `items` more items of at least a byte can follow.
    #[inline(always)]
    fn check_left(&self, items: usize) -> Scanned<()> {
        let left = self.left();
        if items > left { Err(missing(items - left)) } else { Ok(()) }
    }

    #[inline(always)]
    fn array(&mut self, length: usize) -> Scanned<Item> {
        self.check_left(length)?;
        self.claimed += length;
        if self.claimed > self.input.len() {
            return Err(missing(self.claimed - self.input.len()));
        }
        Ok(Item::Array(length))
    }

    #[inline(always)]
    fn map(&mut self, pairs: usize) -> Scanned<Item> {
        self.check_left(pairs * 2)?;
        self.claimed_by_maps += pairs * 2;
        if self.claimed_by_maps > self.input.len() * MAX_CLAIMS_OF_MAPS {
            return Err(missing(self.claimed_by_maps - self.input.len()));
        }
        Ok(Item::Map(pairs))
    }

    #[inline(always)]
    fn int64(&mut self) -> Scanned<Item> {
        Ok(numbers::int64(self.take(DecodeError::OutsideView)?, self.options))
    }

    #[inline(always)]
    fn uint64(&mut self) -> Scanned<Item> {
        Ok(numbers::uint64(self.take(DecodeError::OutsideView)?, self.options))
    }

    /// An extension of `length` payload bytes whose header, but for the type, was read.
    #[inline(always)]
    fn ext(&mut self, length: usize) -> Scanned<Item> {
        let left = self.left();
        if length + 1 > left {
            return Err(missing(length + 1 - left));
        }
        let code = self.input[self.at];
        let start = self.at + 1;
        self.at = start + length;
        Ok(match code {
            ext::UNDEFINED if self.options & UNDEFINED_REPLACED == 0 => Item::Single(slot::SINGLE_UNDEFINED),
            ext::TIMESTAMP if self.options & TIMESTAMP_REPLACED == 0 => {
                Item::Date(ext::timestamp(&self.input[start..start + length]))
            }
            _ => Item::Ext { code, short: false, start, length },
        })
    }

    /// The one-byte form, which msgpackr also uses as a prefix of ordinary values.
    #[inline(always)]
    fn fixext1(&mut self) -> Scanned<Item> {
        let [code] = self.take(DecodeError::NoExtension)?;
        if code == ext::RECORD {
            let id = self.u8(DecodeError::Incomplete)?;
            return Ok(Item::Define { slot: slot_of(id), two_byte: false });
        }
        let [_] = self.take(DecodeError::NoExtensionData(code))?;
        let start = self.at - 1;
        Ok(match code {
            ext::UNDEFINED if self.options & UNDEFINED_REPLACED == 0 => Item::Single(slot::SINGLE_UNDEFINED),
            ext::TIMESTAMP if self.options & TIMESTAMP_REPLACED == 0 => Item::Date(f64::NAN),
            _ => Item::Ext { code, short: true, start, length: 1 },
        })
    }

    #[inline(always)]
    fn fixext2(&mut self) -> Scanned<Item> {
        if self.input.get(self.at) != Some(&ext::RECORD) {
            return self.ext(2);
        }
        self.at += 1;
        let first = slot_of(self.u8(DecodeError::Incomplete)?);
        let second = self.u8(DecodeError::Incomplete)?;
        // A byte that always is a whole id can not begin one of two.
        let slot = if may_go_on(first) { wide_slot(first, second) } else { usize::MAX };
        Ok(Item::Define { slot, two_byte: true })
    }

    #[inline(always)]
    fn ext_length(&mut self, marker: Marker) -> Scanned<usize> {
        match marker {
            Marker::Ext8 => self.u8(DecodeError::NoExtensionType),
            Marker::Ext16 => self.u16(),
            _ => self.u32(),
        }
    }
}

#[cold]
fn missing(bytes: usize) -> DecodeError {
    DecodeError::Missing(bytes as u64)
}

impl<'a> format::Scanner<'a> for Scanner<'a> {
    #[inline(always)]
    fn input(&self) -> &'a [u8] {
        self.input
    }

    #[inline(always)]
    fn position(&self) -> usize {
        self.at
    }

    #[inline(always)]
    fn seek(&mut self, position: usize) {
        debug_assert!(position <= self.input.len());
        self.at = position;
    }

    #[inline(always)]
    fn scalar(&mut self) -> Option<Scalar> {
        let rest = self.input.get(self.at..)?;
        let (&lead, behind) = rest.split_first()?;
        let (scalar, size) = match Marker::from_u8(lead) {
            Marker::FixStr(length) => {
                let length = usize::from(length);
                if length > behind.len() {
                    return None;
                }
                (Scalar::Str(self.at + 1, length), length)
            }
            Marker::Str8 => {
                let length = usize::from(*behind.first()?);
                if length >= behind.len() {
                    return None;
                }
                (Scalar::Str(self.at + 2, length), length + 1)
            }
            Marker::FixPos(value) if value <= self.max_int => (Scalar::Slot(slot::int(i32::from(value))), 0),
            Marker::FixNeg(value) => (Scalar::Slot(slot::int(i32::from(value))), 0),
            Marker::U8 => (Scalar::Slot(slot::int(i32::from(*behind.first()?))), 1),
            Marker::U16 => {
                let value = u16::from_be_bytes(*behind.first_chunk()?);
                (Scalar::Slot(slot::int(i32::from(value))), 2)
            }
            Marker::U32 => {
                let value = u32::from_be_bytes(*behind.first_chunk()?);
                (Scalar::Slot(i32::try_from(value).map_or(slot::double(f64::from(value)), slot::int)), 4)
            }
            Marker::F64 => (Scalar::Slot(slot::double(f64::from_be_bytes(*behind.first_chunk()?))), 8),
            Marker::Null => (Scalar::Slot(slot::single(slot::SINGLE_NULL)), 0),
            Marker::False => (Scalar::Slot(slot::single(slot::SINGLE_FALSE)), 0),
            Marker::True => (Scalar::Slot(slot::single(slot::SINGLE_TRUE)), 0),
            _ => return None,
        };
        self.at += 1 + size;
        Some(scalar)
    }

    #[inline(always)]
    fn next(&mut self) -> Scanned<Item> {
        let lead = *self.input.get(self.at).ok_or(DecodeError::Incomplete)?;
        self.at += 1;
        Ok(match Marker::from_u8(lead) {
            Marker::FixPos(value) if value > self.max_int => {
                Item::Record { slot: slot_of(value.into()), int: i32::from(value) }
            }
            Marker::FixPos(value) => Item::Int(i32::from(value)),
            Marker::FixNeg(value) => Item::Int(i32::from(value)),
            Marker::FixStr(length) => {
                let (start, length) = self.run(usize::from(length), false)?;
                Item::Str(start, length)
            }
            Marker::FixArray(length) => Item::Array(usize::from(length)),
            Marker::FixMap(pairs) => Item::Map(usize::from(pairs)),
            Marker::Null => Item::Single(slot::SINGLE_NULL),
            Marker::False => Item::Single(slot::SINGLE_FALSE),
            Marker::True => Item::Single(slot::SINGLE_TRUE),
            Marker::F64 => Item::Double(f64::from_be_bytes(self.take(DecodeError::OutsideView)?)),
            Marker::F32 => {
                let bytes = self.take(DecodeError::OutsideView)?;
                Item::Double(numbers::float32(bytes, self.options))
            }
            Marker::U8 => Item::Int(self.u8(DecodeError::Incomplete)? as i32),
            Marker::U16 => Item::Int(self.u16()? as i32),
            Marker::U32 => unsigned(self.u32()?),
            Marker::I8 => Item::Int(i32::from(i8::from_be_bytes(self.take(DecodeError::OutsideView)?))),
            Marker::I16 => Item::Int(i32::from(i16::from_be_bytes(self.take(DecodeError::OutsideView)?))),
            Marker::I32 => Item::Int(i32::from_be_bytes(self.take(DecodeError::OutsideView)?)),
            Marker::Str8 => {
                let length = self.u8(DecodeError::Incomplete)?;
                let (start, length) = self.run(length, false)?;
                Item::Str(start, length)
            }
            Marker::Str16 => {
                let length = self.u16()?;
                let (start, length) = self.run(length, true)?;
                Item::Str(start, length)
            }
            Marker::Str32 => {
                let length = self.u32()?;
                let (start, length) = self.run(length, true)?;
                Item::Str(start, length)
            }
            Marker::Array16 => {
                let length = self.u16()?;
                self.array(length)?
            }
            Marker::Array32 => {
                let length = self.u32()?;
                self.array(length)?
            }
            Marker::Map16 => {
                let pairs = self.u16()?;
                self.map(pairs)?
            }
            Marker::Map32 => {
                let pairs = self.u32()?;
                self.map(pairs)?
            }
            Marker::Bin8 => {
                let length = self.u8(DecodeError::EndOfBuffer)?;
                let (start, length) = self.run(length, false)?;
                Item::Bin(start, length)
            }
            Marker::Bin16 => {
                let length = self.u16()?;
                let (start, length) = self.run(length, true)?;
                Item::Bin(start, length)
            }
            Marker::Bin32 => {
                let length = self.u32()?;
                let (start, length) = self.run(length, true)?;
                Item::Bin(start, length)
            }
            Marker::I64 => self.int64()?,
            Marker::U64 => self.uint64()?,
            Marker::FixExt1 => self.fixext1()?,
            Marker::FixExt2 => self.fixext2()?,
            Marker::FixExt4 => self.ext(4)?,
            Marker::FixExt8 => self.ext(8)?,
            Marker::FixExt16 => self.ext(16)?,
            marker @ (Marker::Ext8 | Marker::Ext16 | Marker::Ext32) => {
                let length = self.ext_length(marker)?;
                self.ext(length)?
            }
            Marker::Reserved => Item::Reserved,
        })
    }

    #[inline(always)]
    fn numbers(&mut self, slots: &mut [u64]) -> Numbers {
        if !self.input.get(self.at).is_some_and(|lead| numbers::may_begin(*lead)) {
            return Numbers { count: 0, doubles: false, ints: false };
        }
        let (run, at) = if self.max_int == FIXPOS_MAX as u8 {
            numbers::read::<false>(self.input, self.at, slots, self.options)
        } else {
            numbers::read::<true>(self.input, self.at, slots, self.options)
        };
        self.at = at;
        run
    }

    #[inline(always)]
    fn short_array(&self) -> usize {
        self.input.get(self.at).map_or(0, |lead| short_arrays::length(*lead))
    }

    fn nested(&self) -> usize {
        short_arrays::nested(&self.input[self.at..])
    }

    fn tuples(&mut self, size: usize, slots: &mut [u64]) -> Option<Numbers> {
        let has_records = self.max_int != FIXPOS_MAX as u8;
        let (run, at) = short_arrays::tuples(self.input, self.at, size, slots, self.options, has_records)?;
        self.at = at;
        Some(run)
    }

    #[inline(always)]
    fn expect_records(&mut self) {
        self.max_int = FIXPOS_MAX_WITH_RECORDS as u8;
    }

    #[inline(always)]
    fn second_byte(&mut self, slot: usize) -> Scanned<Option<usize>> {
        if !may_go_on(slot) {
            return Ok(None);
        }
        self.u8(DecodeError::Incomplete).map(|second| Some(wide_slot(slot, second)))
    }

    #[inline(always)]
    fn claim(&mut self, values: usize) -> Scanned<()> {
        self.claimed_by_maps += values;
        // msgpackr finds out when it has read so far, and then can not say what is missing.
        if values > self.left() || self.claimed_by_maps > self.input.len() * MAX_CLAIMS_OF_MAPS {
            return Err(DecodeError::Incomplete);
        }
        Ok(())
    }

    fn text_key(&mut self) -> Scanned<Option<(usize, usize)>> {
        let lead = *self.input.get(self.at).ok_or(DecodeError::Incomplete)?;
        match Marker::from_u8(lead) {
            Marker::FixStr(length) => {
                self.at += 1;
                self.run(usize::from(length), true).map(Some)
            }
            Marker::Str8 | Marker::Str16 | Marker::Str32 => match self.next()? {
                Item::Str(start, length) => Ok(Some((start, length))),
                _ => Ok(None),
            },
            _ => Ok(None),
        }
    }

    fn put_list(to: &mut Vec<u8>, count: usize) {
        key_list::put_list(to, count);
    }

    fn put_key(to: &mut Vec<u8>, text: Result<&str, &[u16]>) {
        key_list::put_key(to, text);
    }
}
