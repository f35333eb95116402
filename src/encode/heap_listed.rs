//! Objects of the heap walk that are written from a list of their properties: those in dictionary mode, with
//! indices as keys, or with properties that are not written.

use super::handover::Handover;
use super::heap_identities::Identities;
use super::heap_walk::{HeapWalk, Step};
use super::records::Form;
use crate::buffer::Position;
use crate::format::Writer;
use crate::options::NO_TO_JSON;
use crate::shapes::EncodedKey;
use crate::v8::memory::Memory;
use crate::v8::objects::{Descriptors, Elements, NumberInKey};
use crate::v8::roots::Root;
use crate::v8::tagged::{JsObject, Map, Ref, Tagged};

/// A property that waits to be written.
#[derive(Clone, Copy)]
pub struct Pair<'gc> {
    /// Its place in the order.
    order: u32,
    key: Key<'gc>,
    value: Tagged<'gc>,
}

impl<'gc> Pair<'gc> {
    /// Index and value of an element.
    pub(super) fn element(&self) -> Option<(usize, Tagged<'gc>)> {
        match self.key {
            Key::Index(index) => Some((index as usize, self.value)),
            Key::Name(_) => None,
        }
    }
}

#[derive(Clone, Copy)]
enum Key<'gc> {
    Name(Tagged<'gc>),
    Index(u32),
}

