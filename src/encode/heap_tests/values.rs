//! Values for property tests, in all the ways in which V8 may have them.

use std::collections::HashSet;

use proptest::collection::vec;
use proptest::option::weighted;
use proptest::prelude::*;

use super::naive::ARRAY_TYPES;
use super::{Mode, OPTIONS};
use crate::options::{NO_RECORDS, RECORDS, TWO_BYTE_IDS};
use crate::v8::fake_heap::layouts::of_version;
use crate::v8::fake_heap::shuffle::shuffled;
use crate::v8::fake_heap::value::{
    Array, Bytes, ErrorObject, Heritage, Key, Lineage, Member, Object, Oddity, Realm, Sort, Special, Storage,
    Text, TypedArray, Value,
};
use crate::v8::layout::Layout;

/// Where a layout comes from.
#[derive(Clone, Copy, Debug)]
pub(super) enum Origin {
    Version(usize),
    Shuffled(u64),
}

impl Origin {
    pub(super) fn layout(self) -> Layout {
        match self {
            Self::Version(version) => of_version(version),
            Self::Shuffled(seed) => shuffled(seed),
        }
    }
}

pub(super) fn versions() -> impl Strategy<Value = Origin> {
    (0..5_usize).prop_map(Origin::Version)
}

pub(super) fn shuffled_layouts() -> impl Strategy<Value = Origin> {
    any::<u64>().prop_map(Origin::Shuffled)
}

pub(super) fn layouts() -> impl Strategy<Value = Origin> {
    prop_oneof![versions(), shuffled_layouts()]
}

pub(super) fn modes() -> impl Strategy<Value = Mode<'static>> {
    let options = proptest::sample::subsequence(OPTIONS.to_vec(), 0..=OPTIONS.len());
    (options, prop::bool::weighted(0.2)).prop_map(|(options, numeric_keys)| Mode {
        options: options.into_iter().fold(0, |all, option| all | option),
        numeric_keys,
        known: None,
    })
}

/// Modes of packrs that write records; what is known of these is still to be said.
pub(super) fn record_modes() -> impl Strategy<Value = Mode<'static>> {
    (modes(), any::<bool>()).prop_map(|(mode, two_byte_ids)| {
        let ids = if two_byte_ids { TWO_BYTE_IDS } else { 0 };
        Mode { options: mode.options & !NO_RECORDS | RECORDS | ids, ..mode }
    })
}

pub(super) fn realms() -> impl Strategy<Value = Realm> {
    let rare = || prop::bool::weighted(0.1);
    (rare(), rare(), any::<bool>()).prop_map(|(arrays, objects, dictionary_prototypes)| Realm {
        elements_in_array_prototype: arrays,
        elements_in_object_prototype: objects,
        dictionary_prototypes,
    })
}

/// Any values that the walker takes.
pub(super) fn values() -> BoxedStrategy<Value> {
    nested(scalars().boxed(), Traps(false))
}

/// The same, with some that it hands over.
pub(super) fn values_with_traps() -> BoxedStrategy<Value> {
    let scalars = prop_oneof![60 => scalars(), 1 => trap_scalars()];
    nested(scalars.boxed(), Traps(true))
}

/// Whether values that are handed over may come up.
#[derive(Clone, Copy)]
struct Traps(bool);

fn nested(scalars: BoxedStrategy<Value>, traps: Traps) -> BoxedStrategy<Value> {
    let trees = scalars.prop_recursive(4, 48, 6, move |inner| {
        let pair = (inner.clone(), inner.clone());
        let odd = (inner.clone(), oddities(traps)).prop_map(|(value, oddity)| into_odd(value, oddity));
        prop_oneof![
            40 => arrays(inner.clone(), traps),
            80 => objects(inner.clone(), traps),
            20 => rows(inner.clone(), traps),
            8 => vec(weighted(0.8, pair), 0..6).prop_map(Value::Map),
            8 => vec(weighted(0.8, inner.clone()), 0..6).prop_map(Value::Set),
            3 => errors(inner, traps),
            2 => odd,
        ]
    });
    trees.boxed()
}

fn oddities(traps: Traps) -> impl Strategy<Value = Oddity> {
    let trap = u32::from(traps.0);
    prop_oneof![
        4 => Just(Oddity::OwnProperty),
        trap => Just(Oddity::Subclass),
        trap => Just(Oddity::OwnConstructor(Sort::Hidden)),
        trap => Just(Oddity::OwnDictionary),
    ]
}

