//! Lists of keys that are made anew: each header is the smallest.

use super::marker::{Marker, byte};

/// Longest text of a key in a string with its length in the lead byte.
const MAX_FIXSTR: usize = 31;

/// Appends the header of an array.
pub fn put_list(to: &mut Vec<u8>, count: usize) {
    match count {
        0..16 => to.push(byte(Marker::FixArray(count as u8))),
        16..0x1_0000 => {
            to.push(byte(Marker::Array16));
            to.extend((count as u16).to_be_bytes());
        }
        _ => {
            to.push(byte(Marker::Array32));
            to.extend((count as u32).to_be_bytes());
        }
    }
}

/// Appends a key: a string, or of what is no text the UTF-16 units as binary, in which no message can have one.
pub fn put_key(to: &mut Vec<u8>, text: Result<&str, &[u16]>) {
    match text {
        Ok(text) => {
            let length = text.len();
            if length <= MAX_FIXSTR {
                to.push(byte(Marker::FixStr(length as u8)));
            } else {
                put_length(to, length, [Marker::Str8, Marker::Str16, Marker::Str32]);
            }
            to.extend_from_slice(text.as_bytes());
        }
        Err(units) => {
            put_length(to, units.len() * 2, [Marker::Bin8, Marker::Bin16, Marker::Bin32]);
            to.extend(units.iter().flat_map(|unit| unit.to_le_bytes()));
        }
    }
}

fn put_length(to: &mut Vec<u8>, length: usize, [short, medium, long]: [Marker; 3]) {
    if let Ok(length) = u8::try_from(length) {
        to.extend([byte(short), length]);
    } else if let Ok(length) = u16::try_from(length) {
        to.push(byte(medium));
        to.extend(length.to_be_bytes());
    } else {
        to.push(byte(long));
        to.extend((length as u32).to_be_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_the_smallest() {
        let list = |count| {
            let mut bytes = Vec::new();
            put_list(&mut bytes, count);
            bytes
        };
        assert_eq!(list(15), [0x9f]);
        assert_eq!(list(16), [0xdc, 0, 16]);
        assert_eq!(list(0x1_0000), [0xdd, 0, 1, 0, 0]);
        let key = |text: Result<&str, &[u16]>| {
            let mut bytes = Vec::new();
            put_key(&mut bytes, text);
            bytes
        };
        assert_eq!(key(Ok("é")), [0xa2, 0xc3, 0xa9]);
        assert_eq!(key(Ok(&"a".repeat(32)))[..3], [0xd9, 32, b'a']);
        assert_eq!(key(Ok(&"a".repeat(300)))[..4], [0xda, 1, 44, b'a']);
        assert_eq!(key(Err(&[0xd83d, 0x61])), [0xc4, 4, 0x3d, 0xd8, 0x61, 0]);
    }
}
