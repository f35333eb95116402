//! Arrays of arrays: of coordinates, which share one head, and of one array each, which share one frame.

use super::slots::{grow, number_run};
use crate::buffer::SharedMemory;
use crate::error::DecodeError;
use crate::format::Scanner;
use crate::tape::slot;

/// An array of arrays, as far as it was read.
pub struct Arrays {
    /// The kind of its elements.
    pub elements: u32,
    /// How many arrays there are in it, each the one element of the one before, whose element is the last slot; 0 if the
    /// array was read to its end.
    pub nested: usize,
    /// The first slot that is not used.
    pub free: usize,
    /// Where in the input to go on.
    pub position: usize,
}

/// Looks at the elements of an array of `length`, the first of which is an array of one to three. The slots that were
/// reserved for them begin behind `header` and end at `free`. None if they are to be read one by one.
#[inline(never)]
pub fn put_arrays<'a>(
    slots: &mut SharedMemory,
    header: usize,
    free: usize,
    mut scanner: impl Scanner<'a>,
    length: usize,
) -> Result<Option<Arrays>, DecodeError> {
    if length == 1 {
        let nested = scanner.nested();
        if nested == 0 {
            return Ok(None);
        }
        let free = put_nested(slots, free, nested)?;
        let position = scanner.position() + nested;
        return Ok(Some(Arrays { elements: slot::ARRAY_ANY, nested, free, position }));
    }
    let size = scanner.short_array();
    if size < 2 {
        return Ok(None);
    }
    let elements = put_tuples(slots, header, &mut scanner, length, size)?;
    let (free, position) = (header + 1 + length * size, scanner.position());
    Ok(elements.map(|elements| Arrays { elements, nested: 0, free, position }))
}

/// Reads an array of `length` arrays of `size` numbers each to the slots behind `header`, which has its length. The result is
/// the kind of its elements; None, and only slots behind the header are written, if there is anything
/// else in it.
///
/// Each read by itself would take twice the time: a map's coordinates are little else.
fn put_tuples<'a>(
    slots: &mut SharedMemory,
    header: usize,
    scanner: &mut impl Scanner<'a>,
    length: usize,
    size: usize,
) -> Result<Option<u32>, DecodeError> {
    // Each has a byte for its head and at least one for each number.
    if length > (scanner.input().len() - scanner.position()) / (1 + size) {
        return Ok(None);
    }
    // Before there is room for all of them.
    let (mut ahead, mut probe) = (*scanner, [0; 3]);
    if ahead.tuples(size, &mut probe[..size]).is_none() {
        return Ok(None);
    }
    let count = length * size;
    let first = header + 1;
    if slots.words().len() - first < count {
        grow(slots, first, count)?;
    }
    let elements = &mut slots.words_mut()[first..first + count];
    let Some(run) = scanner.tuples(size, elements) else { return Ok(None) };
    let kind = number_run(elements, run.ints, run.doubles);
    slots.words_mut()[header] = slot::words(length as u32, size as u32);
    Ok(Some(slot::ARRAY_TUPLES | kind))
}

/// Writes the slots of `count` arrays of one element each, in the last slot before `free` and then each in the one
/// before, as that of an array with any element. The result is the end; the innermost one's element is the slot before.
fn put_nested(slots: &mut SharedMemory, free: usize, count: usize) -> Result<usize, DecodeError> {
    let end = free + 2 * count;
    if slots.words().len() < end {
        grow(slots, free, 2 * count)?;
    }
    let tape = &mut slots.words_mut()[free - 1..end];
    for (index, pair) in tape[..2 * count].chunks_exact_mut(2).enumerate() {
        let header = free + 2 * index;
        pair[0] = slot::boxed(slot::ARRAY, slot::ARRAY_ANY, header as u32 * 2);
        pair[1] = slot::words(1, 0);
    }
    Ok(end)
}
