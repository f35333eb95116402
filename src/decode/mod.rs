//! Unpacking: a [`crate::format::Scanner`]'s items become slots of the tape, which `src/js/build.js` turns into
//! values.
//!
//! The whole message is checked before the first JavaScript object exists, so building can fail in
//! user code only.

pub mod key_trie;
pub mod objects;
pub mod record_shapes;
pub mod records;
pub mod scan;
pub mod short_strings;
pub mod slots;
pub mod strings;

use crate::buffer::SharedMemory;
use crate::error::DecodeError;
use key_trie::KeyTrie;
use objects::PendingKey;
use records::Records;
use scan::Frame;
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
    stack: Vec<Frame>,
    pending: Vec<PendingKey>,
}

/// A set of extension type codes.
#[derive(Default)]
pub struct ExtensionTypes([u64; 4]);

impl ExtensionTypes {
    /// Adds a code.
    pub fn add(&mut self, code: u8) {
        self.0[usize::from(code >> 6)] |= 1 << (code & 63);
    }

    /// What a scanner's error means now that the types are known: a one-byte extension of an unknown
    /// type is refused before its data is missed.
    #[cold]
    #[must_use]
    pub fn explain(&self, error: DecodeError) -> DecodeError {
        match error {
            DecodeError::NoExtensionData(code) if self.knows(code) => DecodeError::Incomplete,
            DecodeError::NoExtensionData(code) => DecodeError::UnknownExtension(code, true),
            error => error,
        }
    }

    /// Whether a code was added.
    #[must_use]
    pub fn knows(&self, code: u8) -> bool {
        self.0[usize::from(code >> 6)] >> (code & 63) & 1 == 1
    }
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
            stack: Vec::new(),
            pending: Vec::new(),
        }
    }
}

impl Decoder {
    /// Readies the memory for a message. `outermost` says that no other is being built, `confirmed`
    /// that JavaScript defined the short strings of the last one. The result is whether the numbers in
    /// the record table have lost their meaning.
    #[inline(always)]
    pub fn begin(&mut self, outermost: bool, confirmed: bool) -> bool {
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
        true
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
        self.strings.clear();
    }
}
