//! JavaScript objects: their properties in fields or in a dictionary, and their elements.

use super::{Builder, MapParts, UNKNOWN_TYPE, under};
use crate::v8::fake_heap::value::{Key, Member, Object, Sort};
use crate::v8::fake_heap::{Address, smi};
use crate::v8::roots::Root;

/// A property to be laid out.
pub(super) struct Slot {
    pub(super) key: u64,
    pub(super) sort: Sort,
    pub(super) value: u64,
}

/// A JavaScript object to be laid out.
pub(super) struct Blueprint {
    pub(super) instance_type: u16,
    pub(super) kind: u32,
    pub(super) prototype: u64,
    pub(super) special: bool,
    pub(super) dictionary: bool,
    pub(super) in_object: u8,
    pub(super) properties: Vec<Slot>,
    pub(super) elements: Address,
}

impl Blueprint {
    /// An object without properties.
    pub(super) fn new(instance_type: u16, kind: u32, prototype: u64, elements: Address) -> Self {
        Self {
            instance_type,
            kind,
            prototype,
            special: false,
            dictionary: false,
            in_object: 0,
            properties: Vec::new(),
            elements,
        }
    }
}

impl Builder<'_> {
    pub(super) fn object(&mut self, object: &Object) -> Address {
        let properties = object.properties.iter().map(|(key, member)| self.slot(key, member)).collect();
        let (kind, elements) = if object.elements.is_empty() {
            (self.word_kind(), self.empty_array)
        } else if object.sparse || !object.elements.iter().flatten().all(|member| member.sort == Sort::Data) {
            (self.layout.elements.dictionary, self.number_dictionary(&object.elements))
        } else {
            let words = self.words_or_holes(&object.elements);
            (self.word_kind(), self.fixed_array(UNKNOWN_TYPE, &words))
        };
        let (_, prototype) =
            *self.heritages.iter().find(|(known, _)| *known == object.heritage).expect("all are known");
        self.object_of(Blueprint {
            special: object.special,
            dictionary: object.dictionary,
            in_object: object.in_object,
            properties,
            ..Blueprint::new(self.layout.types.object, kind, prototype, elements)
        })
    }

    pub(super) fn slot(&mut self, key: &Key, member: &Member) -> Slot {
        let key = match key {
            Key::Text(units) => self.internalized(units),
            Key::Symbol => self.bare(self.layout.types.first_nonstring).word(),
        };
        Slot { key, sort: member.sort, value: self.value(&member.value) }
    }

    /// An object with its map.
    pub(super) fn object_of(&mut self, blueprint: Blueprint) -> Address {
        let layout = &self.layout.object;
        let types = &self.layout.types;
        let is_plain = [types.object, types.object_prototype].contains(&blueprint.instance_type);
        let fields =
            [self.layout.heap_object_map.offset(), layout.properties.offset(), layout.elements.offset()];
        let header = if is_plain { fields.into_iter().max().map_or(0, |last| last + 8) } else { self.header };
        let first = (header - layout.start.offset()).div_ceil(8);
        let in_object = if is_plain { usize::from(blueprint.in_object) } else { 0 };
        let size = first + in_object;
        let has_to_json = blueprint.properties.iter().any(|slot| slot.key == self.root(Root::ToJson));
        let object = self.heap.allocate(layout.start.offset() + size * 8);
        let undefined = self.root(Root::Undefined);
        for index in first..size {
            self.heap.set_nth(object, layout.start, index, undefined);
        }
        let mut parts = MapParts {
            instance_type: blueprint.instance_type,
            kind: blueprint.kind,
            prototype: blueprint.prototype,
            special: blueprint.special,
            dictionary: blueprint.dictionary,
            has_to_json,
            size_in_words: size as u8,
            first_in_object: first as u8,
            descriptors: Vec::new(),
        };
        let properties = if blueprint.dictionary {
            self.name_dictionary(&blueprint.properties, has_to_json).word()
        } else {
            let (descriptors, values) = self.descriptors(&blueprint.properties);
            parts.descriptors = descriptors;
            let inside = values.len().min(in_object);
            for (index, value) in values[..inside].iter().enumerate() {
                self.heap.set_nth(object, layout.start, first + index, *value);
            }
            self.outside(&values[inside..])
        };
        let map = self.map(parts);
        self.heap.set(object, self.layout.heap_object_map, map.word());
        self.heap.set(object, layout.properties, properties);
        self.heap.set(object, layout.elements, blueprint.elements.word());
        object
    }

    /// Keys with details, and the values by field.
    fn descriptors(&mut self, properties: &[Slot]) -> (Vec<(u64, u32)>, Vec<u64>) {
        let layout = &self.layout.descriptors;
        let location = layout.relevant & !layout.dont_enum & !layout.accessor;
        let has_field = |slot: &&Slot| matches!(slot.sort, Sort::Data | Sort::Hidden);
        let mut order: Vec<_> = (0..properties.iter().filter(has_field).count()).collect();
        // Objects with the same keys mostly have the same map.
        if self.random.once_in(4) {
            self.random.shuffle(&mut order);
        }
        let mut values = vec![0; order.len()];
        let mut free = order.into_iter();
        let mut descriptors = Vec::new();
        for slot in properties {
            let mut details = layout.plain;
            if matches!(slot.sort, Sort::Hidden | Sort::HiddenAccessor) {
                details |= layout.dont_enum;
            }
            match slot.sort {
                Sort::Accessor | Sort::HiddenAccessor => details = (details | layout.accessor) ^ location,
                Sort::InMap => details ^= location,
                Sort::Data | Sort::Hidden => {
                    let field = free.next().expect("one for each");
                    values[field] = slot.value;
                    details = under(layout.index, details, field as u32);
                }
            }
            descriptors.push((slot.key, details));
        }
        (descriptors, values)
    }

    /// What stands in the slot for properties.
    fn outside(&mut self, values: &[u64]) -> u64 {
        if values.is_empty() && !self.random.once_in(4) {
            let hash = smi(self.random.next() as i32 & 0xf_ffff);
            return self.random.pick(&[self.empty_array.word(), hash]);
        }
        let length = values.len() + self.random.below(3);
        let array = self.simple(self.layout.types.property_array, self.header + 8 * length);
        let undefined = self.root(Root::Undefined);
        for index in 0..length {
            let value = values.get(index).copied().unwrap_or(undefined);
            self.heap.set_nth(array, self.layout.property_array_data, index, value);
        }
        let hash = (self.random.next() as i32) << 10 & 0x3fff_ffff;
        let field = self.layout.property_array_length;
        self.heap.set(array, field, smi(length as i32 | hash));
        self.heap.count("length of fields outside", array, field, 0x3ff << 32, 0..=length as u64);
        array.word()
    }

    fn name_dictionary(&mut self, properties: &[Slot], has_to_json: bool) -> Address {
        let layout = &self.layout.dictionary;
        let mut prefix = vec![None; layout.names];
        prefix[0] = Some(smi(properties.len() as i32));
        if let Some(flags) = layout.interesting {
            let garbage = self.random.next() as i32 & 0xfffe;
            let is_set = has_to_json || self.random.once_in(4);
            prefix[flags] = Some(smi(garbage | i32::from(is_set)));
        }
        let mut index = self.random.below(100) as u32;
        let mut entries = Vec::new();
        for slot in properties {
            index += 1 + self.random.below(3) as u32;
            let details = self.details_in_dictionary(slot.sort, index);
            entries.push((slot.key, slot.value, details));
        }
        self.hash_table(self.layout.types.name_dictionary, prefix, &entries)
    }

    pub(super) fn number_dictionary(&mut self, elements: &[Option<Member>]) -> Address {
        let mut entries = Vec::new();
        for (index, member) in elements.iter().enumerate() {
            if let Some(member) = member {
                let key = self.index(index as u32);
                let details = self.details_in_dictionary(member.sort, 0);
                entries.push((key, self.value(&member.value), details));
            }
        }
        let mut prefix = vec![None; self.layout.dictionary.numbers];
        prefix[0] = Some(smi(entries.len() as i32));
        self.hash_table(self.layout.types.number_dictionary, prefix, &entries)
    }

    /// An index as a word: a Smi, or a number that might have been one.
    fn index(&mut self, index: u32) -> u64 {
        match i32::try_from(index) {
            Ok(int) if !self.random.once_in(8) => smi(int),
            _ => self.heap_number(f64::from(index)),
        }
    }

    fn details_in_dictionary(&mut self, sort: Sort, index: u32) -> u64 {
        let layout = &self.layout.dictionary;
        let known = layout.enumeration_index.mask | layout.dont_enum | layout.accessor;
        let garbage = self.random.next() as u32 & !known;
        let hidden = matches!(sort, Sort::Hidden | Sort::HiddenAccessor);
        let accessor = matches!(sort, Sort::Accessor | Sort::HiddenAccessor);
        let details = under(layout.enumeration_index, garbage, index)
            | if hidden { layout.dont_enum } else { 0 }
            | if accessor { layout.accessor } else { 0 };
        smi(details as i32)
    }

    /// A table with entries anywhere, and with empty and deleted ones.
    fn hash_table(
        &mut self,
        instance_type: u16,
        prefix: Vec<Option<u64>>,
        entries: &[(u64, u64, u64)],
    ) -> Address {
        let size = self.layout.dictionary.entry;
        let start = prefix.len();
        let capacity = entries.len() + self.random.below(entries.len() + 3);
        let mut places: Vec<_> = (0..capacity).collect();
        self.random.shuffle(&mut places);
        let mut words = prefix;
        words.resize(start + capacity * size, None);
        for (place, entry) in places.iter().zip(0..) {
            let entry_words = &mut words[start + place * size..];
            match entries.get::<usize>(entry) {
                Some((key, value, details)) => {
                    entry_words[..3].copy_from_slice(&[Some(*key), Some(*value), Some(*details)]);
                }
                None => {
                    let free = [self.roots[Root::Undefined as usize], self.roots[Root::Hole as usize]];
                    entry_words[0] = Some(self.random.pick(&free));
                }
            }
        }
        self.fixed_array(instance_type, &words)
    }
}
