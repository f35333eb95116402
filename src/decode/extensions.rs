//! Extension types: which have a reader in JavaScript, and what that takes.

use crate::error::DecodeError;
use crate::options::{TIMESTAMP_REPLACED, UNDEFINED_REPLACED};
use crate::tape::reader;

/// What an extension is to the scanner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// No reader takes it.
    Unknown,
    /// The reader of this number takes its payload.
    Payload(u32),
    /// The same; it may ask for values elsewhere in the message.
    PayloadAndMore(u32),
    /// The reader of this number takes the value that follows.
    Value(u32),
    /// The value that follows can be referred to.
    Target,
    /// A reference to a value.
    Pointer,
    /// The strings that later values are cut from.
    Bundle,
}

/// The readers, by type code.
pub struct ExtensionTypes {
    kinds: [u8; 256],
    numbers: [u32; 256],
    /// Option bits for the readers that the scanner has itself.
    replaced: u32,
}

impl Default for ExtensionTypes {
    fn default() -> Self {
        Self { kinds: [reader::NONE as u8; 256], numbers: [0; 256], replaced: 0 }
    }
}

impl ExtensionTypes {
    /// Gives a type the reader that JavaScript has under `number`; `kind` says what that takes.
    pub fn set(&mut self, code: u8, kind: u32, number: u32) {
        let before = u32::from(self.kinds[usize::from(code)]);
        if before == reader::UNDEFINED {
            self.replaced |= UNDEFINED_REPLACED;
        } else if before == reader::TIMESTAMP {
            self.replaced |= TIMESTAMP_REPLACED;
        }
        self.kinds[usize::from(code)] = kind as u8;
        self.numbers[usize::from(code)] = number;
    }

    /// Option bits that tell the scanner which types it must not read itself.
    #[inline(always)]
    #[must_use]
    pub fn replaced(&self) -> u32 {
        self.replaced
    }

    /// What an extension of this type is, in the one-byte form or another.
    #[must_use]
    pub fn meaning(&self, code: u8, short: bool) -> Meaning {
        let number = self.numbers[usize::from(code)];
        match u32::from(self.kinds[usize::from(code)]) {
            reader::PAYLOAD => Meaning::Payload(number),
            reader::PAYLOAD_AND_MORE => Meaning::PayloadAndMore(number),
            reader::VALUE => Meaning::Value(number),
            reader::VALUE_OF_SHORT if short => Meaning::Value(number),
            reader::VALUE_OF_SHORT => Meaning::PayloadAndMore(number),
            reader::TARGET => Meaning::Target,
            reader::POINTER => Meaning::Pointer,
            reader::BUNDLE => Meaning::Bundle,
            _ => Meaning::Unknown,
        }
    }

    /// Whether an extension of this type, in the one-byte form or another, reaches beyond its payload.
    #[must_use]
    pub fn reaches(&self, code: u8, short: bool) -> bool {
        matches!(
            self.meaning(code, short),
            Meaning::Value(_) | Meaning::Target | Meaning::Pointer | Meaning::Bundle
        )
    }

    /// What a scanner's error means now that the types are known: a one-byte extension of an unknown
    /// type is refused before its data is missed.
    #[cold]
    #[must_use]
    pub fn explain(&self, error: DecodeError) -> DecodeError {
        match error {
            DecodeError::NoExtensionData(code)
                if u32::from(self.kinds[usize::from(code)]) != reader::NONE =>
            {
                DecodeError::Incomplete
            }
            DecodeError::NoExtensionData(code) => DecodeError::UnknownExtension(code, true),
            error => error,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_form_may_decide() {
        let mut types = ExtensionTypes::default();
        assert_eq!(types.meaning(5, true), Meaning::Unknown);
        types.set(5, reader::VALUE_OF_SHORT, 7);
        assert_eq!(types.meaning(5, true), Meaning::Value(7));
        assert_eq!(types.meaning(5, false), Meaning::PayloadAndMore(7));
        types.set(5, reader::PAYLOAD, 8);
        assert_eq!(types.meaning(5, true), Meaning::Payload(8));
    }

    #[test]
    fn what_the_scanner_reads_itself_can_be_replaced() {
        let mut types = ExtensionTypes::default();
        types.set(0, reader::UNDEFINED, 0);
        types.set(0xff, reader::TIMESTAMP, 0);
        assert_eq!(types.replaced(), 0);
        types.set(0xff, reader::PAYLOAD, 1);
        assert_eq!(types.replaced(), TIMESTAMP_REPLACED);
        types.set(0, reader::PAYLOAD, 2);
        assert_eq!(types.replaced(), TIMESTAMP_REPLACED | UNDEFINED_REPLACED);
    }

    #[test]
    fn missing_data_of_types_that_are_known() {
        let mut types = ExtensionTypes::default();
        let cut = DecodeError::NoExtensionData(5);
        assert_eq!(types.explain(cut), DecodeError::UnknownExtension(5, true));
        types.set(5, reader::PAYLOAD, 0);
        assert_eq!(types.explain(cut), DecodeError::Incomplete);
    }
}
