//! Plans: the encoded keys of a hidden class, and where its values lie.
//!
//! A map's address is only a hint where to look, as maps move and die and addresses are used again. In
//! each call a plan counts only after its keys and details were compared with the map's own; until the
//! call ends nothing moves, so from then on the address is enough.
//!
//! The comparison costs about as much as writing the keys from the heap. Still, to look for the plan of a
//! class at its first object in a call is as fast where each class occurs once, and 7 % faster on records
//! whose classes occur a few times, than to begin with the second object, or the fourth.

#[cfg(test)]
mod tests;

use std::ops::Range;

use super::handover::Handover;
use super::records::{Form, Records};
use crate::buffer::SLACK;
use crate::shapes::{EncodedKey, Shapes};
use crate::v8::memory::{Memory, Run, Window, Word};
use crate::v8::objects::Descriptors;
use crate::v8::tagged::{Map, Ref};

/// Classes that are known at a time; a further one takes the place of another.
const ENTRIES: usize = 1024;
/// Longest encoded key in a plan. Copied in one step, whatever its length.
pub const KEY: usize = 24;
/// A class of more keys takes no plan.
const MAX_KEYS: usize = 128;
/// Keys of all plans together; when there are more, all are forgotten at the next call.
const MAX_ALL_KEYS: usize = 1 << 15;

const _: () = assert!(KEY <= SLACK);

/// One key of a plan.
#[derive(Clone, Copy)]
pub struct PlannedKey {
    /// The encoded key, and zeros.
    pub bytes: [u8; KEY],
    /// The property's details as far as they matter, among them which field holds the value.
    pub details: u32,
    /// Length of the encoded key.
    pub length: u8,
    /// How many of its last bytes are the key's characters, all ASCII.
    characters: u8,
}

impl PlannedKey {
    fn encoded(&self) -> &[u8] {
        self.bytes.get(..usize::from(self.length)).unwrap_or_default()
    }

    /// The characters.
    #[must_use]
    pub fn text(&self) -> &[u8] {
        let end = usize::from(self.length);
        self.bytes.get(end.saturating_sub(usize::from(self.characters))..end).unwrap_or_default()
    }
}

/// What a call knows of a class.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Status {
    /// Its plan is right.
    Planned,
    /// It has no plan, or one that is being recorded; it may be written without being looked at again.
    Unplanned,
}

#[derive(Clone, Copy)]
struct Entry {
    map: usize,
    call: u32,
    status: Status,
    /// Where the plan's keys lie, and how many there are.
    first: u32,
    count: u32,
    /// The shape of the keys, once it was looked for and found, and the generation of shapes it belongs to.
    shape: u32,
    generation: u32,
    /// What further objects of the class are written as in this call, if they are records.
    form: Option<Form>,
}

impl Entry {
    /// Whether a class has the planned keys, as far as that is seen from the shape: its keys are the very same
    /// strings, of which V8 has one for each text. That takes half as long as to compare the texts.
    #[inline(always)]
    fn has_keys_of_shape<'gc, M: Memory>(
        &self,
        keys: &[PlannedKey],
        window: Window<'gc, M>,
        descriptors: Descriptors<'gc>,
        shapes: &Shapes,
        all: Run<'gc, Word>,
    ) -> bool {
        if self.shape == NO_SHAPE || self.generation != shapes.generation() {
            return false;
        }
        let Some((first, count)) = shapes.range(self.shape as usize) else { return false };
        let hot = window.hot();
        let mask = hot.relevant_details | hot.field_index.mask;
        let strings = all.behind(first);
        count == keys.len()
            && keys.iter().enumerate().all(|(index, key)| {
                let Some(descriptor) = window.descriptor(descriptors, index) else { return false };
                let Some(string) = window.get(strings, index) else { return false };
                descriptor.key.is(string) && descriptor.details & mask == key.details
            })
    }
}

/// No shape was found yet.
const NO_SHAPE: u32 = u32::MAX;

/// The plans of a wire format.
pub struct Plans {
    entries: Box<[Entry; ENTRIES]>,
    call: u32,
    keys: Vec<PlannedKey>,
}

