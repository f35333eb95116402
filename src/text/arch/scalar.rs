//! The inner loops in plain Rust: for processors without a file of their own, for what the vector code
//! leaves over, and as its counterpart in tests.

use super::SLACK;

/// As [`super::FromLatin1`].
pub fn latin1(bytes: &[u8], room: &mut [u8]) -> usize {
    const HIGH: u64 = 0x8080_8080_8080_8080;
    let size = room.len();
    let (mut text, mut room) = (bytes, room);
    while let Some((block, after)) = text.split_first_chunk::<8>() {
        *start(room) = *block;
        let high = u64::from_le_bytes(*block) & HIGH;
        if high == 0 {
            (text, room) = (after, &mut room[8..]);
            continue;
        }
        // What was stored is right up to the first letter.
        let ascii = high.trailing_zeros() as usize / 8;
        let letter = block[ascii];
        *start(&mut room[ascii..]) = [0xc0 | letter >> 6, letter & 0xbf];
        (text, room) = (&text[ascii + 1..], &mut room[ascii + 2..]);
    }
    let mut at = 0;
    for &byte in text {
        let more = usize::from(byte >> 7);
        room[at] = 0xc0 | byte >> 6;
        room[at + more] = byte & !((more as u8) << 6);
        at += more + 1;
    }
    size - room.len() + at
}

/// As [`super::FromUtf16`].
pub fn utf16(readable: &[u16], length: usize, room: &mut [u8]) -> usize {
    let size = room.len();
    let (mut text, mut room) = (&readable[..length], room);
    while let Some((block, after)) = text.split_first_chunk::<8>() {
        let units = *block;
        let union = units.iter().fold(0, |union, unit| union | unit);
        if union < 0x80 {
            *start(room) = units.map(|unit| unit as u8);
            (text, room) = (after, &mut room[8..]);
            let count = ascii(text, room);
            (text, room) = (&text[count..], &mut room[count..]);
        } else if union < 0x800 {
            // Letters and spaces alternate too irregularly to be predicted: 5,500 Russian units take
            // 6,300 ns like this and 19,000 one by one; without a branch for three bytes either, 12,000.
            let written = one_or_two(&units, start(room));
            (text, room) = (after, &mut room[written..]);
        } else {
            let (read, written) = first(text, 8, room);
            (text, room) = (&text[read..], &mut room[written..]);
        }
    }
    let (_, written) = first(text, text.len(), room);
    size - room.len() + written
}

#[inline(always)]
fn start<const N: usize>(room: &mut [u8]) -> &mut [u8; N] {
    room.first_chunk_mut().expect("room")
}

/// The units as bytes, if all are ASCII. Works on copies: told apart from the output, the loop becomes a
/// few vector instructions.
#[inline(always)]
fn narrow(block: &[u16; 16]) -> Option<[u8; 16]> {
    let units = *block;
    let union = units.iter().fold(0, |union, unit| union | unit);
    (union < 0x80).then(|| units.map(|unit| unit as u8))
}

/// Copies sixteen units at a time while all are ASCII. Inlined, its test is merged with that of the caller,
/// and neither becomes vector code: 4,500 units then take 870 ns instead of 410.
#[inline(never)]
fn ascii(text: &[u16], room: &mut [u8]) -> usize {
    let mut count = 0;
    for (units, bytes) in text.as_chunks::<16>().0.iter().zip(room.as_chunks_mut::<16>().0) {
        let Some(ascii) = narrow(units) else { break };
        *bytes = ascii;
        count += 16;
    }
    count
}

/// Units below 0x800, without a branch on their size.
#[inline(always)]
fn one_or_two(units: &[u16; 8], room: &mut [u8; SLACK]) -> usize {
    let mut at = 0;
    for &unit in units {
        let both = 0x80c0 | unit >> 6 | (unit & 0x3f) << 8;
        let bytes = std::hint::select_unpredictable(unit < 0x80, unit, both);
        room[at..at + 2].copy_from_slice(&bytes.to_le_bytes());
        at += 1 + usize::from(unit >= 0x80);
    }
    at
}

/// Encodes the first `count` units one by one, and one more if it ends a pair that they begin. Returns
/// units read and bytes written.
#[inline]
pub fn first(text: &[u16], count: usize, room: &mut [u8]) -> (usize, usize) {
    let mut at = 0;
    let mut index = 0;
    while index < count {
        let unit = u32::from(text[index]);
        index += 1;
        match unit {
            0..0x80 => {
                room[at] = unit as u8;
                at += 1;
            }
            0x80..0x800 => {
                let bytes = [0xc0 | (unit >> 6) as u8, continuation(unit)];
                room[at..at + 2].copy_from_slice(&bytes);
                at += 2;
            }
            0xd800..0xdc00 if index < text.len() && text[index] & 0xfc00 == 0xdc00 => {
                let point = 0x1_0000 + ((unit & 0x3ff) << 10) + u32::from(text[index] & 0x3ff);
                index += 1;
                let bytes = [
                    0xf0 | (point >> 18) as u8,
                    continuation(point >> 12),
                    continuation(point >> 6),
                    continuation(point),
                ];
                room[at..at + 4].copy_from_slice(&bytes);
                at += 4;
            }
            _ => {
                let point = if unit & 0xf800 == 0xd800 { 0xfffd } else { unit };
                let bytes = [0xe0 | (point >> 12) as u8, continuation(point >> 6), continuation(point)];
                room[at..at + 3].copy_from_slice(&bytes);
                at += 3;
            }
        }
    }
    (index, at)
}

#[inline(always)]
fn continuation(point: u32) -> u8 {
    0x80 | (point & 0x3f) as u8
}
