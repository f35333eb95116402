//! Unpacking: a [`Scanner`]'s items become slots of the tape, which `src/js/build.js` turns into
//! values.
//!
//! The whole message is checked before the first JavaScript object exists. An explicit stack
//! bounds depth; a container's slots are reserved at once, and the scanner has made sure that the
//! input can hold as many items, so the tape never outgrows the input by more than a constant
//! factor. The fields of the innermost container are kept as locals: measured, that is the largest
//! single gain in this loop (23 % against a struct that is copied).

pub mod key_trie;
pub mod strings;

use crate::buffer::SharedMemory;
use crate::error::{DecodeError, MAX_DEPTH};
use crate::format::{Item, Scanner};
use crate::options::MAPS_AS_OBJECTS;
use crate::tape::{MAX_SLOTS, slot};
use key_trie::{KeyTrie, MAX_KEYS, NodeId, ROOT};
use strings::{Strings, Text};

/// Slots of the tape between messages.
pub const BASE_SLOTS: usize = 1 << 16;
/// A tape that has grown beyond this is given back after the message.
const KEPT_SLOTS: usize = 1 << 19;

/// What unpacking keeps between messages.
pub struct Decoder {
    /// The tape.
    pub slots: SharedMemory,
    /// Key lists.
    pub keys: KeyTrie,
    /// Text of the message scanned last.
    pub strings: Strings,
    stack: Vec<Frame>,
    /// Where the keys of objects without a shape lie: start of the item, start and length of text.
    pending: Vec<(usize, usize, usize)>,
}

/// What a container's slots mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Values only.
    Values,
    /// Values of an object whose keys follow the trie; the node is that of the last key.
    Shaped,
    /// Keys and values of an object without a shape; the node is where the trie was left.
    Keyed,
}

/// A container that waits while one inside it is scanned.
#[derive(Clone, Copy)]
struct Frame {
    at: usize,
    end: usize,
    /// The slot that names the container.
    owner: usize,
    pending: usize,
    node: NodeId,
    context: NodeId,
    kind: Kind,
}

impl Default for Decoder {
    fn default() -> Self {
        Self {
            slots: SharedMemory::new(BASE_SLOTS),
            keys: KeyTrie::default(),
            strings: Strings::default(),
            stack: Vec::new(),
            pending: Vec::new(),
        }
    }
}

impl Decoder {
    /// Readies the memory for a message. `outermost` says that no other is being built.
    pub fn begin(&mut self, outermost: bool) {
        self.strings.clear();
        self.stack.clear();
        self.pending.clear();
        if outermost {
            self.keys.renew();
        }
    }

    /// Gives back the memory of a large message.
    pub fn release(&mut self) {
        if self.slots.words().len() > KEPT_SLOTS {
            self.slots = SharedMemory::new(BASE_SLOTS);
        }
        if self.stack.capacity() > 1024 {
            self.stack = Vec::new();
        }
        if self.pending.capacity() > 4096 {
            self.pending = Vec::new();
        }
        self.strings.clear();
    }

    /// Makes room for `more` slots from `free` on.
    #[inline(always)]
    fn reserve(&mut self, free: usize, more: usize) -> Result<(), DecodeError> {
        if self.slots.words().len() - free < more { self.grow(free, more) } else { Ok(()) }
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self, free: usize, more: usize) -> Result<(), DecodeError> {
        let needed = free + more;
        if needed > MAX_SLOTS {
            return Err(DecodeError::TooManyValues);
        }
        let wanted = needed.max(self.slots.words().len() * 2).min(MAX_SLOTS);
        let mut larger = SharedMemory::new(wanted);
        larger.words_mut()[..free].copy_from_slice(&self.slots.words()[..free]);
        self.slots = larger;
        Ok(())
    }

