//! The heap walker: from objects in V8's heap to the events of a [`Writer`], in the order and with the
//! bytes of the tape walker, which defines what is right. Whatever could run user code, and whatever is
//! not known here, makes it stop with a [`Handover`].
//!
//! This file has the dispatch by kind, and arrays; [`super::heap_objects`] has objects,
//! [`super::heap_text`] strings and [`super::heap_exotic`] the rarer built-ins.

use super::handover::Handover;
use super::heap_identities::Identities;
use super::plan::Plans;
use super::records::Records;
use crate::buffer::Position;
use crate::format::Writer;
use crate::options::COERCIBLE_KEYS;
use crate::v8::Window;
use crate::v8::memory::{Memory, Run, U64, Word};
use crate::v8::objects::{Elements, HOLE_NAN};
use crate::v8::roots::{Root, Roots};
use crate::v8::tagged::{HeapObject, JsArray, Map, Ref, Tagged};
use crate::v8::value::HeapValue;

/// Containers in containers that are walked here. A worker may have no more than 190 kB of native stack
/// left when JavaScript has recursed to its own limit; a level takes up to 700 bytes.
pub const MAX_DEPTH: u32 = 128;

/// Where a value ends, or why it was not written.
pub type Step = Result<Position, Handover>;

/// What a walk goes by, besides the heap.
pub struct Setting<'w> {
    /// Those of this environment.
    pub plans: &'w mut Plans,
    /// Where objects become records: those of this message.
    pub records: Option<Records<'w>>,
    /// The bits of the packr's options.
    pub options: u32,
}

/// One walk over one message.
pub struct HeapWalk<'w, 'gc, W, M, I> {
    pub(super) window: Window<'gc, M>,
    pub(super) roots: Roots<'gc>,
    pub(super) writer: W,
    /// Which objects the message has.
    pub(super) identities: I,
    pub(super) plans: &'w mut Plans,
    /// Looked at where rare kinds are met.
    pub(super) options: u32,
    /// Properties of objects that are not written in one pass.
    pub(super) pairs: Vec<super::heap_listed::Pair<'gc>>,
    /// Text of strings that are put together.
    pub(super) units: Vec<u16>,
    /// Whether holes of arrays are undefined, once it was asked.
    holes: Option<bool>,
    /// The prototype that was last found to have no toJSON.
    pub(super) plain_prototype: Option<Ref<'gc, HeapObject>>,
    /// The prototype that was last found to be of no class that was registered.
    pub(super) common_prototype: Option<Ref<'gc, HeapObject>>,
    /// Keys of maps become numbers where these turn back into the same key.
    pub(super) numeric_keys: bool,
    pub(super) records: Option<Records<'w>>,
    /// The keys of all shapes, there.
    pub(super) shape_keys: Option<Run<'gc, Word>>,
}

/// Writes the message `value`; the result is where it ends, and the writer. A call would cost a tiny message as
/// much as a key.
#[inline(always)]
pub fn walk<'gc, W: Writer, M: Memory, I: Identities>(
    window: Window<'gc, M>,
    roots: Roots<'gc>,
    value: Tagged<'gc>,
    setting: Setting<'_>,
    writer: W,
    identities: I,
) -> (Step, W) {
    let Setting { plans, records, options } = setting;
    plans.begin();
    let shape_keys = if records.is_some() { roots.shape_keys(window) } else { None };
    let mut walk = HeapWalk {
        window,
        roots,
        writer,
        identities,
        plans,
        options,
        pairs: Vec::new(),
        units: Vec::new(),
        holes: None,
        plain_prototype: None,
        common_prototype: None,
        numeric_keys: options & COERCIBLE_KEYS != 0,
        records,
        shape_keys,
    };
    let step = walk.value(Position::START, value, MAX_DEPTH).map(|end| walk.writer.finish(end));
    (step, walk.writer)
}

