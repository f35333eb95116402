//! Strings of the heap walk.

use super::handover::Handover;
use super::heap_identities::Identities;
use super::heap_walk::{HeapWalk, Step};
use crate::buffer::Position;
use crate::format::Writer;
use crate::v8::Window;
use crate::v8::memory::Memory;
use crate::v8::objects::{Leaf, Text};
use crate::v8::tagged::{AnyString, Ref};

const HIGH: u64 = 0x8080_8080_8080_8080;
/// Parts of a rope that are put together here.
const MAX_PARTS: usize = 1 << 14;
/// Left parts of a concatenation that wait to be written, in the quick way.
const WAITING: usize = 4;

impl<'gc, W: Writer, M: Memory, I: Identities> HeapWalk<'_, 'gc, W, M, I> {
    /// Writes a string.
    #[inline(always)]
    pub(super) fn string(&mut self, at: Position, string: Ref<'gc, AnyString>, instance_type: u16) -> Step {
        let window = self.window;
        let Some(run) = window.sequential_one_byte(string, instance_type) else {
            return self.other_string(at, string, instance_type);
        };
        if let Some(word) = window.short_string(string, run.len()) {
            // The bytes behind the string are shifted out, as they may be anything.
            if word << (64 - 8 * run.len()) & HIGH == 0 {
                return Ok(self.writer.ascii_word(at, word, run.len()));
            }
        }
        Ok(window.with_bytes(run, |characters| self.writer.one_byte_string(at, characters)))
    }

    #[inline(never)]
    fn other_string(&mut self, at: Position, string: Ref<'gc, AnyString>, instance_type: u16) -> Step {
        if self.window.cons_parts(string, instance_type).is_some() {
            return self.concatenation(at, string);
        }
        match self.window.text(string, instance_type) {
            Text::Leaf(leaf) => Ok(self.leaf(at, leaf)),
            Text::Cons(..) | Text::Unknown => Err(Handover::String),
        }
    }

    fn leaf(&mut self, at: Position, leaf: Leaf<'gc>) -> Position {
        match leaf {
            Leaf::OneByte(run) => self.window.with_bytes(run, |bytes| self.writer.one_byte_string(at, bytes)),
            Leaf::TwoByte(run) => self.window.with_units(run, |units| self.writer.two_byte_string(at, units)),
        }
    }

    /// The units of a string, in `units`.
    pub(super) fn units_of(
        &mut self,
        string: Ref<'gc, AnyString>,
        units: &mut Vec<u16>,
    ) -> Result<(), Handover> {
        let complete = flatten(self.window, string, self.window.string_length(string), MAX_PARTS, units);
        if complete { Ok(()) } else { Err(Handover::String) }
    }

    /// A concatenation that V8 has not put together yet. Most are ASCII, and left parts hang on left
    /// parts; so the parts are written back to front, each where it belongs.
    #[inline(always)]
    fn concatenation(&mut self, at: Position, string: Ref<'gc, AnyString>) -> Step {
        let window = self.window;
        let length = window.string_length(string);
        if let Some(at) = self.writer.ascii_string(at, length, |room| write_backwards(window, string, room)) {
            return Ok(at);
        }
        self.flattened(at, string, length)
    }

    #[inline(never)]
    fn flattened(&mut self, at: Position, string: Ref<'gc, AnyString>, length: usize) -> Step {
        let mut units = std::mem::take(&mut self.units);
        units.clear();
        // V8 puts a rope of many parts together once, where JavaScript reads it; here it would be done for
        // each message.
        let complete =
            units.try_reserve(length).is_ok() && flatten(self.window, string, length, MAX_PARTS, &mut units);
        let step = if complete { Ok(self.writer.two_byte_string(at, &units)) } else { Err(Handover::String) };
        self.units = units;
        step
    }
}

/// The parts of `string`, the last one first. None for a part that can not be read.
#[inline(always)]
fn part_of<'gc, M: Memory>(window: Window<'gc, M>, string: Ref<'gc, AnyString>) -> Option<Text<'gc>> {
    let instance_type = window.instance_type(window.map(string));
    let is_string = instance_type < window.hot().first_nonstring;
    is_string.then(|| window.text(string, instance_type))
}

