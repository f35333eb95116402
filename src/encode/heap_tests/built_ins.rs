//! Built-ins by themselves: their bytes with and without extension types, or the reason for which they are handed
//! over; and what is left to the extensions of programs.

use super::kinds::{hands_over, hands_over_in, heir, packs, packs_in, subclass};
use super::naive::{ARRAY_TYPES, encode};
use super::{Laid, Mode, Outcome, PLAIN, Plans};
use crate::encode::handover::Handover;
use crate::options::{
    ASKS_ABOUT_INVALID_DATES, MAP_AS_EMPTY_OBJECT, MORE_TYPES, NO_RECORDS, NO_TO_JSON, SET_AS_EMPTY_OBJECT,
    TIMESTAMP32, VARIABLE_MAP_SIZE,
};
use crate::v8::fake_heap::build::Builder;
use crate::v8::fake_heap::layouts::of_version;
use crate::v8::fake_heap::value::{
    Array, Bytes, ErrorObject, Heritage, Key, Lineage, Member, Oddity, Realm, Sort, Special, Text,
    TypedArray, Value,
};
use crate::v8::fake_heap::{FakeHeap, Garbage};
use crate::v8::layout::ArrayType;
use crate::v8::roots::Root;

/// With and without extension types.
#[track_caller]
fn packs_in_all_types(value: &Value) {
    packs(value);
    packs_in(value, Mode { options: NO_RECORDS | MORE_TYPES, ..PLAIN });
}

fn boxed(value: Value) -> Value {
    Value::Boxed(Box::new(value))
}

#[test]
fn collections_with_deletions() {
    let entry = |key| Some((Value::Smi(key), Value::Null));
    packs(&Value::Map(vec![entry(1), None, entry(2), None]));
    packs(&Value::Map(vec![None, None, None]));
    packs_in_all_types(&Value::Set(vec![None, Some(Value::Undefined), None]));
    hands_over(&subclass(Value::Map(vec![])), Handover::Prototype);
    hands_over(&subclass(Value::Set(vec![])), Handover::Prototype);
    hands_over(&subclass(Value::Date(0.0)), Handover::Prototype);
}

#[test]
fn built_ins_with_own_properties() {
    let bytes = TypedArray {
        is_buffer: false,
        array_type: ArrayType::Int8,
        bytes: vec![1],
        on_heap: false,
        special: None,
    };
    for value in [Value::Map(vec![]), Value::Set(vec![]), Value::Date(5.0), Value::TypedArray(bytes)] {
        let odd = |oddity| Value::Odd(Box::new(value.clone()), oddity);
        packs(&odd(Oddity::OwnProperty));
        hands_over(&odd(Oddity::OwnConstructor(Sort::Data)), Handover::Class);
        hands_over(&odd(Oddity::OwnConstructor(Sort::Hidden)), Handover::Class);
        hands_over(&odd(Oddity::OwnDictionary), Handover::Class);
    }
    for oddity in [Oddity::OwnProperty, Oddity::OwnConstructor(Sort::Data), Oddity::OwnDictionary] {
        packs(&Value::Odd(Box::new(Array::of(vec![Value::Null])), oddity));
    }
}

#[test]
fn bigints_of_up_to_64_bits() {
    let most = 1 << 63;
    packs(&Value::BigInt(false, vec![]));
    for digit in [0, 1, most - 1, most, u64::MAX] {
        packs(&Value::BigInt(false, vec![digit]));
    }
    for digit in [1, most - 1, most] {
        packs(&Value::BigInt(true, vec![digit]));
    }
    hands_over(&Value::BigInt(true, vec![most + 1]), Handover::BigInt);
    hands_over(&Value::BigInt(false, vec![0, 1]), Handover::BigInt);
}

#[test]
fn typed_arrays() {
    for array_type in ARRAY_TYPES {
        for (on_heap, is_buffer) in [(false, false), (true, false), (false, true), (true, true)] {
            let typed = |special, bytes| {
                Value::TypedArray(TypedArray { is_buffer, array_type, bytes, on_heap, special })
            };
            packs_in_all_types(&typed(None, vec![]));
            packs_in_all_types(&typed(None, vec![1; 300]));
            let special = [Special::Detached, Special::Shared, Special::Resizable, Special::ResizableKind];
            for special in special {
                hands_over(&typed(Some(special), vec![1, 2]), Handover::Buffer);
            }
            hands_over(&subclass(typed(None, vec![1])), Handover::Prototype);
        }
    }
}

