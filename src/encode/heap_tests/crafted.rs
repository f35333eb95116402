//! Heaps that are broken by hand: things that lead back to themselves, or that are more often than they can
//! be.

use super::{Laid, PLAIN, Plans, deep};
use crate::encode::handover::Handover;
use crate::v8::fake_heap::layouts::of_version;
use crate::v8::fake_heap::value::{Array, Heritage, Member, Object, Realm, Storage, Text, Value};
use crate::v8::fake_heap::{Address, smi};
use crate::v8::layout::Layout;

fn lay_out(value: &Value) -> (Laid, Layout) {
    let layout = of_version(2);
    (Laid::out(value, &layout, Realm::default(), 7), layout)
}

fn cons(first: &str, second: &str) -> Value {
    Value::String(Text::Cons(Box::new(Text::ascii(first)), Box::new(Text::ascii(second))))
}

fn ends(laid: Laid, layout: &Layout, expected: Handover) {
    let outcome = deep(|| {
        let laid = laid;
        laid.walk(layout, &mut Plans::default(), PLAIN)
    });
    assert_eq!(outcome, Err(expected));
}

#[test]
fn a_concatenation_of_itself_and_nothing() {
    let (mut laid, layout) = lay_out(&cons("a", ""));
    laid.heap.set(Address::of(laid.value), layout.string.cons_first, laid.value);
    ends(laid, &layout, Handover::String);
}

#[test]
fn a_concatenation_of_nothing_and_itself() {
    let (mut laid, layout) = lay_out(&cons("", "a"));
    laid.heap.set(Address::of(laid.value), layout.string.cons_second, laid.value);
    ends(laid, &layout, Handover::String);
}

#[test]
fn a_concatenation_of_itself_twice() {
    let (mut laid, layout) = lay_out(&cons("a", "b"));
    laid.heap.set(Address::of(laid.value), layout.string.cons_first, laid.value);
    laid.heap.set(Address::of(laid.value), layout.string.cons_second, laid.value);
    ends(laid, &layout, Handover::String);
}

#[test]
fn two_byte_concatenations_that_lead_back() {
    for (first, second) in [("\u{100}", ""), ("", "\u{100}")] {
        let (mut laid, layout) = lay_out(&cons(first, second));
        let fields = (layout.string.cons_first, layout.string.cons_second);
        let field = if second.is_empty() { fields.0 } else { fields.1 };
        laid.heap.set(Address::of(laid.value), field, laid.value);
        ends(laid, &layout, Handover::String);
    }
}

#[test]
fn strings_that_stand_for_themselves() {
    let (mut laid, layout) = lay_out(&Value::String(Text::Thin(Box::new(Text::ascii("a")))));
    laid.heap.set(Address::of(laid.value), layout.string.thin_actual, laid.value);
    ends(laid, &layout, Handover::String);
    let (mut laid, layout) = lay_out(&Value::String(Text::Sliced(Box::new(Text::ascii("a")), 0, 1)));
    laid.heap.set(Address::of(laid.value), layout.string.sliced_parent, laid.value);
    ends(laid, &layout, Handover::String);
}

#[test]
fn a_concatenation_that_is_very_long() {
    let (mut laid, layout) = lay_out(&cons("a", "b"));
    laid.heap.set(Address::of(laid.value), layout.string.length, u64::from(u32::MAX));
    ends(laid, &layout, Handover::String);
}

#[test]
fn an_object_in_itself() {
    let (mut laid, layout) =
        lay_out(&Value::Object(Object::plain(vec![("a", Value::Null), ("b", Value::Null)])));
    let object = Address::of(laid.value);
    let header = layout.object.elements.offset() / 8 + 1;
    for field in 0..2 {
        laid.heap.set_nth(object, layout.object.start, header + field, laid.value);
    }
    ends(laid, &layout, Handover::Depth);
}

#[test]
fn a_prototype_of_itself() {
    let object = Object { heritage: Heritage::Class, ..Object::plain(vec![]) };
    let (mut laid, layout) = lay_out(&Value::Object(object));
    let map = Address::of(laid.heap.word_of(Address::of(laid.value), layout.heap_object_map));
    let prototype = laid.heap.word_of(map, layout.map.prototype);
    let map = Address::of(laid.heap.word_of(Address::of(prototype), layout.heap_object_map));
    laid.heap.set(map, layout.map.prototype, prototype);
    ends(laid, &layout, Handover::Class);
}

#[test]
fn a_map_of_itself() {
    let (mut laid, layout) = lay_out(&Value::Object(Object::plain(vec![("a", Value::Null)])));
    laid.heap.set(Address::of(laid.value), layout.heap_object_map, laid.value);
    assert!(laid.walk(&layout, &mut Plans::default(), PLAIN).is_err());
}

#[test]
fn a_box_of_itself() {
    let (mut laid, layout) = lay_out(&Value::Boxed(Box::new(Value::Smi(1))));
    laid.heap.set(Address::of(laid.value), layout.wrapper_value, laid.value);
    let _ = laid.walk(&layout, &mut Plans::default(), PLAIN);
    let _ = laid.heap.window(&layout).describe(laid.heap.tagged(laid.value));
}

#[test]
fn external_characters_at_the_end_of_all_addresses() {
    let external = Text::External { units: "characters".encode_utf16().collect(), wide: false };
    let (mut laid, layout) = lay_out(&Value::String(Text::Sliced(Box::new(external), 4, 6)));
    let parent = Address::of(laid.heap.word_of(Address::of(laid.value), layout.string.sliced_parent));
    laid.heap.set(parent, layout.string.external_data, u64::MAX - 2);
    ends(laid, &layout, Handover::Unexpected);
}

#[test]
fn sparse_elements_with_one_index() {
    let elements = (0..3).map(|_| Some(Member::data(Value::Smi(5)))).collect();
    let (mut laid, layout) = lay_out(&Value::Array(Array { elements, storage: Storage::Dictionary }));
    let array = Address::of(laid.value);
    let words = Address::of(laid.heap.word_of(array, layout.object.elements));
    let count = (laid.heap.word_of(words, layout.fixed_array_length) >> 32) as usize;
    let dictionary = &layout.dictionary;
    for entry in (dictionary.numbers..count).step_by(dictionary.entry) {
        if laid.heap.nth_word_of(words, layout.fixed_array_data, entry + 1) == smi(5) {
            laid.heap.set_nth(words, layout.fixed_array_data, entry, smi(0));
        }
    }
    laid.heap.set(array, layout.array_length, smi(1));
    ends(laid, &layout, Handover::Unexpected);
}

#[test]
fn a_prototype_with_endless_properties() {
    let object = Object { heritage: Heritage::LargeClass, ..Object::plain(vec![]) };
    let (mut laid, layout) = lay_out(&Value::Object(object));
    let map = Address::of(laid.heap.word_of(Address::of(laid.value), layout.heap_object_map));
    let prototype = Address::of(laid.heap.word_of(map, layout.map.prototype));
    let words = Address::of(laid.heap.word_of(prototype, layout.object.properties));
    laid.heap.set(words, layout.fixed_array_length, smi(i32::MAX));
    if let Some(flags) = layout.dictionary.interesting {
        laid.heap.set_nth(words, layout.fixed_array_data, flags, smi(1));
    }
    assert!(laid.walk(&layout, &mut Plans::default(), PLAIN).is_err());
}
