//! Lead bytes: rmp's [`Marker`] is the one place that names them.

pub use rmp::Marker;

/// The lead byte of a marker.
#[inline(always)]
#[must_use]
pub const fn byte(marker: Marker) -> u8 {
    marker.to_u8()
}

/// Most bytes of a string with the one-byte header.
pub const FIXSTR_MAX: usize = 31;
/// Most elements of an array with the one-byte header.
pub const FIXARRAY_MAX: usize = 15;
/// Most pairs of a map with the one-byte header.
pub const FIXMAP_MAX: usize = 15;
/// Most negative integer of one byte.
pub const FIXNEG_MIN: i32 = -32;
/// Largest positive integer of one byte where record ids take the upper half of the range.
pub const FIXPOS_MAX_WITH_RECORDS: i32 = 63;
/// Largest positive integer of one byte.
pub const FIXPOS_MAX: i32 = 127;
