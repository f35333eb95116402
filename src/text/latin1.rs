//! Latin-1 to UTF-8.

/// Encodes `bytes` into `room`, which has twice as many and 32 more; returns the bytes written.
pub fn encode_latin1(bytes: &[u8], room: &mut [u8]) -> usize {
    if bytes.is_ascii() {
        room[..bytes.len()].copy_from_slice(bytes);
        return bytes.len();
    }
    let mut at = 0;
    for byte in bytes {
        if *byte < 0x80 {
            room[at] = *byte;
            at += 1;
        } else {
            room[at..at + 2].copy_from_slice(&[0xc0 | byte >> 6, 0x80 | byte & 0x3f]);
            at += 2;
        }
    }
    at
}
