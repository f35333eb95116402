//! JavaScript objects: fields, properties, elements, and what built-ins hold. V8:
//! `src/objects/js-objects.tq`, `js-array.tq`, `js-collection.tq`, `ordered-hash-table.h`.

use super::Descriptors;
use crate::v8::layout::DateValue;
use crate::v8::memory::{Memory, Run, U64, Window, Word};
use crate::v8::tagged::{
    FixedArray, HeapObject, JsArray, JsCollection, JsDate, JsObject, JsPrimitiveWrapper, Map, PropertyArray,
    Ref, Tagged,
};

/// The elements of an object: its properties whose names are indices.
#[derive(Clone, Copy)]
pub enum Elements<'gc> {
    /// One word each, or the hole.
    Words(Run<'gc, Word>),
    /// The bits of a double each, or [`HOLE_NAN`](super::HOLE_NAN).
    Doubles(Run<'gc, U64>),
    /// A hash table.
    Dictionary(Run<'gc, Word>),
    /// Of a kind that is not known here.
    Unknown,
}

/// The fields that lie in an object.
#[derive(Clone, Copy)]
pub struct InObject<'gc> {
    fields: Run<'gc, Word>,
}

impl<'gc> InObject<'gc> {
    /// How many there are room for.
    #[inline(always)]
    #[must_use]
    pub fn len(self) -> usize {
        self.fields.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.fields.is_empty()
    }
}

impl<'gc, M: Memory> Window<'gc, M> {
    /// The fields in an object. Taken from the map each time: the size shrinks in place when V8 has seen
    /// enough instances of a constructor.
    #[inline(always)]
    #[must_use]
    pub fn in_object(self, object: Ref<'gc, JsObject>, map: Ref<'gc, Map>) -> InObject<'gc> {
        let hot = self.hot();
        let size = usize::from(self.load(map, hot.instance_size_in_words));
        let start = usize::from(self.load(map, hot.inobject_properties_start));
        InObject { fields: self.run(object, hot.start, size).behind(start) }
    }

    /// One of the fields in an object.
    #[inline(always)]
    #[must_use]
    pub fn field(self, in_object: InObject<'gc>, index: usize) -> Option<Tagged<'gc>> {
        self.get(in_object.fields, index)
    }

    /// The fields of an object that lie outside it. Asked for only where a descriptor names one: the slot
    /// may hold a hash instead.
    #[must_use]
    pub fn outside_fields(self, object: Ref<'gc, JsObject>) -> Option<Run<'gc, Word>> {
        let properties = self.load(object, self.layout().object.properties).heap_object()?;
        let is_array = self.instance_type(self.map(properties)) == self.layout().types.property_array;
        is_array.then(|| self.fields(properties.assume::<PropertyArray>()))
    }

    /// The dictionary of an object in dictionary mode.
    #[must_use]
    pub fn name_dictionary(self, object: Ref<'gc, JsObject>) -> Option<Run<'gc, Word>> {
        let properties = self.load(object, self.layout().object.properties).heap_object()?;
        let is_dictionary = self.instance_type(self.map(properties)) == self.layout().types.name_dictionary;
        is_dictionary.then(|| self.words(properties.assume()))
    }

    /// The elements of an object or array of this map.
    #[inline(always)]
    #[must_use]
    pub fn elements(self, object: Ref<'gc, JsObject>, map: Ref<'gc, Map>) -> Elements<'gc> {
        let kinds = &self.layout().elements;
        let kind = self.elements_kind(map);
        let elements = self.load(object, self.hot().elements);
        if kind < kinds.first_double || kind > kinds.last_double && kind <= kinds.last_fast {
            Elements::Words(self.words(elements.assume()))
        } else if kind <= kinds.last_double {
            // An empty array has no array of doubles, but its length is 0 either way.
            Elements::Doubles(self.doubles(elements.assume()))
        } else if kind == kinds.dictionary {
            self.number_dictionary(elements).map_or(Elements::Unknown, Elements::Dictionary)
        } else {
            Elements::Unknown
        }
    }

    fn number_dictionary(self, elements: Ref<'gc, HeapObject>) -> Option<Run<'gc, Word>> {
        let is_dictionary = self.instance_type(self.map(elements)) == self.layout().types.number_dictionary;
        is_dictionary.then(|| self.words(elements.assume()))
    }

    /// Whether a plain object has no place for elements at all, which is the usual case.
    #[inline(always)]
    #[must_use]
    pub fn has_no_elements(self, object: Ref<'gc, JsObject>) -> bool {
        let elements = self.load(object, self.hot().elements);
        self.load(elements.assume(), self.hot().fixed_array_length).smi() == Some(0)
    }

    /// Whether a prototype, of plain objects or of arrays, has no elements.
    #[must_use]
    pub fn prototype_has_no_elements(self, prototype: Tagged<'gc>) -> bool {
        let Some(object) = prototype.heap_object() else { return false };
        let map = self.map(object);
        let (instance_type, types) = (self.instance_type(map), &self.layout().types);
        if ![types.object, types.object_prototype, types.array].contains(&instance_type) {
            return false;
        }
        match self.elements(object.assume(), map) {
            Elements::Words(words) => words.is_empty(),
            Elements::Doubles(numbers) => numbers.is_empty(),
            Elements::Dictionary(words) => self.get(words, 0).and_then(Tagged::smi) == Some(0),
            Elements::Unknown => false,
        }
    }

    /// The length of an array; none from 2^31 on.
    #[inline(always)]
    #[must_use]
    pub fn array_length(self, array: Ref<'gc, JsArray>) -> Option<usize> {
        usize::try_from(self.load(array, self.layout().array_length).smi()?).ok()
    }

    /// The time of a Date.
    #[must_use]
    pub fn date_value(self, date: Ref<'gc, JsDate>) -> Option<f64> {
        match self.layout().date_value {
            DateValue::Tagged(field) => self.number(self.load(date, field)),
            DateValue::Double(field) => Some(self.load(date, field)),
        }
    }

    /// The hash table of a Map.
    #[must_use]
    pub fn map_table(self, map: Ref<'gc, JsCollection>) -> Option<Run<'gc, Word>> {
        self.collection_table(map, self.layout().types.hash_map)
    }

    /// The hash table of a Set.
    #[must_use]
    pub fn set_table(self, set: Ref<'gc, JsCollection>) -> Option<Run<'gc, Word>> {
        self.collection_table(set, self.layout().types.hash_set)
    }

    fn collection_table(
        self,
        collection: Ref<'gc, JsCollection>,
        instance_type: u16,
    ) -> Option<Run<'gc, Word>> {
        let table = self.load(collection, self.layout().collection_table);
        (self.instance_type(self.map(table)) == instance_type).then(|| self.words(table))
    }

    /// The primitive in a box.
    #[must_use]
    pub fn boxed(self, wrapper: Ref<'gc, JsPrimitiveWrapper>) -> Tagged<'gc> {
        self.load(wrapper, self.layout().wrapper_value)
    }

    /// Whether an object with these descriptors may have an own property `name`, a string that V8 has
    /// internalized, as all keys are.
    #[must_use]
    pub fn may_have_own(self, map: Ref<'gc, Map>, own: Descriptors<'gc>, name: Tagged<'gc>) -> bool {
        if self.layout().map.interesting.is_some_and(|bit| self.bit_field3(map) & bit == 0) {
            return false;
        }
        (0..own.len()).any(|index| self.descriptor(own, index).is_none_or(|found| found.key.is(name)))
    }

    /// Whether a prototype may have an own property `name`, which is "toJSON": V8 has bits for that one.
    #[must_use]
    pub fn prototype_may_have(self, prototype: Ref<'gc, HeapObject>, name: Tagged<'gc>) -> bool {
        if !self.is_ordinary(prototype) {
            return true;
        }
        let map = self.map(prototype);
        let bits = self.bit_field3(map);
        if !self.is_dictionary(bits) {
            return self.descriptors(map, bits).is_none_or(|own| self.may_have_own(map, own, name));
        }
        let layout = &self.layout().dictionary;
        let Some(words) = self.name_dictionary(prototype.assume()) else { return true };
        if let Some(flags) = layout.interesting
            && self.get(words, flags).and_then(Tagged::smi).is_some_and(|flags| flags & 1 == 0)
        {
            return false;
        }
        let mut place = layout.names;
        while place < words.len() {
            if self.failed() || self.get(words, place).is_none_or(|key| key.is(name)) {
                return true;
            }
            place += layout.entry;
        }
        false
    }

    /// For samples: an element of an array of words.
    #[must_use]
    pub fn element_of(self, array: Tagged<'gc>, index: usize) -> Option<Tagged<'gc>> {
        let array = array.heap_object()?;
        if self.instance_type(self.map(array)) != self.layout().types.array {
            return None;
        }
        let elements = self.elements_of(array.tagged())?.heap_object()?;
        self.get(self.words(elements.assume::<FixedArray>()), index)
    }

    /// For samples: what holds the properties of an object.
    pub(in crate::v8) fn properties_of(self, object: Tagged<'gc>) -> Option<Tagged<'gc>> {
        Some(self.load(object.heap_object()?.assume(), self.layout().object.properties))
    }

    /// For samples: what holds the elements of an object.
    pub(in crate::v8) fn elements_of(self, object: Tagged<'gc>) -> Option<Tagged<'gc>> {
        let object = object.heap_object()?.assume();
        Some(self.load(object, self.layout().object.elements).tagged())
    }

    /// For samples: the table of a Map or Set.
    pub(in crate::v8) fn table_of(self, collection: Tagged<'gc>) -> Option<Tagged<'gc>> {
        let table = self.load(collection.heap_object()?.assume(), self.layout().collection_table);
        Some(table.tagged())
    }
}
