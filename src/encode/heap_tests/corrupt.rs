//! Heaps that no V8 would leave: a walk over one ends, without a panic and within its bounds, in bytes or
//! in a handover.

use std::slice::from_ref;

use proptest::collection::vec;
use proptest::prelude::*;

use super::known::Known;
use super::naive::{encode, is_left_open};
use super::shuffled::same;
use super::values::{Origin, layouts, modes, record_modes, values, values_with_traps};
use super::{Laid, Mode, PLAIN, Plans, config, deep, is_message};
use crate::v8::fake_heap::random::Random;
use crate::v8::fake_heap::value::{Realm, Value};
use crate::v8::layout::Layout;

/// What tends to upset arithmetic, in a word, half of one or less.
const EXTREMES: [u64; 14] = [
    0,
    1,
    2,
    8,
    0x7f,
    0xff,
    0x3ff,
    0xffff,
    0x3fff_ffff,
    0x7fff_ffff,
    0x8000_0000,
    0xffff_ffff,
    0x7fff_ffff_0000_0000,
    u64::MAX,
];

fn any_modes() -> impl Strategy<Value = Mode<'static>> {
    prop_oneof![modes(), record_modes()]
}

/// A message that is broken, and the same one whole.
struct Broken<'t> {
    message: &'t Value,
    layout: &'t Layout,
    mode: Mode<'t>,
    seed: u64,
    laid: Laid,
}

impl<'t> Broken<'t> {
    /// Lays out a message and walks it; nothing is broken yet.
    fn new(message: &'t Value, layout: &'t Layout, mode: Mode<'t>, seed: u64) -> Result<Self, TestCaseError> {
        let laid = Laid::out_for(mode, message, layout, Realm::default(), seed);
        let broken = Self { message, layout, mode, seed, laid };
        broken.check(&broken.laid, &mut Plans::default())?;
        Ok(broken)
    }

    /// Walks the message where it is whole.
    fn check(&self, laid: &Laid, plans: &mut Plans) -> Result<(), TestCaseError> {
        let expected = encode(self.message, Realm::default(), self.mode);
        if !is_left_open(&expected) {
            prop_assert_eq!(laid.walk(self.layout, plans, self.mode).ok(), expected.ok());
        }
        Ok(())
    }

    /// Walks the broken heap, and then one that is not, where the same things have the same addresses, with the
    /// same plans. The result is how many reads of the first walk were stray.
    fn walk(self) -> Result<u64, TestCaseError> {
        deep(|| self.walk_on_this_stack())
    }

    fn walk_on_this_stack(self) -> Result<u64, TestCaseError> {
        let Self { message, layout, mode, seed, ref laid } = self;
        let mut plans = Plans::default();
        for _ in 0..3 {
            if let Ok(bytes) = laid.walk(layout, &mut plans, mode) {
                prop_assert!(is_message(&bytes, mode), "{:02x?} is no message", bytes);
            }
        }
        let strays = laid.heap.strays();
        let _ = laid.heap.window(layout).describe(laid.heap.tagged(laid.value));
        self.check(&Laid::out_for(mode, message, layout, Realm::default(), seed), &mut plans)?;
        Ok(strays)
    }
}

/// Gives numbers other values, of which the walker can know that they are wrong, or need not.
fn recount(laid: &mut Laid, random: &mut Random, changes: usize) -> Vec<(&'static str, u64)> {
    let mut changed = Vec::new();
    for _ in 0..changes {
        let which = random.below(laid.heap.counts.len());
        let count = laid.heap.counts[which].clone();
        let (first, last) = (*count.safe.start(), *count.safe.end());
        let near = [first, last, first.saturating_add(1), last.saturating_sub(1)];
        let value = if random.once_in(2) { random.pick(&near) } else { random.pick(&EXTREMES) };
        if count.safe.contains(&value) {
            laid.heap.recount(&count, value);
            changed.push((count.name, value));
        }
    }
    changed
}

/// Overwrites words, mostly with such as mean something.
fn corrupt(laid: &mut Laid, random: &mut Random, changes: usize) {
    let words = laid.heap.readable_words();
    for _ in 0..changes {
        let target = random.pick(&words);
        let other = laid.heap.word_at(random.pick(&words));
        let old = laid.heap.word_at(target);
        match random.below(8) {
            // Another object, or the same one.
            0..=2 => laid.heap.corrupt(target, &other.to_le_bytes()),
            3 => laid.heap.corrupt(target, &random.pick(&EXTREMES).to_le_bytes()),
            4 => laid.heap.corrupt(target, &(random.pick(&EXTREMES) << 32).to_le_bytes()),
            5 => laid.heap.corrupt(target, &(old ^ 1 << random.below(64)).to_le_bytes()),
            6 => laid.heap.corrupt(target, &old.wrapping_add(8 << random.below(4)).to_le_bytes()),
            _ => laid.heap.corrupt(target + random.below(8), &[random.next() as u8]),
        }
    }
}

proptest! {
    #![proptest_config(config(120))]

    #[test]
    fn lengths_that_others_bound_are_not_trusted(
        message in values(),
        origin in layouts(),
        mode in any_modes(),
        changes in 1..4_usize,
        seed in any::<u64>(),
    ) {
        let layout = origin.layout();
        let known = Known::of(from_ref(&message), mode, seed);
        let mode = Mode { known: known.as_ref(), ..mode };
        let mut broken = Broken::new(&message, &layout, mode, seed)?;
        let changed = recount(&mut broken.laid, &mut Random::new(seed), changes);
        prop_assert_eq!(broken.walk()?, 0, "after {:x?}", changed);
    }

    #[test]
    fn broken_words_end_the_walk_at_most(
        message in values_with_traps(),
        origin in layouts(),
        mode in any_modes(),
        changes in 1..6_usize,
        seed in any::<u64>(),
    ) {
        let layout = origin.layout();
        let known = Known::of(from_ref(&message), mode, seed);
        let mode = Mode { known: known.as_ref(), ..mode };
        let mut broken = Broken::new(&message, &layout, mode, seed)?;
        corrupt(&mut broken.laid, &mut Random::new(seed), changes);
        broken.walk()?;
    }

    #[test]
    fn one_broken_object_in_many_messages(
        messages in vec(values(), 2..5),
        origin in (0..5_usize).prop_map(Origin::Version),
        mode in prop_oneof![Just(PLAIN), record_modes()],
        seed in any::<u64>(),
    ) {
        let layout = origin.layout();
        let mut known = Known::of(&messages, mode, seed);
        let mut plans = Plans::default();
        let mut random = Random::new(seed);
        for message in messages {
            let mode = Mode { known: known.as_ref(), ..mode };
            let mut laid = Laid::out_for(mode, &message, &layout, Realm::default(), seed);
            let expected = encode(&message, Realm::default(), mode);
            same(&laid.walk(&layout, &mut plans, mode), &expected)?;
            corrupt(&mut laid, &mut random, 1);
            let plans = &mut plans;
            let layout = &layout;
            let _ = deep(move || laid.walk(layout, plans, mode));
            if let Some(known) = &mut known {
                known.change();
            }
        }
    }
}
