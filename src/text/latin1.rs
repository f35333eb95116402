//! Latin-1 to UTF-8.

use super::arch::{self, SLACK};

/// Encodes `bytes` as UTF-8 to the start of `room` and returns the size.
///
/// # Panics
/// If the room is less than two bytes each and [`SLACK`]. All of that may be overwritten.
#[inline]
#[must_use]
pub fn encode_latin1(bytes: &[u8], room: &mut [u8]) -> usize {
    assert!(room.len() >= 2 * bytes.len() + SLACK, "no room");
    arch::latin1(bytes, room)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_take_two_bytes() {
        let mut room = [0; 8 + SLACK];
        let size = encode_latin1(b"a\xe9\x80\xff", &mut room);
        assert_eq!(&room[..size], "a\u{e9}\u{80}\u{ff}".as_bytes());
        assert_eq!(encode_latin1(b"", &mut room), 0);
    }

    #[test]
    #[should_panic = "no room"]
    fn room_is_checked() {
        let _ = encode_latin1(b"ab", &mut [0; 3 + SLACK]);
    }
}
