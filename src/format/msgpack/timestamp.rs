//! Writes the timestamps of the MessagePack specification, in the shortest of their three forms.

use super::ext;
use super::marker::{Marker, byte};
use crate::buffer::SLACK;

/// Seconds that the form of 64 bits holds.
const SECONDS_OF_34_BITS: f64 = 17_179_869_184.0;
const SECONDS_OF_32_BITS: f64 = 4_294_967_296.0;

/// Writes a date of so many milliseconds since 1970, NaN if invalid, to the start of `slot`: the result is its
/// size. With `whole_seconds`, milliseconds are dropped where seconds fit 32 bits.
pub fn write_timestamp(milliseconds: f64, whole_seconds: bool, slot: &mut [u8; SLACK]) -> usize {
    if milliseconds.is_nan() {
        slot[..3].copy_from_slice(&[byte(Marker::FixExt1), ext::TIMESTAMP, 0xff]);
        return 3;
    }
    let whole = milliseconds as i64;
    if whole as f64 == milliseconds && (0..1 << 42).contains(&whole) {
        // The usual case, without the slow steps of floating-point arithmetic.
        let (seconds, rest) = (whole as u64 / 1000, whole as u64 % 1000);
        if (rest == 0 || whole_seconds)
            && let Ok(seconds) = u32::try_from(seconds)
        {
            return with_32_bits(seconds, slot);
        }
        return with_64_bits((rest * 1_000_000) << 34 | seconds, slot);
    }
    let seconds = (milliseconds / 1e3).floor();
    let nanoseconds = ((milliseconds - seconds * 1e3) * 1e6) as u32;
    if (nanoseconds == 0 || whole_seconds) && (0.0..SECONDS_OF_32_BITS).contains(&seconds) {
        with_32_bits(seconds as u32, slot)
    } else if milliseconds > 0.0 && seconds < SECONDS_OF_34_BITS {
        with_64_bits(u64::from(nanoseconds) << 34 | seconds as u64, slot)
    } else {
        slot[..3].copy_from_slice(&[byte(Marker::Ext8), 12, ext::TIMESTAMP]);
        slot[3..7].copy_from_slice(&nanoseconds.to_be_bytes());
        slot[7..15].copy_from_slice(&(seconds as i64).to_be_bytes());
        15
    }
}

fn with_32_bits(seconds: u32, slot: &mut [u8; SLACK]) -> usize {
    slot[..2].copy_from_slice(&[byte(Marker::FixExt4), ext::TIMESTAMP]);
    slot[2..6].copy_from_slice(&seconds.to_be_bytes());
    6
}

fn with_64_bits(value: u64, slot: &mut [u8; SLACK]) -> usize {
    slot[..2].copy_from_slice(&[byte(Marker::FixExt8), ext::TIMESTAMP]);
    slot[2..10].copy_from_slice(&value.to_be_bytes());
    10
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(milliseconds: f64, whole_seconds: bool) -> Vec<u8> {
        let mut slot = [0; SLACK];
        let size = write_timestamp(milliseconds, whole_seconds, &mut slot);
        slot[..size].to_vec()
    }

    #[test]
    fn forms() {
        assert_eq!(written(0.0, false), [0xd6, 0xff, 0, 0, 0, 0]);
        assert_eq!(written(1.0, false), [0xd7, 0xff, 0, 0x3d, 9, 0, 0, 0, 0, 0]);
        assert_eq!(written(f64::NAN, false), [0xd4, 0xff, 0xff]);
        let before = [&[0xc7, 12, 0xff, 0x3b, 0x8b, 0x87, 0xc0][..], &[0xff; 8]].concat();
        assert_eq!(written(-1.0, false), before);
    }

    #[test]
    fn whole_seconds() {
        assert_eq!(written(1999.0, true), [0xd6, 0xff, 0, 0, 0, 1]);
        assert_eq!(written(4_294_967_296_001.0, true)[..2], [0xd7, 0xff]);
        assert_eq!(written(-1.0, true), written(-1.0, false));
    }
}
