//! What a packr knows of records: the shapes, the table of what they are, the slots that messages may give,
//! and the keys that JavaScript holds. All of it is chosen at random from the key lists of messages.

use std::fmt;
use std::ops::Range;
use std::sync::{Mutex, MutexGuard};

use super::Mode;
use super::naive::{Fact, KeyList, Texts, key_lists};
use crate::decode::records::Records as DecodedRecords;
use crate::encode::records::{OwnSlots, Records};
use crate::options::{RECORDS, TWO_BYTE_IDS};
use crate::shapes::{EncodedKey, Shapes};
use crate::tape::{known, records};
use crate::v8::fake_heap::build::{Builder, PlacedKey};
use crate::v8::fake_heap::random::Random;
use crate::v8::fake_heap::value::{Array, Member, Object, Oddity, Realm, Storage, Text, Value};
use crate::v8::roots::Root;

/// A key list that may have a shape.
struct Listed {
    texts: Texts,
    list: KeyList,
    /// What is decided of it; nothing, too, if it has no shape.
    fact: Option<Fact>,
}

/// How much is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Knowledge {
    /// Every key list is, and there are slots enough.
    All,
    /// Some key lists are not, or slots run out.
    Some,
}

pub(super) struct Known {
    options: u32,
    knowledge: Knowledge,
    random: Random,
    /// Those with a shape first, by its number.
    lists: Vec<Listed>,
    shapes: Shapes,
    table: Vec<u32>,
    own_slots: Range<u32>,
    own: Mutex<OwnSlots>,
    /// What JavaScript holds instead of an array, or the array.
    keys: Result<Vec<PlacedKey>, Value>,
}

/// What is needed to see why a message was written as it was.
impl fmt::Debug for Known {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for Listed { texts, fact, .. } in &self.lists {
            let texts: Vec<_> = texts.iter().map(|text| String::from_utf16_lossy(text)).collect();
            write!(f, "{texts:?}: {fact:?}, ")?;
        }
        write!(f, "{} shapes, own slots {:?}, keys {:?}", self.shapes.len(), self.own_slots, self.keys)
    }
}

impl Known {
    /// Knowledge of key lists, in which one may come up more than once.
    pub(super) fn new(lists: Vec<Texts>, mode: Mode<'_>, knowledge: Knowledge, seed: u64) -> Self {
        let mut listed: Vec<Listed> = Vec::new();
        for texts in lists {
            let list = KeyList::new(&texts);
            if listed.iter().all(|other| other.list != list) {
                listed.push(Listed { texts, list, fact: None });
            }
        }
        let mut known = Self {
            options: mode.options,
            knowledge,
            random: Random::new(seed),
            lists: listed,
            shapes: Shapes::default(),
            table: Vec::new(),
            own_slots: 0..0,
            own: Mutex::default(),
            keys: Ok(Vec::new()),
        };
        known.start_over();
        known
    }

    /// Knowledge of the objects in messages, where they may be records: all that is needed.
    pub(super) fn of(messages: &[Value], mode: Mode<'_>, seed: u64) -> Option<Self> {
        let lists = || messages.iter().flat_map(|message| key_lists(message, Realm::default())).collect();
        (mode.options & RECORDS != 0).then(|| Self::new(lists(), mode, Knowledge::All, seed))
    }

    /// What the walk may know of a key list; where text was replaced, JavaScript alone tells one from another.
    pub(super) fn fact(&self, list: &KeyList) -> Option<Fact> {
        if list.encoded.iter().any(|key| key.windows(3).any(|part| part == "\u{fffd}".as_bytes())) {
            return None;
        }
        self.lists.iter().find(|listed| listed.list == *list)?.fact
    }

    /// Slots of the records that a message may define.
    pub(super) fn own_slots(&self) -> Range<u32> {
        self.own_slots.clone()
    }

