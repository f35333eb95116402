//! Types that no symbol gives are learned from samples.

use proptest::prelude::*;

use super::config;
use super::values::{Origin, layouts};
use crate::v8::fake_heap::build::Builder;
use crate::v8::fake_heap::value::{Array, Member, Object, Realm, Storage, Value};
use crate::v8::fake_heap::{FakeHeap, Garbage};
use crate::v8::layout::Types;
use crate::v8::layout::derive::Samples;
use crate::v8::roots::Root;

fn array(element: Option<Value>, storage: Storage) -> Value {
    Value::Array(Array { elements: vec![element.map(Member::data)], storage })
}

/// The types that are to be learned.
fn of(types: &Types) -> [u16; 7] {
    [
        types.bigint,
        types.object_prototype,
        types.hole,
        types.name_dictionary,
        types.number_dictionary,
        types.hash_map,
        types.hash_set,
    ]
}

fn learn(origin: Origin, seed: u64) -> ([u16; 7], [u16; 7]) {
    let whole = origin.layout();
    let mut builder = Builder::new(FakeHeap::new(Garbage::Random, seed), &whole, Realm::default(), seed);
    let object_prototype = builder.root(Root::ObjectPrototype);
    let dictionary = Object { dictionary: true, ..Object::plain(vec![("a", Value::Null)]) };
    let [bigint, holey, dictionary, sparse, map, set] = [
        Value::BigInt(false, vec![1]),
        array(None, Storage::Words),
        Value::Object(dictionary),
        array(Some(Value::Null), Storage::Dictionary),
        Value::Map(vec![]),
        Value::Set(vec![]),
    ]
    .map(|value| builder.value(&value));
    let mut layout = whole.clone();
    layout.types = Types {
        bigint: 0,
        object_prototype: 0,
        hole: 0,
        name_dictionary: 0,
        number_dictionary: 0,
        hash_map: 0,
        hash_set: 0,
        ..whole.types.clone()
    };
    let mut types = layout.types.clone();
    let heap = &builder.heap;
    let samples = Samples {
        bigint: heap.tagged(bigint),
        object_prototype: heap.tagged(object_prototype),
        holey: heap.tagged(holey),
        dictionary: heap.tagged(dictionary),
        sparse: heap.tagged(sparse),
        map: heap.tagged(map),
        set: heap.tagged(set),
    };
    assert_eq!(samples.complete(heap.window(&layout), &mut types), Ok(()));
    assert_eq!(heap.strays(), 0);
    (of(&types), of(&whole.types))
}

proptest! {
    #![proptest_config(config(20))]

    #[test]
    fn types_without_a_symbol(origin in layouts(), seed in any::<u64>()) {
        let (learned, right) = learn(origin, seed);
        prop_assert_eq!(learned, right);
    }
}
