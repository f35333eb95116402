//! Objects as records: the walker's bytes are those of the naive encoder, whatever is known of their shapes and
//! however that changes from message to message.

use std::slice::from_ref;

use proptest::collection::vec;
use proptest::prelude::*;

use super::kinds::WORKERS_STACK;
use super::known::{Knowledge, Known};
use super::naive::{encode, key_lists};
use super::shuffled::same;
use super::values::{
    Origin, layouts, realms, record_modes, shuffled_layouts, values, values_with_traps, versions,
};
use super::{Laid, Mode, PLAIN, Plans, config, deep, on_stack, walk};
use crate::encode::handover::Handover;
use crate::encode::heap_walk::MAX_DEPTH;
use crate::options::{RECORDS, TWO_BYTE_IDS};
use crate::v8::fake_heap::layouts::of_version;
use crate::v8::fake_heap::random::Random;
use crate::v8::fake_heap::value::{Array, Heritage, Key, Member, Object, Realm, Sort, Value};
use crate::v8::fake_heap::{Count, FakeHeap};

/// Keys of which the first three take the same room, and the last two have no plan.
const NAMES: [&str; 5] = ["a", "b", "c", "\u{e4}", "a key that no plan takes for it is long"];

/// Objects of a few key lists, so that messages have them in common, mostly by other classes and with other
/// keys at the same addresses.
fn alike() -> BoxedStrategy<Value> {
    let scalars = prop_oneof![(-2..70).prop_map(Value::Smi), Just(Value::Null)];
    let trees = scalars.prop_recursive(3, 40, 6, |inner| {
        let names = prop::sample::subsequence(NAMES.to_vec(), 0..4).prop_shuffle();
        let heritage = prop_oneof![6 => Just(Heritage::Plain), 1 => Just(Heritage::Class)];
        let dictionary = prop::bool::weighted(0.1);
        let members = vec(inner.clone(), 4);
        let object = (names, members, 0..3_u8, dictionary, heritage).prop_map(
            |(names, values, in_object, dictionary, heritage)| {
                let members = values.into_iter().map(Member::data);
                let properties = names.into_iter().map(Key::ascii).zip(members).collect();
                let plain = Object::plain(vec![]);
                Value::Object(Object { properties, in_object, dictionary, heritage, ..plain })
            },
        );
        prop_oneof![2 => object, 1 => vec(inner, 1..6).prop_map(Array::of)]
    });
    trees.boxed()
}

/// A value whose keys have other names, and some of whose properties are hidden. Its maps have the same
/// addresses in a heap of its own.
fn disguised(value: &Value, names: &[&str], random: &mut Random) -> Value {
    match value {
        Value::Array(array) => {
            let mut disguise = |element: &Option<Member>| {
                element.as_ref().map(|member| Member::data(disguised(&member.value, names, random)))
            };
            Value::Array(Array {
                elements: array.elements.iter().map(&mut disguise).collect(),
                ..array.clone()
            })
        }
        Value::Object(object) => {
            let mut disguise = |(key, member): &(Key, Member)| {
                let place = NAMES.iter().position(|name| *key == Key::ascii(name));
                let key =
                    place.and_then(|place| names.get(place)).map_or(key.clone(), |name| Key::ascii(name));
                let sort = if random.once_in(6) { Sort::Hidden } else { Sort::Data };
                (key, Member { sort, value: disguised(&member.value, names, random) })
            };
            Value::Object(Object {
                properties: object.properties.iter().map(&mut disguise).collect(),
                ..object.clone()
            })
        }
        value => value.clone(),
    }
}

/// A message in several disguises.
fn disguises() -> impl Strategy<Value = Vec<Value>> {
    let names = || prop::sample::subsequence(NAMES[..3].to_vec(), 3).prop_shuffle();
    (alike(), vec((names(), any::<u64>()), 2..6)).prop_map(|(value, disguises)| {
        let disguise = |(names, seed): &(Vec<_>, _)| disguised(&value, names, &mut Random::new(*seed));
        disguises.iter().map(disguise).collect()
    })
}

fn messages() -> impl Strategy<Value = Vec<Value>> {
    prop_oneof![1 => vec(values(), 1..4), 1 => vec(alike(), 1..6), 2 => disguises()]
}

fn knowledge() -> impl Strategy<Value = Knowledge> {
    prop_oneof![Just(Knowledge::All), Just(Knowledge::Some)]
}

