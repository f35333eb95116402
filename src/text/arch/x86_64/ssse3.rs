//! Blocks of eight UTF-16 units or sixteen Latin-1 bytes: each letter is spread to as many bytes as the
//! largest needs, then a shuffle from a table closes the gaps.
//!
//! Measured on Sapphire Rapids, in ns for 5,500 Russian units where nothing else is said; the first of each
//! is what is done here.
//! * The room as a shrinking slice, checked once a block: 1960; checked at each store: 2600; never: 1820.
//! * Two-byte letters by shuffle: 2600; by `pext`: 2850, and it is slow on the first Zens.
//! * Sizes by `popcnt` or from a table are equal, but the compiler knows the bounds of `popcnt`.
//! * Two blocks share the branch on the size of letters, which ASCII takes part in: 1600, and 1370 for
//!   4,700 French units; a branch for each block, and one for ASCII: 1640 and 3300, as it is not predicted.
//! * A branch for blocks of three-byte letters only: 1460 for 3,600 Japanese units; none: 1710.
//! * An end is cut out of the last whole vector: 940 for 60 short texts; copied to a padded array: 1220.
//! * Pairs of surrogates in the vector: 2900 for 3,000 units with many; units up to a pair in the vector
//!   and the pair alone: 5200; the whole block one by one: 6300.

use super::super::scalar;
use super::super::tables::{ONE_OR_TWO, UP_TO_THREE, first_units, last_bytes};
use super::{load, load_bytes, store};
use std::arch::x86_64::*;

/// As [`super::latin1`].
#[target_feature(enable = "ssse3,popcnt")]
pub fn latin1(bytes: &[u8], room: &mut [u8]) -> usize {
    let size = room.len();
    let (mut text, mut room) = (bytes, room);
    while let Some((block, after)) = text.split_first_chunk::<32>() {
        let [first, second] = [0, 16].map(|at| load_bytes(block[at..].first_chunk().expect("half a block")));
        // Asked for 32 bytes at once: whether 16 are ASCII is hard to predict, and 4,700 French letters
        // then take 1080 ns instead of 600.
        if _mm_movemask_epi8(_mm_or_si128(first, second)) == 0 {
            store_at(room, 0, first);
            store_at(room, 16, second);
            room = &mut room[32..];
        } else {
            let written = latin1_block(first, room);
            room = &mut room[written..];
            let written = latin1_block(second, room);
            room = &mut room[written..];
        }
        text = after;
    }
    if let Some((block, after)) = text.split_first_chunk::<16>() {
        let written = latin1_block(load_bytes(block), room);
        (text, room) = (after, &mut room[written..]);
    }
    if text.is_empty() {
        return size - room.len();
    }
    let end = match bytes.last_chunk::<16>() {
        Some(last) => _mm_shuffle_epi8(load_bytes(last), load_bytes(last_bytes(text.len()))),
        None => short_latin1(text),
    };
    let written = latin1_block(end, room);
    size - room.len() + written - (16 - text.len())
}

/// Up to fifteen bytes and zeros.
#[target_feature(enable = "ssse3,popcnt")]
#[inline]
fn short_latin1(bytes: &[u8]) -> __m128i {
    let length = bytes.len();
    let (low, high) = if let (Some(first), Some(last)) = (bytes.first_chunk::<8>(), bytes.last_chunk::<8>()) {
        (u64::from_le_bytes(*first), u64::from_le_bytes(*last).unbounded_shr(8 * (16 - length as u32)))
    } else if let (Some(first), Some(last)) = (bytes.first_chunk::<4>(), bytes.last_chunk::<4>()) {
        (
            u64::from(u32::from_le_bytes(*first))
                | u64::from(u32::from_le_bytes(*last)) << (8 * (length - 4)),
            0,
        )
    } else {
        (bytes.iter().rev().fold(0, |low, byte| low << 8 | u64::from(*byte)), 0)
    };
    _mm_set_epi64x(high as i64, low as i64)
}

/// Sixteen bytes, as up to 32.
#[target_feature(enable = "ssse3,popcnt")]
#[inline]
fn latin1_block(bytes: __m128i, room: &mut [u8]) -> usize {
    let room: &mut [u8; 32] = room.first_chunk_mut().expect("room");
    let is_letter = _mm_cmplt_epi8(bytes, _mm_setzero_si128());
    let last = _mm_andnot_si128(_mm_and_si128(is_letter, _mm_set1_epi8(0x40)), bytes);
    // 0xc2 up to 0xbf, 0xc3 above.
    let above = _mm_cmpgt_epi8(bytes, _mm_set1_epi8(0xbf_u8 as i8));
    let lead = _mm_sub_epi8(_mm_set1_epi8(0xc2_u8 as i8), above);
    let [low, high, ..] = (!_mm_movemask_epi8(bytes)).to_le_bytes();
    let middle = 16 - low.count_ones() as usize;
    let table = ONE_OR_TWO.get();
    let first = _mm_shuffle_epi8(_mm_unpacklo_epi8(lead, last), load_bytes(&table[usize::from(low)]));
    let second = _mm_shuffle_epi8(_mm_unpackhi_epi8(lead, last), load_bytes(&table[usize::from(high)]));
    store_at(room, 0, first);
    store_at(room, middle, second);
    middle + 16 - high.count_ones() as usize
}

