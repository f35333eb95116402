//! Lays out values in a [`FakeHeap`] by a layout. This file has maps, the objects that there is one of, and
//! the dispatch by kind of value; where V8 leaves a choice and the value makes none, a random number does.

mod arrays;
mod exotic;
mod objects;
mod shape_keys;
mod strings;

pub(crate) use self::shape_keys::PlacedKey;

use std::collections::HashMap;

use self::objects::{Blueprint, Slot};
use super::layouts::parts;
use super::random::Random;
use super::value::{Heritage, Lineage, Realm, Sort, Value};
use super::{ANY, Address, FakeHeap, SMI, smi};
use crate::v8::layout::field::Field;
use crate::v8::layout::{Bits, Layout};
use crate::v8::memory::Load;
use crate::v8::roots::{NAMES, Root};

/// Bytes of the ArrayBuffer that results are written to.
pub(crate) const CHUNK: usize = 400;
/// Type of functions, and of all else whose type is not asked for.
const UNKNOWN_TYPE: u16 = 0xfff0;

/// The name of a constructor that is that of plain objects.
const OF_OBJECTS: &str = "constructor of objects";

/// What a map says.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct MapParts {
    instance_type: u16,
    kind: u32,
    prototype: u64,
    special: bool,
    dictionary: bool,
    has_to_json: bool,
    size_in_words: u8,
    first_in_object: u8,
    /// Keys and details.
    descriptors: Vec<(u64, u32)>,
}

/// Lays out values.
pub(crate) struct Builder<'l> {
    pub(crate) heap: FakeHeap,
    layout: &'l Layout,
    random: Random,
    /// Behind all fields of all objects.
    header: usize,
    strings: HashMap<Vec<u16>, u64>,
    maps: HashMap<MapParts, Address>,
    /// The roots in order, then prototypes of views, null, and prototypes that claim their heirs.
    roots: Vec<u64>,
    view_prototypes: Vec<u64>,
    heritages: Vec<(Heritage, u64)>,
    lineages: Vec<(Lineage, u64)>,
    wrapper_prototype: u64,
    empty_array: Address,
    table_hole: u64,
}

fn under(bits: Bits, word: u32, value: u32) -> u32 {
    word & !bits.mask | value << bits.shift & bits.mask
}

impl<'l> Builder<'l> {
    pub(crate) fn new(heap: FakeHeap, layout: &'l Layout, realm: Realm, seed: u64) -> Self {
        let header = parts(&mut layout.clone())
            .iter()
            .map(|part| part.field.offset() + part.field.width())
            .max()
            .expect("a layout has fields")
            .next_multiple_of(8);
        let mut builder = Self {
            heap,
            layout,
            random: Random::new(seed),
            header,
            strings: HashMap::new(),
            maps: HashMap::new(),
            roots: vec![0; NAMES.len()],
            view_prototypes: Vec::new(),
            heritages: Vec::new(),
            lineages: Vec::new(),
            wrapper_prototype: 0,
            empty_array: Address(0),
            table_hole: 0,
        };
        builder.make_singles();
        builder.make_prototypes(realm);
        builder
    }

    pub(crate) fn root(&self, root: Root) -> u64 {
        self.roots[root as usize]
    }

    /// Gives a root another value.
    pub(crate) fn set_root(&mut self, root: Root, word: u64) {
        self.roots[root as usize] = word;
    }

    /// undefined and its like.
    fn make_singles(&mut self) {
        let types = &self.layout.types;
        for root in [Root::Undefined, Root::Null, Root::True, Root::False] {
            self.roots[root as usize] = self.bare(types.oddball).word();
        }
        self.roots[Root::Hole as usize] = self.bare(types.hole).word();
        // Where holes have a type of their own, tables have a hole of their own.
        self.table_hole =
            if types.hole == types.oddball { self.root(Root::Hole) } else { self.bare(types.hole).word() };
        self.empty_array = self.fixed_array(UNKNOWN_TYPE, &[]);
        self.roots[Root::ToJson as usize] = self.name("toJSON");
        for (root, name) in [
            (Root::Constructor, "constructor"),
            (Root::Name, "name"),
            (Root::Message, "message"),
            (Root::Cause, "cause"),
        ] {
            self.roots[root as usize] = self.name(name);
        }
        self.roots[Root::Object as usize] = self.bare(UNKNOWN_TYPE).word();
    }

