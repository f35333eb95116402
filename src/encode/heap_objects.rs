//! Objects of the heap walk: by the plan of their class, or from their map. Where properties must be sorted
//! or left out, [`super::heap_listed`] takes over.

use std::ops::Range;

use super::handover::Handover;
use super::heap_built_ins::MAX_PROTOTYPES;
use super::heap_identities::Identities;
use super::heap_walk::{HeapWalk, Step};
use super::plan::{KEY, Place, Recording, Way};
use super::records::Form;
use crate::buffer::Position;
use crate::format::Writer;
use crate::options::NO_TO_JSON;
use crate::shapes::Shapes;
use crate::v8::memory::{Memory, Run, Word};
use crate::v8::objects::{Descriptors, InObject};
use crate::v8::roots::Root;
use crate::v8::tagged::{JsObject, Map, Ref, Tagged};

/// The fields of an object, wherever they lie.
#[derive(Clone, Copy)]
pub(super) struct Fields<'gc> {
    object: Ref<'gc, JsObject>,
    inside: InObject<'gc>,
    outside: Option<Run<'gc, Word>>,
}

impl<'w, 'gc, W: Writer, M: Memory, I: Identities> HeapWalk<'w, 'gc, W, M, I> {
    /// Writes an object without internal slots.
    #[inline(never)]
    pub(super) fn object(
        &mut self,
        at: Position,
        object: Ref<'gc, JsObject>,
        map: Ref<'gc, Map>,
        depth: u32,
    ) -> Step {
        let window = self.window;
        if let Some(behind) = self.met(at, object)? {
            return Ok(behind);
        }
        let Some(depth) = depth.checked_sub(1) else { return Err(Handover::Depth) };
        if window.failed() {
            return Err(Handover::Unexpected);
        }
        if at.is_too_far() {
            return Err(Handover::TooLarge);
        }
        if (self.numeric_keys && self.records.is_none()) || !window.has_no_elements(object) {
            return self.listed(at, object, map, depth);
        }
        match self.plans.way(map) {
            Way::Planned(place) => self.planned(at, place, object, map, depth),
            Way::First(place) => {
                let bits = window.bit_field3(map);
                if window.is_dictionary(bits) || window.is_special(map) {
                    return self.listed(at, object, map, depth);
                }
                let descriptors = window.descriptors(map, bits).ok_or(Handover::Unexpected)?;
                if !window.prototype(map).is(self.roots.get(window, Root::ObjectPrototype)) {
                    self.prove_plain(map, Some(descriptors))?;
                }
                if let Some(place) = place
                    && self.plans.take(place, map, window, descriptors, self.shapes())
                {
                    return self.planned(at, place, object, map, depth);
                }
                match place {
                    Some(place) if self.records.is_some() || W::COLLECTS => {
                        self.first_record(at, place, object, map, descriptors, depth)
                    }
                    None if self.records.is_some() => {
                        self.record_by_map(at, None, object, map, descriptors, depth)
                    }
                    place => self.by_map(at, object, map, descriptors, place.map(Recording::new), depth),
                }
            }
            Way::Unplanned(place) => {
                let descriptors =
                    window.descriptors(map, window.bit_field3(map)).ok_or(Handover::Unexpected)?;
                if self.records.is_some() {
                    self.record_by_map(at, Some(place), object, map, descriptors, depth)
                } else {
                    self.by_map(at, object, map, descriptors, None, depth)
                }
            }
        }
    }

    /// The shapes that classes may be known by, and all their keys.
    #[inline(always)]
    fn shapes(&self) -> Option<(&'w Shapes, Run<'gc, Word>)> {
        Some((self.records.as_ref()?.shapes, self.shape_keys?))
    }

    /// By the plan of its class, which was found right in this call.
    #[inline(always)]
    fn planned(
        &mut self,
        at: Position,
        place: Place,
        object: Ref<'gc, JsObject>,
        map: Ref<'gc, Map>,
        depth: u32,
    ) -> Step {
        if let Some(records) = &mut self.records {
            let form = self.plans.form(place, records)?;
            if form != Form::Map || self.numeric_keys {
                return self.planned_record(at, place, form, object, map, depth);
            }
        }
        let mut fields = self.fields(object, map);
        let hot = self.window.hot();
        let range = self.plans.range(place);
        let mut at = self.writer.object(at, range.len());
        for index in range {
            let Some(key) = self.plans.key(index) else { return Err(Handover::Unexpected) };
            if W::COLLECTS {
                let field = hot.field_index.of(key.details) as usize;
                at = self.writer.one_byte_string(at, key.text());
                let value = self.field(&mut fields, field)?;
                at = self.any(at, value, depth)?;
                continue;
            }
            // The slot first: else the key waits on the stack while there might be no room.
            let slot = self.writer.slot(at);
            slot[..KEY].copy_from_slice(&key.bytes);
            let (length, field) = (usize::from(key.length), hot.field_index.of(key.details) as usize);
            let value = self.field(&mut fields, field)?;
            at = self.value(at.advance(length), value, depth)?;
        }
        Ok(at)
    }