#[test]
fn buffers_and_views_of_them() {
    let buffer = |special, bytes| Value::Buffer(Bytes { bytes, special });
    let view = |special, bytes| Value::DataView(Bytes { bytes, special }, 9);
    for bytes in [vec![], vec![1, 2], vec![3; 254], vec![3; 255], vec![3; 256]] {
        packs_in_all_types(&buffer(None, bytes.clone()));
        packs_in_all_types(&view(None, bytes));
    }
    for special in [Special::Detached, Special::Shared, Special::Resizable] {
        hands_over(&buffer(Some(special), vec![1]), Handover::Buffer);
        hands_over(&view(Some(special), vec![1]), Handover::Buffer);
    }
    hands_over(&subclass(buffer(None, vec![1])), Handover::Prototype);
    hands_over(&subclass(view(None, vec![1])), Handover::Prototype);
}

#[test]
fn regular_expressions() {
    for bit in [0, 1, 2, 3, 4, 5, 7, 8] {
        packs_in_all_types(&Value::RegExp(Text::ascii("source"), 1 << bit));
    }
    packs_in_all_types(&Value::RegExp(Text::ascii("source"), 0x1bf));
    for bit in [6, 9, 30] {
        hands_over(&Value::RegExp(Text::ascii("source"), 1 << bit), Handover::Kind);
    }
    let plain = || Box::new(Value::RegExp(Text::ascii("source"), 0));
    hands_over(&Value::Odd(plain(), Oddity::OwnProperty), Handover::Kind);
    hands_over(&Value::Odd(plain(), Oddity::OwnDictionary), Handover::Class);
    hands_over(&Value::Odd(plain(), Oddity::Subclass), Handover::Prototype);
}

pub(super) fn error(lineage: Lineage, properties: Vec<(&str, Sort, Value)>) -> Value {
    let member = |(key, sort, value)| (Key::ascii(key), Member { sort, value });
    let properties = properties.into_iter().map(member).collect();
    Value::Error(ErrorObject { lineage, properties, dictionary: false })
}

#[test]
fn errors() {
    let text = |text| Value::String(Text::ascii(text));
    let message = || ("message", Sort::Hidden, text("what happened"));
    for lineage in [Lineage::Error, Lineage::Class] {
        packs_in_all_types(&error(lineage, vec![]));
        packs_in_all_types(&error(lineage, vec![message(), ("stack", Sort::HiddenAccessor, Value::Null)]));
        let cause = error(lineage, vec![message()]);
        packs_in_all_types(&error(lineage, vec![("cause", Sort::Hidden, cause), message()]));
        packs_in_all_types(&error(lineage, vec![("name", Sort::Data, text("Own")), message()]));
        for sort in [Sort::Accessor, Sort::HiddenAccessor, Sort::InMap] {
            hands_over(&error(lineage, vec![("message", sort, Value::Null)]), Handover::Accessor);
        }
        for name in [text("AggregateError"), Value::Null, Value::Smi(1)] {
            hands_over(&error(lineage, vec![("name", Sort::Data, name)]), Handover::Kind);
        }
        hands_over(&error(lineage, vec![("constructor", Sort::Data, Value::Null)]), Handover::Class);
    }
    packs(&error(Lineage::Error, vec![("toJSON", Sort::Data, Value::Null)]));
    hands_over(&error(Lineage::Class, vec![("toJSON", Sort::Data, Value::Null)]), Handover::ToJson);
    for (lineage, reason) in [
        (Lineage::Impostor, Handover::Class),
        (Lineage::ClassWithToJson, Handover::ToJson),
        (Lineage::AggregateError, Handover::Kind),
    ] {
        hands_over(&error(lineage, vec![message()]), reason);
    }
    let never_asked = Mode { options: NO_RECORDS | NO_TO_JSON, ..PLAIN };
    packs_in(&error(Lineage::ClassWithToJson, vec![message()]), never_asked);
}

