//! Reads runs of numbers: arrays of nothing else are common, and long.
//!
//! There is a branch on the form of each. Without one, by a table of shifts and masks, the place of
//! each depends on loads for the one before: measured, a thousand integers of mixed widths took half
//! as long again that way.

use super::marker::{FIXPOS_MAX_WITH_RECORDS, Marker, byte};
use crate::format::{Item, Numbers};
use crate::number::round_decimal;
use crate::options::{INT64_AS_NUMBER, INT64_AUTO, ROUND_FLOAT32};
use crate::tape::slot;

/// A 32-bit float as a double, under the option bits.
#[inline(always)]
pub fn float32(bytes: [u8; 4], options: u32) -> f64 {
    let single = f32::from_be_bytes(bytes);
    if options & ROUND_FLOAT32 == 0 { f64::from(single) } else { round_decimal(single) }
}

/// Whether a number can begin with this byte; most that does not is told at once.
#[inline(always)]
pub fn may_begin(lead: u8) -> bool {
    const FIRST_OTHER: u8 = byte(Marker::FixMap(0));
    const LAST_OTHER: u8 = byte(Marker::Ext32);
    !(FIRST_OTHER..=LAST_OTHER).contains(&lead)
}

/// Largest positive integer of one byte where those above it are ids of records.
const MAX_INT: u8 = FIXPOS_MAX_WITH_RECORDS as u8;

/// Reads as many numbers as there are from `at` on, up to the number of slots. Also where they end. `RECORDS`
/// says that there may be ids of records.
#[inline(never)]
pub fn read<const RECORDS: bool>(
    input: &[u8],
    at: usize,
    slots: &mut [u64],
    options: u32,
) -> (Numbers, usize) {
    let mut rest = input.get(at..).unwrap_or_default();
    let mut count = 0;
    let mut doubles = 0;
    while count < slots.len() {
        count += read_doubles(&mut rest, &mut slots[count..], &mut doubles);
        count += read_ints::<RECORDS>(&mut rest, &mut slots[count..]);
        let Some(slot) = slots.get_mut(count) else { break };
        if rest.first() == Some(&byte(Marker::F64)) && rest.len() >= 9 {
            continue;
        }
        // What is rare, and what stands near the end of the input.
        let Some((value, size)) = read_one::<RECORDS>(rest, options) else { break };
        *slot = value;
        rest = &rest[size..];
        count += 1;
        doubles += usize::from(value >> 48 != u64::from(slot::INT));
    }
    (Numbers { count, doubles: doubles != 0, ints: doubles != count }, input.len() - rest.len())
}

/// Doubles, as long as they go on. The result is how many.
#[inline(always)]
fn read_doubles(rest: &mut &[u8], slots: &mut [u64], doubles: &mut usize) -> usize {
    let mut count = 0;
    for slot in slots {
        let Some((&[lead, ref bytes @ ..], behind)) = rest.split_first_chunk::<9>() else { break };
        if lead != byte(Marker::F64) {
            break;
        }
        *slot = slot::double(f64::from_be_bytes(*bytes));
        *rest = behind;
        count += 1;
    }
    *doubles += count;
    count
}

/// Integers of 32 bits, as long as they go on and four bytes can be looked at. The result is how many.
#[inline(always)]
fn read_ints<const RECORDS: bool>(rest: &mut &[u8], slots: &mut [u64]) -> usize {
    let mut count = 0;
    for slot in slots {
        let Some(bytes) = rest.first_chunk() else { break };
        let Some((value, size)) = int32::<RECORDS>(*bytes) else { break };
        *slot = slot::int(value);
        *rest = &rest[size..];
        count += 1;
    }
    count
}

/// An integer of 32 bits at the start of these bytes, and its size.
#[inline(always)]
pub fn int32<const RECORDS: bool>([lead, a, b, c, d]: [u8; 5]) -> Option<(i32, usize)> {
    const FIXNEG: u8 = byte(Marker::FixNeg(-32));
    const U8: u8 = byte(Marker::U8);
    const U16: u8 = byte(Marker::U16);
    const U32: u8 = byte(Marker::U32);
    const I8: u8 = byte(Marker::I8);
    const I16: u8 = byte(Marker::I16);
    const I32: u8 = byte(Marker::I32);
    // From the least integer of one byte to the largest.
    let span = if RECORDS { MAX_INT } else { 0x7f }.wrapping_sub(FIXNEG);
    Some(match lead {
        lead if lead.wrapping_sub(FIXNEG) <= span => (i32::from(lead as i8), 1),
        U8 => (i32::from(a), 2),
        U16 => (i32::from(u16::from_be_bytes([a, b])), 3),
        I8 => (i32::from(a as i8), 2),
        I16 => (i32::from(i16::from_be_bytes([a, b])), 3),
        I32 => (i32::from_be_bytes([a, b, c, d]), 5),
        U32 if a < 0x80 => (i32::from_be_bytes([a, b, c, d]), 5),
        _ => return None,
    })
}

