//! Memory: the growing output that writers append to, and the blocks that JavaScript sees as well.
//! Leaf module.
//!
//! The output's memory is always initialised, so a writer gets a slot of constant size by one
//! comparison and fills it with plain stores; zeroing happens on growth only, and the memory is
//! kept from message to message.

mod shared_memory;

pub use self::shared_memory::SharedMemory;

use std::alloc::{Layout, alloc_zeroed};
use std::marker::PhantomData;
use std::mem;
use std::panic::resume_unwind;
use std::ptr::NonNull;
use std::slice;

/// Capacity that is always kept between messages; more is kept while messages need it.
const KEPT: usize = 1 << 20;
/// Node's Buffers and msgpackr end here.
const LIMIT: usize = u32::MAX as usize;
/// A message may be expected to need as much memory as a recent one, up to this.
const EXPECTED: usize = 1 << 26;
/// Largest slot.
pub const SLACK: usize = 64;

/// What unwinds to the edge when memory can not be had: an abort would end all threads of a process.
pub struct AllocationFailed;

/// Unwinds with [`AllocationFailed`].
#[cold]
pub fn allocation_failed() -> ! {
    // Not a panic: nothing is wrong, and nothing is to be printed.
    resume_unwind(Box::new(AllocationFailed))
}

/// Memory of `size` bytes, all zero. Pages that are never touched cost nothing.
fn zeroed(size: usize) -> Option<Vec<u8>> {
    let layout = Layout::array::<u8>(size).ok().filter(|layout| layout.size() != 0)?;
    // SAFETY: the layout has a size above zero.
    let start = NonNull::new(unsafe { alloc_zeroed(layout) })?;
    // SAFETY: allocated by the global allocator as an array of `size` bytes, all initialised.
    Some(unsafe { Vec::from_raw_parts(start.as_ptr(), size, size) })
}

/// A place in an [`OutputBuffer`]: how many bytes were written so far.
///
/// It travels by value from writer call to writer call, so that it stays in a register. Kept in the
/// buffer it would be stored and loaded again for each value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position(usize);

impl Position {
    /// Where a message begins.
    pub const START: Self = Self(0);

    /// The place `size` bytes on.
    #[inline(always)]
    #[must_use]
    pub fn advance(self, size: usize) -> Self {
        Self(self.0.wrapping_add(size))
    }

    /// Whether a message that has come this far is too large to be returned.
    #[inline(always)]
    #[must_use]
    pub fn is_too_far(self) -> bool {
        self.0 > LIMIT
    }

    /// Bytes from `start` to here.
    #[inline(always)]
    #[must_use]
    pub fn since(self, start: Self) -> usize {
        self.0.wrapping_sub(start.0)
    }
}

/// Memory of somebody else's that a message may be written to.
pub struct Room<'m> {
    start: NonNull<u8>,
    length: usize,
    memory: PhantomData<&'m mut [u8]>,
}

impl Room<'_> {
    /// # Safety
    /// The `length` bytes at `start` are initialised, and while the `Room` and what was made of it live,
    /// nobody else reads or writes them.
    #[must_use]
    pub unsafe fn new(start: NonNull<u8>, length: usize) -> Self {
        Self { start, length, memory: PhantomData }
    }

    /// How many bytes there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.length
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }
}

/// Bytes of a message under construction: in memory of its own, or, as long as they fit, in a [`Room`].
pub struct OutputBuffer<'m> {
    /// Where the message is written to.
    start: NonNull<u8>,
    /// Slots may begin before this: wherever [`SLACK`] bytes are left.
    slots: usize,
    own: Vec<u8>,
    /// Whether `start` is in a room: 0 or 1. This and the next are whole words, as padding would be copied
    /// in pieces when the buffer moves, which costs a tiny message 15 ns.
    in_room: usize,
    /// Not 0 if the message is too large to be returned.
    overflowed: usize,
    /// Size that recent messages had at most; it fades.
    recent: usize,
    room: PhantomData<&'m mut [u8]>,
}