impl<'gc, W: Writer, M: Memory, I: Identities> HeapWalk<'_, 'gc, W, M, I> {
    /// From a list of its properties: those of dictionaries, indices, and what is beside properties that
    /// are not written.
    #[inline(never)]
    pub(super) fn listed(
        &mut self,
        at: Position,
        object: Ref<'gc, JsObject>,
        map: Ref<'gc, Map>,
        depth: u32,
    ) -> Step {
        let window = self.window;
        let bits = window.bit_field3(map);
        if window.is_special(map) {
            return Err(Handover::Kind);
        }
        let plain = window.prototype(map).is(self.roots.get(window, Root::ObjectPrototype));
        let first = self.pairs.len();
        self.list_elements(window.elements(object, map), false)?;
        if window.is_dictionary(bits) {
            if !plain {
                self.prove_plain(map, None)?;
            }
            self.list_dictionary(object, !plain && !self.has(NO_TO_JSON))?;
        } else {
            let descriptors = window.descriptors(map, bits).ok_or(Handover::Unexpected)?;
            if !plain {
                self.prove_plain(map, Some(descriptors))?;
            }
            self.list_fields(object, map, descriptors)?;
        }
        let count = self.pairs.len() - first;
        let (mut at, with_keys) = self.head(at, count, |walk, at, index| {
            let pair = walk.pairs.get(first + index).copied().ok_or(Handover::Unexpected)?;
            walk.key(at, pair.key, false)
        })?;
        for index in first..first + count {
            let Some(pair) = self.pairs.get(index).copied() else { return Err(Handover::Unexpected) };
            if with_keys {
                at = self.key(at, pair.key, self.numeric_keys)?;
            }
            at = self.any(at, pair.value, depth)?;
        }
        self.pairs.truncate(first);
        Ok(at)
    }

    /// The head of an object of which `key` writes each key by its number, and whether keys and values follow,
    /// and not just values.
    pub(super) fn head(
        &mut self,
        at: Position,
        count: usize,
        key: impl Fn(&mut Self, Position, usize) -> Step,
    ) -> Result<(Position, bool), Handover> {
        let form = self.find_form(at, count, &key)?;
        Ok((self.write_head(at, form, count, key)?, form == Form::Map))
    }

    /// What an object is written as, by its keys. These are written from `at` on, where they do not stay.
    pub(super) fn find_form(
        &mut self,
        at: Position,
        count: usize,
        key: impl Fn(&mut Self, Position, usize) -> Step,
    ) -> Result<Form, Handover> {
        let Some(records) = &self.records else { return Ok(Form::Map) };
        let mut hash = records.shapes.hash();
        let mut end = at;
        self.writer.set_trying(true);
        for index in 0..count {
            let behind = key(self, end, index)?;
            hash = hash.with(self.writer.written(end, behind));
            end = behind;
        }
        self.writer.set_trying(false);
        let Some(records) = &mut self.records else { return Err(Handover::Unexpected) };
        let mut written = self.writer.written(at, end);
        let is_equal = |found: &[EncodedKey]| {
            found.len() == count
                && found.iter().all(|key| match written.strip_prefix(key.bytes()) {
                    Some(rest) => {
                        written = rest;
                        true
                    }
                    None => false,
                })
        };
        let shape = records.shapes.find(hash, is_equal).ok_or(Handover::Structure)?;
        records.form(shape)
    }

    /// Writes what comes before the values of a record, or before the keys and values of a map.
    pub(super) fn write_head(
        &mut self,
        at: Position,
        form: Form,
        count: usize,
        key: impl Fn(&mut Self, Position, usize) -> Step,
    ) -> Step {
        match form {
            Form::Map if self.numeric_keys => Ok(self.writer.map(at, count)),
            Form::Map => Ok(self.writer.object(at, count)),
            Form::Instance(slot) => Ok(self.writer.record(at, slot, count)),
            Form::Definition(slot) => {
                let mut at = self.writer.define_record(at, slot, count);
                for index in 0..count {
                    at = key(self, at, index)?;
                }
                Ok(at)
            }
        }
    }

    /// Writes a key.
    fn key(&mut self, at: Position, key: Key<'gc>, numeric: bool) -> Step {
        match key {
            Key::Index(index) => Ok(self.index(at, index, numeric)),
            Key::Name(name) if numeric => self.numeric_name(at, name),
            Key::Name(name) => self.name(at, name),
        }
    }

    fn list(&mut self, order: u32, key: Key<'gc>, value: Tagged<'gc>) {
        self.pairs.push(Pair { order, key, value });
    }

    /// Lists elements by ascending index: those that are enumerable, or, for an array, all.
    pub(super) fn list_elements(&mut self, elements: Elements<'gc>, all: bool) -> Result<(), Handover> {
        let window = self.window;
        match elements {
            Elements::Words(words) => {
                let hole = self.roots.get(window, Root::Hole);
                for index in 0..words.len() {
                    let value = window.get(words, index).ok_or(Handover::Unexpected)?;
                    if window.failed() {
                        return Err(Handover::Unexpected);
                    }
                    if !value.is(hole) {
                        self.list(0, Key::Index(index as u32), value);
                    }
                }
                Ok(())
            }
            Elements::Dictionary(words) => {
                let first = self.pairs.len();
                let layout = &window.layout().dictionary;
                let mut place = layout.numbers;
                while place + layout.entry <= words.len() {
                    let entry = words.behind(place);
                    place += layout.entry;
                    let get = |index| window.get(entry, index).ok_or(Handover::Unexpected);
                    // Empty and deleted entries have no number for a key.
                    let Some(key) = window.number(get(0)?) else { continue };
                    let details = get(2)?.smi().ok_or(Handover::Unexpected)? as u32;
                    if window.failed() {
                        return Err(Handover::Unexpected);
                    }
                    if details & layout.dont_enum != 0 && !all {
                        continue;
                    }
                    if details & layout.accessor != 0 {
                        return Err(Handover::Accessor);
                    }
                    self.list(key as u32, Key::Index(key as u32), get(1)?);
                }
                self.pairs[first..].sort_unstable_by_key(|pair| pair.order);
                Ok(())
            }
            Elements::Doubles(_) | Elements::Unknown => Err(Handover::Unexpected),
        }
    }

    fn list_fields(
        &mut self,
        object: Ref<'gc, JsObject>,
        map: Ref<'gc, Map>,
        descriptors: Descriptors<'gc>,
    ) -> Result<(), Handover> {
        let window = self.window;
        let layout = &window.layout().descriptors;
        let mut fields = self.fields(object, map);
        for index in 0..descriptors.len() {
            let descriptor = window.descriptor(descriptors, index).ok_or(Handover::Unexpected)?;
            if descriptor.details & layout.dont_enum != 0 || window.string(descriptor.key).is_none() {
                continue;
            }
            if descriptor.details & layout.accessor != 0 {
                return Err(Handover::Accessor);
            }
            if descriptor.details & layout.relevant != layout.plain {
                return Err(Handover::PropertyInMap);
            }
            let value = self.field(&mut fields, layout.index.of(descriptor.details) as usize)?;
            self.list(0, Key::Name(descriptor.key), value);
        }
        Ok(())
    }

    /// Lists the properties of an object in dictionary mode in the order in which they were added.
    fn list_dictionary(&mut self, object: Ref<'gc, JsObject>, watch_to_json: bool) -> Result<(), Handover> {
        let window = self.window;
        let layout = &window.layout().dictionary;
        let words = window.name_dictionary(object).ok_or(Handover::Unexpected)?;
        let to_json = self.roots.get(window, Root::ToJson);
        let first = self.pairs.len();
        let mut place = layout.names;
        while place + layout.entry <= words.len() {
            let entry = words.behind(place);
            place += layout.entry;
            let get = |index| window.get(entry, index).ok_or(Handover::Unexpected);
            let key = get(0)?;
            if window.failed() {
                return Err(Handover::Unexpected);
            }
            // Empty and deleted entries have an oddball or a hole, and symbols are not written.
            if window.string(key).is_none() {
                continue;
            }
            if watch_to_json && key.is(to_json) {
                return Err(Handover::ToJson);
            }
            let details = get(2)?.smi().ok_or(Handover::Unexpected)? as u32;
            if details & layout.dont_enum != 0 {
                continue;
            }
            if details & layout.accessor != 0 {
                return Err(Handover::Accessor);
            }
            self.list(layout.enumeration_index.of(details), Key::Name(key), get(1)?);
        }
        self.pairs[first..].sort_unstable_by_key(|pair| pair.order);
        Ok(())
    }

    /// Writes an index as a key.
    pub(super) fn index(&mut self, at: Position, index: u32, numeric: bool) -> Position {
        if numeric {
            return self.writer.number(at, f64::from(index));
        }
        let mut digits = [0; 10];
        let mut start = digits.len();
        let mut rest = index;
        loop {
            start -= 1;
            digits[start] = b'0' + (rest % 10) as u8;
            rest /= 10;
            if rest == 0 {
                break;
            }
        }
        self.writer.one_byte_string(at, &digits[start..])
    }

    /// Writes a key that becomes a number if the number turns back into the same key. Those that are no
    /// whole number but may be another one are left to JavaScript, which knows how it writes numbers.
    fn numeric_name(&mut self, at: Position, key: Tagged<'gc>) -> Step {
        match self.window.number_in_key(key) {
            NumberInKey::Integer(integer) => Ok(self.writer.number(at, integer as f64)),
            NumberInKey::Maybe => Err(Handover::NumericKey),
            NumberInKey::No => self.name(at, key),
        }
    }
}