impl Default for Plans {
    fn default() -> Self {
        let entry = Entry {
            map: 0,
            call: 0,
            status: Status::Unplanned,
            first: 0,
            count: 0,
            shape: NO_SHAPE,
            generation: 0,
            form: None,
        };
        Self { entries: Box::new([entry; ENTRIES]), call: 0, keys: Vec::new() }
    }
}

/// A plan that is being recorded.
pub struct Recording {
    place: Place,
    keys: Vec<PlannedKey>,
}

impl Recording {
    /// Starts to record a plan for the class that has taken an entry. Until it is finished, objects of the
    /// class are written without one.
    #[must_use]
    pub fn new(place: Place) -> Self {
        Self { place, keys: Vec::new() }
    }

    /// Records the next key: its encoded bytes, how many characters it has, and its details. False if the
    /// class can have no plan.
    pub fn key(&mut self, encoded: &[u8], characters: usize, details: u32) -> bool {
        let mut bytes = [0; KEY];
        let Some(start) = bytes.get_mut(..encoded.len()) else { return false };
        start.copy_from_slice(encoded);
        if self.keys.len() == MAX_KEYS || characters > encoded.len() {
            return false;
        }
        let (length, characters) = (encoded.len() as u8, characters as u8);
        self.keys.push(PlannedKey { bytes, details, length, characters });
        true
    }
}

/// The entry of a class, its own until the call ends.
#[derive(Clone, Copy)]
pub struct Place(usize);

/// How an object of a class is to be written.
#[derive(Clone, Copy)]
pub enum Way {
    /// The class must be looked at first. It may take an entry, if there is one.
    First(Option<Place>),
    /// From its map. The entry is the class's own.
    Unplanned(Place),
    /// By its plan.
    Planned(Place),
}

impl Plans {
    /// Starts a call: nothing is known of any class.
    #[inline(always)]
    pub fn begin(&mut self) {
        self.call = self.call.wrapping_add(1);
        if self.call == 0 || self.keys.len() > MAX_ALL_KEYS {
            self.forget();
        }
    }

    #[cold]
    fn forget(&mut self) {
        *self = Self { call: 1, ..Self::default() };
    }

    /// How an object of class `map` is to be written. In a call an entry belongs to the class that took it
    /// first, so that a plan in use stays as it is.
    #[inline(always)]
    pub fn way(&self, map: Ref<'_, Map>) -> Way {
        let address = map.address();
        let place = (address >> 3 ^ address >> 13) % ENTRIES;
        let entry = &self.entries[place];
        if entry.call != self.call {
            return Way::First(Some(Place(place)));
        }
        if entry.map != address {
            return Way::First(None);
        }
        match entry.status {
            Status::Planned => Way::Planned(Place(place)),
            Status::Unplanned => Way::Unplanned(Place(place)),
        }
    }

    /// Gives an entry to a class: true if the plan in it is that of the class. `shapes` are those that entries may
    /// name, with all their keys as V8 has them.
    pub fn take<'gc, M: Memory>(
        &mut self,
        place: Place,
        map: Ref<'gc, Map>,
        window: Window<'gc, M>,
        descriptors: Descriptors<'gc>,
        shapes: Option<(&Shapes, Run<'gc, Word>)>,
    ) -> bool {
        let keys = self.keys.get(self.range(place)).unwrap_or_default();
        let right = keys.len() == descriptors.len()
            && (shapes.is_some_and(|(shapes, all)| {
                self.entries[place.0].has_keys_of_shape(keys, window, descriptors, shapes, all)
            }) || keys.iter().enumerate().all(|(index, key)| is_right(key, window, descriptors, index)));
        let entry = &mut self.entries[place.0];
        entry.map = map.address();
        entry.call = self.call;
        entry.form = None;
        entry.status = if right { Status::Planned } else { Status::Unplanned };
        right
    }

