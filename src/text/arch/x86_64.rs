//! Vector code for x86-64: asks what the processor can do, and holds all that is `unsafe` about it.

#[forbid(unsafe_code)]
mod avx2;
#[forbid(unsafe_code)]
mod ssse3;

use super::Variant;
use std::arch::x86_64::{
    __m128i, __m256i, _mm_loadu_si128, _mm_storeu_si128, _mm256_loadu_si256, _mm256_storeu_si256,
};
use std::sync::atomic::{AtomicU8, Ordering};

/// Texts below this are not worth the wide vectors: 20 to 31 Russian units take 14 ns by `ssse3` and 15
/// by `avx2`, 64 to 95 take 29 and 26.
const LONG: usize = 64;

const UNKNOWN: u8 = 0;
const NEITHER: u8 = 1;
const SSSE3: u8 = 2;
const AVX2: u8 = 3;

/// What the processor can do. The standard library remembers it too, but asking for two features there
/// takes 1.6 ns more, an eighth of the time for a short text.
fn level() -> u8 {
    static LEVEL: AtomicU8 = AtomicU8::new(UNKNOWN);

    #[cold]
    fn detect() -> u8 {
        let level = match (is_x86_feature_detected!("popcnt"), is_x86_feature_detected!("ssse3")) {
            (true, true) if is_x86_feature_detected!("avx2") => AVX2,
            (true, true) => SSSE3,
            _ => NEITHER,
        };
        LEVEL.store(level, Ordering::Relaxed);
        level
    }

    match LEVEL.load(Ordering::Relaxed) {
        UNKNOWN => detect(),
        level => level,
    }
}

/// As [`super::latin1`], if the processor is of use.
#[inline]
pub fn latin1(bytes: &[u8], room: &mut [u8]) -> Option<usize> {
    match level() {
        // SAFETY: the processor has AVX2, SSSE3 and POPCNT.
        AVX2 if bytes.len() >= LONG => Some(unsafe { avx2::latin1(bytes, room) }),
        // SAFETY: the processor has SSSE3 and POPCNT.
        SSSE3 | AVX2 => Some(unsafe { ssse3::latin1(bytes, room) }),
        _ => None,
    }
}

/// As [`super::utf16`], if the processor is of use.
#[inline]
pub fn utf16(readable: &[u16], length: usize, room: &mut [u8]) -> Option<usize> {
    match level() {
        // SAFETY: the processor has AVX2, SSSE3 and POPCNT.
        AVX2 if length >= LONG => Some(unsafe { avx2::utf16(readable, length, room) }),
        // SAFETY: the processor has SSSE3 and POPCNT.
        SSSE3 | AVX2 => Some(unsafe { ssse3::utf16(readable, length, room) }),
        _ => None,
    }
}

/// As [`super::variants`].
pub fn variants() -> impl Iterator<Item = Variant> {
    let ssse3 = Variant {
        name: "SSSE3",
        latin1: |bytes, room| {
            assert!(level() >= SSSE3);
            // SAFETY: the processor has SSSE3 and POPCNT.
            unsafe { ssse3::latin1(bytes, room) }
        },
        utf16: |readable, length, room| {
            assert!(level() >= SSSE3);
            // SAFETY: the processor has SSSE3 and POPCNT.
            unsafe { ssse3::utf16(readable, length, room) }
        },
    };
    let avx2 = Variant {
        name: "AVX2",
        latin1: |bytes, room| {
            assert!(level() >= AVX2);
            // SAFETY: the processor has AVX2, SSSE3 and POPCNT.
            unsafe { avx2::latin1(bytes, room) }
        },
        utf16: |readable, length, room| {
            assert!(level() >= AVX2);
            // SAFETY: the processor has AVX2, SSSE3 and POPCNT.
            unsafe { avx2::utf16(readable, length, room) }
        },
    };
    let all = [(SSSE3, ssse3), (AVX2, avx2)];
    all.into_iter().filter(|(needed, _)| level() >= *needed).map(|(_, variant)| variant)
}

#[inline(always)]
fn load(units: &[u16; 8]) -> __m128i {
    // SAFETY: a reference to 16 bytes; the load needs no alignment.
    unsafe { _mm_loadu_si128(units.as_ptr().cast()) }
}

#[inline(always)]
fn load_bytes(bytes: &[u8; 16]) -> __m128i {
    // SAFETY: a reference to 16 bytes; the load needs no alignment.
    unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) }
}

#[inline(always)]
fn store(bytes: &mut [u8; 16], vector: __m128i) {
    // SAFETY: an exclusive reference to 16 bytes; the store needs no alignment.
    unsafe { _mm_storeu_si128(bytes.as_mut_ptr().cast(), vector) }
}

#[target_feature(enable = "avx2")]
#[inline]
fn load_wide(units: &[u16; 16]) -> __m256i {
    // SAFETY: a reference to 32 bytes; the load needs no alignment.
    unsafe { _mm256_loadu_si256(units.as_ptr().cast()) }
}

#[target_feature(enable = "avx2")]
#[inline]
fn load_wide_bytes(bytes: &[u8; 32]) -> __m256i {
    // SAFETY: a reference to 32 bytes; the load needs no alignment.
    unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) }
}

#[target_feature(enable = "avx2")]
#[inline]
fn store_wide(bytes: &mut [u8; 32], vector: __m256i) {
    // SAFETY: an exclusive reference to 32 bytes; the store needs no alignment.
    unsafe { _mm256_storeu_si256(bytes.as_mut_ptr().cast(), vector) }
}
