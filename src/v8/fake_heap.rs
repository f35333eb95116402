//! A heap that is made up, for tests: objects in an array of bytes, at an invented address or at its own,
//! laid out by any [`Layout`].
//!
//! What was never written may not be read: what lies between the fields, behind an object's end, and the
//! fields that other threads write in a real heap. Such a read is a stray one. One outside the array fails
//! as with [`super::probe::Probe`], and a walk that goes on and on is ended by a panic.

pub(crate) mod build;
pub(crate) mod layouts;
pub(crate) mod random;
pub(crate) mod shuffle;
pub(crate) mod value;

use std::cell::Cell;
use std::ops::RangeInclusive;

use self::random::Random;
use super::layout::Layout;
use super::layout::field::Field;
use super::memory::{Live, Load, Memory, Place, Window, Word, units_of};
use super::tagged::{HEAP_OBJECT_TAG, Tagged};

/// Where an invented heap begins: far from anything that a process has.
const BASE: usize = 0x1234_5678_0000;
/// Words read after which walks are said not to end. A sample takes a few thousand.
const MAX_WORK: u64 = 4_000_000;

/// Bits of a tagged word that are those of a Smi.
pub(crate) const SMI: u64 = 0xffff_ffff << 32;
/// For a [`Count`] that others bound.
pub(crate) const ANY: RangeInclusive<u64> = 0..=u64::MAX;

/// Where an object begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Address(usize);

impl Address {
    /// The object that a word points to.
    pub(crate) fn of(word: u64) -> Self {
        Self((word - HEAP_OBJECT_TAG) as usize)
    }

    /// The tagged word that points to the object.
    pub(crate) fn word(self) -> u64 {
        self.0 as u64 + HEAP_OBJECT_TAG
    }
}

/// The tagged word of a small integer.
pub(crate) fn smi(value: i32) -> u64 {
    u64::from(value as u32) << 32
}

/// What bytes are before anything is written to them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Garbage {
    Zeros,
    Random,
}

/// A number in the heap that says how many or which, for tests that give it another value.
#[derive(Clone, Debug)]
pub(crate) struct Count {
    pub(crate) name: &'static str,
    at: Address,
    size: usize,
    mask: u64,
    /// As long as it is one of these, no read may stray: others bound it, or what it counts is there.
    pub(crate) safe: RangeInclusive<u64>,
}

/// The heap.
pub(crate) struct FakeHeap {
    base: usize,
    bytes: Vec<u8>,
    readable: Vec<bool>,
    pub(crate) counts: Vec<Count>,
    garbage: Garbage,
    random: Random,
    work: Cell<u64>,
    strays: Cell<u64>,
    failed: Cell<bool>,
}

impl FakeHeap {
    pub(crate) fn new(garbage: Garbage, seed: u64) -> Self {
        Self {
            base: BASE,
            bytes: Vec::new(),
            readable: Vec::new(),
            counts: Vec::new(),
            garbage,
            random: Random::new(seed),
            work: Cell::new(0),
            strays: Cell::new(0),
            failed: Cell::new(false),
        }
    }

    /// A heap at the address that it really has, for [`Self::live_window`].
    pub(crate) fn real(capacity: usize, seed: u64) -> Self {
        let mut heap = Self::new(Garbage::Random, seed);
        heap.bytes = Vec::with_capacity(capacity);
        heap.base = heap.bytes.as_ptr().addr();
        heap
    }

    /// Room for an object of up to `size` bytes, none of which may be read yet.
    pub(crate) fn allocate(&mut self, size: usize) -> Address {
        let gap = 8 * self.random.below(4);
        // Bytes may lie anywhere, but objects begin at whole words.
        let whole = |offset: usize| (self.base + offset).next_multiple_of(8) - self.base;
        let start = whole(self.bytes.len() + gap);
        let end = whole(start + size);
        assert!(self.base == BASE || end <= self.bytes.capacity(), "a real heap can not move");
        while self.bytes.len() < end {
            let garbage = if self.garbage == Garbage::Zeros { 0 } else { self.random.next() };
            let size = (end - self.bytes.len()).min(8);
            self.bytes.extend_from_slice(&garbage.to_le_bytes()[..size]);
        }
        self.readable.resize(end, false);
        Address(self.base + start)
    }

    /// Writes bytes that may be read from then on.
    pub(crate) fn put(&mut self, at: Address, offset: usize, bytes: &[u8]) {
        let start = at.0 - self.base + offset;
        self.bytes[start..start + bytes.len()].copy_from_slice(bytes);
        self.readable[start..start + bytes.len()].fill(true);
    }

    /// Writes a field.
    pub(crate) fn set<C, T: Load>(&mut self, object: Address, field: Field<C, T>, value: u64) {
        self.set_nth(object, field, 0, value);
    }

    /// Writes one of several things in a row.
    pub(crate) fn set_nth<C, T: Load>(
        &mut self,
        object: Address,
        first: Field<C, T>,
        index: usize,
        value: u64,
    ) {
        self.put(object, first.offset() + index * T::SIZE, &value.to_le_bytes()[..T::SIZE]);
    }