impl<'gc, W: Writer, M: Memory, I: Identities> HeapWalk<'_, 'gc, W, M, I> {
    /// Whether an option is set.
    pub(super) fn has(&self, option: u32) -> bool {
        self.options & option != 0
    }

    /// Writes a reference, where an object was met before.
    #[inline(always)]
    pub(super) fn met<C>(&mut self, at: Position, object: Ref<'gc, C>) -> Result<Option<Position>, Handover> {
        let id = self.identities.meet(object.address(), at)?;
        Ok(id.map(|id| self.writer.reference(at, id)))
    }

    /// Writes any value. `depth` says how many levels of containers may follow. Inlined where values stand
    /// in a row: most are scalars, for which a call costs as much as the writing.
    #[inline(always)]
    pub(super) fn value(&mut self, at: Position, value: Tagged<'gc>, depth: u32) -> Step {
        match self.window.classify(value) {
            HeapValue::Smi(int) => Ok(self.writer.int(at, int)),
            HeapValue::String(string, instance_type) => self.string(at, string, instance_type),
            HeapValue::Number(number) => Ok(self.writer.number(at, number)),
            HeapValue::Oddball => self.oddball(at, value),
            HeapValue::Object(object, map) => self.object(at, object, map, depth),
            HeapValue::Array(array, map) => self.array(at, array, map, depth),
            HeapValue::Other(object, map, instance_type) => self.other(at, object, map, instance_type, depth),
        }
    }

    /// The same, where it is called seldom.
    #[inline(never)]
    pub(super) fn any(&mut self, at: Position, value: Tagged<'gc>, depth: u32) -> Step {
        self.value(at, value, depth)
    }

    #[inline(always)]
    fn oddball(&mut self, at: Position, value: Tagged<'gc>) -> Step {
        let is = |root| value.is(self.roots.get(self.window, root));
        if is(Root::Null) {
            Ok(self.writer.nil(at))
        } else if is(Root::True) {
            Ok(self.writer.boolean(at, true))
        } else if is(Root::False) {
            Ok(self.writer.boolean(at, false))
        } else if is(Root::Undefined) {
            Ok(self.writer.undefined(at))
        } else {
            Err(Handover::Unexpected)
        }
    }

    #[inline(never)]
    fn array(&mut self, at: Position, array: Ref<'gc, JsArray>, map: Ref<'gc, Map>, depth: u32) -> Step {
        let window = self.window;
        if let Some(behind) = self.met(at, array)? {
            return Ok(behind);
        }
        let Some(depth) = depth.checked_sub(1) else { return Err(Handover::Depth) };
        // One array in another twice, and so on, is a small value and an endless message.
        if at.is_too_far() {
            return Err(Handover::TooLarge);
        }
        if !window.prototype(map).is(self.roots.get(window, Root::ArrayPrototype)) {
            return Err(self.odd_array(map));
        }
        let length = window.array_length(array).ok_or(Handover::Unexpected)?;
        match window.elements(array.object(), map) {
            Elements::Words(words) => self.words(at, words, length, depth),
            Elements::Doubles(numbers) => self.doubles(at, numbers, length),
            Elements::Dictionary(entries) => self.sparse(at, entries, length, depth),
            Elements::Unknown => Err(Handover::Unexpected),
        }
    }

    #[inline(always)]
    fn words(&mut self, at: Position, words: Run<'gc, Word>, length: usize, depth: u32) -> Step {
        let window = self.window;
        if length > words.len() {
            return Err(Handover::Unexpected);
        }
        let mut at = self.writer.array(at, length);
        let hole = self.roots.get(window, Root::Hole);
        for index in 0..length {
            let value = window.get(words, index).ok_or(Handover::Unexpected)?;
            at = match value.smi() {
                Some(int) => self.writer.int(at, int),
                None if value.is(hole) => self.hole(at)?,
                None => self.value(at, value, depth)?,
            };
            if window.failed() {
                return Err(Handover::Unexpected);
            }
        }
        Ok(at)
    }

    /// Elements that are all numbers, or holes.
    fn doubles(&mut self, at: Position, numbers: Run<'gc, U64>, length: usize) -> Step {
        let window = self.window;
        if length > numbers.len() {
            return Err(Handover::Unexpected);
        }
        let mut at = self.writer.array(at, length);
        let mut done = 0;
        while done < length {
            let rest = numbers.behind(done);
            let number = |index| window.get(rest, index).unwrap_or(HOLE_NAN);
            let (behind, count) = self.writer.numbers(at, length - done, HOLE_NAN, number);
            (at, done) = (behind, done + count);
            if done < length {
                at = self.hole(at)?;
                done += 1;
            }
            if window.failed() {
                return Err(Handover::Unexpected);
            }
        }
        Ok(at)
    }

    /// An element that is not there: undefined, unless a prototype has one in its place.
    #[inline(never)]
    pub(super) fn hole(&mut self, at: Position) -> Step {
        let plain = match self.holes {
            Some(plain) => plain,
            None => {
                let plain = self.no_elements_behind_arrays();
                self.holes = Some(plain);
                plain
            }
        };
        if plain { Ok(self.writer.undefined(at)) } else { Err(Handover::Holes) }
    }

    /// Whether the prototypes of arrays have no elements.
    fn no_elements_behind_arrays(&self) -> bool {
        let window = self.window;
        let root = |root| self.roots.get(window, root);
        let array_prototype = root(Root::ArrayPrototype);
        let next = array_prototype.heap_object().map(|object| window.prototype(window.map(object)));
        next.is_some_and(|next| next.is(root(Root::ObjectPrototype)))
            && window.prototype_has_no_elements(array_prototype)
            && window.prototype_has_no_elements(root(Root::ObjectPrototype))
    }
}