    /// Scans one value; its slot is `start`. The result is the first slot that is not used.
    pub fn scan<S: Scanner>(
        &mut self,
        scanner: &mut S,
        start: usize,
        options: u32,
    ) -> Result<usize, DecodeError> {
        let start = start.min(self.slots.words().len());
        self.reserve(start, 1)?;
        let mut free = start + 1;
        let mut at = start;
        let mut end = start + 1;
        let mut owner = start;
        let mut pending = 0;
        let mut node = ROOT;
        let mut context = ROOT;
        let mut kind = Kind::Values;
        loop {
            while at == end {
                match kind {
                    Kind::Values => {}
                    Kind::Shaped => {
                        // The children lie where the owner's low word already points.
                        let slots = self.slots.words_mut();
                        slots[owner] |= u64::from(node) << 32;
                    }
                    Kind::Keyed => self.learn(scanner.input(), pending, node, owner),
                }
                let Some(outer) = self.stack.pop() else { return Ok(free) };
                Frame { at, end, owner, pending, node, context, kind } = outer;
            }
            if kind == Kind::Shaped {
                let starts = node == ROOT;
                let predicted =
                    if starts { self.keys.predict(context, true) } else { self.keys.predict(node, false) };
                match self.keys.matches(predicted, scanner.input(), scanner.position()) {
                    Some(length) => {
                        scanner.seek(scanner.position() + length);
                        node = predicted;
                    }
                    None => match self.find_key(scanner, node, context, starts)? {
                        Some(found) => node = found,
                        None => {
                            // A key that the trie does not have: the object goes on without a shape.
                            pending = self.pending.len();
                            let pairs = end - at + self.keys.path(node).len();
                            (at, end, free) = self.unshape(owner, free, node, pairs)?;
                            kind = Kind::Keyed;
                        }
                    },
                }
                context = node;
            }
            let item_start = scanner.position();
            let place = at;
            at += 1;
            let value = match scanner.next()? {
                Item::Int(value) => slot::int(value),
                Item::Double(value) => slot::double(value),
                Item::Single(which) => slot::single(which),
                Item::Str(start, length) => {
                    if kind == Kind::Keyed && (end - at) & 1 == 1 {
                        self.pending.push((item_start, start, length));
                    }
                    match self.strings.add(scanner.input(), start, length) {
                        Text::Slot(slot) => slot,
                        Text::Rare(kind, words) => self.rare(&mut free, kind, words)?,
                    }
                }
                Item::Map(pairs) if options & MAPS_AS_OBJECTS != 0 => {
                    self.push(Frame { at, end, owner, pending, node, context, kind })?;
                    owner = place;
                    node = ROOT;
                    pending = self.pending.len();
                    if pairs <= MAX_KEYS {
                        kind = Kind::Shaped;
                        self.reserve(free, pairs)?;
                        at = free;
                        end = free + pairs;
                        free = end;
                        slot::boxed(slot::OBJECT, 0, at as u32 * 2)
                    } else {
                        kind = Kind::Keyed;
                        let header = self.pairs(&mut free, pairs)?;
                        at = header + 1;
                        end = free;
                        slot::boxed(slot::RARE, slot::RARE_OBJECT, header as u32 * 2)
                    }
                }
                Item::Map(pairs) => {
                    self.push(Frame { at, end, owner, pending, node, context, kind })?;
                    owner = place;
                    kind = Kind::Values;
                    let header = self.pairs(&mut free, pairs)?;
                    at = header + 1;
                    end = free;
                    slot::boxed(slot::RARE, slot::RARE_MAP, header as u32 * 2)
                }
                Item::Array(length) => {
                    self.reserve(free, length + 1)?;
                    let header = free;
                    free += length + 1;
                    let slots = self.slots.words_mut();
                    slots[header] = slot::words(length as u32, 0);
                    let run = scanner.numbers(&mut slots[header + 1..free]);
                    if run.count == length {
                        let elements = number_run(&mut slots[header + 1..free], run.ints, run.doubles);
                        slot::boxed(slot::ARRAY, elements, header as u32 * 2)
                    } else {
                        self.push(Frame { at, end, owner, pending, node, context, kind })?;
                        owner = place;
                        kind = Kind::Values;
                        at = header + 1 + run.count;
                        end = free;
                        slot::boxed(slot::ARRAY, slot::ARRAY_ANY, header as u32 * 2)
                    }
                }
                Item::Bin(start, length) => {
                    self.rare(&mut free, slot::RARE_BIN, slot::words(start as u32, length as u32))?
                }
                Item::Int64(value) => self.rare(&mut free, slot::RARE_INT64, value as u64)?,
                Item::Uint64(value) => self.rare(&mut free, slot::RARE_UINT64, value)?,
                Item::Date(value) => self.rare(&mut free, slot::RARE_DATE, slot::double(value))?,
                Item::Ext { code, short, start, length } => {
                    let first =
                        self.rare(&mut free, slot::RARE_EXT, slot::words(start as u32, length as u32))?;
                    self.rare(&mut free, slot::RARE_EXT, slot::words(u32::from(code), u32::from(short)))?;
                    first
                }
                Item::ExtValue(code) => {
                    self.push(Frame { at, end, owner, pending, node, context, kind })?;
                    owner = place;
                    kind = Kind::Values;
                    let named =
                        self.rare(&mut free, slot::RARE_EXT_VALUE, slot::words(u32::from(code), 0))?;
                    self.reserve(free, 1)?;
                    at = free;
                    end = free + 1;
                    free = end;
                    named
                }
            };
            self.slots.words_mut()[place] = value;
        }
    }

