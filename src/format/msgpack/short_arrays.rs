//! Arrays of one to three elements, in arrays: coordinates above all.

use super::marker::{Marker, byte};
use super::numbers::{int32, read_one};
use crate::format::Numbers;
use crate::tape::slot;

/// How many elements there are in an array of one to three that begins with this byte; 0 if none does.
#[inline(always)]
pub fn length(lead: u8) -> usize {
    match Marker::from_u8(lead) {
        Marker::FixArray(length @ 1..=3) => usize::from(length),
        _ => 0,
    }
}

/// How many arrays of one element follow, each the element of the one before.
pub fn nested(rest: &[u8]) -> usize {
    rest.iter().take_while(|lead| **lead == byte(Marker::FixArray(1))).count()
}

/// Reads arrays of `size` numbers each, as [`read`] does.
pub fn tuples(
    input: &[u8],
    at: usize,
    size: usize,
    slots: &mut [u64],
    options: u32,
    has_records: bool,
) -> Option<(Numbers, usize)> {
    let read = if has_records { read::<true> } else { read::<false> };
    read(input, at, size, slots, options)
}

/// Reads arrays of `size` numbers each from `at` on, one behind the other, as many as fill the slots. Also where
/// they end; None if there is anything else among them.
#[inline(never)]
fn read<const RECORDS: bool>(
    input: &[u8],
    at: usize,
    size: usize,
    slots: &mut [u64],
    options: u32,
) -> Option<(Numbers, usize)> {
    let head = byte(Marker::FixArray(size as u8));
    let mut rest = input.get(at..)?;
    let (mut ints, mut doubles) = (false, false);
    for tuple in slots.chunks_exact_mut(size) {
        let (lead, behind) = rest.split_first()?;
        if *lead != head {
            return None;
        }
        rest = behind;
        for slot in tuple {
            if let Some((value, size)) = rest.first_chunk().and_then(|bytes| int32::<RECORDS>(*bytes)) {
                *slot = slot::int(value);
                rest = &rest[size..];
                ints = true;
                continue;
            }
            let (value, size) = match rest.split_first_chunk::<9>() {
                Some((&[lead, ref bytes @ ..], _)) if lead == byte(Marker::F64) => {
                    (slot::double(f64::from_be_bytes(*bytes)), 9)
                }
                _ => read_one::<RECORDS>(rest, options)?,
            };
            *slot = value;
            rest = &rest[size..];
            let is_int = value >> 48 == u64::from(slot::INT);
            ints |= is_int;
            doubles |= !is_int;
        }
    }
    Some((Numbers { count: slots.len(), doubles, ints }, input.len() - rest.len()))
}