    /// Takes note of a number: what is under `mask` in a field.
    pub(crate) fn count<C, T: Load>(
        &mut self,
        name: &'static str,
        object: Address,
        field: Field<C, T>,
        mask: u64,
        safe: RangeInclusive<u64>,
    ) {
        let at = Address(object.0 + field.offset());
        self.counts.push(Count { name, at, size: T::SIZE, mask, safe });
    }

    /// The same for a word of several in a row.
    pub(crate) fn count_nth<C>(
        &mut self,
        name: &'static str,
        object: Address,
        first: Field<C, Word>,
        index: usize,
        mask: u64,
    ) {
        let nth = Address(object.0 + index * Word::SIZE);
        self.count(name, nth, first, mask, ANY);
    }

    /// Gives a number another value, as far as it has the bits.
    pub(crate) fn recount(&mut self, count: &Count, value: u64) {
        let start = count.at.0 - self.base;
        let bytes = &mut self.bytes[start..start + count.size];
        let mut word = [0; 8];
        word[..count.size].copy_from_slice(bytes);
        let shifted = value << count.mask.trailing_zeros() & count.mask;
        let word = u64::from_le_bytes(word) & !count.mask | shifted;
        bytes.copy_from_slice(&word.to_le_bytes()[..count.size]);
    }

    /// Writes over whatever lies `offset` bytes from the start, modulo the size.
    pub(crate) fn corrupt(&mut self, offset: usize, bytes: &[u8]) {
        let start = offset % (self.bytes.len() - bytes.len() + 1);
        self.bytes[start..start + bytes.len()].copy_from_slice(bytes);
    }

    /// Where words lie that may be read, as offsets for [`Self::corrupt`].
    pub(crate) fn readable_words(&self) -> Vec<usize> {
        let whole = |offset: &usize| self.readable[*offset..].iter().take(8).all(|readable| *readable);
        (0..self.bytes.len() / 8).map(|index| index * 8).filter(whole).collect()
    }

    /// `length` bytes of an object.
    pub(crate) fn bytes_of(&self, object: Address, offset: usize, length: usize) -> &[u8] {
        &self.bytes[object.0 - self.base + offset..][..length]
    }

    /// The word in a field.
    pub(crate) fn word_of<C, T: Load>(&self, object: Address, field: Field<C, T>) -> u64 {
        self.nth_word_of(object, field, 0)
    }

    /// One of several words in a row.
    pub(crate) fn nth_word_of<C, T: Load>(&self, object: Address, first: Field<C, T>, index: usize) -> u64 {
        self.word_at(object.0 - self.base + first.offset() + index * T::SIZE)
    }

    /// The word `offset` bytes from the start.
    pub(crate) fn word_at(&self, offset: usize) -> u64 {
        u64::from_le_bytes(self.bytes[offset..].first_chunk().copied().unwrap_or_default())
    }

    /// The heap, open for reading.
    pub(crate) fn window<'gc>(&'gc self, layout: &'gc Layout) -> Window<'gc, Self> {
        Window::new(self, layout)
    }

    /// The heap as it really is, read without any check. Only for heaps that are [`Self::real`] and whole.
    pub(crate) fn live_window<'gc>(&'gc self, layout: &'gc Layout) -> Window<'gc, Live> {
        assert_ne!(self.base, BASE);
        self.bytes.as_ptr().expose_provenance();
        Window::new(Live::shared(), layout)
    }

    /// A word of this heap.
    pub(crate) fn tagged(&self, word: u64) -> Tagged<'_> {
        Tagged::from_word(word)
    }

    /// How many reads went where nothing was written.
    pub(crate) fn strays(&self) -> u64 {
        self.strays.get()
    }

    /// Forgets what walks have done.
    pub(crate) fn restart(&self) {
        self.work.set(0);
        self.strays.set(0);
        self.failed.set(false);
    }

    fn charge(&self, bytes: usize) {
        self.work.set(self.work.get() + 1 + bytes as u64 / 8);
        assert!(self.work.get() < MAX_WORK, "the walk does not end");
    }

    fn look(&self, place: &Place, length: usize) -> Option<&[u8]> {
        if length == 0 {
            self.charge(0);
            return Some(&[]);
        }
        let start = place.address().wrapping_sub(self.base);
        let range = start..start.saturating_add(length);
        let readable = self.readable.get(range.clone());
        if readable.is_none_or(|readable| readable.contains(&false)) {
            self.strays.set(self.strays.get() + 1);
        }
        let found = self.bytes.get(range);
        if found.is_none() {
            self.failed.set(true);
        }
        self.charge(found.map_or(0, <[u8]>::len));
        found
    }
}

impl Memory for FakeHeap {
    fn read<const N: usize>(&self, place: Place) -> [u8; N] {
        let found = self.look(&place, N);
        found.and_then(|bytes| bytes.first_chunk().copied()).unwrap_or([0; N])
    }

    fn with_bytes<T>(&self, place: Place, length: usize, body: impl FnOnce(&[u8]) -> T) -> T {
        body(self.look(&place, length).unwrap_or_default())
    }

    fn with_units<T>(&self, place: Place, length: usize, body: impl FnOnce(&[u16]) -> T) -> T {
        self.with_bytes(place, length.saturating_mul(2), |bytes| body(&units_of(bytes)))
    }

    fn failed(&self) -> bool {
        self.failed.get()
    }
}