/// As [`super::utf16`].
#[target_feature(enable = "ssse3,popcnt")]
pub fn utf16(readable: &[u16], length: usize, room: &mut [u8]) -> usize {
    let size = room.len();
    let (mut text, mut room) = (&readable[..length], room);
    let mut only_ascii = true;
    while text.len() >= 16 {
        if only_ascii && text.len() >= 32 {
            let skipped = skip_ascii(text, room);
            (text, room) = (&text[skipped..], &mut room[skipped..]);
        }
        let (units_before, room_before) = (text.len(), room.len());
        for _ in 0..4 {
            let Some((units, after)) = text.split_first_chunk::<16>() else { break };
            let [first, second] = [0, 8].map(|at| load(units[at..].first_chunk().expect("half a block")));
            if let Some(written) = two_blocks(first, second, room) {
                (text, room) = (after, &mut room[written..]);
            } else {
                let (read, written) = block_with_pairs(text, room);
                (text, room) = (&text[read..], &mut room[written..]);
            }
        }
        // ASCII is only looked for behind ASCII.
        only_ascii = units_before - text.len() == room_before - room.len();
    }
    while !text.is_empty() {
        let count = text.len();
        let start = length - count;
        if let Some(first) = text.first_chunk::<8>()
            && count > 8
        {
            let second = end(readable, length, start + 8, count - 8);
            if let Some(written) = two_blocks(load(first), second, room) {
                return size - room.len() + written - (16 - count);
            }
            let (read, written) = block_with_pairs(text, room);
            (text, room) = (&text[read..], &mut room[written..]);
        } else {
            let (read, written) = last_block(end(readable, length, start, count), text, room);
            (text, room) = (&text[read..], &mut room[written..]);
        }
    }
    size - room.len()
}

/// `count` units from `start` on, at most eight, and zeros.
#[target_feature(enable = "ssse3,popcnt")]
#[inline]
fn end(readable: &[u16], length: usize, start: usize, count: usize) -> __m128i {
    if let Some(units) = readable[start..].first_chunk::<8>() {
        _mm_and_si128(load(units), load(first_units(count)))
    } else if let Some(units) = readable[..length].last_chunk::<8>() {
        _mm_shuffle_epi8(load(units), load_bytes(last_bytes(2 * count)))
    } else {
        short_utf16(&readable[start..length])
    }
}

/// Up to seven units and zeros.
#[target_feature(enable = "ssse3,popcnt")]
#[inline]
fn short_utf16(units: &[u16]) -> __m128i {
    let length = units.len();
    let word = |units: &[u16]| units.iter().rev().fold(0, |word, unit| word << 16 | u64::from(*unit));
    let (low, high) = if let (Some(first), Some(last)) = (units.first_chunk::<4>(), units.last_chunk::<4>()) {
        (word(first), word(last).unbounded_shr(16 * (8 - length as u32)))
    } else {
        (word(units), 0)
    };
    _mm_set_epi64x(high as i64, low as i64)
}

/// Copies 32 units at a time while all are ASCII; returns their number.
#[target_feature(enable = "ssse3,popcnt")]
#[inline]
pub fn skip_ascii(text: &[u16], room: &mut [u8]) -> usize {
    let mut count = 0;
    while let Some(units) = text[count..].first_chunk::<32>() {
        let [a, b, c, d] = [0, 8, 16, 24].map(|at| load(units[at..].first_chunk().expect("a quarter")));
        let union = _mm_or_si128(_mm_or_si128(a, b), _mm_or_si128(c, d));
        let is_ascii = _mm_cmpeq_epi16(_mm_and_si128(union, splat(0xff80)), _mm_setzero_si128());
        if _mm_movemask_epi8(is_ascii) != 0xffff {
            break;
        }
        store_at(room, count, _mm_packus_epi16(a, b));
        store_at(room, count + 16, _mm_packus_epi16(c, d));
        count += 32;
    }
    count
}

