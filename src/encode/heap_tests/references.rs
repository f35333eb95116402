//! Objects that a message holds more than once.

use std::slice::from_ref;

use super::{Laid, Mode, Outcome, PLAIN, Plans};
use crate::options::{MORE_TYPES, NO_RECORDS, STRUCTURED_CLONE};
use crate::v8::fake_heap::build::Builder;
use crate::v8::fake_heap::layouts::of_version;
use crate::v8::fake_heap::value::{
    Array, Bytes, ErrorObject, Heritage, Key, Lineage, Member, Object, Realm, Sort, Text, Value,
};
use crate::v8::fake_heap::{Address, FakeHeap, Garbage};
use crate::v8::layout::Layout;

const REFERRING: Mode<'_> = Mode { options: NO_RECORDS | MORE_TYPES | STRUCTURED_CLONE, ..PLAIN };

fn target(id: u8) -> Vec<u8> {
    vec![0xd6, b'i', 0, 0, 0, id]
}

fn reference(id: u8) -> Vec<u8> {
    vec![0xd6, b'p', 0, 0, 0, id]
}

/// What comes of an array of values, given by their places among `values`.
fn array_of(values: &[Value], places: &[usize], mode: Mode<'_>) -> Outcome {
    let layout = of_version(3);
    let mut builder = Builder::new(FakeHeap::new(Garbage::Random, 3), &layout, Realm::default(), 3);
    let words: Vec<_> = values.iter().map(|value| builder.value(value)).collect();
    let chosen: Vec<_> = places.iter().map(|place| words[*place]).collect();
    let value = builder.array_of_words(&chosen);
    // Arrays of roots have no prototype; this one is as others are.
    let other = builder.value(&Array::of(vec![Value::Null]));
    let map = builder.heap.word_of(Address::of(other), layout.heap_object_map);
    builder.heap.set(Address::of(value), layout.heap_object_map, map);
    let roots = builder.roots_array();
    let laid = Laid { heap: builder.heap, roots, value };
    let mut plans = Plans::default();
    let outcome = laid.walk(&layout, &mut plans, mode);
    assert_eq!(outcome, laid.walk(&layout, &mut plans, mode), "with plans");
    assert_eq!(laid.heap.strays(), 0);
    outcome
}

/// A value of each kind, and its bytes.
fn kinds() -> Vec<(Value, Vec<u8>)> {
    let alone = |value: Value| {
        let bytes = array_of(from_ref(&value), &[0], REFERRING).expect("bytes");
        (value, bytes[1..].to_vec())
    };
    let bytes = || Bytes { bytes: vec![1, 2], special: None };
    let error = ErrorObject { lineage: Lineage::Class, properties: vec![], dictionary: false };
    let object = |heritage| Object { heritage, ..Object::plain(vec![("a", Value::Smi(1))]) };
    [
        Value::Object(object(Heritage::Plain)),
        Value::Object(object(Heritage::Class)),
        Value::Object(Object { dictionary: true, ..object(Heritage::Null) }),
        Array::of(vec![Value::Number(0.5)]),
        Value::Map(vec![Some((Value::Null, Value::Smi(2)))]),
        Value::Set(vec![Some(Value::Smi(3))]),
        Value::Date(1e12),
        Value::Buffer(bytes()),
        Value::DataView(bytes(), 2),
        Value::RegExp(Text::ascii("a+"), 1),
        Value::Error(error),
        Value::Boxed(Box::new(Value::Smi(4))),
        Value::Boxed(Box::new(Value::String(Text::ascii("ab")))),
    ]
    .map(alone)
    .into()
}

#[test]
fn each_kind_is_referred_to() {
    for (value, bytes) in kinds() {
        let found = array_of(from_ref(&value), &[0, 0, 0], REFERRING);
        let expected = [&[0x93][..], &target(1), &bytes, &reference(1), &reference(1)].concat();
        assert_eq!(found, Ok(expected), "{value:?}");
        let apart = array_of(&[value.clone(), value.clone()], &[0, 1], REFERRING);
        assert_eq!(apart, Ok([&[0x92][..], &bytes, &bytes].concat()), "{value:?}");
    }
}

#[test]
fn primitives_are_not() {
    for value in
        [Value::Null, Value::Number(0.5), Value::BigInt(false, vec![5]), Value::String(Text::ascii("a"))]
    {
        let alone = array_of(from_ref(&value), &[0], REFERRING).expect("bytes");
        let expected = [&[0x92], &alone[1..], &alone[1..]].concat();
        assert_eq!(array_of(&[value], &[0, 0], REFERRING), Ok(expected));
    }
}

#[test]
fn ids_count_by_second_meetings() {
    let values: Vec<_> = (0..3).map(|int| Array::of(vec![Value::Smi(int)])).collect();
    let found = array_of(&values, &[0, 1, 2, 2, 0, 2], REFERRING);
    let expected = [
        vec![0x96],
        target(2),
        vec![0x91, 0, 0x91, 1],
        target(1),
        vec![0x91, 2],
        reference(1),
        reference(2),
        reference(1),
    ];
    assert_eq!(found, Ok(expected.concat()));
}

#[test]
fn cycles_end() {
    let layout = of_version(1);
    let elements_of =
        |laid: &Laid, array: u64| Address::of(laid.heap.word_of(Address::of(array), layout.object.elements));
    let mut laid = Laid::out(&Array::of(vec![Array::of(vec![Value::Null])]), &layout, Realm::default(), 7);
    let inner = laid.heap.nth_word_of(elements_of(&laid, laid.value), layout.fixed_array_data, 0);
    laid.heap.set_nth(elements_of(&laid, inner), layout.fixed_array_data, 0, laid.value);
    ends_in(&laid, &layout, [target(1), vec![0x91, 0x91], reference(1)].concat());

    let object = Object::plain(vec![("a", Value::Null)]);
    let mut laid = Laid::out(&Value::Object(object), &layout, Realm::default(), 7);
    let header = layout.object.elements.offset() / 8 + 1;
    laid.heap.set_nth(Address::of(laid.value), layout.object.start, header, laid.value);
    ends_in(&laid, &layout, [target(1), vec![0xde, 0, 1, 0xa1, b'a'], reference(1)].concat());
}

fn ends_in(laid: &Laid, layout: &Layout, expected: Vec<u8>) {
    let mut plans = Plans::default();
    for _ in 0..2 {
        assert_eq!(laid.walk(layout, &mut plans, REFERRING), Ok(expected.clone()));
    }
}

#[test]
fn an_object_that_is_begun_again_is_met_once() {
    let inner = || Array::of(vec![Value::Smi(1)]);
    let mut object = Object::plain(vec![("a", inner()), ("b", inner())]);
    object.properties.push((Key::Symbol, Member { sort: Sort::Data, value: Value::Null }));
    let found = array_of(&[Value::Object(object)], &[0], REFERRING);
    assert_eq!(found, Ok(vec![0x91, 0xde, 0, 2, 0xa1, b'a', 0x91, 1, 0xa1, b'b', 0x91, 1]));
}
