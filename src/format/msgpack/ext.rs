//! Extension types with a meaning of their own: the timestamp of the MessagePack specification and
//! the codes that msgpackr uses.

/// undefined, in any form and with any data.
pub const UNDEFINED: u8 = 0x00;
/// String bundle: the offset of its strings is the data.
pub const BUNDLE: u8 = 0x62;
/// Error: followed by an array of name, message, cause.
pub const ERROR: u8 = 0x65;
/// Target of references, whose id is the data; followed by the value.
pub const TARGET: u8 = 0x69;
/// Reference to the target whose id is the data.
pub const REFERENCE: u8 = 0x70;
/// Definition of a record: its id is the data, and an array of keys and the values of a first instance follow.
pub const RECORD: u8 = 0x72;
/// Set: followed by an array.
pub const SET: u8 = 0x73;
/// Typed array, DataView or ArrayBuffer: a code for the class, then the memory.
pub const TYPED_ARRAY: u8 = 0x74;
/// RegExp: followed by an array of source and flags.
pub const REGEXP: u8 = 0x78;
/// Timestamp, type -1.
pub const TIMESTAMP: u8 = 0xff;

/// Milliseconds of a timestamp's payload; NaN, an invalid date, for a length that has no meaning.
///
/// Digits below the millisecond stay as a fraction, which JavaScript's `Date` cuts off.
#[must_use]
pub fn timestamp(payload: &[u8]) -> f64 {
    if let Ok(seconds) = <[u8; 4]>::try_from(payload) {
        return f64::from(u32::from_be_bytes(seconds)) * 1e3;
    }
    if let Ok(both) = <[u8; 8]>::try_from(payload) {
        let both = u64::from_be_bytes(both);
        let nanoseconds = (both >> 34) as f64;
        let seconds = (both & 0x3_ffff_ffff) as f64;
        return nanoseconds / 1e6 + seconds * 1e3;
    }
    if let [a, b, c, d, seconds @ ..] = payload
        && let Ok(seconds) = <[u8; 8]>::try_from(seconds)
    {
        // Signed, as msgpackr reads it; a sound value is below 10^9.
        let nanoseconds = f64::from(i32::from_be_bytes([*a, *b, *c, *d]));
        // Only the sign and the low 48 bits count, as msgpackr reads it; dates end far below that.
        let seconds = i64::from_be_bytes(seconds);
        let low = seconds & 0xffff_ffff_ffff;
        let seconds = if seconds < 0 { low - 0x1_0000_0000_0000 } else { low };
        return nanoseconds / 1e6 + seconds as f64 * 1e3;
    }
    f64::NAN
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms() {
        assert_eq!(timestamp(&[0xff; 4]), 4_294_967_295_000.0);
        assert_eq!(timestamp(&[0xee, 0x6b, 0x27, 0xfc, 0, 0, 0, 1]).trunc(), 1999.0);
        assert_eq!(timestamp(&[0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]), -1000.0);
        assert!(timestamp(&[]).is_nan());
        assert!(timestamp(&[0; 16]).is_nan());
    }
}
