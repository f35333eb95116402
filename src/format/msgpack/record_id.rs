//! Ids of records: bytes that would be small integers otherwise, and which slot they name.

/// Slots whose ids always have one byte.
const ONE_BYTE_SLOTS: usize = 32;

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
}