/// Fills `room` with the characters of `string`, if they are ASCII and as many, its parts are not nested to
/// the right too deeply, and those at the ends are sequential.
#[inline(always)]
fn write_backwards<'gc, M: Memory>(
    window: Window<'gc, M>,
    string: Ref<'gc, AnyString>,
    room: &mut [u8],
) -> bool {
    let mut waiting = [string; WAITING];
    let mut count = 0_usize;
    let mut node = string;
    let mut end = room.len();
    for _ in 0..2 * MAX_PARTS {
        let instance_type = window.instance_type(window.map(node));
        if instance_type >= window.hot().first_nonstring {
            return false;
        }
        if let Some(run) = window.sequential_one_byte(node, instance_type) {
            let Some(start) = end.checked_sub(run.len()) else { return false };
            let target = &mut room[start..end];
            if !window.with_bytes(run, |bytes| copy_ascii(bytes, target)) {
                return false;
            }
            end = start;
            let Some(rest) = count.checked_sub(1) else { return end == 0 };
            count = rest;
            node = waiting[count];
        } else if let Some((first, second)) = window.cons_parts(node, instance_type) {
            let Some(place) = waiting.get_mut(count) else { return false };
            *place = first;
            count += 1;
            node = second;
        } else {
            return false;
        }
    }
    false
}

/// Copies `bytes` to a target of the same length. False if they are not ASCII.
#[inline(always)]
fn copy_ascii(bytes: &[u8], target: &mut [u8]) -> bool {
    let length = bytes.len();
    if target.len() != length {
        return false;
    }
    // The parts of a text are short: two overlapping steps do for most.
    match (bytes.first_chunk::<8>(), bytes.last_chunk::<8>()) {
        (Some(first), Some(last)) if length <= 16 => {
            target[..8].copy_from_slice(first);
            target[length - 8..].copy_from_slice(last);
            (u64::from_le_bytes(*first) | u64::from_le_bytes(*last)) & HIGH == 0
        }
        (Some(_), _) => {
            target.copy_from_slice(bytes);
            bytes.is_ascii()
        }
        _ => match (bytes.first_chunk::<4>(), bytes.last_chunk::<4>()) {
            (Some(first), Some(last)) => {
                target[..4].copy_from_slice(first);
                target[length - 4..].copy_from_slice(last);
                (u32::from_le_bytes(*first) | u32::from_le_bytes(*last)) & HIGH as u32 == 0
            }
            _ => bytes.iter().zip(target).fold(true, |ascii, (byte, place)| {
                *place = *byte;
                ascii & byte.is_ascii()
            }),
        },
    }
}

/// Appends the units of `string`. False if there are more or fewer than `length`, or some can not be read.
fn flatten<'gc, M: Memory>(
    window: Window<'gc, M>,
    string: Ref<'gc, AnyString>,
    length: usize,
    max_parts: usize,
    units: &mut Vec<u16>,
) -> bool {
    let mut left = max_parts;
    let mut waiting = vec![string];
    while let Some(node) = waiting.pop() {
        match part_of(window, node) {
            Some(Text::Cons(first, second)) => {
                let Some(rest) = left.checked_sub(1) else { return false };
                left = rest;
                // A string of two parts is longer than either, so this ends; a flattened one has an empty
                // second part.
                waiting.push(second);
                waiting.push(first);
                if waiting.len() > length + 2 {
                    return false;
                }
            }
            Some(Text::Leaf(leaf)) => {
                if leaf.len() > length - units.len() {
                    return false;
                }
                match leaf {
                    Leaf::OneByte(run) => {
                        window
                            .with_bytes(run, |bytes| units.extend(bytes.iter().map(|byte| u16::from(*byte))));
                    }
                    Leaf::TwoByte(run) => window.with_units(run, |part| units.extend_from_slice(part)),
                }
            }
            Some(Text::Unknown) | None => return false,
        }
        if window.failed() {
            return false;
        }
    }
    units.len() == length
}
