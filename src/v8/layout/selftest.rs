//! The self-test's own eyes: says in words what an object is, as the layout on trial has it, to be
//! compared with what JavaScript made. That the bytes of its contents are right is shown by walking it.

use crate::v8::memory::{Memory, Window};
use crate::v8::objects::{Elements, Leaf, Text, View};
use crate::v8::tagged::{AnyString, HeapObject, JsObject, Map, Ref, Tagged};
use crate::v8::value::{Exotic, HeapValue};

/// Descriptors that are worth a word.
const MANY: u32 = 12;

impl<'gc, M: Memory> Window<'gc, M> {
    /// What `value` is, in words.
    #[must_use]
    pub fn describe(self, value: Tagged<'gc>) -> String {
        match self.classify(value) {
            HeapValue::Smi(_) => "smi".into(),
            HeapValue::Number(_) => "heap number".into(),
            HeapValue::Oddball => "oddball".into(),
            HeapValue::String(string, instance_type) => self.describe_string(string, instance_type),
            HeapValue::Object(object, map) => self.describe_object(object, map),
            HeapValue::Array(array, map) => match self.elements(array.object(), map) {
                Elements::Dictionary(_) => "array, dictionary".into(),
                Elements::Unknown => "array, unknown".into(),
                Elements::Words(_) | Elements::Doubles(_) => {
                    format!("array, kind {}", self.elements_kind(map))
                }
            },
            HeapValue::Other(object, map, instance_type) => self.describe_other(object, map, instance_type),
        }
    }

    fn describe_string(self, string: Ref<'gc, AnyString>, instance_type: u16) -> String {
        let width = |leaf| match leaf {
            Leaf::OneByte(_) => "one-byte",
            Leaf::TwoByte(_) => "two-byte",
        };
        let names = ["sequential", "cons", "external", "sliced", "?", "thin", "?", "?"];
        let mut representation = names[usize::from(instance_type & 7)].to_owned();
        if let Some((_, parent_type)) = self.sliced_parent(string, instance_type) {
            representation = format!("sliced of {}", names[usize::from(parent_type & 7)]);
        }
        match self.text(string, instance_type) {
            Text::Cons(..) => representation,
            Text::Leaf(leaf) => format!("{representation} {}", width(leaf)),
            Text::Unknown => format!("{representation}, unknown"),
        }
    }

    fn describe_object(self, object: Ref<'gc, JsObject>, map: Ref<'gc, Map>) -> String {
        let properties = if self.is_special(map) {
            "special"
        } else if self.is_dictionary(self.bit_field3(map)) {
            if self.name_dictionary(object).is_some() { "dictionary" } else { "unknown" }
        } else if self.outside_fields(object).is_some() {
            "fields outside"
        } else {
            "fields inside"
        };
        let elements = match self.elements(object, map) {
            _ if self.has_no_elements(object) => "",
            Elements::Words(_) => ", elements",
            Elements::Dictionary(_) => ", sparse elements",
            Elements::Doubles(_) | Elements::Unknown => ", unknown elements",
        };
        format!("object, {properties}{elements}{}", self.describe_descriptors(map))
    }

    /// Where there are many, how many descriptors the array of a map has: as many as the map, if no other
    /// map went on from there.
    fn describe_descriptors(self, map: Ref<'gc, Map>) -> String {
        let bits = self.bit_field3(map);
        let own = self.layout().map.own_descriptors.of(bits);
        if own < MANY || self.is_dictionary(bits) {
            return String::new();
        }
        let array = self.load(map, self.layout().map.instance_descriptors);
        let all = self.load(array, self.layout().descriptors.count);
        format!(", {own} of {all} descriptors")
    }

    fn describe_other(self, object: Ref<'gc, HeapObject>, map: Ref<'gc, Map>, instance_type: u16) -> String {
        match self.exotic(object, instance_type) {
            Exotic::BigInt(_) => "bigint".into(),
            Exotic::Date(_) => "date".into(),
            Exotic::Map(map) => if self.map_table(map).is_some() { "map" } else { "map, unknown" }.into(),
            Exotic::Set(set) => if self.set_table(set).is_some() { "set" } else { "set, unknown" }.into(),
            Exotic::Wrapper(wrapper) => match self.classify(self.boxed(wrapper)) {
                // No box holds an object.
                HeapValue::Object(..) | HeapValue::Array(..) | HeapValue::Other(..) => {
                    "boxed, unknown".into()
                }
                _ => format!("boxed {}", self.describe(self.boxed(wrapper))),
            },
            Exotic::TypedArray(array) => {
                let kind = self.elements_kind(map);
                match (self.view(array, kind), self.array_type(kind)) {
                    (View::Bytes(_), Some(array_type)) => format!("{array_type:?}Array"),
                    (View::Bytes(_), None) => "typed array, unknown".into(),
                    (View::Special, _) => "typed array, special".into(),
                }
            }
            Exotic::DataView(view) => match self.data_view(view) {
                View::Bytes(run) => format!("view of {}", run.len()),
                View::Special => "view, special".into(),
            },
            Exotic::ArrayBuffer(buffer) => {
                let length = self.load(buffer, self.layout().buffers.buffer_byte_length);
                match self.buffer_bytes(buffer) {
                    View::Bytes(_) => format!("buffer of {length}"),
                    View::Special => format!("buffer of {length}, special"),
                }
            }
            Exotic::RegExp(_) => "regexp".into(),
            Exotic::Error(_) => "error".into(),
            Exotic::Unknown if instance_type == self.layout().types.hole => "hole".into(),
            Exotic::Unknown => "unknown".into(),
        }
    }
}