    fn make_prototypes(&mut self, realm: Realm) {
        let types = &self.layout.types;
        let null = self.root(Root::Null);
        let function = self.bare(UNKNOWN_TYPE).word();
        let one = self.fixed_array(UNKNOWN_TYPE, &[Some(smi(1))]);
        let elements = |polluted, empty| if polluted { one } else { empty };
        let empty = self.empty_array;
        let prototype = |builder: &mut Self, instance_type, parent, names: &[&str], elements, dictionary| {
            let slot = |builder: &mut Self, name: &&str| Slot {
                key: builder.name(if *name == OF_OBJECTS { "constructor" } else { name }),
                sort: Sort::Hidden,
                value: match *name {
                    "constructor" if parent == null => builder.root(Root::Object),
                    OF_OBJECTS => builder.root(Root::Object),
                    "name" => builder.name("Error"),
                    "message" => builder.name(""),
                    _ => function,
                },
            };
            let properties = names.iter().map(|name| slot(builder, name)).collect();
            let kind = builder.word_kind();
            let blueprint = Blueprint { dictionary, ..Blueprint::new(instance_type, kind, parent, elements) };
            builder.object_of(Blueprint { properties, in_object: 2, ..blueprint }).word()
        };
        let large = realm.dictionary_prototypes;
        let plain = prototype(
            self,
            types.object_prototype,
            null,
            &["constructor", "toString"],
            elements(realm.elements_in_object_prototype, empty),
            large,
        );
        let arrays = elements(realm.elements_in_array_prototype, empty);
        let array = prototype(self, types.array, plain, &["constructor", "map", "at"], arrays, false);
        let named = |builder: &mut Self, parent, names: &[&str], dictionary| {
            prototype(builder, types.object, parent, names, empty, dictionary)
        };
        let date = named(self, plain, &["constructor", "toJSON", "getTime"], large);
        let map = named(self, plain, &["constructor", "get"], large);
        let set = named(self, plain, &["constructor", "has"], large);
        self.view_prototypes = (0..3).map(|_| named(self, plain, &["constructor"], large)).collect();
        let error = named(self, plain, &["constructor", "name", "message"], large);
        let aggregate = named(self, error, &["constructor", "name", "message"], large);
        let buffer = named(self, plain, &["constructor", "slice"], large);
        let data_view = named(self, plain, &["constructor", "getInt8"], large);
        let regexp = named(self, plain, &["constructor", "exec"], large);
        let impostor = named(self, error, &[OF_OBJECTS], large);
        self.lineages = vec![
            (Lineage::Error, error),
            (Lineage::Class, named(self, error, &["constructor"], large)),
            (Lineage::Impostor, impostor),
            (Lineage::ClassWithToJson, named(self, error, &["constructor", "toJSON"], large)),
            (Lineage::AggregateError, aggregate),
        ];
        self.heritages = vec![
            (Heritage::Plain, plain),
            (Heritage::Null, null),
            (Heritage::Class, named(self, plain, &["constructor", "method"], large)),
            (Heritage::LargeClass, named(self, plain, &["constructor", "a", "b"], true)),
            (Heritage::ClassWithToJson, named(self, plain, &["constructor", "toJSON"], false)),
            (Heritage::LargeClassWithToJson, named(self, plain, &["toJSON", "b"], true)),
            (Heritage::Claimed, named(self, error, &["constructor"], large)),
        ];
        self.wrapper_prototype =
            prototype(self, types.primitive_wrapper, plain, &["constructor", "valueOf"], empty, large);
        for (root, word) in [
            (Root::ObjectPrototype, plain),
            (Root::ArrayPrototype, array),
            (Root::DatePrototype, date),
            (Root::MapPrototype, map),
            (Root::SetPrototype, set),
            (Root::ArrayBufferPrototype, buffer),
            (Root::DataViewPrototype, data_view),
            (Root::RegExpPrototype, regexp),
            (Root::ErrorPrototype, error),
            (Root::AggregateErrorPrototype, aggregate),
            (Root::Extensions, smi(0)),
        ] {
            self.roots[root as usize] = word;
        }
        let chunk = self.heap.allocate(CHUNK);
        self.heap.put(chunk, 0, &[0xee; CHUNK]);
        self.roots[Root::Chunk as usize] = self.array_buffer(0, chunk.word() - 1, CHUNK as u64).word();
        self.roots.extend(&self.view_prototypes);
        self.roots.extend([null, date, map, set, error, regexp, buffer]);
    }