impl Default for OutputBuffer<'_> {
    fn default() -> Self {
        let own = Vec::new();
        Self {
            start: NonNull::dangling(),
            slots: 0,
            own,
            in_room: 0,
            overflowed: 0,
            recent: 0,
            room: PhantomData,
        }
    }
}

impl OutputBuffer<'static> {
    /// Starts a message; memory that recent messages did not need is given back first.
    #[inline(always)]
    pub fn clear(&mut self) {
        if self.own.len() > KEPT {
            self.shrink();
        }
        self.overflowed = 0;
    }

    #[cold]
    fn shrink(&mut self) {
        if self.recent < self.own.len() / 8 {
            self.release();
        }
        self.recent -= self.recent / 8;
    }

    /// Gives back the memory.
    pub fn release(&mut self) {
        self.use_own(Vec::new());
    }

    /// Starts a message in `room`.
    #[inline(always)]
    #[must_use]
    pub fn lend(self, room: Room<'_>) -> OutputBuffer<'_> {
        OutputBuffer {
            start: room.start,
            slots: slots_in(room.length),
            own: self.own,
            in_room: 1,
            overflowed: self.overflowed,
            recent: self.recent,
            room: PhantomData,
        }
    }
}

impl OutputBuffer<'_> {
    /// Lets go of the room. The result says whether the message is in it; otherwise it is here.
    #[inline(always)]
    #[must_use]
    pub fn leave_room(self) -> (OutputBuffer<'static>, bool) {
        let mut own = OutputBuffer {
            start: self.start,
            slots: self.slots,
            own: self.own,
            in_room: 0,
            overflowed: self.overflowed,
            recent: self.recent,
            room: PhantomData,
        };
        let in_room = self.in_room != 0;
        if in_room {
            own.start = NonNull::new(own.own.as_mut_ptr()).expect("a Vec's pointer");
            own.slots = slots_in(own.own.len());
        }
        (own, in_room)
    }

    /// Whether memory at these addresses may be the room.
    #[must_use]
    pub fn meets(&self, start: usize, length: usize) -> bool {
        let room = self.start.addr().get();
        self.in_room != 0 && start < room + self.capacity_here() && room < start.saturating_add(length)
    }

    fn capacity_here(&self) -> usize {
        if self.slots == 0 { 0 } else { self.slots + SLACK - 1 }
    }

    /// Takes note of the size of a message that ends at `end`: memory is kept for the like of it.
    #[inline(always)]
    pub fn finish(&mut self, end: Position) {
        if end.0 > KEPT {
            self.recent = self.recent.max(end.0);
        }
    }

    /// The message up to `end`; empty if it outgrew the limit.
    #[inline(always)]
    #[must_use]
    pub fn message(&self, end: Position) -> &[u8] {
        if end.0 > self.capacity_here() {
            return &[];
        }
        // SAFETY: `start` has `capacity_here` initialised bytes, of our own or of the room, which only we use.
        unsafe { slice::from_raw_parts(self.start.as_ptr(), end.0) }
    }

    /// Whether the message that ends at `end` outgrew the limit of 4 GiB; its bytes then mean nothing.
    #[must_use]
    pub fn overflowed(&self, end: Position) -> bool {
        self.overflowed != 0 || end.0 > LIMIT
    }

    /// Bytes of memory held.
    #[must_use]
    pub fn capacity(&self) -> usize {
        self.own.len()
    }

    /// Room for `N` bytes at `at`.
    #[inline(always)]
    pub fn slot<const N: usize>(&mut self, at: Position) -> &mut [u8; N] {
        const { assert!(N <= SLACK) };
        let at = if at.0 < self.slots { at.0 } else { self.grow(at, N) };
        // SAFETY: `at` is below `slots`, behind which `SLACK` bytes lie: tested above, or by `grow`.
        let start = unsafe { self.start.add(at) };
        // SAFETY: as above, and `N` is at most `SLACK`; the memory is initialised, and only we use it.
        unsafe { start.cast::<[u8; N]>().as_mut() }
    }

    /// Room for `size` bytes at `at`.
    #[inline(always)]
    pub fn room(&mut self, at: Position, size: usize) -> &mut [u8] {
        let end = at.0.wrapping_add(size);
        let at = if end >= size && end < self.slots { at.0 } else { self.grow(at, size) };
        // SAFETY: `at + size` is below `slots`, or `grow` made room for as many.
        let start = unsafe { self.start.add(at) };
        // SAFETY: as above; the memory is initialised, and only we use it.
        unsafe { slice::from_raw_parts_mut(start.as_ptr(), size) }
    }

    /// Writes one byte.
    #[inline(always)]
    pub fn push(&mut self, at: Position, byte: u8) -> Position {
        self.slot::<1>(at)[0] = byte;
        at.advance(1)
    }

    /// Writes an array of known size.
    #[inline(always)]
    pub fn put<const N: usize>(&mut self, at: Position, bytes: [u8; N]) -> Position {
        *self.slot::<N>(at) = bytes;
        at.advance(N)
    }

    /// Writes any bytes.
    #[inline]
    pub fn extend(&mut self, at: Position, bytes: &[u8]) -> Position {
        self.room(at, bytes.len()).copy_from_slice(bytes);
        at.advance(bytes.len())
    }

    /// Moves what was written from `from` to `end` so that it begins at `to`; the result is where it ends.
    pub fn shift(&mut self, from: Position, end: Position, to: Position) -> Position {
        let behind = to.advance(end.since(from));
        // Asked for at the end, so that all that was written moves along if the memory does.
        self.room(end, behind.0.saturating_sub(end.0));
        let last = behind.max(end);
        // A message beyond the limit is only counted.
        if from != to && last.0 <= self.capacity_here() {
            self.first(last.0).copy_within(from.0..end.0, to.0);
        }
        behind
    }

    /// The first bytes of the memory.
    fn first(&mut self, length: usize) -> &mut [u8] {
        assert!(length <= self.capacity_here());
        // SAFETY: `start` has `capacity_here` initialised bytes, of our own or of the room, which only we use.
        unsafe { slice::from_raw_parts_mut(self.start.as_ptr(), length) }
    }

    /// Makes room for `size` bytes at `at` and returns where they may be written: there, or, for a
    /// message too large to ever be returned, at the start, so that memory stays bounded until the walk
    /// ends and asks.
    #[cold]
    #[inline(never)]
    fn grow(&mut self, at: Position, size: usize) -> usize {
        let at = if at.0 > LIMIT {
            self.overflowed = 1;
            0
        } else {
            at.0
        };
        let needed = at + size + SLACK;
        let written = at.min(self.capacity_here());
        if self.own.len() < needed {
            let expected = if at > KEPT / 16 { self.recent.min(EXPECTED) } else { 0 };
            let wanted = needed.max(self.own.len() * 2).max(expected).max(1 << 14);
            let larger = zeroed(wanted).or_else(|| zeroed(needed));
            let Some(mut larger) = larger else { allocation_failed() };
            larger[..written].copy_from_slice(self.message(Position(written)));
            self.use_own(larger);
        } else if self.in_room != 0 {
            let mut own = mem::take(&mut self.own);
            own[..written].copy_from_slice(self.message(Position(written)));
            self.use_own(own);
        }
        at
    }

    /// Writes to this memory from now on.
    fn use_own(&mut self, own: Vec<u8>) {
        self.own = own;
        self.start = NonNull::new(self.own.as_mut_ptr()).expect("a Vec's pointer");
        self.slots = slots_in(self.own.len());
        self.in_room = 0;
    }
}

