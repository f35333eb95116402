//! Why the heap walker stops and leaves a message to the tape walker. Not an error: the walk has no side
//! effects, so starting over is always right.

/// The reasons. JavaScript knows them by their numbers and [`NAMES`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
pub enum Handover {
    /// A property with a getter.
    Accessor,
    /// A property that V8 keeps in the hidden class.
    PropertyInMap,
    /// An object may choose how it is written: it has, or may have, a toJSON.
    ToJson,
    /// An instance of a class with a meaning of its own.
    Class,
    /// A function, symbol, proxy, error or any other object that only JavaScript knows.
    Kind,
    /// A Map, Set, Date or array whose prototype is not the usual one.
    Prototype,
    /// Holes that elements of a prototype show through.
    Holes,
    /// Nested deeper than the native stack is trusted with.
    Depth,
    /// An object that may be an instance of a class that was registered.
    Extension,
    /// A date that is none, about which a function is asked.
    InvalidDate,
    /// References together with bundled strings, or more objects than are told apart.
    References,
    /// A view of a shared, resizable or detached buffer.
    Buffer,
    /// A bigint of more than 64 bits.
    BigInt,
    /// A string whose characters V8 alone can find.
    String,
    /// A key that may be the text of a number, under `coercibleKeyAsNumber`.
    NumericKey,
    /// An object of a shape that the packr has no decision on, or more shapes than one message may define.
    Structure,
    /// Something is not as it should be.
    Unexpected,
    /// The message has outgrown what a Buffer can hold: an error, as the other walker would find as well.
    TooLarge,
}

/// Names of the reasons, by number.
pub const NAMES: [&str; 18] = [
    "accessor",
    "property in map",
    "toJSON",
    "class",
    "kind",
    "prototype",
    "holes",
    "depth",
    "extension",
    "invalid date",
    "references",
    "buffer",
    "bigint",
    "string",
    "numeric key",
    "structure",
    "unexpected",
    "too large",
];
