//! Each kind of value by itself: its bytes, or the reason for which it is handed over; and how deep they
//! nest.

use super::built_ins::error;
use super::naive::encode;
use super::{Laid, Mode, Outcome, PLAIN, Plans, deep, on_stack, walk};
use crate::encode::handover::Handover;
use crate::encode::heap_walk::MAX_DEPTH;
use crate::options::{NO_RECORDS, NO_TO_JSON, STRUCTURED_CLONE};
use crate::v8::fake_heap::FakeHeap;
use crate::v8::fake_heap::layouts::of_version;
use crate::v8::fake_heap::value::{
    Array, Heritage, Key, Lineage, Member, Object, Oddity, Realm, Sort, Storage, Text, Value,
};

/// Stack that a worker may have left when JavaScript has recursed to its limit.
pub(super) const WORKERS_STACK: usize = 191_000;

fn outcomes(value: &Value, realm: Realm, mode: Mode<'_>) -> Vec<Outcome> {
    let walks = (0..5).map(|version| {
        let layout = of_version(version);
        let laid = Laid::out(value, &layout, realm, 3);
        let mut plans = Plans::default();
        let first = laid.walk(&layout, &mut plans, mode);
        assert_eq!(first, laid.walk(&layout, &mut plans, mode));
        assert_eq!(laid.heap.strays(), 0);
        first
    });
    walks.collect()
}

#[track_caller]
pub(super) fn hands_over_in(value: &Value, realm: Realm, mode: Mode<'_>, reason: Handover) {
    assert_eq!(encode(value, realm, mode), Err(reason));
    assert_eq!(outcomes(value, realm, mode), vec![Err(reason); 5]);
}

#[track_caller]
pub(super) fn hands_over(value: &Value, reason: Handover) {
    hands_over_in(value, Realm::default(), PLAIN, reason);
}

#[track_caller]
pub(super) fn packs_in(value: &Value, mode: Mode<'_>) {
    let expected = encode(value, Realm::default(), mode);
    assert!(expected.is_ok());
    assert_eq!(outcomes(value, Realm::default(), mode), vec![expected; 5]);
}

#[track_caller]
pub(super) fn packs(value: &Value) {
    packs_in(value, PLAIN);
}

pub(super) fn array(elements: Vec<Option<Member>>, storage: Storage) -> Value {
    Value::Array(Array { elements, storage })
}

pub(super) fn subclass(value: Value) -> Value {
    Value::Odd(Box::new(value), Oddity::Subclass)
}

pub(super) fn heir(heritage: Heritage) -> Object {
    Object { heritage, ..Object::plain(vec![("a", Value::Smi(1))]) }
}

fn with(object: Object, key: Key, sort: Sort) -> Object {
    let mut object = object;
    object.properties.push((key, Member { sort, value: Value::Smi(7) }));
    object
}

fn hidden(value: i32) -> Option<Member> {
    Some(Member { sort: Sort::Hidden, value: Value::Smi(value) })
}

#[test]
fn properties_that_are_not_plain_data() {
    for dictionary in [false, true] {
        let object = || Object { dictionary, ..Object::plain(vec![("a", Value::Null)]) };
        packs(&Value::Object(with(object(), Key::ascii("b"), Sort::Hidden)));
        packs(&Value::Object(with(object(), Key::ascii("b"), Sort::HiddenAccessor)));
        packs(&Value::Object(with(object(), Key::Symbol, Sort::Data)));
        packs(&Value::Object(with(object(), Key::Symbol, Sort::Accessor)));
        hands_over(&Value::Object(with(object(), Key::ascii("b"), Sort::Accessor)), Handover::Accessor);
    }
    let object = Object::plain(vec![("a", Value::Null)]);
    hands_over(&Value::Object(with(object, Key::ascii("b"), Sort::InMap)), Handover::PropertyInMap);
}

#[test]
fn what_objects_inherit_from() {
    for dictionary in [false, true] {
        for heritage in [Heritage::Plain, Heritage::Null, Heritage::Class, Heritage::LargeClass] {
            let object = Object { dictionary, ..heir(heritage) };
            packs(&Value::Object(object.clone()));
            let own = with(object, Key::ascii("toJSON"), Sort::Data);
            if heritage == Heritage::Plain {
                packs(&Value::Object(own));
            } else {
                hands_over(&Value::Object(own), Handover::ToJson);
            }
        }
        for (heritage, reason) in [
            (Heritage::ClassWithToJson, Handover::ToJson),
            (Heritage::LargeClassWithToJson, Handover::ToJson),
            (Heritage::Claimed, Handover::Class),
        ] {
            hands_over(&Value::Object(Object { dictionary, ..heir(heritage) }), reason);
        }
        hands_over(
            &Value::Object(Object { dictionary, special: true, ..heir(Heritage::Plain) }),
            Handover::Kind,
        );
    }
}

#[test]
fn objects_with_indices() {
    let member = |value| Some(Member::data(Value::Smi(value)));
    for sparse in [false, true] {
        for dictionary in [false, true] {
            let elements = vec![member(1), None, member(2), None];
            let object = Object { elements, sparse, dictionary, ..heir(Heritage::Plain) };
            packs(&Value::Object(object.clone()));
            let numeric = Mode { options: 0, numeric_keys: true, known: None };
            let value = Value::Object(object);
            let expected = encode(&value, Realm::default(), numeric);
            assert_eq!(outcomes(&value, Realm::default(), numeric), vec![expected; 5]);
        }
    }
    let of = |sort| vec![member(1), Some(Member { sort, value: Value::Smi(3) })];
    packs(&Value::Object(Object { elements: of(Sort::Hidden), ..heir(Heritage::Plain) }));
    packs(&Value::Object(Object { elements: of(Sort::HiddenAccessor), ..heir(Heritage::Plain) }));
    let accessor = Object { elements: of(Sort::Accessor), ..heir(Heritage::Plain) };
    hands_over(&Value::Object(accessor), Handover::Accessor);
}

