//! Single properties by name, as reading them in JavaScript would find them. V8: `src/objects/lookup.cc`.

use crate::v8::memory::{Memory, Window};
use crate::v8::tagged::{HeapObject, JsObject, Map, Ref, Tagged};

/// Longest chain of prototypes that is looked at.
const MAX_PROTOTYPES: usize = 32;

/// What there is under a name.
#[derive(Clone, Copy)]
pub enum Property<'gc> {
    /// A value.
    Data(Tagged<'gc>),
    /// Nothing.
    Absent,
    /// What can not be read here: an accessor, or an object of a kind that may do anything.
    Unknown,
}

impl<'gc, M: Memory> Window<'gc, M> {
    /// Whether a prototype is an object whose properties are what they seem.
    #[must_use]
    pub fn is_ordinary(self, prototype: Ref<'gc, HeapObject>) -> bool {
        let map = self.map(prototype);
        let (instance_type, types) = (self.instance_type(map), &self.layout().types);
        let known = [types.object, types.object_prototype, types.primitive_wrapper];
        known.contains(&instance_type) && !self.is_special(map)
    }

    /// What an object has under `name`, itself or from its prototypes. `object` may be of a kind whose own
    /// properties are ordinary ones; `name` is a string that V8 has internalized, as all keys are.
    #[must_use]
    pub fn property(self, object: Ref<'gc, JsObject>, name: Tagged<'gc>, null: Tagged<'gc>) -> Property<'gc> {
        let mut holder = object;
        for _ in 0..MAX_PROTOTYPES {
            let map = self.map(holder);
            if self.is_special(map) || self.failed() {
                return Property::Unknown;
            }
            match self.own_property(holder, map, name) {
                Some(Property::Absent) => {}
                found => return found.unwrap_or(Property::Unknown),
            }
            let next = self.prototype(map);
            if next.is(null) {
                return Property::Absent;
            }
            match next.heap_object() {
                Some(next) if self.is_ordinary(next) => holder = next.assume(),
                _ => return Property::Unknown,
            }
        }
        Property::Unknown
    }

    /// None if the object is not as it should be.
    fn own_property(
        self,
        object: Ref<'gc, JsObject>,
        map: Ref<'gc, Map>,
        name: Tagged<'gc>,
    ) -> Option<Property<'gc>> {
        let bits = self.bit_field3(map);
        if self.is_dictionary(bits) {
            return self.own_property_in_dictionary(object, name);
        }
        let layout = &self.layout().descriptors;
        let descriptors = self.descriptors(map, bits)?;
        for index in 0..descriptors.len() {
            let descriptor = self.descriptor(descriptors, index)?;
            if !descriptor.key.is(name) {
                continue;
            }
            if (descriptor.details ^ layout.plain) & layout.relevant & !layout.dont_enum != 0 {
                return Some(Property::Unknown);
            }
            let (field, inside) = (layout.index.of(descriptor.details) as usize, self.in_object(object, map));
            let value = match field.checked_sub(inside.len()) {
                None => self.field(inside, field)?,
                Some(field) => self.get(self.outside_fields(object)?, field)?,
            };
            return Some(Property::Data(value));
        }
        Some(Property::Absent)
    }

    fn own_property_in_dictionary(
        self,
        object: Ref<'gc, JsObject>,
        name: Tagged<'gc>,
    ) -> Option<Property<'gc>> {
        let layout = &self.layout().dictionary;
        let words = self.name_dictionary(object)?;
        let mut place = layout.names;
        while place + layout.entry <= words.len() && !self.failed() {
            let entry = words.behind(place);
            place += layout.entry;
            if !self.get(entry, 0)?.is(name) {
                continue;
            }
            let details = self.get(entry, 2)?.smi()? as u32;
            let is_accessor = details & layout.accessor != 0;
            return Some(if is_accessor { Property::Unknown } else { Property::Data(self.get(entry, 1)?) });
        }
        Some(Property::Absent)
    }
}
