//! Text into an [`OutputBuffer`]: short ASCII in a step or two, anything else by the transcoders.

use super::arch::SLACK;
use super::latin1::encode_latin1;
use super::utf16::{PADDING, PaddedText, encode_padded, encode_utf16};
use crate::buffer::{OutputBuffer, Position};

const HIGH: u64 = 0x8080_8080_8080_8080;
const BLOCK: usize = PADDING;

/// Writes `text` as UTF-8; the result is the place behind.
#[inline(always)]
pub fn padded(text: PaddedText<'_>, out: &mut OutputBuffer<'_>, at: Position) -> Position {
    let length = text.len();
    // Units behind the text may be non-ASCII too: that only costs the general path.
    if length <= BLOCK {
        if let Some(bytes) = narrow(text.first_block()) {
            *out.slot::<BLOCK>(at) = bytes;
            return at.advance(length);
        }
    } else if length <= 2 * BLOCK
        && let (Some(first), Some(second)) = (narrow(text.first_block()), narrow(text.second_block()))
    {
        // 17 to 32 ASCII units take 4 ns like this, 15 by the general path.
        let slot = out.slot::<{ 2 * BLOCK }>(at);
        slot[..BLOCK].copy_from_slice(&first);
        slot[BLOCK..].copy_from_slice(&second);
        return at.advance(length);
    }
    long_padded(text, out, at)
}

#[inline(never)]
fn long_padded(text: PaddedText<'_>, out: &mut OutputBuffer<'_>, at: Position) -> Position {
    let size = encode_padded(text, out.room(at, text.len() * 3 + SLACK));
    at.advance(size)
}

/// Writes UTF-16 units as UTF-8; the result is the place behind.
#[inline(never)]
pub fn units(units: &[u16], out: &mut OutputBuffer<'_>, at: Position) -> Position {
    let size = encode_utf16(units, out.room(at, units.len() * 3 + SLACK));
    at.advance(size)
}

/// Writes Latin-1 characters as UTF-8; the result is the place behind.
#[inline(always)]
pub fn latin1(bytes: &[u8], out: &mut OutputBuffer<'_>, at: Position) -> Position {
    if let (Some(first), Some(last)) = (bytes.first_chunk::<8>(), bytes.last_chunk::<8>()) {
        // Two overlapping steps hold up to twice their size.
        if bytes.len() <= 16 {
            if (u64::from_le_bytes(*first) | u64::from_le_bytes(*last)) & HIGH == 0 {
                let slot = out.slot::<16>(at);
                let tail = bytes.len() - 8;
                slot[..8].copy_from_slice(first);
                slot[tail..tail + 8].copy_from_slice(last);
                return at.advance(bytes.len());
            }
        } else if let (Some(first), Some(last)) = (bytes.first_chunk::<16>(), bytes.last_chunk::<16>())
            && bytes.len() <= 32
            && (u128::from_le_bytes(*first) | u128::from_le_bytes(*last)) & HIGH_16 == 0
        {
            let slot = out.slot::<32>(at);
            let tail = bytes.len() - 16;
            slot[..16].copy_from_slice(first);
            slot[tail..tail + 16].copy_from_slice(last);
            return at.advance(bytes.len());
        }
    }
    long_latin1(bytes, out, at)
}

const HIGH_16: u128 = (HIGH as u128) << 64 | HIGH as u128;

#[inline(never)]
fn long_latin1(bytes: &[u8], out: &mut OutputBuffer<'_>, at: Position) -> Position {
    let size = encode_latin1(bytes, out.room(at, bytes.len() * 2 + SLACK));
    at.advance(size)
}

/// The units as bytes, if all are ASCII. Works on copies: told apart from the output, the loop
/// becomes a few vector instructions.
#[inline(always)]
fn narrow(block: &[u16; BLOCK]) -> Option<[u8; BLOCK]> {
    let units = *block;
    let union = units.iter().fold(0, |union, unit| union | unit);
    (union < 0x80).then(|| units.map(|unit| unit as u8))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn written(write: impl FnOnce(&mut OutputBuffer<'_>, Position) -> Position) -> Vec<u8> {
        let mut out = OutputBuffer::default();
        let start = out.push(Position::START, 7);
        let end = write(&mut out, start);
        out.message(end)[1..].to_vec()
    }

    fn write_padded(units: &[u16], behind: u16) -> Vec<u8> {
        let mut padded_units = units.to_vec();
        padded_units.resize(units.len() + PADDING, behind);
        written(|out, at| padded(PaddedText::new(&padded_units), out, at))
    }

    fn write_latin1(bytes: &[u8]) -> Vec<u8> {
        written(|out, at| latin1(bytes, out, at))
    }

    #[test]
    fn the_unit_behind_the_text_does_not_complete_a_pair() {
        assert_eq!(write_padded(&[0xd83d], 0xde00), "\u{fffd}".as_bytes());
    }

    #[test]
    fn every_length_around_the_blocks() {
        for length in 0..70 {
            let text: String = "abcdefghij".chars().cycle().take(length).collect();
            let mut units: Vec<u16> = text.encode_utf16().collect();
            let mut bytes = text.clone().into_bytes();
            assert_eq!(write_padded(&units, 0xe9), text.as_bytes());
            assert_eq!(write_latin1(&bytes), text.as_bytes());
            for at in 0..length {
                units[at] = 0x20ac;
                bytes[at] = 0xe9;
                assert_eq!(write_padded(&units, 0), String::from_utf16_lossy(&units).as_bytes());
                let expected: String = bytes.iter().map(|byte| char::from(*byte)).collect();
                assert_eq!(write_latin1(&bytes), expected.as_bytes());
                units[at] = u16::from(b'x');
                bytes[at] = b'x';
            }
        }
    }

    proptest! {
        #[test]
        fn units_equal_the_standard_library(units in proptest::collection::vec(prop_oneof![0u16..0x80, 0u16..0x900, 0xd700u16..0xe100], 0..80)) {
            prop_assert_eq!(write_padded(&units, 0), String::from_utf16_lossy(&units).into_bytes());
        }

        #[test]
        fn latin1_equals_char_by_char(bytes in proptest::collection::vec(any::<u8>(), 0..80)) {
            let expected: String = bytes.iter().map(|byte| char::from(*byte)).collect();
            prop_assert_eq!(write_latin1(&bytes), expected.into_bytes());
        }
    }
}
