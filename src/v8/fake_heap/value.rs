//! JavaScript values as tests describe them, each with the choices that V8 has in storing it.

use std::fmt;

use crate::v8::layout::ArrayType;

/// A value.
#[derive(Clone, Debug)]
pub(crate) enum Value {
    Undefined,
    Null,
    Bool(bool),
    Smi(i32),
    /// A number in an object of its own.
    Number(f64),
    String(Text),
    /// Sign and digits, the least first.
    BigInt(bool, Vec<u64>),
    Date(f64),
    Array(Array),
    Object(Object),
    /// The entries in order, none for one that was deleted.
    Map(Vec<Option<(Value, Value)>>),
    Set(Vec<Option<Value>>),
    TypedArray(TypedArray),
    /// An ArrayBuffer.
    Buffer(Bytes),
    /// A DataView, and how many bytes of its buffer come before it.
    DataView(Bytes, usize),
    /// Source and flags, as bits.
    RegExp(Text, u32),
    Error(ErrorObject),
    /// A primitive as an object.
    Boxed(Box<Value>),
    /// Any built-in but a boxed primitive that is not quite like others.
    Odd(Box<Value>, Oddity),
    Symbol,
    Function,
}

/// What is odd about a built-in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Oddity {
    /// It has the prototype of a subclass.
    Subclass,
    /// It has an own property of the name `constructor`.
    OwnConstructor(Sort),
    /// It has an own property of another name.
    OwnProperty,
    /// Its own properties are in a dictionary.
    OwnDictionary,
}

/// A string, and how V8 has it.
#[derive(Clone)]
pub(crate) enum Text {
    /// With its characters in place; of two bytes also where one would do if `wide`.
    Plain {
        units: Vec<u16>,
        wide: bool,
    },
    /// With its characters outside the heap.
    External {
        units: Vec<u16>,
        wide: bool,
    },
    /// As `External`, but only V8 knows where they are.
    Uncached(Vec<u16>),
    Cons(Box<Text>, Box<Text>),
    /// A part of another string: where it begins and how long it is.
    Sliced(Box<Text>, usize, usize),
    Thin(Box<Text>),
}

/// On one line, as a failing value may have many.
impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Plain { units, wide } => write!(f, "Plain {{ units: vec!{units:?}, wide: {wide} }}"),
            Self::External { units, wide } => write!(f, "External {{ units: vec!{units:?}, wide: {wide} }}"),
            Self::Uncached(units) => write!(f, "Uncached(vec!{units:?})"),
            Self::Cons(first, second) => write!(f, "Cons({first:?}, {second:?})"),
            Self::Sliced(parent, start, length) => write!(f, "Sliced({parent:?}, {start}, {length})"),
            Self::Thin(actual) => write!(f, "Thin({actual:?})"),
        }
    }
}

impl Text {
    pub(crate) fn ascii(text: &str) -> Self {
        Self::Plain { units: text.encode_utf16().collect(), wide: false }
    }

    pub(crate) fn units(&self) -> Vec<u16> {
        match self {
            Self::Plain { units, .. } | Self::External { units, .. } | Self::Uncached(units) => units.clone(),
            Self::Cons(first, second) => [first.units(), second.units()].concat(),
            Self::Sliced(parent, start, length) => parent.units()[*start..start + length].to_vec(),
            Self::Thin(actual) => actual.units(),
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.units().len()
    }

    pub(crate) fn is_uncached(&self) -> bool {
        match self {
            Self::Plain { .. } | Self::External { .. } => false,
            Self::Uncached(_) => true,
            Self::Cons(first, second) => first.is_uncached() || second.is_uncached(),
            Self::Sliced(inner, ..) | Self::Thin(inner) => inner.is_uncached(),
        }
    }
}

/// What sort of property it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Sort {
    Data,
    /// Not enumerable.
    Hidden,
    Accessor,
    HiddenAccessor,
    /// Its value lies in the map.
    InMap,
}

/// A property without its key.
#[derive(Clone, Debug)]
pub(crate) struct Member {
    pub(crate) sort: Sort,
    pub(crate) value: Value,
}

impl Member {
    pub(crate) fn data(value: Value) -> Self {
        Self { sort: Sort::Data, value }
    }
}

