//! Objects that a walk compares others with. JavaScript passes them in one array in each call, where V8
//! keeps them up to date; `src/js/heap-roots.js` states the same order.

use crate::buffer::Room;

use super::memory::{Live, Memory, Run, Window, Word};
use super::objects::Elements;
use super::tagged::{HeapObject, JsArrayBuffer, Ref, Tagged};

/// Places in the array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
pub enum Root {
    /// undefined
    Undefined,
    /// null
    Null,
    /// true
    True,
    /// false
    False,
    /// The hole of arrays: the array has one here.
    Hole,
    /// `Object.prototype`
    ObjectPrototype,
    /// `Array.prototype`
    ArrayPrototype,
    /// `Date.prototype`
    DatePrototype,
    /// `Map.prototype`
    MapPrototype,
    /// `Set.prototype`
    SetPrototype,
    /// `ArrayBuffer.prototype`
    ArrayBufferPrototype,
    /// `DataView.prototype`
    DataViewPrototype,
    /// `RegExp.prototype`
    RegExpPrototype,
    /// `Error.prototype`
    ErrorPrototype,
    /// `AggregateError.prototype`
    AggregateErrorPrototype,
    /// `Object`
    Object,
    /// The string "toJSON".
    ToJson,
    /// The string "constructor".
    Constructor,
    /// The string "name".
    Name,
    /// The string "message".
    Message,
    /// The string "cause".
    Cause,
    /// The prototypes of classes that programs have registered, whose instances JavaScript packs: an array; 0 if
    /// there are none, and true if only JavaScript can tell.
    Extensions,
    /// The ArrayBuffer that results are written to.
    Chunk,
    /// An array of the keys of all shapes, as they are in hidden classes, at the places that
    /// [`crate::shapes`] has them.
    ShapeKeys,
    /// The first of the prototypes that views have, which is that of Buffers, up to a null; behind it the
    /// prototypes whose heirs have a meaning of their own.
    FirstListed,
}

/// Names of the roots in order, for the test that compares them with JavaScript's.
pub const NAMES: [&str; Root::FirstListed as usize] = [
    "undefined",
    "null",
    "true",
    "false",
    "hole",
    "Object.prototype",
    "Array.prototype",
    "Date.prototype",
    "Map.prototype",
    "Set.prototype",
    "ArrayBuffer.prototype",
    "DataView.prototype",
    "RegExp.prototype",
    "Error.prototype",
    "AggregateError.prototype",
    "Object",
    "toJSON",
    "constructor",
    "name",
    "message",
    "cause",
    "extensions",
    "chunk",
    "shape keys",
];

/// Which objects may be instances of classes that programs have registered.
#[derive(Clone, Copy)]
pub enum Extensions<'gc> {
    /// None.
    None,
    /// Heirs of these prototypes.
    Of(Run<'gc, Word>),
    /// Any.
    Any,
}

/// The array in this call.
#[derive(Clone, Copy)]
pub struct Roots<'gc> {
    words: Run<'gc, Word>,
}

impl<'gc> Roots<'gc> {
    /// The roots in `array`, if it is an array of that many words.
    #[inline(always)]
    #[must_use]
    pub fn of<M: Memory>(window: Window<'gc, M>, array: Tagged<'gc>) -> Option<Self> {
        let words = words_of(window, array)?;
        (words.len() > Root::FirstListed as usize).then_some(Self { words })
    }

    /// One of them.
    #[inline(always)]
    #[must_use]
    pub fn get<M: Memory>(self, window: Window<'gc, M>, root: Root) -> Tagged<'gc> {
        window.get(self.words, root as usize).expect("the length was tested")
    }

    /// Whether a prototype is that of Buffers.
    #[inline(always)]
    #[must_use]
    pub fn is_of_buffers<M: Memory>(self, window: Window<'gc, M>, prototype: Tagged<'gc>) -> bool {
        window.get(self.words, Root::FirstListed as usize).is_some_and(|word| word.is(prototype))
    }

    /// Whether programs have registered no classes.
    #[inline(always)]
    #[must_use]
    pub fn has_no_extensions<M: Memory>(self, window: Window<'gc, M>) -> bool {
        self.get(window, Root::Extensions).smi().is_some()
    }

    /// The classes that programs have registered.
    #[must_use]
    pub fn extensions<M: Memory>(self, window: Window<'gc, M>) -> Extensions<'gc> {
        let root = self.get(window, Root::Extensions);
        if root.smi().is_some() {
            return Extensions::None;
        }
        match root.heap_object() {
            Some(_) if root.is(self.get(window, Root::True)) => Extensions::Any,
            _ => words_of(window, root).map_or(Extensions::Any, Extensions::Of),
        }
    }

    /// Whether a prototype is one that views have.
    #[must_use]
    pub fn is_of_views<M: Memory>(self, window: Window<'gc, M>, prototype: Tagged<'gc>) -> bool {
        let null = self.get(window, Root::Null);
        (Root::FirstListed as usize..self.words.len())
            .map_while(|index| window.get(self.words, index).filter(|word| !word.is(null)))
            .any(|word| word.is(prototype))
    }

    /// Whether a prototype is one whose heirs have a meaning of their own. Views among them: an heir that is
    /// none is no case for this.
    #[must_use]
    pub fn claims<M: Memory>(self, window: Window<'gc, M>, prototype: Ref<'gc, HeapObject>) -> bool {
        (Root::FirstListed as usize..self.words.len())
            .any(|index| window.get(self.words, index).is_some_and(|word| word.is(prototype.tagged())))
    }

    /// Address and length of the chunk's memory, for the self-test: it is what is written to.
    #[must_use]
    pub fn chunk_memory<M: Memory>(self, window: Window<'gc, M>) -> Option<(usize, usize)> {
        window.backing_store(self.chunk(window)?)
    }

    /// The chunk's memory from `start` on, to be written to.
    #[inline(always)]
    #[must_use]
    pub fn chunk_room(self, window: Window<'gc, Live>, start: usize) -> Option<Room<'gc>> {
        window.room_in(self.chunk(window)?, start)
    }

    /// The keys of all shapes, once there are any.
    #[inline(always)]
    #[must_use]
    pub fn shape_keys<M: Memory>(self, window: Window<'gc, M>) -> Option<Run<'gc, Word>> {
        words_of(window, self.get(window, Root::ShapeKeys))
    }

    /// The chunk, once there is one.
    #[inline(always)]
    fn chunk<M: Memory>(self, window: Window<'gc, M>) -> Option<Ref<'gc, JsArrayBuffer>> {
        let chunk = self.get(window, Root::Chunk).heap_object()?;
        let is_buffer = window.instance_type(window.map(chunk)) == window.layout().types.array_buffer;
        is_buffer.then(|| chunk.assume())
    }
}

/// The elements of an array that holds words.
#[inline(always)]
fn words_of<'gc, M: Memory>(window: Window<'gc, M>, array: Tagged<'gc>) -> Option<Run<'gc, Word>> {
    let array = array.heap_object()?;
    let map = window.map(array);
    if window.instance_type(map) != window.layout().types.array {
        return None;
    }
    let Elements::Words(words) = window.elements(array.assume(), map) else { return None };
    Some(words.first(window.array_length(array.assume())?))
}