fn into_odd(value: Value, oddity: Oddity) -> Value {
    match value {
        Value::Array(_)
        | Value::TypedArray(_)
        | Value::Buffer(_)
        | Value::DataView(..)
        | Value::Date(_)
        | Value::Map(_)
        | Value::Set(_) => Value::Odd(Box::new(value), oddity),
        value => value,
    }
}

fn numbers() -> BoxedStrategy<Value> {
    let any_smi = prop_oneof![-40..300, any::<i32>(), 65_530..65_540];
    let special = prop::sample::select(vec![0.0, -0.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY]);
    let any_number = prop_oneof![
        any::<f64>(),
        any::<i32>().prop_map(f64::from),
        any::<u32>().prop_map(f64::from),
        any::<i64>().prop_map(|int| int as f64),
        (-300..300).prop_map(|int| f64::from(int) / 4.0),
        special,
    ];
    prop_oneof![any_smi.prop_map(Value::Smi), any_number.prop_map(Value::Number)].boxed()
}

fn scalars() -> BoxedStrategy<Value> {
    let one_digit = vec(any::<u64>(), 0..2);
    let positive = one_digit.prop_map(|digits| Value::BigInt(false, digits));
    let negative = (0..=1_u64 << 63).prop_map(|digit| Value::BigInt(digit != 0, vec![digit]));
    // JavaScript's dates are whole, and end here.
    let days = prop_oneof![-8_640_000_000_000_000..=8_640_000_000_000_000_i64, 0..20_000_000_000_000_i64];
    let dates = days.prop_flat_map(|time| {
        prop_oneof![
            Just(time as f64),
            Just((time / 1000 * 1000) as f64),
            Just((time as i32).into()),
            Just(f64::NAN)
        ]
    });
    let primitives = prop_oneof![
        numbers(),
        any::<bool>().prop_map(Value::Bool),
        texts().prop_map(Value::String),
        Just(Value::Symbol),
    ];
    prop_oneof![
        2 => Just(Value::Undefined),
        2 => Just(Value::Null),
        2 => any::<bool>().prop_map(Value::Bool),
        12 => numbers(),
        12 => texts().prop_map(Value::String),
        1 => prop_oneof![positive, negative],
        1 => dates.prop_map(Value::Date),
        1 => typed_arrays(Just(None).boxed()),
        1 => buffers(Just(None).boxed()),
        1 => (texts(), 0..0x200_u32).prop_map(|(source, flags)| Value::RegExp(source, flags & !0x40)),
        1 => primitives.prop_map(|primitive| Value::Boxed(Box::new(primitive))),
    ]
    .boxed()
}

fn trap_scalars() -> impl Strategy<Value = Value> {
    let special = prop::sample::select(vec![
        Special::Detached,
        Special::Shared,
        Special::Resizable,
        Special::ResizableKind,
    ]);
    prop_oneof![
        Just(Value::Symbol),
        Just(Value::Function),
        typed_arrays(special.prop_map(Some).boxed()),
        buffers(prop::sample::select(vec![Special::Detached, Special::Shared]).prop_map(Some).boxed()),
        (0x200..0x400_u32).prop_map(|flags| Value::RegExp(Text::ascii("source"), flags)),
        units(0..20).prop_map(|units| Value::String(Text::Uncached(units))),
        (any::<bool>(), vec(any::<u64>(), 2..4))
            .prop_map(|(negative, digits)| Value::BigInt(negative, digits)),
        (1 << 63 | 1..u64::MAX).prop_map(|digit| Value::BigInt(true, vec![digit])),
    ]
}

fn typed_arrays(special: BoxedStrategy<Option<Special>>) -> impl Strategy<Value = Value> {
    let array_types = prop::sample::select(ARRAY_TYPES.to_vec());
    let bytes = prop_oneof![9 => vec(any::<u8>(), 0..40), 1 => vec(any::<u8>(), 250..260)];
    (array_types, bytes, any::<bool>(), any::<bool>(), special).prop_map(
        |(array_type, bytes, is_buffer, on_heap, special)| {
            Value::TypedArray(TypedArray { is_buffer, array_type, bytes, on_heap, special })
        },
    )
}

fn buffers(special: BoxedStrategy<Option<Special>>) -> impl Strategy<Value = Value> {
    (vec(any::<u8>(), 0..40), weighted(0.5, 0..20_usize), special).prop_map(|(bytes, before, special)| {
        let bytes = Bytes { bytes, special };
        match before {
            Some(before) => Value::DataView(bytes, before),
            None => Value::Buffer(bytes),
        }
    })
}