    /// Where the memory of the chunk lies.
    pub(crate) fn chunk(&self) -> Address {
        let chunk = Address::of(self.root(Root::Chunk));
        Address(self.heap.word_of(chunk, self.layout.buffers.backing_store) as usize)
    }

    /// The array of roots.
    pub(crate) fn roots_array(&mut self) -> u64 {
        self.array_of_words(&self.roots.clone())
    }

    /// A JavaScript array of what there is already.
    pub(crate) fn array_of_words(&mut self, words: &[u64]) -> u64 {
        let words: Vec<_> = words.iter().map(|word| Some(*word)).collect();
        let elements = self.fixed_array(UNKNOWN_TYPE, &words);
        self.js_array(words.len(), self.layout.elements.first_double - 1, elements, None).word()
    }

    /// The word of a value.
    pub(crate) fn value(&mut self, value: &Value) -> u64 {
        match value {
            Value::Undefined => self.root(Root::Undefined),
            Value::Null => self.root(Root::Null),
            Value::Bool(true) => self.root(Root::True),
            Value::Bool(false) => self.root(Root::False),
            Value::Smi(int) => smi(*int),
            Value::Number(number) => self.heap_number(*number),
            Value::String(text) => self.text(text).word(),
            Value::Symbol => self.bare(self.layout.types.first_nonstring).word(),
            Value::Function => self.bare(UNKNOWN_TYPE).word(),
            Value::Object(object) => self.object(object).word(),
            Value::Odd(value, oddity) => self.built_in(value, Some(*oddity)).word(),
            value => self.built_in(value, None).word(),
        }
    }

    /// An object of which only its type may be looked at.
    fn bare(&mut self, instance_type: u16) -> Address {
        let object = self.heap.allocate(self.header);
        let map = self.bare_map(instance_type);
        self.heap.set(object, self.layout.heap_object_map, map.word());
        object
    }

    fn bare_map(&mut self, instance_type: u16) -> Address {
        let map = self.heap.allocate(self.header);
        self.heap.set(map, self.layout.map.instance_type, u64::from(instance_type));
        map
    }

    /// An object with fields up to `size`, and a map that says its type only.
    fn simple(&mut self, instance_type: u16, size: usize) -> Address {
        let object = self.heap.allocate(size);
        let map = self.bare_map(instance_type);
        self.heap.set(object, self.layout.heap_object_map, map.word());
        object
    }

    fn heap_number(&mut self, number: f64) -> u64 {
        let object = self.simple(self.layout.types.heap_number, self.header);
        self.heap.set(object, self.layout.heap_number_value, number.to_bits());
        object.word()
    }