/// Sixteen units, unless a surrogate is among them.
#[target_feature(enable = "ssse3,popcnt")]
#[inline]
fn two_blocks(first: __m128i, second: __m128i, room: &mut [u8]) -> Option<usize> {
    let room: &mut [u8; 56] = room.first_chunk_mut().expect("room");
    let (first, second) = (Block::new(first), Block::new(second));
    if first.set & second.set >= 0xff00 {
        let middle = first.store_one_or_two(room, 0);
        return Some(middle + second.store_one_or_two(room, middle));
    }
    if _mm_movemask_epi8(_mm_or_si128(first.surrogates(), second.surrogates())) != 0 {
        return None;
    }
    let middle = first.store_up_to_three(room, 0);
    Some(middle + second.store_up_to_three(room, middle))
}

/// The first eight units of `text`, or seven if the eighth may begin a pair; good for any units, but best
/// for some surrogates among them. Returns units read and bytes written.
#[target_feature(enable = "ssse3,popcnt")]
#[inline(never)]
pub fn block_with_pairs(text: &[u16], room: &mut [u8]) -> (usize, usize) {
    let block = Block::new(load(text.first_chunk().expect("eight units")));
    block.store_pairs(room).unwrap_or_else(|| scalar::first(text, 8, room))
}

/// All of `text`, at most eight units, which are followed by zeros in `units`; or seven of eight. Returns
/// units read and bytes written.
#[target_feature(enable = "ssse3,popcnt")]
#[inline]
fn last_block(units: __m128i, text: &[u16], room: &mut [u8]) -> (usize, usize) {
    let start: &mut [u8; 32] = room.first_chunk_mut().expect("room");
    let block = Block::new(units);
    let (read, written) = if block.set >= 0xff00 {
        (8, block.store_one_or_two(start, 0))
    } else if _mm_movemask_epi8(block.surrogates()) == 0 {
        (8, block.store_up_to_three(start, 0))
    } else if let Some(result) = block.store_pairs(start) {
        result
    } else {
        return scalar::first(text, text.len(), room);
    };
    if read == 7 { (7, written) } else { (text.len(), written - (8 - text.len())) }
}

/// Eight units and what is known of them.
#[derive(Clone, Copy)]
struct Block {
    units: __m128i,
    /// All ones where the unit is ASCII.
    one: __m128i,
    /// All ones where the unit is below 0x800.
    two: __m128i,
    /// The same as bits, eight of `one` and eight of `two`.
    set: u32,
}

impl Block {
    #[target_feature(enable = "ssse3,popcnt")]
    #[inline]
    fn new(units: __m128i) -> Self {
        let zero = _mm_setzero_si128();
        let one = _mm_cmpeq_epi16(_mm_and_si128(units, splat(0xff80)), zero);
        let two = _mm_cmpeq_epi16(_mm_and_si128(units, splat(0xf800)), zero);
        Self { units, one, two, set: _mm_movemask_epi8(_mm_packs_epi16(one, two)) as u32 }
    }

    /// Ones where the unit is a surrogate.
    #[target_feature(enable = "ssse3,popcnt")]
    #[inline]
    fn surrogates(self) -> __m128i {
        _mm_cmpeq_epi16(_mm_and_si128(self.units, splat(0xf800)), splat(0xd800))
    }

    /// For units below 0x800, ASCII among them.
    #[target_feature(enable = "ssse3,popcnt")]
    #[inline]
    fn store_one_or_two(self, room: &mut [u8], at: usize) -> usize {
        let lead = _mm_or_si128(_mm_srli_epi16(self.units, 6), splat(0x80c0));
        let one = self.set & 0xff;
        let shuffle = load_bytes(&ONE_OR_TWO.get()[one as usize]);
        store_at(room, at, _mm_shuffle_epi8(self.with_last_byte(lead), shuffle));
        16 - one.count_ones() as usize
    }

    /// For any units but surrogates.
    #[target_feature(enable = "ssse3,popcnt")]
    #[inline]
    fn store_up_to_three(self, room: &mut [u8], at: usize) -> usize {
        let room: &mut [u8; 32] = room[at..].first_chunk_mut().expect("room");
        let (letters, sets) = self.letters(self.last_two_bytes(), self.two);
        // With sets that it knows, the compiler knows the shuffles and places too.
        if sets == [0, 0] { close_gaps(letters, [0, 0], room) } else { close_gaps(letters, sets, room) }
    }