    /// The same where objects are records. The planned keys say which field a value lies in.
    #[inline(always)]
    fn planned_record(
        &mut self,
        at: Position,
        place: Place,
        form: Form,
        object: Ref<'gc, JsObject>,
        map: Ref<'gc, Map>,
        depth: u32,
    ) -> Step {
        let range = self.plans.range(place);
        let mut at = match form {
            Form::Instance(slot) => self.writer.record(at, slot, range.len()),
            Form::Definition(slot) => self.definition(at, slot, range.clone())?,
            Form::Map => return self.listed(at, object, map, depth),
        };
        let mut fields = self.fields(object, map);
        let hot = self.window.hot();
        for index in range {
            let Some(key) = self.plans.key(index) else { return Err(Handover::Unexpected) };
            let field = hot.field_index.of(key.details) as usize;
            let value = self.field(&mut fields, field)?;
            at = self.value(at, value, depth)?;
        }
        Ok(at)
    }

    /// Defines the record of planned keys.
    #[inline(never)]
    fn definition(&mut self, at: Position, slot: u32, keys: Range<usize>) -> Step {
        let mut at = self.writer.define_record(at, slot, keys.len());
        for index in keys {
            let Some(key) = self.plans.key(index) else { return Err(Handover::Unexpected) };
            if W::COLLECTS {
                at = self.writer.one_byte_string(at, key.text());
                continue;
            }
            self.writer.slot(at)[..KEY].copy_from_slice(&key.bytes);
            at = at.advance(usize::from(key.length));
        }
        Ok(at)
    }

    /// From its map, where each own property is an enumerable one in a field. Otherwise the object is
    /// written from a list. The keys are recorded as a plan if one is given.
    #[inline(never)]
    fn by_map(
        &mut self,
        at: Position,
        object: Ref<'gc, JsObject>,
        map: Ref<'gc, Map>,
        descriptors: Descriptors<'gc>,
        plan: Option<Recording>,
        depth: u32,
    ) -> Step {
        let window = self.window;
        let hot = window.hot();
        // Strings that were put elsewhere can not be taken back, and what was met of an object that is begun again
        // would seem to be met twice.
        if (W::COLLECTS || I::ON) && !self.are_plain(descriptors)? {
            return self.listed(at, object, map, depth);
        }
        let start = at;
        let mut fields = self.fields(object, map);
        let mut recording = plan;
        let mut at = self.writer.object(at, descriptors.len());
        for index in 0..descriptors.len() {
            let descriptor = window.descriptor(descriptors, index).ok_or(Handover::Unexpected)?;
            let Some((key, key_type)) = window.string(descriptor.key) else {
                // A symbol is not written.
                return self.listed(start, object, map, depth);
            };
            if descriptor.details & hot.relevant_details != hot.plain_details {
                return self.listed(start, object, map, depth);
            }
            let behind = self.string(at, key, key_type)?;
            let field = hot.field_index.of(descriptor.details) as usize;
            let details = descriptor.details & (hot.relevant_details | hot.field_index.mask);
            if let Some(plan) = &mut recording
                && !self.record(plan, at, behind, descriptor.key, details)
            {
                recording = None;
            }
            let value = self.field(&mut fields, field)?;
            at = self.value(behind, value, depth)?;
        }
        if let Some(plan) = recording {
            self.plans.finish(plan);
        }
        Ok(at)
    }

    /// The first object of a class in a call, where its keys are recorded before any value is written: they
    /// tell which record it is, or must be put elsewhere.
    fn first_record(
        &mut self,
        at: Position,
        place: Place,
        object: Ref<'gc, JsObject>,
        map: Ref<'gc, Map>,
        descriptors: Descriptors<'gc>,
        depth: u32,
    ) -> Step {
        let window = self.window;
        let hot = window.hot();
        let mut plan = Recording::new(place);
        for index in 0..descriptors.len() {
            let descriptor = window.descriptor(descriptors, index).ok_or(Handover::Unexpected)?;
            let Some((key, key_type)) = window.string(descriptor.key) else {
                return self.listed(at, object, map, depth);
            };
            if descriptor.details & hot.relevant_details != hot.plain_details {
                return self.listed(at, object, map, depth);
            }
            let details = descriptor.details & (hot.relevant_details | hot.field_index.mask);
            // Each key is written to the same place, to be copied from there.
            self.writer.set_trying(true);
            let behind = self.string(at, key, key_type)?;
            self.writer.set_trying(false);
            if !self.record(&mut plan, at, behind, descriptor.key, details) {
                if self.records.is_none() {
                    return self.by_map(at, object, map, descriptors, None, depth);
                }
                return self.record_by_map(at, Some(place), object, map, descriptors, depth);
            }
        }
        let place = self.plans.finish(plan);
        self.planned(at, place, object, map, depth)
    }

