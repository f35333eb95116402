//! Unpacking: a [`crate::format::Scanner`]'s items become slots of the tape, which `src/js/build.js` turns into
//! values.
//!
//! The whole message is checked before the first JavaScript object exists, so building can fail in
//! user code only.

pub mod arrays;
pub mod boundary;
pub mod bundles;
pub mod definitions;
pub mod extension_slots;
pub mod extensions;
pub mod frame;
pub mod key_lists;
pub mod key_trie;
pub mod objects;
pub mod record_shapes;
pub mod records;
pub mod references;
pub mod row;
pub mod scan;
pub mod sequence;
pub mod short_strings;
pub mod slots;
pub mod strings;

use crate::buffer::SharedMemory;
use bundles::Bundles;
use extensions::ExtensionTypes;
use frame::Frame;
use key_trie::KeyTrie;
use objects::PendingKey;
use records::Records;
use references::References;
use short_strings::ShortStrings;
use strings::Strings;

/// Slots of the tape between messages.
pub const BASE_SLOTS: usize = 1 << 16;
/// A tape that has grown beyond this is given back after the message.
const KEPT_SLOTS: usize = 1 << 19;

/// What unpacking keeps between messages.
pub struct Decoder {
    /// The tape.
    pub slots: SharedMemory,
    /// Key lists of maps.
    pub keys: KeyTrie,
    /// Records.
    pub records: Records,
    /// Text of the message scanned last.
    pub strings: Strings,
    /// Short strings that JavaScript has.
    pub short_strings: ShortStrings,
    /// Extension types that have a meaning in JavaScript.
    pub extensions: ExtensionTypes,
    /// Bundled strings of the message scanned last.
    pub bundles: Bundles,
    /// Its references.
    pub references: References,
    /// Counts messages.
    message: u32,
    stack: Vec<Frame>,
    pending: Vec<PendingKey>,
}

/// Under what an extension's reader may read another value of its message.
#[derive(Clone, Copy, Debug)]
pub struct Context {
    /// See [`Bundles::progress`].
    pub progress: [usize; 3],
    /// Whether that message was scanned last.
    pub is_last: bool,
}

impl Default for Decoder {
    fn default() -> Self {
        Self {
            slots: SharedMemory::new(BASE_SLOTS),
            keys: KeyTrie::default(),
            records: Records::default(),
            strings: Strings::default(),
            short_strings: ShortStrings::default(),
            extensions: ExtensionTypes::default(),
            bundles: Bundles::default(),
            references: References::default(),
            message: 0,
            stack: Vec::new(),
            pending: Vec::new(),
        }
    }
}

impl Decoder {
    /// Readies the memory for a message. `outermost` says that no other is being built, `confirmed`
    /// that JavaScript defined the short strings of the last one, `continued` that this one may refer to what
    /// the last one had. The result is whether the numbers in the record table have lost their meaning.
    #[inline(always)]
    pub fn begin(&mut self, outermost: bool, confirmed: bool, continued: bool) -> bool {
        self.bundles.begin(continued);
        self.references.begin(continued);
        if !continued {
            self.message = self.message.wrapping_add(1);
        }
        self.short_strings.begin(outermost, confirmed);
        self.strings.clear();
        self.stack.clear();
        self.pending.clear();
        outermost && (self.keys.is_full() || self.records.is_full()) && self.renew()
    }

    /// Makes room for key lists. Not while a message with their numbers is being built.
    #[cold]
    fn renew(&mut self) -> bool {
        if self.keys.is_full() {
            self.keys.renew();
        }
        // Their numbers have one generation.
        self.records.renew();
        self.references.clear();
        true
    }

    /// The context of an extension that stands in this slot.
    #[must_use]
    pub fn context(&self, at: usize) -> Option<Context> {
        let [first, second] = *self.slots.words().get(at..)?.first_chunk()?;
        let parts = [first as u32, (first >> 32) as u32, second as u32];
        Some(Context {
            progress: parts.map(|part| part as usize),
            is_last: (second >> 32) as u32 == self.message,
        })
    }

    /// Changes whenever numbers of key lists got new meanings.
    #[must_use]
    pub fn generation(&self) -> u32 {
        self.keys.generation().wrapping_add(self.records.generation())
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
        if self.records.is_full() {
            self.records.renew();
        }
        self.references.clear();
        self.bundles.begin(false);
        self.strings.clear();
    }
}
