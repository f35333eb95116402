//! The forms of numbers: the smallest that holds a whole number of 32 bits, and a 64-bit float for others.
//!
//! In long arrays what is told by a few bits comes first: on 1,000 fractions 2.3 µs instead of 4.0. Finding
//! the form of an integer by a table instead of branches was slower, even where widths change all the time
//! (5.3 µs instead of 4.7).

use super::marker::{FIXNEG_MIN, Marker, byte};

/// Bytes that a number takes at most.
pub const SIZE: usize = 9;
/// Bytes that an integer takes at most.
pub const INT_SIZE: usize = 5;

/// Bits of a double that are zero in every whole number below 2^32.
const LOW_BITS: u64 = (1 << (52 - 31)) - 1;

/// Writes an integer to `slot` and returns how many bytes it takes; none if it is not within 32 bits, with
/// or without a sign.
#[inline(always)]
#[must_use]
pub fn write_int(value: i64, fixpos_max: i32, slot: &mut [u8; INT_SIZE]) -> Option<usize> {
    let [a, b, c, d] = (value as u32).to_be_bytes();
    if value >= 0 {
        if value <= i64::from(fixpos_max) {
            slot[0] = byte(Marker::FixPos(d));
            Some(1)
        } else if value <= 0xff {
            slot[..2].copy_from_slice(&[byte(Marker::U8), d]);
            Some(2)
        } else if value <= 0xffff {
            slot[..3].copy_from_slice(&[byte(Marker::U16), c, d]);
            Some(3)
        } else if value <= 0xffff_ffff {
            *slot = [byte(Marker::U32), a, b, c, d];
            Some(5)
        } else {
            None
        }
    } else if value >= i64::from(FIXNEG_MIN) {
        slot[0] = byte(Marker::FixNeg(d as i8));
        Some(1)
    } else if value >= i64::from(i8::MIN) {
        slot[..2].copy_from_slice(&[byte(Marker::I8), d]);
        Some(2)
    } else if value >= i64::from(i16::MIN) {
        slot[..3].copy_from_slice(&[byte(Marker::I16), c, d]);
        Some(3)
    } else if value >= i64::from(i32::MIN) {
        *slot = [byte(Marker::I32), a, b, c, d];
        Some(5)
    } else {
        None
    }
}

/// Whether a number, by its bits, may take less than a float. Most fractions are told by this alone.
#[inline(always)]
#[must_use]
pub fn may_be_short(bits: u64) -> bool {
    bits & LOW_BITS == 0
}

/// Whether a number, by its bits, is NaN.
#[inline(always)]
#[must_use]
pub fn is_nan(bits: u64) -> bool {
    bits << 1 > f64::INFINITY.to_bits() << 1
}

/// Writes a number, by its bits, as a float of 64 bits; a NaN with one pattern.
#[inline(always)]
pub fn write_float(bits: u64, slot: &mut [u8; SIZE]) {
    let bits = if is_nan(bits) { 0x7ff8_0000_0000_0000 } else { bits };
    slot[0] = byte(Marker::F64);
    slot[1..].copy_from_slice(&bits.to_be_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_boundary() {
        let size = |value| write_int(value, 127, &mut [0; INT_SIZE]);
        for (value, expected) in [
            (0, 1),
            (127, 1),
            (128, 2),
            (255, 2),
            (256, 3),
            (65_535, 3),
            (65_536, 5),
            (4_294_967_295, 5),
            (-1, 1),
            (-32, 1),
            (-33, 2),
            (-128, 2),
            (-129, 3),
            (-32_768, 3),
            (-32_769, 5),
            (-2_147_483_648, 5),
        ] {
            assert_eq!(size(value), Some(expected), "{value}");
        }
        assert_eq!(size(4_294_967_296), None);
        assert_eq!(size(-2_147_483_649), None);
        assert_eq!(write_int(64, 63, &mut [0; INT_SIZE]), Some(2));
    }

    #[test]
    fn whole_numbers_may_be_short() {
        for exponent in 0..32 {
            for offset in -3..=3 {
                let value = 2_f64.powi(exponent) + f64::from(offset);
                assert!(may_be_short(value.to_bits()) && may_be_short((-value).to_bits()), "{value}");
            }
        }
        assert!(!may_be_short(0.1_f64.to_bits()));
        assert!(is_nan(f64::NAN.to_bits()) && is_nan((-f64::NAN).to_bits()));
        assert!(!is_nan(f64::INFINITY.to_bits()) && !is_nan(f64::NEG_INFINITY.to_bits()));
    }
}
