//! Records while only extents matter: those of the table, and those that the bytes themselves define.

use super::records::Records;
use crate::format::outline::WideSlot;
use crate::tape::records::{ASKED, SLOTS, TWO_BYTE, WIDE};

/// The records that ids name at the time of a scan.
pub trait KnownRecords {
    /// How many keys the record in a slot has, and whether its id has two bytes.
    fn get(&self, slot: usize) -> Option<(u64, bool)>;
    /// Whether there may be ids of two bytes.
    fn is_wide(&self) -> bool;
    /// Whether what is not there may be loaded.
    fn may_load(&self) -> bool;
}

/// Records as the record table has them.
pub struct TableRecords<'a> {
    records: &'a Records,
    mode: u32,
}

impl<'a> TableRecords<'a> {
    /// The table as it is now; `mode` has the bits of `tape::records`.
    #[must_use]
    pub fn new(records: &'a Records, mode: u32) -> Self {
        Self { records, mode }
    }
}

impl KnownRecords for TableRecords<'_> {
    #[inline(always)]
    fn get(&self, slot: usize) -> Option<(u64, bool)> {
        let word = *self.records.table.half_words().get(slot)?;
        let list = (word & !TWO_BYTE).checked_sub(1)?;
        Some((self.records.shapes.keys(list) as u64, word & TWO_BYTE != 0))
    }

    fn is_wide(&self) -> bool {
        self.mode & WIDE != 0
    }

    fn may_load(&self) -> bool {
        self.mode & ASKED != 0
    }
}

/// What the id of a record, or an integer, is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Named {
    /// A record of so many keys, whose id has so many bytes.
    Record(u64, u64),
    /// An integer, unless there are records to be loaded.
    Integer,
    /// An id of two bytes, of which one has come.
    Short,
    /// An id of two bytes that nothing has.
    Nothing,
}

/// By slot, what was defined: how many keys, and whether the id has two bytes.
#[derive(Default)]
pub struct Definitions {
    slots: Vec<Option<(u64, bool)>>,
    wide: bool,
}

impl Definitions {
    /// Forgets all.
    pub fn clear(&mut self) {
        self.slots.clear();
        self.wide = false;
    }

    /// Takes note of one; a slot that is out of range can not be named.
    pub fn define(&mut self, slot: usize, keys: u64, two_byte: bool) {
        if slot >= SLOTS {
            return;
        }
        if slot >= self.slots.len() {
            self.slots.resize(slot + 1, None);
        }
        self.slots[slot] = Some((keys, two_byte));
        self.wide |= two_byte;
    }

    #[inline(always)]
    fn get(&self, slot: usize, records: &impl KnownRecords) -> Option<(u64, bool)> {
        self.slots.get(slot).copied().flatten().or_else(|| records.get(slot))
    }

    /// What an id is. The same steps as `Records::find`.
    #[inline(always)]
    pub fn find(&self, slot: usize, wide: WideSlot, records: &impl KnownRecords) -> Named {
        let found = self.get(slot, records);
        let may_be_wide = match found {
            Some((_, two_byte)) => two_byte,
            None => self.wide || records.is_wide(),
        };
        if may_be_wide && wide != WideSlot::None {
            let WideSlot::Slot(slot) = wide else { return Named::Short };
            return self.get(slot, records).map_or(Named::Nothing, |(keys, _)| Named::Record(keys, 2));
        }
        found.map_or(Named::Integer, |(keys, _)| Named::Record(keys, 1))
    }
}
