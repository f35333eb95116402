//! Ids of records: bytes that would be small integers otherwise, and which slot they name.

use crate::tape::records::ONE_BYTE_SLOTS;

/// Id of the record in slot 0; those of the others follow.
const FIRST: u8 = 0x40;
/// First byte of an id of two bytes, without the slot's low five bits.
const FIRST_OF_TWO: u8 = 0x60;

/// The id of a record's slot, and its length. Slots above 63 need ids of two bytes.
#[inline(always)]
#[must_use]
pub fn id_of(slot: u32, two_bytes: bool) -> ([u8; 2], usize) {
    if two_bytes && may_go_on(slot as usize) {
        let behind = slot - ONE_BYTE_SLOTS as u32;
        ([FIRST_OF_TWO | (behind & 0x1f) as u8, (behind >> 5) as u8], 2)
    } else {
        ([FIRST.wrapping_add(slot as u8), 0], 1)
    }
}

/// The slot that a byte names alone. Definitions may have bits set that do not count.
#[inline(always)]
#[must_use]
pub fn slot_of(byte: usize) -> usize {
    byte & 0x3f
}

/// Whether the byte that names `slot` alone may be the first of two.
#[inline(always)]
#[must_use]
pub fn may_go_on(slot: usize) -> bool {
    slot >= ONE_BYTE_SLOTS
}

/// The slot of two bytes, of which the first would name `slot` alone.
#[inline(always)]
#[must_use]
pub fn wide_slot(slot: usize, second: usize) -> usize {
    slot + (second << 5)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tape::records::SLOTS;

    #[test]
    fn bytes_and_slots() {
        assert_eq!([0x40, 0x5f, 0x60, 0x7f, 0xff, 0x00].map(slot_of), [0, 31, 32, 63, 63, 0]);
        assert_eq!(wide_slot(slot_of(0x63), 2), 99);
        assert_eq!(wide_slot(slot_of(0x7f), 0xff), SLOTS - 1);
        assert!(!may_go_on(31) && may_go_on(32));
    }

    #[test]
    fn ids_name_their_slots() {
        for slot in 0..64 {
            let ([byte, _], length) = id_of(slot, false);
            assert_eq!((length, slot_of(usize::from(byte))), (1, slot as usize));
        }
        for slot in 0..SLOTS as u32 {
            let ([first, second], length) = id_of(slot, true);
            let alone = slot_of(usize::from(first));
            assert_eq!(may_go_on(alone), length == 2);
            let named = if length == 2 { wide_slot(alone, usize::from(second)) } else { alone };
            assert_eq!(named, slot as usize);
        }
    }
}