    /// A record whose keys have no plan, from its map. What it is written as is kept for the call if its class
    /// has an entry.
    #[inline(never)]
    fn record_by_map(
        &mut self,
        at: Position,
        place: Option<Place>,
        object: Ref<'gc, JsObject>,
        map: Ref<'gc, Map>,
        descriptors: Descriptors<'gc>,
        depth: u32,
    ) -> Step {
        let window = self.window;
        let hot = window.hot();
        let count = descriptors.len();
        let mut at = match place.and_then(|place| self.plans.form_of_unplanned(place)) {
            Some(Form::Instance(slot)) => self.writer.record(at, slot, count),
            _ => {
                if !self.are_plain(descriptors)? {
                    return self.listed(at, object, map, depth);
                }
                let key = |walk: &mut Self, at, index| {
                    let descriptor = window.descriptor(descriptors, index).ok_or(Handover::Unexpected)?;
                    walk.name(at, descriptor.key)
                };
                let form = self.find_form(at, count, key)?;
                if form == Form::Map {
                    return self.listed(at, object, map, depth);
                }
                if let Some(place) = place {
                    self.plans.set_form(place, form);
                }
                self.write_head(at, form, count, key)?
            }
        };
        let mut fields = self.fields(object, map);
        for index in 0..count {
            let descriptor = window.descriptor(descriptors, index).ok_or(Handover::Unexpected)?;
            let value = self.field(&mut fields, hot.field_index.of(descriptor.details) as usize)?;
            at = self.value(at, value, depth)?;
        }
        Ok(at)
    }

    /// Whether each own property is an enumerable one in a field, and has a string for a key.
    fn are_plain(&self, descriptors: Descriptors<'gc>) -> Result<bool, Handover> {
        let hot = self.window.hot();
        for index in 0..descriptors.len() {
            let descriptor = self.window.descriptor(descriptors, index).ok_or(Handover::Unexpected)?;
            let is_plain = descriptor.details & hot.relevant_details == hot.plain_details;
            if !is_plain || self.window.string(descriptor.key).is_none() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Records the key that was written from `at` to `behind`.
    #[inline(never)]
    fn record(
        &mut self,
        plan: &mut Recording,
        at: Position,
        behind: Position,
        key: Tagged<'gc>,
        details: u32,
    ) -> bool {
        let Some(characters) = self.window.ascii_length(key) else { return false };
        let Some(encoded) = self.writer.slot(at).get(..behind.since(at)) else { return false };
        plan.key(encoded, characters, details)
    }

    /// Writes a key that is a string.
    #[inline(always)]
    pub(super) fn name(&mut self, at: Position, key: Tagged<'gc>) -> Step {
        match self.window.string(key) {
            Some((string, instance_type)) => self.string(at, string, instance_type),
            None => Err(Handover::Unexpected),
        }
    }

    /// The fields of an object.
    #[inline(always)]
    pub(super) fn fields(&self, object: Ref<'gc, JsObject>, map: Ref<'gc, Map>) -> Fields<'gc> {
        Fields { object, inside: self.window.in_object(object, map), outside: None }
    }

    /// The value in a field.
    #[inline(always)]
    pub(super) fn field(&self, fields: &mut Fields<'gc>, index: usize) -> Result<Tagged<'gc>, Handover> {
        let window = self.window;
        match window.field(fields.inside, index) {
            Some(value) => Ok(value),
            None => {
                if fields.outside.is_none() {
                    fields.outside = window.outside_fields(fields.object);
                }
                let outside = fields.outside.ok_or(Handover::Unexpected)?;
                window.get(outside, index - fields.inside.len()).ok_or(Handover::Unexpected)
            }
        }
    }

    /// Requires that an object has no toJSON, itself or from a prototype, and that no prototype gives it a
    /// meaning of its own. `own` are its descriptors, unless it is in dictionary mode.
    pub(super) fn prove_plain(
        &mut self,
        map: Ref<'gc, Map>,
        own: Option<Descriptors<'gc>>,
    ) -> Result<(), Handover> {
        let window = self.window;
        let to_json = self.roots.get(window, Root::ToJson);
        let is_asked = !self.has(NO_TO_JSON);
        if is_asked
            && let Some(own) = own
            && window.may_have_own(map, own, to_json)
        {
            return Err(Handover::ToJson);
        }
        let Some(prototype) = window.prototype(map).heap_object() else { return Err(Handover::Unexpected) };
        if self.plain_prototype.is_some_and(|plain| plain.is(prototype)) {
            return Ok(());
        }
        self.refuse_extensions(prototype)?;
        let mut next = prototype;
        for _ in 0..MAX_PROTOTYPES {
            if next.tagged().is(self.roots.get(window, Root::Null)) {
                self.plain_prototype = Some(prototype);
                return Ok(());
            }
            if self.roots.claims(window, next) {
                return Err(Handover::Class);
            }
            if is_asked && window.prototype_may_have(next, to_json) {
                return Err(Handover::ToJson);
            }
            if !window.is_ordinary(next) {
                return Err(Handover::Class);
            }
            next = window.prototype(window.map(next)).heap_object().ok_or(Handover::Unexpected)?;
        }
        Err(Handover::Class)
    }
}
