//! Headers of strings, by the bytes of their text.

use super::marker::{FIXSTR_MAX, Marker, byte};

/// How many bytes a text of UTF-16 may take: as if all of it was like its first unit.
#[inline(always)]
#[must_use]
pub fn guess_length(units: &[u16]) -> usize {
    match units.first() {
        Some(0x800..) => units.len() * 3,
        Some(0x80..) => units.len() * 2,
        _ => units.len(),
    }
}

/// Header of a string of `length` bytes, at the start of a slot of five.
#[inline(always)]
#[must_use]
pub fn string_header(length: usize) -> ([u8; 5], usize) {
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
