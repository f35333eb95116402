//! Records, written the plain way.

use super::Naive;
use crate::encode::handover::Handover;
use crate::encode::heap_tests::PLAIN;
use crate::options::TWO_BYTE_IDS;
use crate::v8::fake_heap::value::{Realm, Value};

/// The keys of an object as texts.
pub(in crate::encode::heap_tests) type Texts = Vec<Vec<u16>>;

/// The same as bytes: where these are equal, it is the same record.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(in crate::encode::heap_tests) struct KeyList {
    pub(in crate::encode::heap_tests) encoded: Vec<Vec<u8>>,
}

impl KeyList {
    pub(in crate::encode::heap_tests) fn new(texts: &Texts) -> Self {
        let encode = |text: &Vec<u16>| {
            let mut naive = Naive::new(Realm::default(), PLAIN);
            naive.units(text);
            naive.out
        };
        Self { encoded: texts.iter().map(encode).collect() }
    }

    /// The keys as a message has them.
    pub(in crate::encode::heap_tests) fn bytes(&self) -> Vec<u8> {
        let mut naive = Naive::new(Realm::default(), PLAIN);
        naive.array_head(self.encoded.len());
        [naive.out, self.encoded.concat()].concat()
    }
}

/// What is decided of a key list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::encode::heap_tests) enum Fact {
    /// It is a record that each message defines for itself.
    Own,
    /// It is no record.
    Map,
    /// It is the record in this slot.
    Slot(u32),
}

/// The keys of the objects in a value, as far as it is walked.
pub(in crate::encode::heap_tests) fn key_lists(value: &Value, realm: Realm) -> Vec<Texts> {
    let mut naive = Naive::new(realm, PLAIN);
    // What is handed over ends the list.
    let _ = naive.value(value);
    naive.lists
}

impl Naive<'_> {
    /// Writes what comes before the members of an object. True if its keys come with them.
    pub(super) fn object_head(&mut self, keys: Texts) -> Result<bool, Handover> {
        let (list, count) = (KeyList::new(&keys), keys.len());
        self.lists.push(keys);
        let fact = match self.mode.known {
            Some(known) => known.fact(&list),
            None => Some(Fact::Map),
        };
        match fact {
            None => Err(Handover::Structure),
            Some(Fact::Map) => {
                self.map_head(count);
                Ok(true)
            }
            Some(Fact::Slot(slot)) => {
                self.out.extend(self.id(slot));
                Ok(false)
            }
            Some(Fact::Own) => {
                self.own(list)?;
                Ok(false)
            }
        }
    }

    fn own(&mut self, list: KeyList) -> Result<(), Handover> {
        if let Some(slot) = self.defined.get(&list) {
            self.out.extend(self.id(*slot));
            return Ok(());
        }
        let slots = self.mode.known.map_or(0..0, |known| known.own_slots());
        let slot = slots.start + self.defined.len() as u32;
        if slot >= slots.end {
            return Err(Handover::Structure);
        }
        let id = self.id(slot);
        self.out.extend([0xd3 + id.len() as u8, b'r']);
        self.out.extend(id);
        self.out.extend(list.bytes());
        self.defined.insert(list, slot);
        Ok(())
    }

    fn id(&self, slot: u32) -> Vec<u8> {
        match slot.checked_sub(32) {
            Some(high) if self.has(TWO_BYTE_IDS) => vec![0x60 + (high % 32) as u8, (high / 32) as u8],
            _ => vec![0x40 + slot as u8],
        }
    }
}