    /// For any units. Returns how many were read, seven if the last begins a pair, and how many bytes
    /// were written; nothing if a surrogate is alone.
    #[target_feature(enable = "ssse3,popcnt")]
    #[inline]
    fn store_pairs(self, room: &mut [u8]) -> Option<(usize, usize)> {
        let kind = _mm_and_si128(self.units, splat(0xfc00));
        let high = _mm_cmpeq_epi16(kind, splat(0xd800));
        let low = _mm_cmpeq_epi16(kind, splat(0xdc00));
        let [highs, lows, ..] = _mm_movemask_epi8(_mm_packs_epi16(high, low)).to_le_bytes();
        if highs << 1 != lows {
            return None;
        }
        // Each half of a pair makes two of the four bytes. The low half already has its own bits in place;
        // two bits of its first byte come from the high half.
        let point = _mm_add_epi16(self.units, splat(0x40_u16.wrapping_sub(0xd800)));
        let first = _mm_or_si128(_mm_srli_epi16(point, 8), splat(0x80f0));
        let first = _mm_or_si128(first, _mm_and_si128(_mm_slli_epi16(point, 6), splat(0x3f00)));
        let shared = _mm_slli_epi16(_mm_and_si128(_mm_slli_si128(self.units, 2), splat(3)), 4);
        let bytes = self.last_two_bytes();
        let second = _mm_or_si128(_mm_andnot_si128(splat(0x30), bytes), shared);
        let bytes = choose(high, first, choose(low, second, bytes));
        let two = _mm_or_si128(self.two, _mm_or_si128(high, low));
        let (letters, sets) = self.letters(bytes, two);
        let written = close_gaps(letters, sets, room.first_chunk_mut().expect("room"));
        let left = usize::from(highs >> 7);
        Some((8 - left, written - 2 * left))
    }

    /// The last two bytes of three; both of two, if the unit is below 0x800.
    #[target_feature(enable = "ssse3,popcnt")]
    #[inline]
    fn last_two_bytes(self) -> __m128i {
        let lead_bit = _mm_and_si128(self.two, splat(0x40));
        let middle = _mm_and_si128(_mm_srli_epi16(self.units, 6), splat(0x3f));
        self.with_last_byte(_mm_or_si128(_mm_or_si128(middle, lead_bit), splat(0x8080)))
    }

    /// Adds the last byte of each letter, in the upper half, to what was made of the others.
    #[target_feature(enable = "ssse3,popcnt")]
    #[inline]
    fn with_last_byte(self, others: __m128i) -> __m128i {
        let ascii = _mm_slli_epi16(self.units, 8);
        choose(self.one, ascii, _mm_or_si128(others, _mm_and_si128(ascii, splat(0x3f00))))
    }

    /// Letters of up to three bytes, of which the last two are at hand, and sets of what they have less;
    /// they have at most two where `two` is set.
    #[target_feature(enable = "ssse3,popcnt")]
    #[inline]
    fn letters(self, last_two: __m128i, two: __m128i) -> ([__m128i; 2], [u8; 2]) {
        let first = _mm_or_si128(_mm_srli_epi16(self.units, 4), splat(0xe000));
        // Four letters of `one`, the same of `two`, then the other four.
        let sets = _mm_shuffle_epi32(_mm_packs_epi16(self.one, two), 0b11_01_10_00);
        let [low, high, ..] = _mm_movemask_epi8(sets).to_le_bytes();
        ([_mm_unpacklo_epi16(first, last_two), _mm_unpackhi_epi16(first, last_two)], [low, high])
    }
}

/// Stores twice four letters of three bytes, without those that the sets drop.
#[target_feature(enable = "ssse3,popcnt")]
#[inline]
fn close_gaps(letters: [__m128i; 2], sets: [u8; 2], room: &mut [u8; 32]) -> usize {
    let [first, second] = sets.map(|set| load_bytes(&UP_TO_THREE.get()[usize::from(set)]));
    let [middle, more] = sets.map(|set| 12 - set.count_ones() as usize);
    store_at(room, 0, _mm_shuffle_epi8(letters[0], first));
    store_at(room, middle, _mm_shuffle_epi8(letters[1], second));
    middle + more
}

#[target_feature(enable = "ssse3,popcnt")]
#[inline]
fn choose(mask: __m128i, yes: __m128i, no: __m128i) -> __m128i {
    _mm_or_si128(_mm_and_si128(mask, yes), _mm_andnot_si128(mask, no))
}

#[target_feature(enable = "ssse3,popcnt")]
#[inline]
fn splat(unit: u16) -> __m128i {
    _mm_set1_epi16(unit as i16)
}

/// Where the compiler sees the bounds of `at` and `room`, the check costs nothing.
#[target_feature(enable = "ssse3,popcnt")]
#[inline]
fn store_at(room: &mut [u8], at: usize, vector: __m128i) {
    store(room[at..].first_chunk_mut().expect("room"), vector);
}