    pub(super) fn own(&self) -> MutexGuard<'_, OwnSlots> {
        self.own.lock().expect("no walk has panicked")
    }

    /// Records of the next message.
    pub(super) fn records<'r>(&'r self, own: &'r mut OwnSlots) -> Records<'r> {
        Records::begin(&self.shapes, &self.table, own, self.own_slots.start, self.own_slots.end)
    }

    /// Lays out the keys that JavaScript holds.
    pub(super) fn lay_out_keys(&self, builder: &mut Builder<'_>) {
        match &self.keys {
            Ok(keys) => builder.shape_keys(keys),
            Err(value) => {
                let word = builder.value(value);
                builder.set_root(Root::ShapeKeys, word);
            }
        }
    }

    /// Tells a reader of messages what it must know.
    pub(super) fn tell(&self, reader: &mut DecodedRecords) {
        let mut used = 0;
        for Listed { list, fact, .. } in &self.lists {
            let Some(Fact::Slot(slot)) = *fact else { continue };
            let two_byte = self.options & TWO_BYTE_IDS != 0 && slot >= 32;
            let id = reader.shapes.give(&list.bytes(), list.encoded.len());
            let flag = if two_byte { records::TWO_BYTE } else { 0 };
            reader.table.half_words_mut()[slot as usize] = (id + 1) | flag;
            used = used.max(slot as usize + 1);
        }
        let wide = if self.options & TWO_BYTE_IDS != 0 { records::WIDE } else { 0 };
        reader.begin(records::ASKED | wide, used);
    }

    /// What may happen between messages: nothing, or what is known changes.
    pub(super) fn change(&mut self) {
        match self.random.below(5) {
            0 => {}
            1 => self.hold(),
            2 => self.decide(),
            3 => self.learn(),
            _ => self.start_over(),
        }
    }

    /// Forgets all shapes and gives new numbers.
    fn start_over(&mut self) {
        self.shapes.clear();
        self.random.shuffle(&mut self.lists);
        self.learn();
    }

    /// Gives numbers to key lists that have none, to all or to some of them.
    fn learn(&mut self) {
        let left = self.lists.len() - self.shapes.len();
        let count = match self.knowledge {
            Knowledge::Some if self.random.once_in(2) => self.random.below(left + 1),
            _ => left,
        };
        for listed in &self.lists[self.shapes.len()..][..count] {
            let keys = listed.list.encoded.iter().map(|key| EncodedKey::new(key)).collect();
            self.shapes.define(keys).expect("there are few");
        }
        self.decide();
    }

    /// Decides anew what each shape is written as.
    fn decide(&mut self) {
        let random = &mut self.random;
        let end: u32 = if self.options & TWO_BYTE_IDS == 0 { 64 } else { 8192 };
        // A sequence has no slots that messages give anew; there are never more shapes than this here.
        let first = random.pick(&[0, 1, 20, 31, end / 2, end - 32, end - 1]);
        let (few, many) = (random.below(4) as u32, 32 + random.below(100) as u32);
        let is_scarce = self.knowledge == Knowledge::Some && random.once_in(3);
        self.own_slots = first..end.min(first + if is_scarce { few } else { many });
        let mut free: Vec<_> = (0..first.min(150)).chain(self.own_slots.end..end).take(400).collect();
        random.shuffle(&mut free);
        let mut own = if is_scarce { usize::MAX } else { self.own_slots.len() };
        for (number, listed) in self.lists.iter_mut().enumerate() {
            let is_known = self.knowledge == Knowledge::All || !random.once_in(20);
            listed.fact = match random.below(8) {
                _ if number >= self.shapes.len() || !is_known => None,
                0 => Some(Fact::Map),
                1..=3 if own > 0 => {
                    own -= 1;
                    Some(Fact::Own)
                }
                _ => Some(free.pop().map_or(Fact::Map, Fact::Slot)),
            };
        }
        self.table = self.lists[..self.shapes.len()].iter().map(|listed| entry(listed.fact)).collect();
        // The table may reach no further than to what is known, or beyond all shapes.
        if self.random.once_in(2) {
            let used =
                self.table.iter().rposition(|entry| *entry != known::NOTHING).map_or(0, |last| last + 1);
            self.table.truncate(used);
        } else {
            self.table.resize(self.table.len() + self.random.below(3), known::NOTHING);
        }
        self.hold();
    }

    /// Chooses what JavaScript holds of the keys: mostly all.
    ///
    /// A string that hidden classes have stands at no place but its own: that is what the walk trusts in.
    fn hold(&mut self) {
        let numbered = &self.lists[..self.shapes.len()];
        let texts: Vec<_> = numbered.iter().flat_map(|listed| listed.texts.iter().cloned()).collect();
        let random = &mut self.random;
        let mut keys: Vec<_> = texts.iter().cloned().map(PlacedKey::Internalized).collect();
        match random.below(8) {
            0 => {
                self.keys = Err(stranger(random));
                return;
            }
            1 => keys.truncate(random.below(texts.len() + 1)),
            2 => {
                for key in &mut keys {
                    if random.once_in(4) {
                        *key = PlacedKey::Hole;
                    }
                }
            }
            3 => {
                for (key, text) in keys.iter_mut().zip(&texts) {
                    if random.once_in(4) {
                        *key = wrong(text, random);
                    }
                }
            }
            _ => {}
        }
        self.keys = Ok(keys);
    }
}

fn entry(fact: Option<Fact>) -> u32 {
    match fact {
        None => known::NOTHING,
        Some(Fact::Own) => known::OWN,
        Some(Fact::Map) => known::MAP,
        Some(Fact::Slot(slot)) => known::SLOT + slot,
    }
}

/// Anything but an array of words.
fn stranger(random: &mut Random) -> Value {
    let number = Some(Member::data(Value::Number(0.5)));
    let array = |storage| Value::Array(Array { elements: vec![number.clone(); 3], storage });
    match random.below(7) {
        0 => Value::Smi(3),
        1 => Value::Undefined,
        2 => Value::Object(Object::plain(vec![("a", Value::Null)])),
        3 => Value::Set(vec![]),
        4 => array(Storage::Doubles),
        5 => array(Storage::Dictionary),
        _ => Value::Odd(Box::new(array(Storage::Words)), Oddity::Subclass),
    }
}

/// What may stand in the place of a key, but not the key of a hidden class.
fn wrong(text: &[u16], random: &mut Random) -> PlacedKey {
    let copy = |wide| Text::Plain { units: text.to_vec(), wide };
    PlacedKey::Value(match random.below(8) {
        0 => Value::Smi(text.len() as i32),
        1 => Value::Undefined,
        2 => Value::Symbol,
        3 => Value::Object(Object::plain(vec![])),
        4 => Value::String(Text::Thin(Box::new(copy(false)))),
        5 => Value::String(copy(true)),
        6 => Value::String(Text::ascii("other")),
        _ => return PlacedKey::Internalized("no key of any class".encode_utf16().collect()),
    })
}
