//! Maps (hidden classes) and their descriptors. V8: `src/objects/map.tq`, `descriptor-array.tq`,
//! `property-details.h`.

use crate::v8::memory::{Memory, Run, Window, Word};
use crate::v8::tagged::{Map, Ref, Tagged};

/// The own descriptors of a map, in the order in which the properties were added.
#[derive(Clone, Copy)]
pub struct Descriptors<'gc> {
    words: Run<'gc, Word>,
    count: usize,
}

impl Descriptors<'_> {
    /// How many there are.
    #[inline(always)]
    #[must_use]
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }
}

/// One property of a map.
#[derive(Clone, Copy)]
pub struct Descriptor<'gc> {
    /// A string, or a symbol.
    pub key: Tagged<'gc>,
    /// What kind of property it is, and where its value lies.
    pub details: u32,
}

impl<'gc, M: Memory> Window<'gc, M> {
    /// The map of any object.
    #[inline(always)]
    #[must_use]
    pub fn map<C>(self, object: Ref<'gc, C>) -> Ref<'gc, Map> {
        self.load(object.assume(), self.hot().heap_object_map)
    }

    /// The instance type that a map gives.
    #[inline(always)]
    #[must_use]
    pub fn instance_type(self, map: Ref<'gc, Map>) -> u16 {
        self.load(map, self.hot().instance_type)
    }

    /// The elements kind that a map gives.
    #[inline(always)]
    #[must_use]
    pub fn elements_kind(self, map: Ref<'gc, Map>) -> u32 {
        self.layout().map.elements_kind.of(u32::from(self.load(map, self.layout().map.bit_field2)))
    }

    /// The prototype that a map gives.
    #[inline(always)]
    #[must_use]
    pub fn prototype(self, map: Ref<'gc, Map>) -> Tagged<'gc> {
        self.load(map, self.hot().prototype)
    }

    /// Whether property access can have other effects than it shows: interceptors, access checks.
    #[inline(always)]
    #[must_use]
    pub fn is_special(self, map: Ref<'gc, Map>) -> bool {
        self.load(map, self.layout().map.bit_field) & self.layout().map.special_bits != 0
    }

    /// The third bit field.
    #[inline(always)]
    #[must_use]
    pub fn bit_field3(self, map: Ref<'gc, Map>) -> u32 {
        self.load(map, self.hot().bit_field3)
    }

    /// Whether objects of this map hold their properties in a dictionary.
    #[inline(always)]
    #[must_use]
    pub fn is_dictionary(self, bit_field3: u32) -> bool {
        bit_field3 & self.layout().map.is_dictionary != 0
    }

    /// Whether an object of this map may have an own property `name`, a string that V8 has internalized.
    /// Most built-ins have no own properties; one in dictionary mode may have any.
    #[inline(always)]
    #[must_use]
    pub fn may_have_own_name(self, map: Ref<'gc, Map>, name: Tagged<'gc>) -> bool {
        let bits = self.bit_field3(map);
        if self.is_dictionary(bits) {
            return true;
        }
        let own = self.hot().own_descriptors.of(bits) != 0;
        own && self.descriptors(map, bits).is_none_or(|own| {
            (0..own.len()).any(|index| self.descriptor(own, index).is_none_or(|found| found.key.is(name)))
        })
    }

    /// The own descriptors of a map; none if the array has fewer than the map says.
    #[inline(always)]
    #[must_use]
    pub fn descriptors(self, map: Ref<'gc, Map>, bit_field3: u32) -> Option<Descriptors<'gc>> {
        let layout = self.layout();
        let count = self.hot().own_descriptors.of(bit_field3) as usize;
        let array = self.load(map, layout.map.instance_descriptors);
        let all = usize::from(self.load(array, layout.descriptors.count));
        let words = self.run(array, layout.descriptors.first, all * self.hot().descriptor_size);
        (count <= all).then_some(Descriptors { words, count })
    }

    /// One of a map's own descriptors.
    #[inline(always)]
    #[must_use]
    pub fn descriptor(self, descriptors: Descriptors<'gc>, index: usize) -> Option<Descriptor<'gc>> {
        let hot = self.hot();
        let start = index * hot.descriptor_size;
        let details = self.get(descriptors.words, start + hot.descriptor_details)?.smi()?;
        let key = self.get(descriptors.words, start + hot.descriptor_key)?;
        Some(Descriptor { key, details: details as u32 })
    }
}
