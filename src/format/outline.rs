//! What a wire format tells of a value's extent: enough to find its end, too little to build it.
//!
//! Unlike a [`Scanner`](super::Scanner), which reads whole messages, this never treats bytes that have
//! not come yet as an error.

/// What stands at one place of the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// A value of so many bytes, not all of which may be there.
    Bytes(u64),
    /// The same for an extension whose payload the format does not know.
    Extension(u64),
    /// So many bytes, which belong to the value that follows.
    Prefix(u64),
    /// Head of a container, and how many values follow.
    Values {
        /// Bytes of the head.
        head: u64,
        /// Values that belong to it.
        count: u64,
        /// Whether a record's keys can be listed so.
        list: bool,
    },
    /// What may be the id of a record, whose values follow, and otherwise is an integer of one byte.
    Record {
        /// The slot that the first byte names.
        slot: usize,
        /// The slot that two bytes name, if the id can have two.
        wide: WideSlot,
    },
    /// Definition of a record. Its list of keys follows, then the values of the first one.
    Define {
        /// Bytes of the head.
        head: u64,
        /// The slot; one that is out of range can not be named.
        slot: usize,
        /// Whether its id has two bytes.
        two_byte: bool,
    },
    /// Gives the value that follows a number.
    Target {
        /// Bytes of the head.
        head: u64,
        /// The number.
        id: u32,
    },
    /// Stands for the value that has this number.
    Pointer {
        /// Bytes of the head.
        head: u64,
        /// The number.
        id: u32,
    },
    /// Belongs to the value that follows, and says where the strings of it and of later values lie.
    Bundle {
        /// Bytes of the head.
        head: u64,
        /// Where the two strings begin, from the head on.
        strings: u64,
    },
    /// A byte that is a value by itself, or, once there was a bundle, belongs to the value that follows.
    Reserved,
    /// More bytes have to come: so many at least.
    Short(u64),
}

/// The slot of an id of two bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WideSlot {
    /// The first byte can only be a whole id.
    None,
    /// The second byte has not come yet.
    Short,
    /// The slot.
    Slot(usize),
}

/// A wire format, as far as extents are concerned.
pub trait Outline {
    /// What a first byte alone tells: how long the value or its head is, and how many values follow. A length
    /// of 0 says that it does not tell. Looking that up takes a third of the time.
    const BY_LEAD: [(u8, u8); 256];

    /// What `bytes` begin with. `reaches` says whether an extension type, in the one-byte form (true) or another
    /// one, has the meaning by which it reaches beyond its payload.
    fn extent(bytes: &[u8], reaches: impl Fn(u8, bool) -> bool) -> Extent;
}