    #[inline(always)]
    fn push(&mut self, frame: Frame) -> Result<(), DecodeError> {
        if self.stack.len() >= MAX_DEPTH {
            return Err(DecodeError::TooDeep);
        }
        self.stack.push(frame);
        Ok(())
    }

    /// A slot of its own for a rare kind; the result is the slot that names it.
    fn rare(&mut self, free: &mut usize, kind: u32, words: u64) -> Result<u64, DecodeError> {
        self.reserve(*free, 1)?;
        let at = *free;
        *free += 1;
        self.slots.words_mut()[at] = words;
        Ok(slot::boxed(slot::RARE, kind, at as u32 * 2))
    }

    /// Header and slots for pairs of key and value; the result is where the header lies.
    fn pairs(&mut self, free: &mut usize, pairs: usize) -> Result<usize, DecodeError> {
        self.reserve(*free, 1 + 2 * pairs)?;
        let header = *free;
        *free += 1 + 2 * pairs;
        self.slots.words_mut()[header] = slot::words(pairs as u32, 0);
        Ok(header)
    }

    /// The next key where the prediction was wrong: the node, if the trie has it.
    #[inline(never)]
    fn find_key<S: Scanner>(
        &mut self,
        scanner: &mut S,
        node: NodeId,
        context: NodeId,
        starts: bool,
    ) -> Result<Option<NodeId>, DecodeError> {
        let before = scanner.position();
        let Some((start, length)) = scanner.text_key()? else {
            scanner.seek(before);
            return Ok(None);
        };
        let text = &scanner.input()[start..start + length];
        let from = if starts { context } else { node };
        let found = self.keys.find(node, text, from, starts);
        if found.is_none() {
            scanner.seek(before);
        }
        Ok(found)
    }

    /// Turns an object that followed the trie up to `node` into one of `pairs` pairs.
    #[inline(never)]
    fn unshape(
        &mut self,
        owner: usize,
        mut free: usize,
        node: NodeId,
        pairs: usize,
    ) -> Result<(usize, usize, usize), DecodeError> {
        let header = self.pairs(&mut free, pairs)?;
        let path = self.keys.path(node);
        let slots = self.slots.words_mut();
        let values = (slots[owner] as u32 / 2) as usize;
        for (index, key) in path.iter().enumerate() {
            slots[header + 1 + 2 * index] = slot::boxed(slot::RARE, slot::RARE_KEY, *key);
            slots[header + 2 + 2 * index] = slots[values + index];
        }
        slots[owner] = slot::boxed(slot::RARE, slot::RARE_OBJECT, header as u32 * 2);
        Ok((header + 1 + 2 * path.len(), free, free))
    }

    /// At the end of an object without a shape: its key list may deserve one.
    #[inline(never)]
    fn learn(&mut self, input: &[u8], pending: usize, prefix: NodeId, owner: usize) {
        let slots = self.slots.words();
        let header = slots[owner] as u32 as usize / 2;
        let pairs = slots[header] as u32 as usize;
        let keys = &self.pending[pending..];
        // A key that was no string is missing here; such an object has no shape.
        if pairs <= MAX_KEYS && keys.len() + self.keys.path(prefix).len() == pairs {
            let encoded =
                keys.iter().map(|(item, start, length)| (&input[*item..start + length], start - item));
            self.keys.learn(prefix, encoded);
        }
        self.pending.truncate(pending);
    }
}

/// Finishes an array of nothing but numbers; the result is the kind of its elements.
fn number_run(elements: &mut [u64], ints: bool, doubles: bool) -> u32 {
    match (ints, doubles) {
        (true, false) => slot::ARRAY_INTS,
        (false, true) => slot::ARRAY_DOUBLES,
        (true, true) => {
            for element in elements {
                if *element >> 48 == u64::from(slot::INT) {
                    *element = f64::from(*element as u32 as i32).to_bits();
                }
            }
            slot::ARRAY_DOUBLES
        }
        (false, false) => slot::ARRAY_ANY,
    }
}