#[test]
fn keys_that_are_numbers() {
    let numeric = Mode { options: NO_RECORDS, numeric_keys: true, known: None };
    let object = |key: &str| Value::Object(Object::plain(vec![(key, Value::Null)]));
    for key in ["", "a", "-1", "4294967295", "123456789012345", "NaN", " 1"] {
        let expected = encode(&object(key), Realm::default(), numeric);
        assert!(expected.is_ok(), "{key}");
        assert_eq!(outcomes(&object(key), Realm::default(), numeric), vec![expected; 5], "{key}");
    }
    for key in ["1.5", "01", "-0", "Infinity", "1234567890123456"] {
        hands_over_in(&object(key), Realm::default(), numeric, Handover::NumericKey);
    }
}

#[test]
fn arrays_however_they_are_stored() {
    let member = |value| Some(Member::data(Value::Smi(value)));
    for storage in [Storage::Words, Storage::Doubles, Storage::Dictionary] {
        packs(&array(vec![], storage));
        packs(&array(vec![member(1), member(2)], storage));
        let holey = array(vec![member(1), None, member(2), None], storage);
        packs(&holey);
        for (arrays, objects) in [(true, false), (false, true)] {
            let realm = Realm {
                elements_in_array_prototype: arrays,
                elements_in_object_prototype: objects,
                ..Realm::default()
            };
            hands_over_in(&holey, realm, PLAIN, Handover::Holes);
        }
    }
    packs(&array(vec![member(1), hidden(2), None, hidden(3)], Storage::Dictionary));
    for sort in [Sort::Accessor, Sort::HiddenAccessor] {
        let getter = Some(Member { sort, value: Value::Smi(1) });
        hands_over(&array(vec![member(1), getter], Storage::Dictionary), Handover::Accessor);
    }
    hands_over(&subclass(array(vec![], Storage::Words)), Handover::Prototype);
}

#[test]
fn classes_whose_to_json_is_never_called() {
    let mode = Mode { options: NO_RECORDS | NO_TO_JSON, ..PLAIN };
    for heritage in [Heritage::ClassWithToJson, Heritage::LargeClassWithToJson, Heritage::Class] {
        for dictionary in [false, true] {
            packs_in(&Value::Object(Object { dictionary, ..heir(heritage) }), mode);
            let own = with(heir(heritage), Key::ascii("toJSON"), Sort::Data);
            packs_in(&Value::Object(Object { dictionary, ..own }), mode);
        }
    }
    hands_over_in(&Value::Object(heir(Heritage::Claimed)), Realm::default(), mode, Handover::Class);
}

#[test]
fn what_only_javascript_knows() {
    hands_over(&Value::Symbol, Handover::Kind);
    hands_over(&Value::Function, Handover::Kind);
    hands_over(&Value::String(Text::Uncached(vec![0x61])), Handover::String);
}

/// Each kind of container that has another in it.
fn nest(kind: usize, inner: Value) -> Value {
    match kind {
        0 => Array::of(vec![inner]),
        1 => array(vec![Some(Member::data(inner))], Storage::Dictionary),
        2 => Value::Object(Object::plain(vec![("key", inner)])),
        3 => Value::Object(Object { dictionary: true, ..Object::plain(vec![("key", inner)]) }),
        4 => Value::Object(Object { elements: vec![Some(Member::data(inner))], ..Object::plain(vec![]) }),
        5 => Value::Map(vec![Some((Value::Null, inner))]),
        6 => Value::Set(vec![Some(inner)]),
        _ => error(Lineage::Class, vec![("cause", Sort::Hidden, inner)]),
    }
}

#[test]
fn containers_nest_as_deep_as_the_stack_of_a_worker_allows() {
    // Without optimisation, and in tests of the walk, frames are larger.
    let stack = if cfg!(debug_assertions) || cfg!(miri) { 64 << 20 } else { WORKERS_STACK };
    for kind in 0..8 {
        for (depth, is_taken) in [(MAX_DEPTH, true), (MAX_DEPTH + 1, false)] {
            let (value, expected) = deep(|| {
                let value = (0..depth).fold(Value::Null, |inner, _| nest(kind, inner));
                let expected = encode(&value, Realm::default(), PLAIN);
                (value, if is_taken { expected } else { Err(Handover::Depth) })
            });
            let layout = of_version(3);
            let laid = deep(|| {
                let laid =
                    Laid::out_in(FakeHeap::real(1 << 20, 1), PLAIN, &value, &layout, Realm::default(), 1);
                drop(value);
                laid
            });
            let outcomes = on_stack(stack, || {
                let laid = laid;
                let (roots, value) = (laid.heap.tagged(laid.roots), laid.heap.tagged(laid.value));
                [NO_RECORDS, NO_RECORDS | STRUCTURED_CLONE].map(|options| {
                    let mode = Mode { options, ..PLAIN };
                    walk(laid.heap.live_window(&layout), roots, value, &mut Plans::default(), mode)
                })
            });
            assert_eq!(outcomes, [expected.clone(), expected], "kind {kind}");
        }
    }
}