    /// Where the keys of a plan lie.
    #[inline(always)]
    #[must_use]
    pub fn range(&self, place: Place) -> Range<usize> {
        let entry = &self.entries[place.0];
        entry.first as usize..(entry.first + entry.count) as usize
    }

    /// A key of a plan.
    #[inline(always)]
    #[must_use]
    pub fn key(&self, index: usize) -> Option<&PlannedKey> {
        self.keys.get(index)
    }

    /// Ends the recording: objects of the class are written by the plan from now on.
    pub fn finish(&mut self, recording: Recording) -> Place {
        let entry = &mut self.entries[recording.place.0];
        let room = entry.first as usize..(entry.first + entry.count) as usize;
        let count = recording.keys.len();
        // A class that takes the place of another often has as many keys.
        match self.keys.get_mut(room) {
            Some(keys) if count > 0 && keys.len() == count => keys.copy_from_slice(&recording.keys),
            _ => {
                entry.first = self.keys.len() as u32;
                entry.count = count as u32;
                self.keys.extend_from_slice(&recording.keys);
            }
        }
        entry.status = Status::Planned;
        entry.shape = NO_SHAPE;
        entry.form = None;
        recording.place
    }

    /// What an object is written as, by the plan of its class, where objects are records.
    #[inline(always)]
    pub fn form(&mut self, place: Place, records: &mut Records<'_>) -> Result<Form, Handover> {
        match self.entries[place.0].form {
            Some(form) => Ok(form),
            None => self.first_form(place, records),
        }
    }

    /// The same for the first object of the class in a call.
    #[inline(never)]
    fn first_form(&mut self, place: Place, records: &mut Records<'_>) -> Result<Form, Handover> {
        let entry = self.entries[place.0];
        let generation = records.shapes.generation();
        let shape = if entry.shape != NO_SHAPE && entry.generation == generation {
            entry.shape
        } else {
            let keys = self.keys.get(self.range(place)).unwrap_or_default();
            let hash = keys.iter().fold(records.shapes.hash(), |hash, key| hash.with(key.encoded()));
            let is_equal = |found: &[EncodedKey]| {
                found.iter().map(EncodedKey::bytes).eq(keys.iter().map(PlannedKey::encoded))
            };
            records.shapes.find(hash, is_equal).ok_or(Handover::Structure)?
        };
        let form = records.form(shape)?;
        let entry = &mut self.entries[place.0];
        (entry.shape, entry.generation) = (shape, generation);
        self.set_form(place, form);
        Ok(form)
    }

    /// What further objects of an unplanned class are written as in this call, once that was found.
    #[inline(always)]
    #[must_use]
    pub fn form_of_unplanned(&self, place: Place) -> Option<Form> {
        self.entries[place.0].form
    }

    /// Keeps what an object of a class is written as, for the next one.
    pub fn set_form(&mut self, place: Place, form: Form) {
        self.entries[place.0].form = Some(match form {
            Form::Definition(slot) => Form::Instance(slot),
            form => form,
        });
    }
}

/// Whether a planned key is that of a descriptor.
#[inline(always)]
fn is_right<M: Memory>(
    key: &PlannedKey,
    window: Window<'_, M>,
    descriptors: Descriptors<'_>,
    index: usize,
) -> bool {
    let hot = window.hot();
    let Some(descriptor) = window.descriptor(descriptors, index) else { return false };
    let Some((string, instance_type)) = window.string(descriptor.key) else { return false };
    let Some(run) = window.sequential_one_byte(string, instance_type) else { return false };
    let characters = usize::from(key.characters);
    if descriptor.details & (hot.relevant_details | hot.field_index.mask) != key.details
        || run.len() != characters
    {
        return false;
    }
    let text = &key.bytes[usize::from(key.length) - characters..];
    match (window.short_string(string, characters), text.first_chunk::<8>()) {
        // Behind the characters stand zeros in the plan, and anything in the heap.
        (Some(word), Some(planned)) => (word ^ u64::from_le_bytes(*planned)) << (64 - 8 * characters) == 0,
        _ => window.with_bytes(run, |bytes| text.starts_with(bytes)),
    }
}
