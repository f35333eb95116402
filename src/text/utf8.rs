//! UTF-8 from the wire: is it ASCII, and if not, its UTF-16.
//!
//! Broken sequences become U+FFFD as the Encoding Standard's decoder does it: one for each longest
//! prefix of a valid sequence. A leading U+FEFF is content and stays.

/// Whether all bytes are below 0x80.
#[inline(always)]
#[must_use]
pub fn is_ascii(bytes: &[u8]) -> bool {
    const HIGH: u64 = 0x8080_8080_8080_8080;
    const HIGH_OF_16: u128 = (HIGH as u128) << 64 | HIGH as u128;
    let length = bytes.len();
    // Strings of a message are mostly short: two overlapping loads decide up to 32 bytes.
    match (bytes.first_chunk::<8>(), bytes.last_chunk::<8>()) {
        (Some(first), Some(last)) if length <= 16 => {
            (u64::from_le_bytes(*first) | u64::from_le_bytes(*last)) & HIGH == 0
        }
        (Some(_), Some(_)) => match (bytes.first_chunk::<16>(), bytes.last_chunk::<16>()) {
            (Some(first), Some(last)) if length <= 32 => {
                (u128::from_le_bytes(*first) | u128::from_le_bytes(*last)) & HIGH_OF_16 == 0
            }
            _ => bytes.is_ascii(),
        },
        _ => match (bytes.first_chunk::<4>(), bytes.last_chunk::<4>()) {
            (Some(first), Some(last)) => {
                (u32::from_le_bytes(*first) | u32::from_le_bytes(*last)) & HIGH as u32 == 0
            }
            _ => bytes.iter().all(u8::is_ascii),
        },
    }
}

/// Appends the text to `units`; the result is the number of units.
pub fn append_utf16(bytes: &[u8], units: &mut Vec<u16>) -> usize {
    let before = units.len();
    // A unit needs at least one byte.
    units.reserve(bytes.len());
    let mut rest = bytes;
    while !rest.is_empty() {
        rest = append_valid(rest, units);
        if let Some(chunk) = rest.utf8_chunks().next() {
            // The first sequence is broken or at the end: let the standard library judge it.
            units.extend(chunk.valid().encode_utf16());
            if !chunk.invalid().is_empty() {
                units.push(0xfffd);
            }
            rest = &rest[chunk.valid().len() + chunk.invalid().len()..];
        }
    }
    units.len() - before
}

/// Decodes well-formed sequences; stops before the first that is not and returns the rest.
fn append_valid<'a>(bytes: &'a [u8], units: &mut Vec<u16>) -> &'a [u8] {
    let mut rest = bytes;
    loop {
        match *rest {
            [a, ..] if a < 0x80 => {
                if let Some(block) = rest.first_chunk::<8>()
                    && u64::from_le_bytes(*block) & 0x8080_8080_8080_8080 == 0
                {
                    units.extend(block.map(u16::from));
                    rest = &rest[8..];
                } else {
                    units.push(u16::from(a));
                    rest = &rest[1..];
                }
            }
            [a @ 0xc2..=0xdf, b, ..] if b & 0xc0 == 0x80 => {
                units.push(u16::from(a & 0x1f) << 6 | u16::from(b & 0x3f));
                rest = &rest[2..];
            }
            [a @ 0xe0..=0xef, b, c, ..] if b & 0xc0 == 0x80 && c & 0xc0 == 0x80 => {
                let unit = u16::from(a & 0xf) << 12 | u16::from(b & 0x3f) << 6 | u16::from(c & 0x3f);
                if unit < 0x800 || unit & 0xf800 == 0xd800 {
                    return rest;
                }
                units.push(unit);
                rest = &rest[3..];
            }
            [a @ 0xf0..=0xf4, b, c, d, ..] if b & 0xc0 == 0x80 && c & 0xc0 == 0x80 && d & 0xc0 == 0x80 => {
                let point = u32::from(a & 7) << 18
                    | u32::from(b & 0x3f) << 12
                    | u32::from(c & 0x3f) << 6
                    | u32::from(d & 0x3f);
                if !(0x1_0000..0x11_0000).contains(&point) {
                    return rest;
                }
                let pair = point - 0x1_0000;
                units.push(0xd800 | (pair >> 10) as u16);
                units.push(0xdc00 | (pair & 0x3ff) as u16);
                rest = &rest[4..];
            }
            _ => return rest,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn ours(bytes: &[u8]) -> Vec<u16> {
        let mut units = vec![7];
        let count = append_utf16(bytes, &mut units);
        assert_eq!(count, units.len() - 1);
        units.split_off(1)
    }

    fn oracle(bytes: &[u8]) -> Vec<u16> {
        String::from_utf8_lossy(bytes).encode_utf16().collect()
    }

    #[test]
    fn broken_sequences() {
        for bytes in [
            &b"\xc3\x28"[..],
            b"\xe2\x80\x28",
            b"\xf0\x28\x8c\xbc",
            b"\xff",
            b"\xc0\xaf",
            b"\x80",
            b"\xe2\x81",
            b"\xf0\x9f\x98",
            b"\xed\xa0\x80",
            b"\xf4\x90\x80\x80",
        ] {
            assert_eq!(ours(bytes), oracle(bytes), "{bytes:x?}");
        }
        assert_eq!(ours(b"\xc0\xaf"), [0xfffd, 0xfffd]);
        assert_eq!(ours("\u{feff}a".as_bytes()), [0xfeff, 0x61]);
    }

    #[test]
    fn ascii_at_every_length_and_place() {
        for length in 0..40 {
            let mut bytes = vec![b'x'; length];
            assert!(is_ascii(&bytes));
            for at in 0..length {
                bytes[at] = 0x80;
                assert!(!is_ascii(&bytes));
                bytes[at] = b'x';
            }
        }
    }

    proptest! {
        #[test]
        fn equals_the_standard_library(bytes in proptest::collection::vec(prop_oneof![0u8..0x80, 0x80u8..=0xff], 0..60)) {
            prop_assert_eq!(ours(&bytes), oracle(&bytes));
        }

        #[test]
        fn valid_text(text in ".{0,40}") {
            prop_assert_eq!(ours(text.as_bytes()), text.encode_utf16().collect::<Vec<_>>());
        }
    }
}