    /// The map of a JavaScript object; mostly one for all objects that are alike.
    fn map(&mut self, parts: MapParts) -> Address {
        if let Some(map) = self.maps.get(&parts)
            && !self.random.once_in(16)
        {
            return *map;
        }
        let layout = &self.layout.map;
        let map = self.bare_map(parts.instance_type);
        let descriptors = self.descriptor_array(&parts.descriptors);
        let garbage = self.random.next();
        let special = layout.special_bits;
        let bits = garbage as u8 & !special | if parts.special { special } else { 0 };
        let bits2 = under(layout.elements_kind, garbage as u32 >> 8 & 0xff, parts.kind);
        let own = parts.descriptors.len() as u32;
        let mut bits3 = under(layout.own_descriptors, (garbage >> 16) as u32, own);
        bits3 = bits3 & !layout.is_dictionary | if parts.dictionary { layout.is_dictionary } else { 0 };
        if let Some(bit) = layout.interesting {
            let is_set = parts.has_to_json || parts.dictionary || self.random.once_in(4);
            bits3 = bits3 & !bit | if is_set { bit } else { 0 };
        }
        let (size, first) = (u64::from(parts.size_in_words), u64::from(parts.first_in_object));
        let heap = &mut self.heap;
        heap.set(map, layout.instance_size_in_words, size);
        heap.set(map, layout.inobject_properties_start, first);
        heap.set(map, layout.bit_field, u64::from(bits));
        heap.set(map, layout.bit_field2, u64::from(bits2));
        heap.set(map, layout.bit_field3, u64::from(bits3));
        heap.set(map, layout.prototype, parts.prototype);
        heap.set(map, layout.instance_descriptors, descriptors.word());
        heap.count("size of instances", map, layout.instance_size_in_words, 0xff, 0..=size);
        heap.count("first in-object word", map, layout.inobject_properties_start, 0xff, first..=0xff);
        let mask = u64::from(layout.own_descriptors.mask);
        heap.count("own descriptors", map, layout.bit_field3, mask, ANY);
        self.maps.insert(parts, map);
        map
    }

    fn descriptor_array(&mut self, own: &[(u64, u32)]) -> Address {
        let layout = &self.layout.descriptors;
        // Maps of longer objects share the array with those that they grew from.
        let more = if own.is_empty() { 0 } else { self.random.below(3) };
        let count = own.len() + more;
        let array = self.simple(UNKNOWN_TYPE, self.header + count * layout.size * 8);
        for index in 0..count {
            let (key, details) = own.get(index).copied().unwrap_or_else(|| (self.name("more"), layout.plain));
            let start = index * layout.size;
            self.heap.set_nth(array, layout.first, start + layout.key, key);
            self.heap.set_nth(array, layout.first, start + layout.details, smi(details as i32));
            let mask = u64::from(layout.index.mask) << 32;
            self.heap.count_nth("field index", array, layout.first, start + layout.details, mask);
        }
        self.heap.set(array, layout.count, count as u64);
        self.heap.count("descriptors", array, layout.count, 0xffff, 0..=count as u64);
        array
    }

    /// An array of words; none for a word that may not be read.
    fn fixed_array(&mut self, instance_type: u16, words: &[Option<u64>]) -> Address {
        let (length, data) = (self.layout.fixed_array_length, self.layout.fixed_array_data);
        self.array(instance_type, "length of words", words, length, data)
    }

    fn array<C, T: Load>(
        &mut self,
        instance_type: u16,
        name: &'static str,
        words: &[Option<u64>],
        length: Field<C, crate::v8::memory::Word>,
        data: Field<C, T>,
    ) -> Address {
        let array = self.simple(instance_type, self.header + 8 * words.len());
        let count = words.len() as u64;
        self.heap.set(array, length, smi(words.len() as i32));
        self.heap.count(name, array, length, SMI, 0..=count);
        for (index, word) in words.iter().enumerate() {
            if let Some(word) = word {
                self.heap.set_nth(array, data, index, *word);
            }
        }
        array
    }

    /// The elements kind of an array of words.
    fn word_kind(&mut self) -> u32 {
        let kinds = &self.layout.elements;
        let kind = self.random.below((kinds.last_fast - (kinds.last_double - kinds.first_double)) as usize);
        let kind = kind as u32;
        if kind < kinds.first_double { kind } else { kind + kinds.last_double - kinds.first_double + 1 }
    }
}
