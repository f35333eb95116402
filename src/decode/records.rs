//! Which record is in which slot: the table that record ids name, and what a message changes in it.
//!
//! The table is that of the unpackr that reads; JavaScript fills it. What a message defines is put back
//! when it has been scanned, unless JavaScript keeps it and the message was whole.

use super::record_shapes::{ListId, NO_LIST, RecordShapes};
use crate::buffer::SharedMemory;
use crate::error::DecodeError;
use crate::format::{Item, Scanner};
use crate::tape::records::{ASKED, KEPT, OFF, SLOTS, TWO_BYTE, WIDE};
use crate::tape::slot::SINGLE_C1;

/// The record table and the key lists that it names.
pub struct Records {
    /// The table, which JavaScript sees as well.
    pub table: SharedMemory,
    /// Key lists.
    pub shapes: RecordShapes,
    /// Slots that the message has defined, and what was there.
    changed: Vec<u32>,
    replaced: Vec<u32>,
    /// The list that was defined last.
    previous: ListId,
    mode: u32,
    /// Slots in use.
    used: usize,
    /// Whether there may be ids of two bytes.
    wide: bool,
    /// Changes whenever numbers lose their meaning.
    generation: u32,
    /// No message was scanned since then.
    fresh: bool,
}

impl Default for Records {
    fn default() -> Self {
        Self {
            table: SharedMemory::new(SLOTS.div_ceil(2)),
            shapes: RecordShapes::default(),
            changed: Vec::new(),
            replaced: Vec::new(),
            previous: NO_LIST,
            mode: 0,
            used: 0,
            wide: false,
            generation: 0,
            fresh: true,
        }
    }
}

impl Records {
    /// Readies the table for a message. `mode` and `used` are what JavaScript says.
    #[inline(always)]
    pub fn begin(&mut self, mode: u32, used: usize) {
        self.mode = mode;
        self.used = used;
        self.wide = mode & WIDE != 0;
        self.previous = NO_LIST;
        self.fresh = false;
        self.changed.clear();
    }

    /// Whether ids may mean anything from the start.
    #[inline(always)]
    #[must_use]
    pub fn are_expected(&self) -> bool {
        self.mode & OFF == 0 && (self.used != 0 || self.mode & ASKED != 0)
    }

    /// Whether the key lists should go. Not right after they did, or JavaScript could never use them.
    #[inline(always)]
    #[must_use]
    pub fn is_full(&self) -> bool {
        !self.fresh && self.shapes.is_full()
    }

    /// Forgets all key lists: the numbers in the table mean nothing any more.
    pub fn renew(&mut self) {
        self.shapes = RecordShapes::default();
        self.generation = self.generation.wrapping_add(1);
        self.fresh = true;
    }

    /// Changes whenever numbers lose their meaning.
    #[must_use]
    pub fn generation(&self) -> u32 {
        self.generation
    }

    /// The list of the record whose id `scanner` has begun to read, as the one of `slot`: none if it is
    /// an integer. Also where the id ends.
    #[inline(always)]
    pub fn find<'a, S: Scanner<'a>>(
        &self,
        mut scanner: S,
        mut slot: usize,
    ) -> Result<(Option<ListId>, usize), DecodeError> {
        let mut word = self.word(slot);
        let mut two_byte = false;
        if (word & TWO_BYTE != 0 || word == 0 && self.wide)
            && let Some(wide) = scanner.second_byte(slot)?
        {
            slot = wide;
            word = self.word(slot);
            two_byte = true;
        }
        if word != 0 {
            return Ok((Some((word & !TWO_BYTE) - 1), scanner.position()));
        }
        if two_byte || self.mode & ASKED != 0 {
            return Err(DecodeError::UndefinedRecord(slot as u32));
        }
        Ok((None, scanner.position()))
    }

    #[inline(always)]
    fn word(&self, slot: usize) -> u32 {
        self.table.half_words().get(slot).copied().unwrap_or(0)
    }

    /// Reads the key list of a definition. The result is its number, and where it ends.
    #[inline(never)]
    pub fn define<'a, S: Scanner<'a>>(
        &mut self,
        mut scanner: S,
        slot: usize,
        two_byte: bool,
    ) -> Result<(ListId, usize), DecodeError> {
        let start = scanner.position();
        let input = scanner.input();
        let (id, end) = match self.shapes.expected(self.previous, &input[start..]) {
            Some((id, length)) => (id, start + length),
            None => {
                let keys = skip_keys(&mut scanner)?;
                let end = scanner.position();
                (self.shapes.find_or_add(self.previous, &input[start..end], keys), end)
            }
        };
        self.previous = id;
        let flag = if two_byte { TWO_BYTE } else { 0 };
        if let Some(word) = self.table.half_words_mut().get_mut(slot) {
            self.changed.push(slot as u32);
            self.replaced.push(*word);
            *word = (id + 1) | flag;
            self.wide |= two_byte;
        }
        Ok((id, end))
    }

    /// How many definitions the message has.
    #[inline(always)]
    #[must_use]
    pub fn changed(&self) -> usize {
        self.changed.len()
    }

    /// Ends a message: what it has defined is put back unless it is kept. The result is the slots with
    /// definitions that are kept.
    pub fn end(&mut self, whole: bool) -> &[u32] {
        if whole && self.mode & KEPT != 0 {
            for slot in &self.changed {
                self.used = self.used.max(*slot as usize + 1);
            }
            self.replaced.clear();
        } else {
            let table = self.table.half_words_mut();
            for (slot, word) in self.changed.drain(..).zip(self.replaced.drain(..)).rev() {
                table[slot as usize] = word;
            }
        }
        &self.changed
    }

    /// How many slots are in use.
    #[must_use]
    pub fn used(&self) -> usize {
        self.used
    }
}

/// Reads a list of keys, each of which names a property. The result is how many there are.
fn skip_keys<'a, S: Scanner<'a>>(scanner: &mut S) -> Result<usize, DecodeError> {
    let Item::Array(count) = scanner.next()? else { return Err(DecodeError::KeysNotArray) };
    for _ in 0..count {
        if scanner.text_key()?.is_some() {
            continue;
        }
        match scanner.next()? {
            Item::Single(SINGLE_C1) => return Err(DecodeError::InvalidKey),
            Item::Int(_) | Item::Double(_) | Item::Single(_) | Item::Int64(_) | Item::Uint64(_) => {}
            _ => return Err(DecodeError::InvalidKey),
        }
    }
    Ok(count)
}