/// Before which place slots may begin in memory of `length` bytes.
fn slots_in(length: usize) -> usize {
    (length + 1).saturating_sub(SLACK)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn appends_and_grows() {
        let mut out = OutputBuffer::default();
        let mut at = out.push(Position::START, 1);
        at = out.put(at, [2, 3]);
        at = out.extend(at, &[4; 50_000]);
        assert_eq!(out.message(at).len(), 50_003);
        assert_eq!(out.message(at)[..4], [1, 2, 3, 4]);
        assert!(!out.overflowed(at));
    }

    #[test]
    fn every_end_of_the_memory_has_its_slot() {
        let mut out = OutputBuffer::default();
        let mut at = Position::START;
        for byte in 0..40_000_u32 {
            out.slot::<SLACK>(at)[0] = byte as u8;
            at = at.advance(1);
        }
        assert!(out.message(at).iter().enumerate().all(|(index, byte)| index as u8 == *byte));
    }

    #[test]
    fn memory_is_kept_as_long_as_messages_need_it() {
        let mut out = OutputBuffer::default();
        let end = out.extend(Position::START, &vec![0; 4 * KEPT]);
        out.finish(end);
        assert_eq!(out.message(end).len(), 4 * KEPT);
        out.clear();
        assert!(out.capacity() > 4 * KEPT);
        for _ in 0..100 {
            out.clear();
        }
        assert_eq!(out.capacity(), 0);
    }

    #[test]
    fn a_message_beyond_the_limit_is_only_counted() {
        let mut out = OutputBuffer::default();
        let far = Position(LIMIT + 1);
        let end = out.put(far, [1, 2]);
        assert!(out.overflowed(end));
        assert!(out.message(end).is_empty());
        assert!(out.capacity() < 1 << 15);
        out.clear();
        let end = out.push(Position::START, 1);
        assert!(!out.overflowed(end));
    }

    #[test]
    fn a_message_that_outgrows_its_room_goes_on_in_own_memory() {
        let mut memory = vec![7; 200];
        for length in 0..250 {
            let start = NonNull::new(memory.as_mut_ptr()).expect("memory");
            // SAFETY: the memory is used by nobody else until the room is left.
            let room = unsafe { Room::new(start, memory.len()) };
            let mut out = OutputBuffer::default().lend(room);
            assert!(out.meets(start.addr().get() + 50, 1) && !out.meets(start.addr().get() - 5, 5));
            let mut at = Position::START;
            for byte in 0..length {
                at = out.push(at, byte as u8);
            }
            let expected: Vec<u8> = (0..length).map(|byte| byte as u8).collect();
            assert_eq!(out.message(at), expected);
            let (own, in_room) = out.leave_room();
            assert_eq!(in_room, length <= 200 - SLACK + 1);
            assert_eq!(if in_room { &memory[..length] } else { own.message(at) }, expected);
        }
    }

    #[test]
    fn a_room_may_be_too_small_for_anything() {
        let mut memory = [7; 10];
        let start = NonNull::new(memory.as_mut_ptr()).expect("memory");
        // SAFETY: the memory is used by nobody else until the room is left.
        let mut out = OutputBuffer::default().lend(unsafe { Room::new(start, memory.len()) });
        let end = out.put(Position::START, [1, 2]);
        let (mut own, in_room) = out.leave_room();
        assert!(!in_room);
        assert_eq!(own.message(end), [1, 2]);
        own.clear();
        assert_eq!(memory, [7; 10]);
        let end = own.put(Position::START, [3]);
        assert_eq!(own.message(end), [3]);
    }

    #[test]
    fn what_was_written_can_be_moved() {
        let mut out = OutputBuffer::default();
        let from = out.push(Position::START, 1);
        let to = out.put(from, [2, 3]);
        let end = out.shift(from, to, from.advance(2));
        assert_eq!(out.message(end), [1, 2, 3, 2, 3]);
        let end = out.shift(from.advance(2), end, from);
        assert_eq!(out.message(end), [1, 2, 3]);
    }

    #[test]
    fn what_is_moved_at_the_end_of_the_memory_stays_whole() {
        for length in 1..400 {
            let mut memory = vec![0; 300];
            let start = NonNull::new(memory.as_mut_ptr()).expect("memory");
            // SAFETY: the memory is used by nobody else until the room is left.
            let mut out = OutputBuffer::default().lend(unsafe { Room::new(start, memory.len()) });
            let bytes: Vec<u8> = (0..length).map(|byte| byte as u8).collect();
            let end = out.extend(Position::START, &bytes);
            let end = out.shift(Position::START.advance(1), end, Position::START.advance(3));
            let message = out.message(end);
            assert_eq!(message.len(), length + 2);
            assert_eq!(message[0], 0);
            assert_eq!(message[3..], bytes[1..]);
        }
    }
}