/// Errors. Most have a name of their own or none, so that they are written.
fn errors(inner: BoxedStrategy<Value>, traps: Traps) -> impl Strategy<Value = Value> {
    let trap = u32::from(traps.0);
    let lineages = prop_oneof![
        8 => Just(Lineage::Error),
        8 => Just(Lineage::Class),
        trap => Just(Lineage::Impostor),
        trap => Just(Lineage::ClassWithToJson),
        trap => Just(Lineage::AggregateError),
    ];
    let name = prop_oneof![
        8 => "[A-Z][a-z]{3,20}".prop_map(|name| Value::String(Text::ascii(&name))),
        trap => texts().prop_map(Value::String),
        trap => Just(Value::String(Text::ascii("AggregateError"))),
        trap => Just(Value::Null),
    ];
    let member = |value: BoxedStrategy<Value>| {
        let sorts = prop_oneof![9 => Just(Sort::Data), 9 => Just(Sort::Hidden), trap => sorts(traps)];
        (sorts, value).prop_map(|(sort, value)| Member { sort, value })
    };
    let own = |key: &'static str, value: BoxedStrategy<Value>| {
        weighted(0.6, member(value)).prop_map(move |found| found.map(|member| (Key::ascii(key), member)))
    };
    let others = prop_oneof![
        8 => Just("stack"),
        4 => Just("code"),
        trap => Just("toJSON"),
        trap => Just("constructor"),
    ];
    let other = (weighted(0.5, others), inner.clone())
        .prop_map(|(key, value)| key.map(|key| (Key::ascii(key), Member { sort: Sort::Hidden, value })));
    let properties = (
        other,
        own("message", prop_oneof![4 => texts().prop_map(Value::String), 1 => inner.clone()].boxed()),
        own("cause", inner),
        own("name", name.boxed()),
    );
    let dictionary = prop::bool::weighted(if traps.0 { 0.1 } else { 0.0 });
    (lineages, properties, dictionary).prop_map(|(lineage, (other, message, cause, name), dictionary)| {
        let properties = [other, message, cause, name].into_iter().flatten().collect();
        Value::Error(ErrorObject { lineage, properties, dictionary })
    })
}

fn units(length: std::ops::Range<usize>) -> BoxedStrategy<Vec<u16>> {
    let of = |range: std::ops::Range<u16>| vec(range, length.clone());
    prop_oneof![
        4 => of(0x20..0x7f),
        2 => of(0..0x100),
        1 => of(0..0x900),
        1 => of(0xd7f0..0xe010),
    ]
    .boxed()
}

/// Strings that have their characters.
fn leaves() -> BoxedStrategy<Text> {
    let lengths = prop_oneof![8 => units(0..40), 1 => units(250..260)];
    (lengths, prop::bool::weighted(0.2), prop::bool::weighted(0.1))
        .prop_map(
            |(units, wide, external)| {
                if external { Text::External { units, wide } } else { Text::Plain { units, wide } }
            },
        )
        .boxed()
}

fn thin(text: Text) -> Text {
    Text::Thin(Box::new(text))
}

/// A concatenation, if it is so long that V8 makes one.
fn cons(first: Text, second: Text) -> Text {
    if first.len() + second.len() < 13 {
        return Text::Plain { units: [first.units(), second.units()].concat(), wide: false };
    }
    Text::Cons(Box::new(first), Box::new(second))
}

pub(super) fn texts() -> BoxedStrategy<Text> {
    let sliced = (leaves(), any::<bool>(), any::<prop::sample::Index>(), any::<prop::sample::Index>());
    let sliced = sliced.prop_map(|(parent, is_thin, start, length)| {
        let all = parent.units().len();
        let start = start.index(all + 1);
        let length = length.index(all - start + 1);
        Text::Sliced(Box::new(if is_thin { thin(parent) } else { parent }), start, length)
    });
    let flat = prop_oneof![8 => leaves(), 1 => leaves().prop_map(thin), 1 => sliced].boxed();
    let flattened = leaves().prop_map(|text| cons(text, Text::ascii("")));
    let cons = flat.clone().prop_recursive(6, 24, 2, |inner| {
        (inner.clone(), inner).prop_map(|(first, second)| match (first.len(), second.len()) {
            (0, _) => second,
            (_, 0) => first,
            _ => cons(first, second),
        })
    });
    prop_oneof![12 => flat, 1 => flattened, 2 => cons].boxed()
}

