//! The errors of packing and unpacking, and the one place that words them. Leaf module.
//!
//! Texts that a user of msgpackr may match stay msgpackr's.

use std::borrow::Cow;

/// Why a value could not be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EncodeError {
    /// The message would be longer than a Buffer can be addressed (4 GiB).
    TooLarge,
    /// There is no memory for the message.
    OutOfMemory,
    /// The value that stands for an unused byte, behind a string that was put elsewhere: that byte then stands
    /// for strings.
    ReservedInBundle,
    /// The tape does not describe a value: a fault of ours, never of the input.
    BrokenTape,
}

/// Why a message could not be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DecodeError {
    /// The input ends inside a value.
    Incomplete,
    /// The input ends this many bytes before what a header promises.
    Missing(u64),
    /// The input ends inside a fixed-size number or a length.
    OutsideView,
    /// The input ends before a one-byte binary length.
    EndOfBuffer,
    /// The input ends before the type of a one-byte extension.
    NoExtension,
    /// The input ends before the length of an extension.
    NoExtensionType,
    /// The input ends before the data of a one-byte extension of this type.
    NoExtensionData(u8),
    /// An extension type that nothing is registered for, and whether it had the one-byte form.
    UnknownExtension(u8, bool),
    /// A key that can not name a property.
    InvalidKey,
    /// The keys of a record are no list.
    KeysNotArray,
    /// There is no record in this slot.
    UndefinedRecord(u32),
    /// A reference to a value that is not there.
    UnknownReference(u32),
    /// References between values are not wanted.
    ReferencesDisabled,
    /// A string bundle is none, and whether the input ends before it.
    NoBundle(bool),
    /// String bundles that cover each other.
    BundlesOverlap,
    /// A bundled string without a length.
    NoBundledLength,
    /// Containers are nested deeper than [`MAX_DEPTH`].
    TooDeep,
    /// More values than the tape can address.
    TooManyValues,
}

/// Containers may be nested this deep on the wire.
pub const MAX_DEPTH: usize = 16_384;

/// Which JavaScript constructor an error becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// `Error`
    Error,
    /// `RangeError`
    Range,
    /// `TypeError`
    Type,
}

impl EncodeError {
    /// Constructor and text of the JavaScript error.
    #[cold]
    #[must_use]
    pub fn describe(self) -> (Class, &'static str) {
        match self {
            Self::TooLarge => (Class::Error, "Packed buffer would be larger than maximum buffer size"),
            Self::OutOfMemory => (Class::Range, "Array buffer allocation failed"),
            Self::ReservedInBundle => (
                Class::Error,
                "C1 can not be packed behind a string with bundleStrings: it would be read as one",
            ),
            Self::BrokenTape => (Class::Error, "Internal error: the tape does not describe a value"),
        }
    }
}

impl DecodeError {
    /// Constructor and text of the JavaScript error.
    #[cold]
    #[must_use]
    pub fn describe(self) -> (Class, Cow<'static, str>) {
        let text = match self {
            Self::Incomplete | Self::Missing(_) | Self::NoExtensionData(_) => {
                "Unexpected end of MessagePack data"
            }
            Self::OutsideView => "Offset is outside the bounds of the DataView",
            Self::EndOfBuffer => "Unexpected end of buffer",
            Self::NoExtension => "Unknown extension undefined",
            Self::NoExtensionType => "Unknown extension type undefined",
            Self::UnknownExtension(code, true) => {
                return (Class::Error, format!("Unknown extension {code}").into());
            }
            Self::UnknownExtension(code, false) => {
                return (Class::Error, format!("Unknown extension type {code}").into());
            }
            Self::InvalidKey => {
                "Invalid property type for record: object. A MessagePack map with non-string keys can be \
                 decoded as a Map with mapsAsObjects: false"
            }
            Self::KeysNotArray => "The keys of a record are not an array",
            Self::UndefinedRecord(slot) => {
                return (Class::Error, format!("Record id is not defined for {slot}").into());
            }
            Self::UnknownReference(id) => {
                return (Class::Type, format!("There is no value with the id {id} to refer to").into());
            }
            Self::ReferencesDisabled => "Structured clone extension is disabled",
            Self::NoBundle(_) => "Expected string",
            Self::BundlesOverlap => "String bundles overlap",
            Self::NoBundledLength => "Expected the length of a bundled string",
            Self::TooDeep => "Maximum MessagePack nesting depth exceeded",
            Self::TooManyValues => "MessagePack data holds more values than can be unpacked at once",
        };
        let class = match self {
            Self::OutsideView | Self::TooDeep | Self::TooManyValues => Class::Range,
            Self::KeysNotArray => Class::Type,
            _ => Class::Error,
        };
        (class, text.into())
    }

    /// Whether more input could make the message whole.
    #[must_use]
    pub fn is_incomplete(self) -> bool {
        !matches!(
            self,
            Self::UnknownExtension(..)
                | Self::InvalidKey
                | Self::KeysNotArray
                | Self::UndefinedRecord(_)
                | Self::UnknownReference(_)
                | Self::ReferencesDisabled
                | Self::NoBundle(false)
                | Self::BundlesOverlap
                | Self::NoBundledLength
                | Self::TooDeep
                | Self::TooManyValues
        )
    }

    /// Bytes that are known to be missing.
    #[must_use]
    pub fn missing_bytes(self) -> Option<u64> {
        match self {
            Self::Missing(count) => Some(count),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_stay_small() {
        assert!(size_of::<Result<(), DecodeError>>() <= 16);
        assert!(size_of::<Result<(), EncodeError>>() <= 1);
    }
}
