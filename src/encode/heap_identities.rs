//! Which objects a message has, so that one that is met again is written as a reference.
//!
//! An object is known by its address, which stays what it is until the walk ends. Where it was first written is
//! noted, and if it is met again, that place is a target: the header of a target is inserted there when all is
//! written, as most objects are met once.

use super::handover::Handover;
use crate::buffer::Position;

/// What a walk is told of the objects that it meets.
pub trait Identities {
    /// Whether objects are told apart.
    const ON: bool;

    /// Takes note that the object at an address is written at a place. If it was met before, the id that it is to
    /// be referred to by.
    fn meet(&mut self, address: usize, at: Position) -> Result<Option<u32>, Handover>;
}

/// For messages in which objects are written as often as they are met.
pub struct Indistinct;

impl Identities for Indistinct {
    const ON: bool = false;

    #[inline(always)]
    fn meet(&mut self, _: usize, _: Position) -> Result<Option<u32>, Handover> {
        Ok(None)
    }
}

/// Places in the table at first, and how many are kept from message to message.
const KEPT: usize = 1 << 12;
/// Objects in a message. More would take hundreds of megabytes.
const MAX_OBJECTS: usize = 1 << 22;
/// Spreads addresses over all bits: 2^64 divided by the golden ratio.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

/// An object that was met.
#[derive(Clone, Copy, Default)]
struct Met {
    address: usize,
    /// Twice the number of the message, and 1 for a target.
    mark: u32,
    /// The place where it was written, or the id of the target.
    place: u32,
}

/// The objects of one message: a hash table, each in the first free place from that of its address on. What
/// earlier messages have left there is free.
#[derive(Default)]
pub struct References {
    table: Vec<Met>,
    message: u32,
    count: usize,
    targets: Vec<(Position, u32)>,
}

impl References {
    /// Starts a message.
    pub fn begin(&mut self) {
        self.message = (self.message + 1) & (u32::MAX >> 1);
        self.count = 0;
        self.targets.clear();
        if self.message == 0 {
            self.message = 1;
            self.table.clear();
        }
    }

    /// The places of targets, ascending, with their ids. Ends the message.
    pub fn targets(&mut self) -> &[(Position, u32)] {
        self.targets.sort_unstable();
        &self.targets
    }

    /// Gives back what a large message has taken.
    pub fn shrink(&mut self) {
        if self.table.len() > KEPT {
            self.table = Vec::new();
        }
        if self.targets.capacity() > KEPT {
            self.targets = Vec::new();
        }
    }

    /// Bytes of memory held.
    #[must_use]
    pub fn capacity(&self) -> usize {
        self.table.capacity() * size_of::<Met>() + self.targets.capacity() * size_of::<(Position, u32)>()
    }

    /// Where in a table of so many places the search for an address begins.
    #[inline(always)]
    fn first_place(address: usize, size: usize) -> usize {
        ((address as u64).wrapping_mul(SPREAD) >> (64 - size.trailing_zeros())) as usize
    }

    /// Makes the table twice as large, or makes it.
    #[cold]
    #[inline(never)]
    fn grow(&mut self) -> Result<(), Handover> {
        let size = (self.table.len() * 2).max(KEPT);
        let mut larger = Vec::new();
        if self.count >= MAX_OBJECTS || larger.try_reserve_exact(size).is_err() {
            return Err(Handover::References);
        }
        larger.resize(size, Met::default());
        for met in &self.table {
            if met.mark >> 1 == self.message {
                let mut place = Self::first_place(met.address, size);
                while larger[place].mark != 0 {
                    place = (place + 1) & (size - 1);
                }
                larger[place] = *met;
            }
        }
        self.table = larger;
        Ok(())
    }

    /// The id of an object that was met again.
    #[inline(never)]
    fn refer(&mut self, place: usize) -> Result<u32, Handover> {
        let met = &mut self.table[place];
        if met.mark & 1 == 0 {
            self.targets.try_reserve(1).map_err(|_| Handover::References)?;
            let id = self.targets.len() as u32 + 1;
            self.targets.push((Position::START.advance(met.place as usize), id));
            met.mark |= 1;
            met.place = id;
        }
        Ok(met.place)
    }
}

