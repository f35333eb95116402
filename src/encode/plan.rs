//! Plans: the encoded keys of a hidden class, and where its values lie.
//!
//! A map's address is only a hint where to look, as maps move and die and addresses are used again. In
//! each call a plan counts only after its keys and details were compared with the map's own; until the
//! call ends nothing moves, so from then on the address is enough.
//!
//! The comparison costs as much as writing the keys from the heap. So an object whose class is met for
//! the first time in a call is written without a plan, and one is looked at for the second.

use crate::buffer::SLACK;
use crate::v8::memory::{Memory, Window};
use crate::v8::objects::Descriptors;
use crate::v8::tagged::{Map, Ref};

/// Classes that are known at a time; a further one takes the place of another.
const SLOTS: usize = 1024;
/// Longest encoded key in a plan. Copied in one step, whatever its length.
pub const KEY: usize = 24;
/// More keys than that take no plan, which bounds the memory.
const MAX_KEYS: usize = 128;

const _: () = assert!(KEY <= SLACK);

/// One key of a plan.
#[derive(Clone, Copy)]
pub struct PlannedKey {
    /// The encoded key.
    pub bytes: [u8; KEY],
    /// Its length.
    pub length: u8,
    /// How many of the last bytes are the key's characters, all ASCII.
    characters: u8,
    /// Which field of the object holds the value.
    pub field: u16,
}

impl PlannedKey {
    fn text(&self) -> &[u8] {
        let length = usize::from(self.length);
        &self.bytes[length - usize::from(self.characters)..length]
    }
}

/// What a call knows of a class.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Known {
    /// It was met, and may be written without being looked at again.
    Met,
    /// Its plan is right.
    Planned,
    /// It has no plan, or one that is being recorded.
    Unplanned,
}

struct Slot {
    map: usize,
    call: u32,
    known: Known,
    keys: Vec<PlannedKey>,
}

/// The plans of a wire format.
pub struct Plans {
    slots: Box<[Slot]>,
    call: u32,
}

impl Default for Plans {
    fn default() -> Self {
        let slots = (0..SLOTS).map(|_| Slot { map: 0, call: 0, known: Known::Unplanned, keys: Vec::new() });
        Self { slots: slots.collect(), call: 0 }
    }
}

/// The slot of a class, its own until the call ends.
#[derive(Clone, Copy)]
pub struct Place(usize);

/// How an object of a class is to be written.
#[derive(Clone, Copy)]
pub enum Way {
    /// The class must be looked at first. It may take a slot, if there is one.
    First(Option<Place>),
    /// From its map, and the keys are to be recorded if the plan does not match.
    Second(Place),
    /// From its map.
    Unplanned,
    /// By its plan.
    Planned(Place),
}

impl Plans {
    /// Starts a call: nothing is known of any class.
    #[inline(always)]
    pub fn begin(&mut self) {
        self.call = self.call.wrapping_add(1);
        if self.call == 0 {
            self.forget();
        }
    }

    #[cold]
    fn forget(&mut self) {
        *self = Self { call: 1, ..Self::default() };
    }

    /// How an object of class `map` is to be written. In a call a slot belongs to the class that took it
    /// first, so that a plan in use stays as it is.
    #[inline(always)]
    pub fn way(&self, map: Ref<'_, Map>) -> Way {
        let address = map.address();
        let place = (address >> 3 ^ address >> 13) % SLOTS;
        let slot = &self.slots[place];
        if slot.call != self.call {
            return Way::First(Some(Place(place)));
        }
        if slot.map != address {
            return Way::First(None);
        }
        match slot.known {
            Known::Planned => Way::Planned(Place(place)),
            Known::Met => Way::Second(Place(place)),
            Known::Unplanned => Way::Unplanned,
        }
    }

    /// Takes note that a class was met.
    #[inline(always)]
    pub fn meet(&mut self, place: Place, map: Ref<'_, Map>) {
        let slot = &mut self.slots[place.0];
        slot.map = map.address();
        slot.call = self.call;
        slot.known = Known::Met;
    }

    /// The keys of a plan.
    #[inline(always)]
    #[must_use]
    pub fn keys(&self, place: Place) -> &[PlannedKey] {
        &self.slots[place.0].keys
    }

    /// Compares the plan in a slot with the class that has taken it: true if it is right.
    pub fn check<M: Memory>(
        &mut self,
        place: Place,
        window: Window<'_, M>,
        descriptors: Descriptors<'_>,
    ) -> bool {
        let slot = &mut self.slots[place.0];
        let right = slot.keys.len() == descriptors.len()
            && slot.keys.iter().enumerate().all(|(index, key)| is_right(key, window, descriptors, index));
        slot.known = if right { Known::Planned } else { Known::Unplanned };
        right
    }

    /// Starts to record a plan for a class. Until that ends, objects of the class in it are written
    /// without one.
    pub fn start(&mut self, place: Place) {
        let slot = &mut self.slots[place.0];
        slot.known = Known::Unplanned;
        slot.keys.clear();
    }

    /// Records the next key: its encoded bytes, how many characters it has, and its field. False if the
    /// class can have no plan.
    pub fn record(&mut self, place: Place, encoded: &[u8], characters: usize, field: usize) -> bool {
        let keys = &mut self.slots[place.0].keys;
        let mut bytes = [0; KEY];
        let (Ok(field), Some(start)) = (u16::try_from(field), bytes.get_mut(..encoded.len())) else {
            return false;
        };
        start.copy_from_slice(encoded);
        if keys.len() == MAX_KEYS || characters > encoded.len() {
            return false;
        }
        keys.push(PlannedKey { bytes, length: encoded.len() as u8, characters: characters as u8, field });
        true
    }

    /// Ends the recording of a plan of `count` keys: objects of this class are written by it from now on.
    pub fn finish(&mut self, place: Place, count: usize) {
        let slot = &mut self.slots[place.0];
        if slot.keys.len() == count {
            slot.known = Known::Planned;
        }
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
    let layout = &window.layout().descriptors;
    window.descriptor(descriptors, index).is_some_and(|descriptor| {
        descriptor.details & layout.relevant == layout.plain
            && layout.index.of(descriptor.details) == u32::from(key.field)
            && window.is_text(descriptor.key, key.text())
    })
}
