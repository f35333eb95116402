//! The rarer kinds of the heap walk: which they are, and collections, bigints, boxed primitives, sparse arrays.

use super::handover::Handover;
use super::heap_identities::Identities;
use super::heap_walk::{HeapWalk, Step};
use crate::buffer::Position;
use crate::format::{Writer, types};
use crate::options::{ASKS_ABOUT_INVALID_DATES, MAP_AS_EMPTY_OBJECT, SET_AS_EMPTY_OBJECT};
use crate::v8::memory::{Memory, Run, Word};
use crate::v8::objects::Elements;
use crate::v8::roots::Root;
use crate::v8::tagged::{HeapObject, JsCollection, JsDate, JsPrimitiveWrapper, Map, Ref};
use crate::v8::value::{Exotic, HeapValue};

/// A sparse array may have so many times more holes than elements.
const MAX_HOLES: usize = 1 << 20;
/// Words of a hash table before its buckets: elements, deleted elements, buckets.
const TABLE_HEADER: usize = 3;

impl<'gc, W: Writer, M: Memory, I: Identities> HeapWalk<'_, 'gc, W, M, I> {
    /// Writes a value of one of the rarer kinds.
    #[inline(never)]
    pub(super) fn other(
        &mut self,
        at: Position,
        object: Ref<'gc, HeapObject>,
        map: Ref<'gc, Map>,
        instance_type: u16,
        depth: u32,
    ) -> Step {
        match self.window.exotic(object, instance_type) {
            Exotic::Date(date) => match self.enter(at, object, map)? {
                Some(behind) => Ok(behind),
                None => self.date(at, date, map),
            },
            Exotic::TypedArray(array) => match self.enter(at, object, map)? {
                Some(behind) => Ok(behind),
                None => self.typed_array(at, array, map),
            },
            Exotic::Map(collection) => match self.enter(at, object, map)? {
                Some(behind) => Ok(behind),
                None => self.map(at, collection, map, depth),
            },
            Exotic::Set(collection) => match self.enter(at, object, map)? {
                Some(behind) => Ok(behind),
                None => self.set(at, collection, map, depth),
            },
            Exotic::BigInt(bigint) => self.bigint(at, self.window.small_bigint(bigint)),
            Exotic::Wrapper(wrapper) => match self.met(at, object)? {
                Some(behind) => Ok(behind),
                None => self.wrapper(at, wrapper, map, depth),
            },
            Exotic::Unknown => Err(Handover::Kind),
            exotic => self.rarest(at, exotic, object, map, depth),
        }
    }

    /// Requires that a built-in is nothing but that. Where it ends if it was met before.
    #[inline(always)]
    fn enter(
        &mut self,
        at: Position,
        object: Ref<'gc, HeapObject>,
        map: Ref<'gc, Map>,
    ) -> Result<Option<Position>, Handover> {
        let window = self.window;
        // An own `constructor`, hidden or not, may change what such an object passes for.
        if window.may_have_own_name(map, self.roots.get(window, Root::Constructor)) {
            return Err(Handover::Class);
        }
        if !self.roots.has_no_extensions(window) {
            self.refuse_built_in(map)?;
        }
        self.met(at, object)
    }

    /// Requires that a built-in is no instance of a class that was registered. Maps by themselves never are.
    #[inline(never)]
    fn refuse_built_in(&mut self, map: Ref<'gc, Map>) -> Result<(), Handover> {
        if self.has_prototype(map, Root::MapPrototype) {
            return Ok(());
        }
        let prototype = self.window.prototype(map).heap_object().ok_or(Handover::Unexpected)?;
        self.refuse_extensions(prototype)
    }

    /// Whether the prototype of an object is one of the roots.
    #[inline(always)]
    fn has_prototype(&self, map: Ref<'gc, Map>, root: Root) -> bool {
        self.window.prototype(map).is(self.roots.get(self.window, root))
    }

    #[inline(always)]
    fn date(&mut self, at: Position, date: Ref<'gc, JsDate>, map: Ref<'gc, Map>) -> Step {
        if !self.has_prototype(map, Root::DatePrototype) {
            return Err(Handover::Prototype);
        }
        let milliseconds = self.window.date_value(date).ok_or(Handover::Unexpected)?;
        if milliseconds.is_nan() && self.has(ASKS_ABOUT_INVALID_DATES) {
            return Err(Handover::InvalidDate);
        }
        Ok(self.writer.date(at, milliseconds))
    }

    #[inline(always)]
    fn map(&mut self, at: Position, map: Ref<'gc, JsCollection>, class: Ref<'gc, Map>, depth: u32) -> Step {
        if !self.has_prototype(class, Root::MapPrototype) {
            return Err(Handover::Prototype);
        }
        if self.has(MAP_AS_EMPTY_OBJECT) {
            return Ok(self.writer.map(at, 0));
        }
        let table = self.window.map_table(map).ok_or(Handover::Unexpected)?;
        self.collection(at, table, 2, depth)
    }

    #[inline(always)]
    fn set(&mut self, at: Position, set: Ref<'gc, JsCollection>, map: Ref<'gc, Map>, depth: u32) -> Step {
        if !self.has_prototype(map, Root::SetPrototype) {
            return Err(Handover::Prototype);
        }
        if self.has(SET_AS_EMPTY_OBJECT) {
            return self.empty_object(at);
        }
        let table = self.window.set_table(set).ok_or(Handover::Unexpected)?;
        let at = self.typed(at, types::SET);
        self.collection(at, table, 1, depth)
    }

    #[inline(never)]
    fn empty_object(&mut self, at: Position) -> Step {
        let (at, _) = self.head(at, 0, |_, at, _| Ok(at))?;
        Ok(at)
    }

    /// A built-in of the kinds that are the most seldom in messages.
    #[inline(never)]
    fn rarest(
        &mut self,
        at: Position,
        exotic: Exotic<'gc>,
        object: Ref<'gc, HeapObject>,
        map: Ref<'gc, Map>,
        depth: u32,
    ) -> Step {
        if let Some(behind) = self.enter(at, object, map)? {
            return Ok(behind);
        }
        match exotic {
            Exotic::ArrayBuffer(buffer) if self.has_prototype(map, Root::ArrayBufferPrototype) => {
                self.array_buffer(at, buffer)
            }
            Exotic::DataView(view) if self.has_prototype(map, Root::DataViewPrototype) => {
                self.data_view(at, view)
            }
            Exotic::RegExp(regexp) if self.has_prototype(map, Root::RegExpPrototype) => {
                self.regexp(at, regexp, map)
            }
            Exotic::Error(error) => self.error(at, error, map, depth),
            // With another prototype it may pass for a plain object.
            _ => Err(Handover::Prototype),
        }
    }

    fn bigint(&mut self, at: Position, value: Option<(bool, u64)>) -> Step {
        match value {
            Some((false, magnitude)) => Ok(match i64::try_from(magnitude) {
                Ok(value) => self.writer.int64(at, value),
                Err(_) => self.writer.uint64(at, magnitude),
            }),
            Some((true, magnitude)) if magnitude <= 1 << 63 => {
                Ok(self.writer.int64(at, (magnitude as i64).wrapping_neg()))
            }
            _ => Err(Handover::BigInt),
        }
    }

    /// The entries of a hash table in the order in which they were added; `size` words of each are
    /// written.
    #[inline(never)]
    fn collection(&mut self, at: Position, table: Run<'gc, Word>, size: usize, depth: u32) -> Step {
        let window = self.window;
        let Some(depth) = depth.checked_sub(1) else { return Err(Handover::Depth) };
        if at.is_too_far() {
            return Err(Handover::TooLarge);
        }
        let number = |index| {
            let number = window.get(table, index).and_then(|word| word.smi());
            number.and_then(|number| usize::try_from(number).ok()).ok_or(Handover::Unexpected)
        };
        let (elements, deleted, buckets) = (number(0)?, number(1)?, number(2)?);
        // The last word of an entry leads to the next in its bucket.
        let entry_size = size + 1;
        let entries = table.behind(TABLE_HEADER).behind(buckets);
        if (elements + deleted) * entry_size > entries.len() {
            return Err(Handover::Unexpected);
        }
        let hole = self.roots.get(window, Root::Hole);
        let mut at = if size == 2 { self.writer.map(at, elements) } else { self.writer.array(at, elements) };
        let mut left = elements;
        for entry in 0..elements + deleted {
            let key = window.get(entries, entry * entry_size).ok_or(Handover::Unexpected)?;
            if window.is_hole(key, hole) {
                continue;
            }
            if left == 0 || window.failed() {
                return Err(Handover::Unexpected);
            }
            left -= 1;
            at = self.any(at, key, depth)?;
            if size == 2 {
                let value = window.get(entries, entry * entry_size + 1).ok_or(Handover::Unexpected)?;
                at = self.any(at, value, depth)?;
            }
        }
        if left == 0 { Ok(at) } else { Err(Handover::Unexpected) }
    }

    /// A boxed primitive is written as the object that it is, of which a string's characters are
    /// properties.
    #[inline(never)]
    fn wrapper(
        &mut self,
        at: Position,
        wrapper: Ref<'gc, JsPrimitiveWrapper>,
        map: Ref<'gc, Map>,
        depth: u32,
    ) -> Step {
        let window = self.window;
        let Some(depth) = depth.checked_sub(1) else { return Err(Handover::Depth) };
        match window.classify(window.boxed(wrapper)) {
            HeapValue::String(string, _) => {
                let mut units = Vec::new();
                self.units_of(string, &mut units)?;
                self.boxed_string(at, wrapper, map, &units)
            }
            _ => self.listed(at, wrapper.object(), map, depth),
        }
    }

    fn boxed_string(
        &mut self,
        at: Position,
        wrapper: Ref<'gc, JsPrimitiveWrapper>,
        map: Ref<'gc, Map>,
        units: &[u16],
    ) -> Step {
        let window = self.window;
        let bits = window.bit_field3(map);
        let descriptors = window.descriptors(map, bits).ok_or(Handover::Unexpected)?;
        self.prove_plain(map, Some(descriptors))?;
        let dont_enum = window.layout().descriptors.dont_enum;
        // It has an own `length`, which is not enumerable. With anything else it is a case for JavaScript.
        let only_hidden = (0..descriptors.len()).all(|index| {
            window.descriptor(descriptors, index).is_some_and(|found| found.details & dont_enum != 0)
        });
        if window.is_dictionary(bits) || !only_hidden || !window.has_no_elements(wrapper.object()) {
            return Err(Handover::Kind);
        }
        let count = units.len();
        let key = |walk: &mut Self, at, index| Ok(walk.index(at, index as u32, false));
        let (mut at, with_keys) = self.head(at, count, key)?;
        for (index, unit) in units.iter().enumerate() {
            if with_keys {
                at = self.index(at, index as u32, self.numeric_keys);
            }
            at = self.writer.two_byte_string(at, &[*unit]);
        }
        Ok(at)
    }

    /// An array that V8 keeps as a dictionary: its elements, and holes between them.
    #[inline(never)]
    pub(super) fn sparse(&mut self, at: Position, words: Run<'gc, Word>, length: usize, depth: u32) -> Step {
        let first = self.pairs.len();
        self.list_elements(Elements::Dictionary(words), true)?;
        if length > MAX_HOLES + (self.pairs.len() - first) * 4 {
            return Err(Handover::Holes);
        }
        let mut at = self.writer.array(at, length);
        let mut next = 0;
        for place in first..self.pairs.len() {
            let Some((index, value)) = self.pairs.get(place).and_then(|pair| pair.element()) else {
                return Err(Handover::Unexpected);
            };
            if index >= length || index < next {
                return Err(Handover::Unexpected);
            }
            while next < index {
                at = self.hole(at)?;
                next += 1;
            }
            at = self.any(at, value, depth)?;
            next += 1;
        }
        while next < length {
            at = self.hole(at)?;
            next += 1;
        }
        self.pairs.truncate(first);
        Ok(at)
    }
}
