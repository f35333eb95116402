//! Shuffles that close the gaps between letters of different sizes, and what cuts the end of a block.

/// Starts on a cache line.
#[repr(align(64))]
pub struct Aligned<T>(T);

impl<T> Aligned<T> {
    #[inline(always)]
    pub const fn get(&self) -> &T {
        &self.0
    }
}

/// For eight letters with two bytes each: drops the first byte of those whose bit is set.
pub static ONE_OR_TWO: Aligned<[[u8; 16]; 256]> = Aligned(one_or_two());
/// For four letters with four bytes each, of which the first is unused: drops one more byte for each of
/// the bits `n` and `n + 4`.
pub static UP_TO_THREE: Aligned<[[u8; 16]; 256]> = Aligned(up_to_three());

/// Makes a zero in a shuffle.
const NONE: u8 = 0x80;

const fn one_or_two() -> [[u8; 16]; 256] {
    let mut table = [[NONE; 16]; 256];
    let mut set = 0;
    while set < 256 {
        let mut at = 0;
        let mut byte = 0;
        while byte < 16 {
            if byte & 1 == 1 || set >> (byte / 2) & 1 == 0 {
                table[set][at] = byte;
                at += 1;
            }
            byte += 1;
        }
        set += 1;
    }
    table
}

const fn up_to_three() -> [[u8; 16]; 256] {
    let mut table = [[NONE; 16]; 256];
    let mut set = 0;
    while set < 256 {
        let mut at = 0;
        let mut byte = 0;
        while byte < 16 {
            let letter = byte / 4;
            let dropped = 1 + (set >> letter & 1) + (set >> (letter + 4) & 1);
            if (byte & 3) as usize >= dropped {
                table[set][at] = byte;
                at += 1;
            }
            byte += 1;
        }
        set += 1;
    }
    table
}

/// The mask that keeps the first `count` of eight units.
#[inline(always)]
pub fn first_units(count: usize) -> &'static [u16; 8] {
    static MASKS: Aligned<[u16; 16]> = Aligned([!0, !0, !0, !0, !0, !0, !0, !0, 0, 0, 0, 0, 0, 0, 0, 0]);
    MASKS.get()[8 - count..].first_chunk().expect("at most eight units")
}

/// The shuffle that moves the last `count` of sixteen bytes to the front and zeroes the others.
#[inline(always)]
pub fn last_bytes(count: usize) -> &'static [u8; 16] {
    static SHUFFLES: Aligned<[u8; 32]> = Aligned(last_bytes_table());
    SHUFFLES.get()[16 - count..].first_chunk().expect("at most sixteen bytes")
}

const fn last_bytes_table() -> [u8; 32] {
    let mut table = [NONE; 32];
    let mut at = 0;
    while at < 16 {
        table[at] = at as u8;
        at += 1;
    }
    table
}