#[test]
fn what_becomes_of_collections_and_dates_under_options() {
    let with = |options| Mode { options: NO_RECORDS | options, ..PLAIN };
    let map = Value::Map(vec![Some((Value::Null, Value::Function))]);
    let set = Value::Set(vec![Some(Value::Function)]);
    packs_in(&map, with(MAP_AS_EMPTY_OBJECT));
    for options in [0, VARIABLE_MAP_SIZE, MORE_TYPES] {
        packs_in(&set, with(SET_AS_EMPTY_OBJECT | options));
    }
    packs_in(&Value::Date(1500.0), with(TIMESTAMP32 | ASKS_ABOUT_INVALID_DATES));
    let asked = with(ASKS_ABOUT_INVALID_DATES);
    hands_over_in(&Value::Date(f64::NAN), Realm::default(), asked, Handover::InvalidDate);
}

/// What comes of a value where heirs of a root are left to extensions, or any object may be.
fn outcome_with_extension(value: &Value, of: Option<Root>) -> Outcome {
    let layout = of_version(4);
    let mut builder = Builder::new(FakeHeap::new(Garbage::Random, 7), &layout, Realm::default(), 7);
    let word = builder.value(value);
    let any = builder.root(Root::True);
    let classes = of.map_or(any, |root| {
        let prototypes = [builder.root(Root::SetPrototype), builder.root(root)];
        builder.array_of_words(&prototypes)
    });
    builder.set_root(Root::Extensions, classes);
    let roots = builder.roots_array();
    let laid = Laid { heap: builder.heap, roots, value: word };
    let mut plans = Plans::default();
    let outcome = laid.walk(&layout, &mut plans, PLAIN);
    assert_eq!(outcome, laid.walk(&layout, &mut plans, PLAIN));
    assert_eq!(laid.heap.strays(), 0);
    outcome
}

#[test]
fn instances_of_registered_classes() {
    let object = |heritage| Value::Object(heir(heritage));
    let common = [object(Heritage::Plain), Value::Map(vec![]), Array::of(vec![Value::Smi(1)]), Value::Smi(1)];
    for value in &common {
        for of in [Some(Root::ObjectPrototype), Some(Root::DatePrototype), None] {
            assert_eq!(outcome_with_extension(value, of), encode(value, Realm::default(), PLAIN));
        }
    }
    let others = [
        object(Heritage::Class),
        object(Heritage::LargeClass),
        Value::Date(1.0),
        Value::Buffer(Bytes { bytes: vec![], special: None }),
        Value::RegExp(Text::ascii("a"), 0),
        error(Lineage::Class, vec![]),
        boxed(Value::Smi(1)),
        boxed(Value::String(Text::ascii("text"))),
        subclass(Array::of(vec![])),
    ];
    for value in &others {
        for of in [Some(Root::ObjectPrototype), None] {
            let expected = if of.is_some() && matches!(value, Value::Odd(..)) { None } else { Some(()) };
            let outcome = outcome_with_extension(value, of);
            assert!(outcome == Err(Handover::Extension) || expected.is_none(), "{value:?} {outcome:?}");
        }
        let others = outcome_with_extension(value, Some(Root::DataViewPrototype));
        assert_eq!(others, encode(value, Realm::default(), PLAIN));
    }
    let set = Value::Set(vec![]);
    assert_eq!(outcome_with_extension(&set, Some(Root::DatePrototype)), Err(Handover::Extension));
    let null = object(Heritage::Null);
    assert_eq!(outcome_with_extension(&null, None), Err(Handover::Extension));
    let expected = encode(&null, Realm::default(), PLAIN);
    assert_eq!(outcome_with_extension(&null, Some(Root::ObjectPrototype)), expected);
}

#[test]
fn boxed_primitives() {
    for primitive in [Value::Smi(1), Value::Number(0.5), Value::Bool(true), Value::BigInt(false, vec![1])] {
        packs(&boxed(primitive));
    }
    packs(&boxed(Value::String(Text::ascii("text"))));
    packs(&boxed(Value::String(Text::Plain { units: vec![0x20ac, 0xd800], wide: true })));
    hands_over(&boxed(Value::String(Text::Uncached(vec![0x61]))), Handover::String);
}
