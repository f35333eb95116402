//! Built-ins of the heap walk: Date, Map, Set, BigInt, typed arrays, boxed primitives, sparse arrays.

use super::handover::Handover;
use super::heap_walk::{HeapWalk, Step};
use crate::buffer::Position;
use crate::format::Writer;
use crate::v8::memory::{Memory, Run, Word};
use crate::v8::objects::{Elements, View};
use crate::v8::roots::Root;
use crate::v8::tagged::{HeapObject, JsPrimitiveWrapper, Map, Ref};
use crate::v8::value::{Exotic, HeapValue};

/// A sparse array may have so many times more holes than elements.
const MAX_HOLES: usize = 1 << 20;
/// Words of a hash table before its buckets: elements, deleted elements, buckets.
const TABLE_HEADER: usize = 3;

impl<'gc, W: Writer, M: Memory> HeapWalk<'_, 'gc, W, M> {
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
        let window = self.window;
        let has_prototype = |root| window.prototype(map).is(self.roots.get(window, root));
        let exotic = window.exotic(object, instance_type);
        // An own `constructor`, hidden or not, may change what such an object passes for.
        if matches!(exotic, Exotic::Date(_) | Exotic::Map(_) | Exotic::Set(_) | Exotic::TypedArray(_))
            && window.may_have_own_name(map, self.roots.get(window, Root::Constructor))
        {
            return Err(Handover::Class);
        }
        match exotic {
            Exotic::BigInt(bigint) => self.bigint(at, window.small_bigint(bigint)),
            // With another prototype it may pass for a plain object.
            Exotic::TypedArray(_) if !self.roots.is_of_views(window, window.prototype(map)) => {
                Err(Handover::Prototype)
            }
            Exotic::TypedArray(array) => match window.view(array, window.elements_kind(map)) {
                // Where results are written to nothing is lent: a view of the chunk may show that part.
                View::Bytes(run) if self.writer.meets(run.address(), run.len()) => Err(Handover::Buffer),
                View::Bytes(run) => Ok(window.with_bytes(run, |bytes| self.writer.binary(at, bytes))),
                View::Special => Err(Handover::Buffer),
            },
            Exotic::Date(date) if has_prototype(Root::DatePrototype) => {
                let milliseconds = window.date_value(date).ok_or(Handover::Unexpected)?;
                Ok(self.writer.date(at, milliseconds))
            }
            Exotic::Map(collection) if has_prototype(Root::MapPrototype) => {
                let table = window.map_table(collection).ok_or(Handover::Unexpected)?;
                self.collection(at, table, 2, depth)
            }
            Exotic::Set(collection) if has_prototype(Root::SetPrototype) => {
                let table = window.set_table(collection).ok_or(Handover::Unexpected)?;
                self.collection(at, table, 1, depth)
            }
            Exotic::Wrapper(wrapper) => self.wrapper(at, wrapper, map, depth),
            Exotic::Date(_) | Exotic::Map(_) | Exotic::Set(_) => Err(Handover::Prototype),
            Exotic::Unknown => Err(Handover::Kind),
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
