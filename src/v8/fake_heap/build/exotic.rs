//! Built-ins other than arrays.

use super::{Blueprint, Builder, Slot};
use crate::v8::fake_heap::value::{Bytes, ErrorObject, Oddity, Sort, Special, Text, TypedArray, Value};
use crate::v8::fake_heap::{ANY, Address, SMI, smi};
use crate::v8::layout::DateValue;
use crate::v8::roots::Root;

/// Where the bytes of an on-heap typed array begin in its elements.
const ON_HEAP_DATA: usize = 16;

impl Builder<'_> {
    /// A built-in, with what may be odd about it.
    pub(super) fn built_in(&mut self, value: &Value, oddity: Option<Oddity>) -> Address {
        match value {
            Value::Array(array) => self.array_of(array, oddity),
            Value::BigInt(negative, digits) => self.bigint(*negative, digits),
            Value::Date(milliseconds) => self.date(*milliseconds, oddity),
            Value::Map(entries) => {
                let mut words = Vec::new();
                for entry in entries {
                    words.push(entry.as_ref().map(|(key, value)| vec![self.value(key), self.value(value)]));
                }
                self.collection(self.layout.types.js_map, Root::MapPrototype, &words, 2, oddity)
            }
            Value::Set(entries) => {
                let mut words = Vec::new();
                for entry in entries {
                    words.push(entry.as_ref().map(|value| vec![self.value(value)]));
                }
                self.collection(self.layout.types.js_set, Root::SetPrototype, &words, 1, oddity)
            }
            Value::TypedArray(array) => self.typed_array(array, oddity),
            Value::Buffer(bytes) => self.buffer(bytes, oddity),
            Value::DataView(bytes, before) => self.data_view(bytes, *before, oddity),
            Value::RegExp(source, flags) => self.regexp(source, *flags, oddity),
            Value::Error(error) => self.error(error),
            Value::Boxed(primitive) => self.boxed(primitive),
            value => unreachable!("{value:?} is no built-in"),
        }
    }

    /// A JavaScript object without properties and elements.
    fn empty_object(&mut self, instance_type: u16, kind: u32, prototype: u64) -> Address {
        self.object_of(Blueprint::new(instance_type, kind, prototype, self.empty_array))
    }

    /// An object with what is odd about it.
    pub(super) fn odd_object(&mut self, blueprint: Blueprint, oddity: Option<Oddity>) -> Address {
        let (name, sort) = match oddity {
            Some(Oddity::OwnConstructor(sort)) => ("constructor", sort),
            Some(Oddity::OwnProperty | Oddity::OwnDictionary) => ("other", Sort::Data),
            Some(Oddity::Subclass) | None => return self.object_of(blueprint),
        };
        let slot = Slot { key: self.name(name), sort, value: smi(1) };
        let dictionary = oddity == Some(Oddity::OwnDictionary);
        let mut properties = blueprint.properties;
        properties.push(slot);
        self.object_of(Blueprint { properties, dictionary, ..blueprint })
    }

    fn inheriting(&mut self, instance_type: u16, root: Root, oddity: Option<Oddity>) -> Address {
        let root = if oddity == Some(Oddity::Subclass) { Root::ArrayPrototype } else { root };
        let kind = self.word_kind();
        let prototype = self.root(root);
        self.odd_object(Blueprint::new(instance_type, kind, prototype, self.empty_array), oddity)
    }

    fn bigint(&mut self, negative: bool, digits: &[u64]) -> Address {
        let bigint = self.simple(self.layout.types.bigint, self.header + 8 * digits.len());
        let bits = (digits.len() as u64) << 1 | u64::from(negative);
        self.heap.set(bigint, self.layout.bigint_bits, bits);
        for (index, digit) in digits.iter().enumerate() {
            self.heap.set_nth(bigint, self.layout.bigint_digits, index, *digit);
        }
        // More than one is too many, so none is read.
        let safe = if digits.is_empty() { 0..=0 } else { ANY };
        self.heap.count("digits of a bigint", bigint, self.layout.bigint_bits, 0xffff_fffe, safe);
        bigint
    }

    fn date(&mut self, milliseconds: f64, oddity: Option<Oddity>) -> Address {
        let date = self.inheriting(self.layout.types.date, Root::DatePrototype, oddity);
        match self.layout.date_value {
            DateValue::Double(field) => self.heap.set(date, field, milliseconds.to_bits()),
            DateValue::Tagged(field) => {
                let int = milliseconds as i32;
                let word = if f64::from(int) == milliseconds && !self.random.once_in(4) {
                    smi(int)
                } else {
                    self.heap_number(milliseconds)
                };
                self.heap.set(date, field, word);
            }
        }
        date
    }

    fn collection(
        &mut self,
        instance_type: u16,
        root: Root,
        entries: &[Option<Vec<u64>>],
        size: usize,
        oddity: Option<Oddity>,
    ) -> Address {
        let types = &self.layout.types;
        let table_type = if size == 2 { types.hash_map } else { types.hash_set };
        let live = entries.iter().flatten().count();
        let buckets = entries.len().div_ceil(2) + self.random.below(3);
        let hole = self.table_hole;
        let mut words: Vec<_> =
            [live, entries.len() - live, buckets].map(|number| Some(smi(number as i32))).into();
        words.resize(words.len() + buckets, Some(smi(-1)));
        for index in 0..2 * buckets {
            let entry = entries.get(index).cloned().flatten().unwrap_or_else(|| vec![hole; size]);
            words.extend(entry.into_iter().map(Some));
            words.push(Some(smi(-1)));
        }
        let table = self.fixed_array(table_type, &words);
        for (index, name) in ["elements of a table", "deleted of a table", "buckets"].into_iter().enumerate()
        {
            self.heap.count_nth(name, table, self.layout.fixed_array_data, index, SMI);
        }
        let collection = self.inheriting(instance_type, root, oddity);
        self.heap.set(collection, self.layout.collection_table, table.word());
        collection
    }

    fn typed_array(&mut self, array: &TypedArray, oddity: Option<Oddity>) -> Address {
        let kinds = &self.layout.elements;
        let first = match array.special {
            Some(Special::ResizableKind) => kinds.first_resizable,
            _ => kinds.first_typed,
        };
        let kind = kinds.typed.iter().position(|known| *known == array.array_type).expect("all are known");
        let (external, base) = if array.on_heap {
            let elements = self.heap.allocate(ON_HEAP_DATA + array.bytes.len());
            self.heap.put(elements, ON_HEAP_DATA, &array.bytes);
            (ON_HEAP_DATA as u64 - 1, elements.word())
        } else {
            (self.data(&array.bytes), 0)
        };
        let length = array.bytes.len() as u64;
        let flags = self.buffer_flags(array.special);
        let buffer = self.array_buffer(flags, external, length);
        let prototype = match oddity {
            Some(Oddity::Subclass) => self.root(Root::ObjectPrototype),
            _ if array.is_buffer => self.view_prototypes[0],
            _ => self.random.pick(&self.view_prototypes[1..]),
        };
        let blueprint =
            Blueprint::new(self.layout.types.typed_array, first + kind as u32, prototype, self.empty_array);
        let view = self.odd_object(blueprint, oddity);
        self.show(view, buffer, (external, base), length);
        view
    }

    /// Bytes outside all objects.
    fn data(&mut self, bytes: &[u8]) -> u64 {
        let data = self.heap.allocate(bytes.len());
        self.heap.put(data, 0, bytes);
        data.word() - 1
    }

    fn buffer_flags(&mut self, special: Option<Special>) -> u32 {
        let layout = &self.layout.buffers;
        let lowest = |bits: u32| bits & bits.wrapping_neg();
        let others = layout.special_buffer & !layout.detached;
        let garbage = self.random.next() as u32;
        garbage & !layout.special_buffer
            | match special {
                Some(Special::Detached) => layout.detached,
                Some(Special::Shared) => lowest(others),
                Some(Special::Resizable) => others & !lowest(others),
                _ => 0,
            }
    }

    fn buffer(&mut self, buffer: &Bytes, oddity: Option<Oddity>) -> Address {
        let store = if buffer.bytes.is_empty() { 0 } else { self.data(&buffer.bytes) };
        let object = self.inheriting(self.layout.types.array_buffer, Root::ArrayBufferPrototype, oddity);
        let flags = self.buffer_flags(buffer.special);
        self.hold(object, flags, store, buffer.bytes.len() as u64);
        object
    }

    fn data_view(&mut self, buffer: &Bytes, before: usize, oddity: Option<Oddity>) -> Address {
        let layout = &self.layout.buffers;
        let whole = [&vec![0xdd; before], &buffer.bytes[..], &[0xdd; 3]].concat();
        let whole = self.buffer(&Bytes { bytes: whole, special: buffer.special }, None);
        let view = self.inheriting(self.layout.types.data_view, Root::DataViewPrototype, oddity);
        self.heap.set(view, layout.buffer, whole.word());
        self.heap.set(view, layout.byte_offset, before as u64);
        self.heap.set(view, layout.byte_length, buffer.bytes.len() as u64);
        self.heap.count("offset of a DataView", view, layout.byte_offset, u64::MAX, ANY);
        self.heap.count("bytes of a DataView", view, layout.byte_length, u64::MAX, ANY);
        view
    }

    fn regexp(&mut self, source: &Text, flags: u32, oddity: Option<Oddity>) -> Address {
        let source = self.text(source).word();
        let key = self.name("lastIndex");
        let prototype = self.root(if oddity == Some(Oddity::Subclass) {
            Root::ArrayPrototype
        } else {
            Root::RegExpPrototype
        });
        let kind = self.word_kind();
        let blueprint = Blueprint::new(self.layout.types.regexp, kind, prototype, self.empty_array);
        let properties = vec![Slot { key, sort: Sort::Hidden, value: smi(0) }];
        let regexp = self.odd_object(Blueprint { properties, ..blueprint }, oddity);
        self.heap.set(regexp, self.layout.regexp_source, source);
        self.heap.set(regexp, self.layout.regexp_flags, smi(flags as i32));
        regexp
    }

    fn error(&mut self, error: &ErrorObject) -> Address {
        let properties = error.properties.iter().map(|(key, member)| self.slot(key, member)).collect();
        let lineage = self.lineages.iter().find(|(known, _)| *known == error.lineage);
        let (_, prototype) = *lineage.expect("all are known");
        let kind = self.word_kind();
        let blueprint = Blueprint::new(self.layout.types.error, kind, prototype, self.empty_array);
        self.object_of(Blueprint { properties, dictionary: error.dictionary, ..blueprint })
    }

    /// A typed array that shows the chunk from `start` on.
    pub(crate) fn view_of_chunk(&mut self, start: usize, length: usize) -> u64 {
        let chunk = Address::of(self.root(Root::Chunk));
        let store = self.heap.word_of(chunk, self.layout.buffers.backing_store) + start as u64;
        let prototype = self.random.pick(&self.view_prototypes);
        let (types, kinds) = (&self.layout.types, &self.layout.elements);
        let view = self.empty_object(types.typed_array, kinds.first_typed, prototype);
        self.show(view, chunk, (store, 0), length as u64);
        view.word()
    }

    /// Makes a typed array show bytes.
    fn show(&mut self, view: Address, buffer: Address, (external, base): (u64, u64), length: u64) {
        let layout = &self.layout.buffers;
        let heap = &mut self.heap;
        heap.set(view, layout.byte_length, length);
        heap.set(view, layout.buffer, buffer.word());
        heap.set(view, layout.external_pointer, external);
        heap.set(view, layout.base_pointer, base);
        heap.count("bytes of a typed array", view, layout.byte_length, u64::MAX, 0..=length);
    }

    pub(super) fn array_buffer(&mut self, flags: u32, store: u64, length: u64) -> Address {
        let kind = self.word_kind();
        let prototype = self.root(Root::ObjectPrototype);
        let buffer = self.empty_object(self.layout.types.array_buffer, kind, prototype);
        self.hold(buffer, flags, store, length);
        buffer
    }

    /// Makes an ArrayBuffer hold memory.
    fn hold(&mut self, buffer: Address, flags: u32, store: u64, length: u64) {
        let layout = &self.layout.buffers;
        self.heap.set(buffer, layout.buffer_flags, u64::from(flags));
        self.heap.set(buffer, layout.backing_store, store);
        self.heap.set(buffer, layout.buffer_byte_length, length);
        let safe = if store == 0 { ANY } else { 0..=length };
        self.heap.count("bytes of a buffer", buffer, layout.buffer_byte_length, u64::MAX, safe);
    }

    fn boxed(&mut self, primitive: &Value) -> Address {
        let word = self.value(primitive);
        let mut properties = Vec::new();
        let mut kind = self.word_kind();
        if matches!(primitive, Value::String(_)) {
            let key = self.name("length");
            properties.push(Slot { key, sort: Sort::HiddenAccessor, value: word });
            // Characters are elements of a kind of its own.
            kind = self.layout.elements.dictionary + 1;
        }
        let types = &self.layout.types;
        let blueprint =
            Blueprint::new(types.primitive_wrapper, kind, self.wrapper_prototype, self.empty_array);
        let wrapper = self.object_of(Blueprint { properties, ..blueprint });
        self.heap.set(wrapper, self.layout.wrapper_value, word);
        wrapper
    }
}