/// A key that is no index.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Key {
    Text(Vec<u16>),
    Symbol,
}

impl Key {
    pub(crate) fn ascii(text: &str) -> Self {
        Self::Text(text.encode_utf16().collect())
    }
}

/// How elements are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Storage {
    Words,
    /// As doubles, if they all are numbers.
    Doubles,
    Dictionary,
}

/// An array: its elements, none for a hole.
#[derive(Clone, Debug)]
pub(crate) struct Array {
    pub(crate) elements: Vec<Option<Member>>,
    pub(crate) storage: Storage,
}

impl Array {
    pub(crate) fn of(values: Vec<Value>) -> Value {
        let elements = values.into_iter().map(|value| Some(Member::data(value))).collect();
        Value::Array(Self { elements, storage: Storage::Words })
    }
}

/// What an object inherits from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Heritage {
    Plain,
    Null,
    Class,
    /// A class whose prototype is in dictionary mode.
    LargeClass,
    ClassWithToJson,
    LargeClassWithToJson,
    /// A class that inherits from one of those that have a meaning of their own.
    Claimed,
}

/// An object without internal slots.
#[derive(Clone, Debug)]
pub(crate) struct Object {
    pub(crate) properties: Vec<(Key, Member)>,
    /// Properties whose keys are indices, none for a hole.
    pub(crate) elements: Vec<Option<Member>>,
    /// Whether those are in a dictionary; they are if any is not plain data.
    pub(crate) sparse: bool,
    pub(crate) dictionary: bool,
    /// How many fields there is room for in the object itself.
    pub(crate) in_object: u8,
    pub(crate) heritage: Heritage,
    /// Whether reading a property may run code of the embedder.
    pub(crate) special: bool,
}

impl Object {
    pub(crate) fn plain(properties: Vec<(&str, Value)>) -> Self {
        let member = |(key, value)| (Key::ascii(key), Member::data(value));
        Self {
            properties: properties.into_iter().map(member).collect(),
            elements: Vec::new(),
            sparse: false,
            dictionary: false,
            in_object: 4,
            heritage: Heritage::Plain,
            special: false,
        }
    }
}

/// What keeps the bytes of a typed array from being read in place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Special {
    Detached,
    Shared,
    Resizable,
    /// Its elements kind is one of those of resizable buffers.
    ResizableKind,
}

/// What an ArrayBuffer holds.
#[derive(Clone, Debug)]
pub(crate) struct Bytes {
    pub(crate) bytes: Vec<u8>,
    pub(crate) special: Option<Special>,
}

/// What an error inherits from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Lineage {
    Error,
    /// A class of errors.
    Class,
    /// One whose constructor seems to be that of plain objects.
    Impostor,
    ClassWithToJson,
    AggregateError,
}

/// An error.
#[derive(Clone, Debug)]
pub(crate) struct ErrorObject {
    pub(crate) lineage: Lineage,
    pub(crate) properties: Vec<(Key, Member)>,
    pub(crate) dictionary: bool,
}

impl ErrorObject {
    /// The value of its own property of a name, or what sort of property it is, where that is no data.
    pub(crate) fn own(&self, name: &str) -> Option<Result<&Value, Sort>> {
        let (_, member) = self.properties.iter().find(|(key, _)| *key == Key::ascii(name))?;
        Some(match member.sort {
            Sort::Data | Sort::Hidden => Ok(&member.value),
            // In a dictionary there is no other place.
            Sort::InMap if self.dictionary => Ok(&member.value),
            sort => Err(sort),
        })
    }
}

/// A typed array.
#[derive(Clone, Debug)]
pub(crate) struct TypedArray {
    /// Whether it is a Buffer.
    pub(crate) is_buffer: bool,
    pub(crate) array_type: ArrayType,
    pub(crate) bytes: Vec<u8>,
    pub(crate) on_heap: bool,
    pub(crate) special: Option<Special>,
}

/// What all values of a message share.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Realm {
    /// Whether `Array.prototype` has elements.
    pub(crate) elements_in_array_prototype: bool,
    /// Whether `Object.prototype` has.
    pub(crate) elements_in_object_prototype: bool,
    /// Whether prototypes are in dictionary mode.
    pub(crate) dictionary_prototypes: bool,
}
