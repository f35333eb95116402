//! The tape's memory while a message is scanned: how it grows, what is appended behind the message, and
//! runs of numbers.

use super::records::Records;
use crate::buffer::SharedMemory;
use crate::error::DecodeError;
use crate::tape::{MAX_SLOTS, slot};

/// Makes the tape at least `more` slots longer than `used`.
#[cold]
#[inline(never)]
pub fn grow(slots: &mut SharedMemory, used: usize, more: usize) -> Result<(), DecodeError> {
    let needed = used + more;
    if needed > MAX_SLOTS {
        return Err(DecodeError::TooManyValues);
    }
    let wanted = needed.max(slots.words().len() * 2).min(MAX_SLOTS);
    let mut larger = SharedMemory::new(wanted);
    let kept = used.min(slots.words().len());
    larger.words_mut()[..kept].copy_from_slice(&slots.words()[..kept]);
    *slots = larger;
    Ok(())
}

/// Writes what JavaScript is to define, if anything, behind the message, which ends at `free`: short strings, slots of
/// records that are kept, then the log of definitions. The result is how many records, and how long the log
/// is.
#[inline(always)]
pub fn append_definitions(
    slots: &mut SharedMemory,
    free: usize,
    definitions: &[u64],
    records: &mut Records,
) -> Result<(usize, usize), DecodeError> {
    if definitions.is_empty() && records.changed() == 0 {
        return Ok((0, 0));
    }
    append(slots, free, definitions, records)
}

#[inline(never)]
fn append(
    slots: &mut SharedMemory,
    free: usize,
    definitions: &[u64],
    records: &mut Records,
) -> Result<(usize, usize), DecodeError> {
    let log = records.logged();
    let most = definitions.len() + records.changed() + 2 * log.len();
    if slots.words().len() - free < most {
        grow(slots, free, most)?;
    }
    let kept = records.end(true);
    let appended = definitions.iter().copied().chain(kept.iter().map(|slot| slot::words(*slot, 0)));
    let appended = appended.chain(log.iter().copied().flatten());
    for (word, definition) in slots.words_mut()[free..].iter_mut().zip(appended) {
        *word = definition;
    }
    Ok((kept.len(), log.len()))
}

/// Finishes an array of nothing but numbers; the result is the kind of its elements.
#[must_use]
pub fn number_run(elements: &mut [u64], ints: bool, doubles: bool) -> u32 {
    match (ints, doubles) {
        (true, false) => slot::ARRAY_INTS,
        (false, true) => slot::ARRAY_DOUBLES,
        (true, true) => {
            for element in elements {
                // Which of the two it is comes in no order, so both are made and one is masked out.
                let is_int = u64::from(*element >> 48 == u64::from(slot::INT)).wrapping_neg();
                let double = f64::from(*element as u32 as i32).to_bits();
                *element = (double & is_int) | (*element & !is_int);
            }
            slot::ARRAY_DOUBLES
        }
        (false, false) => slot::ARRAY_ANY,
    }
}