impl Identities for &mut References {
    const ON: bool = true;

    #[inline]
    fn meet(&mut self, address: usize, at: Position) -> Result<Option<u32>, Handover> {
        if self.count * 2 >= self.table.len() {
            self.grow()?;
        }
        if at.is_too_far() {
            return Err(Handover::TooLarge);
        }
        let size = self.table.len();
        let mut place = References::first_place(address, size);
        loop {
            let met = &mut self.table[place];
            if met.mark >> 1 != self.message {
                let written = at.since(Position::START) as u32;
                *met = Met { address, mark: self.message << 1, place: written };
                self.count += 1;
                return Ok(None);
            }
            if met.address == address {
                return self.refer(place).map(Some);
            }
            place = (place + 1) & (size - 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(place: usize) -> Position {
        Position::START.advance(place)
    }

    fn meet(references: &mut References, address: usize, place: usize) -> Option<u32> {
        let mut identities = references;
        Identities::meet(&mut identities, address, at(place)).unwrap()
    }

    #[test]
    fn ids_count_by_second_meetings_and_targets_by_place() {
        let references = &mut References::default();
        references.begin();
        for (address, place) in [(0x100, 0), (0x200, 1), (0x300, 2)] {
            assert_eq!(meet(references, address, place), None);
        }
        assert_eq!(meet(references, 0x300, 9), Some(1));
        assert_eq!(meet(references, 0x100, 15), Some(2));
        assert_eq!(meet(references, 0x300, 21), Some(1));
        assert_eq!(references.targets(), [(at(0), 2), (at(2), 1)]);
    }

    #[test]
    fn a_message_knows_nothing_of_the_last() {
        let references = &mut References::default();
        for _ in 0..3 {
            references.begin();
            assert_eq!(meet(references, 0x100, 5), None);
            assert_eq!(meet(references, 0x100, 6), Some(1));
            assert_eq!(references.targets(), [(at(5), 1)]);
        }
    }

    #[test]
    fn messages_whose_number_comes_again() {
        let references = &mut References { message: u32::MAX >> 1, ..References::default() };
        references.message -= 1;
        for _ in 0..4 {
            references.begin();
            assert_eq!(meet(references, 0x100, 0), None);
            assert_eq!(meet(references, 0x100, 1), Some(1));
        }
        assert_eq!(references.message, 3);
    }

    #[test]
    fn many_objects_and_memory_that_is_given_back() {
        let references = &mut References::default();
        let many = if cfg!(miri) { 3000 } else { 100_000 };
        let address = |index: usize| 0x7f00_0000_0000 + index / 900 * 0x4_0000 + index % 900 * 16;
        for _ in 0..2 {
            references.begin();
            for index in 0..many {
                assert_eq!(meet(references, address(index), index), None);
            }
            for index in (0..many).rev() {
                assert_eq!(meet(references, address(index), 0), Some((many - index) as u32));
            }
            let targets = references.targets();
            assert_eq!(targets.len(), many);
            assert!(targets.iter().enumerate().all(|(index, (place, _))| *place == at(index)));
            references.shrink();
            assert!(references.capacity() <= KEPT * 32);
        }
    }

    #[test]
    fn more_objects_than_are_kept_apart() {
        let references = &mut References { count: MAX_OBJECTS, ..References::default() };
        let mut identities = &mut *references;
        assert_eq!(Identities::meet(&mut identities, 0x100, at(0)), Err(Handover::References));
    }

    #[test]
    fn a_message_that_is_too_large() {
        let references = &mut References::default();
        references.begin();
        let mut identities = &mut *references;
        let far = at(u32::MAX as usize + 1);
        assert_eq!(Identities::meet(&mut identities, 0x100, far), Err(Handover::TooLarge));
    }
}