/// One number of any form, as a slot, and its size.
pub fn read_one<const RECORDS: bool>(input: &[u8], options: u32) -> Option<(u64, usize)> {
    let (&lead, rest) = input.split_first()?;
    Some(match Marker::from_u8(lead) {
        Marker::FixPos(value) if !RECORDS || value <= MAX_INT => (slot::int(i32::from(value)), 1),
        Marker::FixNeg(value) => (slot::int(i32::from(value)), 1),
        Marker::U8 => (slot::int(i32::from(*rest.first()?)), 2),
        Marker::U16 => (slot::int(i32::from(u16::from_be_bytes(*rest.first_chunk()?))), 3),
        Marker::U32 => {
            let value = u32::from_be_bytes(*rest.first_chunk()?);
            (i32::try_from(value).map_or(slot::double(f64::from(value)), slot::int), 5)
        }
        Marker::I8 => (slot::int(i32::from(i8::from_be_bytes(*rest.first_chunk()?))), 2),
        Marker::I16 => (slot::int(i32::from(i16::from_be_bytes(*rest.first_chunk()?))), 3),
        Marker::I32 => (slot::int(i32::from_be_bytes(*rest.first_chunk()?)), 5),
        Marker::F32 => (slot::double(float32(*rest.first_chunk()?, options)), 5),
        Marker::F64 => (slot::double(f64::from_be_bytes(*rest.first_chunk()?)), 9),
        _ => return None,
    })
}

/// Doubles up to here stand for one integer each, and msgpackr's `'auto'` includes the bound.
const EXACT: u64 = 1 << 53;

/// An integer of 64 bits with its sign, under the option bits.
#[inline(always)]
pub fn int64(bytes: [u8; 8], options: u32) -> Item {
    let value = i64::from_be_bytes(bytes);
    let number = options & INT64_AS_NUMBER != 0 || options & INT64_AUTO != 0 && value.unsigned_abs() <= EXACT;
    if number { whole(value as f64) } else { Item::Int64(value) }
}

/// The same without a sign.
#[inline(always)]
pub fn uint64(bytes: [u8; 8], options: u32) -> Item {
    let value = u64::from_be_bytes(bytes);
    let number = options & INT64_AS_NUMBER != 0 || options & INT64_AUTO != 0 && value <= EXACT;
    if number { whole(value as f64) } else { i64::try_from(value).map_or(Item::Uint64(value), Item::Int64) }
}

/// A whole number of up to 64 bits as the item that holds it.
fn whole(value: f64) -> Item {
    if f64::from(value as i32) == value { Item::Int(value as i32) } else { Item::Double(value) }
}

/// A number of up to 32 bits as the item that holds it.
#[inline(always)]
pub fn unsigned(value: usize) -> Item {
    i32::try_from(value).map_or(Item::Double(value as f64), Item::Int)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::buffer::{OutputBuffer, Position};
    use crate::format::Writer as _;
    use crate::format::msgpack::writer::Writer;
    use proptest::prelude::*;

    fn write(numbers: &[f64], options: u32) -> Vec<u8> {
        let mut writer = Writer::new(OutputBuffer::default(), options);
        let end = numbers.iter().fold(Position::START, |at, number| writer.number(at, *number));
        writer.output().message(end).to_vec()
    }

    fn value(slot: u64) -> f64 {
        if slot >> 48 == u64::from(slot::INT) { f64::from(slot as u32 as i32) } else { f64::from_bits(slot) }
    }

    #[test]
    fn stops_at_what_is_no_number_and_at_a_cut() {
        let mut slots = [0; 8];
        let (run, at) = read::<false>(&[1, 0xcc, 200, 0xff, 0xc0, 2], 0, &mut slots, 0);
        assert_eq!((run.count, at), (3, 4));
        assert_eq!(slots[..3], [slot::int(1), slot::int(200), slot::int(-1)]);
        for cut in [&[0xcd, 1][..], &[0xcb, 0, 0], &[0xca, 0], &[0xd2, 0, 0, 0], &[]] {
            assert_eq!(read::<false>(cut, 0, &mut slots, 0).0.count, 0);
        }
    }

    #[test]
    fn stops_at_the_id_of_a_record() {
        let mut slots = [0; 8];
        for near_the_end in [false, true] {
            let input = [&[0x3f, 0x40][..], &[1; 8][..if near_the_end { 0 } else { 8 }]].concat();
            assert_eq!(read::<true>(&input, 0, &mut slots, 0).1, 1);
            assert_eq!(read::<false>(&input, 0, &mut slots, 0).1, input.len().min(8));
        }
    }

    proptest! {
        #[test]
        fn reads_what_was_written(numbers in proptest::collection::vec(prop_oneof![
            any::<f64>(),
            any::<i32>().prop_map(f64::from),
            any::<u32>().prop_map(f64::from),
            (-200..70000).prop_map(f64::from),
        ], 0..60)) {
            let bytes = write(&numbers, 0);
            let mut slots = vec![0; numbers.len()];
            let (run, at) = read::<false>(&bytes, 0, &mut slots, 0);
            prop_assert_eq!((run.count, at), (numbers.len(), bytes.len()));
            for (slot, number) in slots.iter().zip(&numbers) {
                prop_assert!(value(*slot) == *number || number.is_nan() && value(*slot).is_nan());
            }
        }
    }
}