fn keys(traps: Traps) -> BoxedStrategy<Key> {
    let text = |text: &str| Key::ascii(text);
    let numeric = prop::sample::select(vec![
        text("4294967295"),
        text("-1"),
        text("-0"),
        text("1.5"),
        text("Infinity"),
        text("NaN"),
        text("123456789012345"),
        text("1234567890123456"),
        text(""),
        text("01"),
    ]);
    prop_oneof![
        // Few, so that objects have keys in common.
        60 => "[a-d]{1,2}".prop_map(|key| Key::ascii(&key)),
        20 => "[a-z]{1,30}".prop_map(|key| Key::ascii(&key)),
        6 => units(0..12).prop_filter_map("an index is no name", |units| {
            let is_index = String::from_utf16_lossy(&units).parse::<u32>().is_ok();
            (!is_index).then_some(Key::Text(units))
        }),
        3 => numeric,
        2 => Just(Key::Symbol),
        1 => Just(text("constructor")),
        u32::from(traps.0) => Just(text("toJSON")),
    ]
    .boxed()
}

fn sorts(traps: Traps) -> BoxedStrategy<Sort> {
    let trap = u32::from(traps.0);
    prop_oneof![
        200 => Just(Sort::Data),
        4 => Just(Sort::Hidden),
        4 => Just(Sort::HiddenAccessor),
        trap => Just(Sort::Accessor),
        trap => Just(Sort::InMap),
    ]
    .boxed()
}

fn members(values: BoxedStrategy<Value>, traps: Traps) -> BoxedStrategy<Member> {
    (sorts(traps), values).prop_map(|(sort, value)| Member { sort, value }).boxed()
}

fn storages() -> impl Strategy<Value = Storage> {
    prop_oneof![6 => Just(Storage::Words), 2 => Just(Storage::Doubles), 1 => Just(Storage::Dictionary)]
}

fn arrays(inner: BoxedStrategy<Value>, traps: Traps) -> impl Strategy<Value = Value> {
    let data = inner.prop_map(Member::data).boxed();
    let doubles = numbers().prop_map(Member::data).boxed();
    // Elements that are no plain data are those of traps, or must be read all the same.
    let odd = members(numbers(), traps).prop_map(move |member| match member.sort {
        Sort::HiddenAccessor if !traps.0 => Member { sort: Sort::Hidden, ..member },
        _ => member,
    });
    let lists = |member: BoxedStrategy<Member>| {
        prop_oneof![vec(member.clone().prop_map(Some), 0..8), vec(weighted(0.8, member), 0..20)]
    };
    let elements = prop_oneof![20 => lists(data), 4 => lists(doubles), 1 => lists(odd.boxed())];
    (elements, storages()).prop_map(|(elements, storage)| Value::Array(Array { elements, storage }))
}

/// Objects of one class, so that there is a plan for it.
fn rows(inner: BoxedStrategy<Value>, traps: Traps) -> impl Strategy<Value = Value> {
    (vec(keys(traps), 1..6), 2..6_usize, 0..6_u8).prop_flat_map(move |(mut keys, count, in_object)| {
        let mut seen = HashSet::new();
        keys.retain(|key| seen.insert(key.clone()));
        let row = vec(inner.clone(), keys.len()).prop_map(move |values| {
            let members = values.into_iter().map(Member::data);
            let properties = keys.iter().cloned().zip(members).collect();
            Value::Object(Object { properties, in_object, ..Object::plain(vec![]) })
        });
        vec(row, count).prop_map(Array::of)
    })
}

fn objects(inner: BoxedStrategy<Value>, traps: Traps) -> impl Strategy<Value = Value> {
    let trap = u32::from(traps.0);
    let properties = vec((keys(traps), members(inner.clone(), traps)), 0..8);
    let elements = prop_oneof![
        12 => Just(Vec::new()).boxed(),
        1 => vec(weighted(0.7, members(inner, traps)), 0..5).boxed(),
    ];
    let heritage = prop_oneof![
        60 => Just(Heritage::Plain),
        6 => Just(Heritage::Null),
        6 => Just(Heritage::Class),
        3 => Just(Heritage::LargeClass),
        trap => Just(Heritage::ClassWithToJson),
        trap => Just(Heritage::LargeClassWithToJson),
        trap => Just(Heritage::Claimed),
    ];
    let special = prop::bool::weighted(if traps.0 { 0.01 } else { 0.0 });
    let dictionary = prop::bool::weighted(0.1);
    (properties, elements, any::<bool>(), dictionary, 0..8_u8, heritage, special).prop_map(
        |(mut properties, elements, sparse, dictionary, in_object, heritage, special)| {
            let mut seen = HashSet::new();
            properties.retain(|(key, _)| *key == Key::Symbol || seen.insert(key.clone()));
            Value::Object(Object { properties, elements, sparse, dictionary, in_object, heritage, special })
        },
    )
}