/// Each message several times with the same plans. Between messages what is known changes; maps of different
/// messages have the same addresses, and those of one message keep theirs.
fn check(
    messages: &[Value],
    origin: Origin,
    realm: Realm,
    mode: Mode<'_>,
    knowledge: Knowledge,
    seed: u64,
) -> Result<(), TestCaseError> {
    let layout = &origin.layout();
    let lists = messages.iter().flat_map(|message| key_lists(message, realm)).collect();
    let mut known = Known::new(lists, mode, knowledge, seed);
    let mut plans = Plans::default();
    for message in messages.iter().chain(messages) {
        for _ in 0..3 {
            let mode = Mode { known: Some(&known), ..mode };
            let laid = Laid::out_for(mode, message, layout, realm, seed);
            let expected = encode(message, realm, mode);
            for _ in 0..2 {
                same(&laid.walk(layout, &mut plans, mode), &expected)?;
                prop_assert_eq!(laid.heap.strays(), 0);
            }
            known.change();
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(config(120))]

    #[test]
    fn bytes_are_those_of_the_naive_encoder(
        messages in messages(),
        origin in versions(),
        mode in record_modes(),
        knowledge in knowledge(),
        seed in any::<u64>(),
    ) {
        check(&messages, origin, Realm::default(), mode, knowledge, seed)?;
    }

    #[test]
    fn nothing_is_where_it_was(
        messages in messages(),
        origin in shuffled_layouts(),
        mode in record_modes(),
        knowledge in knowledge(),
        seed in any::<u64>(),
    ) {
        check(&messages, origin, Realm::default(), mode, knowledge, seed)?;
    }

    #[test]
    fn traps_are_handed_over(
        messages in vec(values_with_traps(), 1..4),
        origin in layouts(),
        realm in realms(),
        mode in record_modes(),
        seed in any::<u64>(),
    ) {
        check(&messages, origin, realm, mode, Knowledge::All, seed)?;
    }
}

/// Places the first properties of the only object in these fields, as another class at the same address may.
fn place(laid: &mut Laid, fields: &[u64]) {
    let counts = &laid.heap.counts;
    let has_some = |count: &Count| count.name == "descriptors" && *count.safe.end() > 0;
    let behind = counts.iter().rposition(has_some).expect("an object has a map");
    let first = behind - *counts[behind].safe.end() as usize;
    let own = counts[first..][..fields.len()].to_vec();
    for (count, field) in own.iter().zip(fields) {
        laid.heap.recount(count, *field);
    }
}

#[test]
fn fields_are_those_of_the_class_that_is_there_now() {
    let of = |a, b| Value::Object(Object::plain(vec![("a", Value::Smi(a)), ("b", Value::Smi(b))]));
    let mode = Mode { options: RECORDS, ..PLAIN };
    for version in 0..5 {
        for seed in 0..20 {
            let layout = &of_version(version);
            let known = Known::of(&[of(1, 2)], mode, seed);
            let mode = Mode { known: known.as_ref(), ..mode };
            let mut plans = Plans::default();
            let mut laid = Laid::out_for(mode, &of(1, 2), layout, Realm::default(), seed);
            let mut found = [[0, 1], [1, 0]].map(|fields| {
                place(&mut laid, &fields);
                let outcome = laid.walk(layout, &mut plans, mode);
                assert_eq!(laid.walk(layout, &mut plans, mode), outcome);
                outcome
            });
            // Either may be the order in which the values lie.
            let expected = [of(1, 2), of(2, 1)].map(|value| encode(&value, Realm::default(), mode));
            if found[0] != expected[0] {
                found.reverse();
            }
            assert_eq!(found, expected);
        }
    }
}

#[test]
fn a_field_that_has_become_another() {
    let of = |value| Value::Object(Object::plain(vec![("a", value)]));
    let mode = Mode { options: RECORDS, ..PLAIN };
    let layout = &of_version(1);
    for seed in 0..20 {
        let known = Known::of(&[of(Value::Null)], mode, seed);
        let mode = Mode { known: known.as_ref(), ..mode };
        let mut plans = Plans::default();
        let mut laid = Laid::out_for(mode, &of(Value::Null), layout, Realm::default(), seed);
        // Fields that no property has had yet are undefined.
        for (field, value) in [(0, Value::Null), (3, Value::Undefined), (0, Value::Null)] {
            place(&mut laid, &[field]);
            let expected = encode(&of(value), Realm::default(), mode);
            assert_eq!(laid.walk(layout, &mut plans, mode), expected);
        }
    }
}

/// Objects in one another, each of a class and with a key of its own.
fn nested(key: &str, depth: u32) -> Value {
    (0..depth).fold(Value::Null, |inner, level| {
        Value::Object(Object::plain(vec![(&format!("{key} {level}"), inner)]))
    })
}

#[test]
fn records_nest_as_deep_as_the_stack_of_a_worker_allows() {
    // Without optimisation, and in tests of the walk, frames are larger.
    let stack = if cfg!(debug_assertions) || cfg!(miri) { 64 << 20 } else { WORKERS_STACK };
    let layout = of_version(3);
    for key in ["key", "a key that no plan takes for it is long"] {
        for numeric_keys in [false, true] {
            for (depth, is_taken) in [(MAX_DEPTH, true), (MAX_DEPTH + 1, false)] {
                let mode = Mode { options: RECORDS | TWO_BYTE_IDS, numeric_keys, known: None };
                let (laid, known, expected) = deep(|| {
                    let value = nested(key, depth);
                    let known = Known::of(from_ref(&value), mode, 1);
                    let mode = Mode { known: known.as_ref(), ..mode };
                    let heap = FakeHeap::real(1 << 20, 1);
                    let laid = Laid::out_in(heap, mode, &value, &layout, Realm::default(), 1);
                    let expected = encode(&value, Realm::default(), mode);
                    (laid, known, if is_taken { expected } else { Err(Handover::Depth) })
                });
                let mode = Mode { known: known.as_ref(), ..mode };
                let outcomes = on_stack(stack, || {
                    let laid = laid;
                    let (roots, value) = (laid.heap.tagged(laid.roots), laid.heap.tagged(laid.value));
                    let mut plans = Plans::default();
                    let mut walk = || walk(laid.heap.live_window(&layout), roots, value, &mut plans, mode);
                    [walk(), walk()]
                });
                assert_eq!(outcomes, [expected.clone(), expected], "{key} {numeric_keys}");
            }
        }
    }
}
