//! The inner loops of encoding, one set for each kind of processor.
//!
//! The sets differ in speed only. Each function writes UTF-8 to the start of `room` and returns its size;
//! what lies behind, up to [`SLACK`] bytes more than the text can need, may be overwritten as well. All
//! memory is reached through slices, so too little room is a panic at worst.

mod scalar;
#[cfg(target_arch = "x86_64")]
mod tables;
#[cfg(test)]
mod tests;
#[cfg(target_arch = "x86_64")]
#[expect(unsafe_code, reason = "vectors are loaded and stored through pointers")]
mod x86_64;

/// Bytes of room that are needed behind the longest possible result.
pub const SLACK: usize = 32;

/// From Latin-1. The room is two bytes each and [`SLACK`].
pub type FromLatin1 = fn(bytes: &[u8], room: &mut [u8]) -> usize;
/// From UTF-16: the first `length` of the units that may be read; U+FFFD for every lone surrogate. The
/// room is three bytes each and [`SLACK`].
pub type FromUtf16 = fn(readable: &[u16], length: usize, room: &mut [u8]) -> usize;

/// The functions for one kind of processor.
pub struct Variant {
    /// The instruction set.
    pub name: &'static str,
    /// Latin-1 to UTF-8.
    pub latin1: FromLatin1,
    /// UTF-16 to UTF-8.
    pub utf16: FromUtf16,
}

const SCALAR: Variant = Variant { name: "scalar", latin1: scalar::latin1, utf16: scalar::utf16 };

/// Those that this processor can run, for tests and timing.
#[must_use]
pub fn variants() -> Vec<Variant> {
    #[cfg(target_arch = "x86_64")]
    return std::iter::once(SCALAR).chain(x86_64::variants()).collect();
    #[cfg(not(target_arch = "x86_64"))]
    vec![SCALAR]
}

/// The best [`FromLatin1`].
#[inline]
#[must_use]
pub fn latin1(bytes: &[u8], room: &mut [u8]) -> usize {
    #[cfg(target_arch = "x86_64")]
    if let Some(size) = x86_64::latin1(bytes, room) {
        return size;
    }
    scalar::latin1(bytes, room)
}

/// The best [`FromUtf16`].
#[inline]
#[must_use]
pub fn utf16(readable: &[u16], length: usize, room: &mut [u8]) -> usize {
    #[cfg(target_arch = "x86_64")]
    if let Some(size) = x86_64::utf16(readable, length, room) {
        return size;
    }
    scalar::utf16(readable, length, room)
}
