//! The reads and writes that a process really does, for Miri and for sanitizers: from the memory itself,
//! where objects of the made-up heap lie, to the chunk, as long as results fit there. Live memory knows some
//! fields beforehand, so that a shuffled layout is not for it.

use std::slice::from_ref;

use proptest::prelude::*;

use super::known::Known;
use super::naive::encode;
use super::samples::samples;
use super::values::{record_modes, values, versions};
use super::{Laid, Mode, Outcome, PLAIN, Plans, Writer, config, walk};
use crate::buffer::{OutputBuffer, Position, SLACK};
use crate::encode::handover::Handover;
use crate::encode::heap_identities::Indistinct;
use crate::encode::heap_walk;
use crate::v8::fake_heap::build::{Builder, CHUNK};
use crate::v8::fake_heap::layouts::of_version;
use crate::v8::fake_heap::value::{Realm, Text, Value};
use crate::v8::fake_heap::{Address, FakeHeap};
use crate::v8::layout::Layout;
use crate::v8::roots::{Root, Roots};

/// What comes of a value that is written to the chunk from `start` on, and whether it lies there.
fn write(builder: Builder<'_>, value: u64, layout: &Layout, start: usize, mode: Mode<'_>) -> (Outcome, bool) {
    let mut builder = builder;
    if let Some(known) = mode.known {
        known.lay_out_keys(&mut builder);
    }
    let roots = builder.roots_array();
    let chunk = builder.chunk();
    let heap = builder.heap;
    let window = heap.live_window(layout);
    let roots = Roots::of(window, heap.tagged(roots)).expect("roots");
    let room = roots.chunk_room(window, start).expect("a chunk");
    let writer = Writer::new(OutputBuffer::default().lend(room), mode.options);
    let mut own = mode.known.map(Known::own);
    let records = mode.known.zip(own.as_deref_mut()).map(|(known, own)| known.records(own));
    let plans = &mut Plans::default();
    let setting = mode.setting(plans, records);
    let (step, writer) = heap_walk::walk(window, roots, heap.tagged(value), setting, writer, Indistinct);
    let (own, in_chunk) = writer.into_output().leave_room();
    let outcome = step.map(|end| {
        let length = end.since(Position::START);
        if in_chunk { heap.bytes_of(chunk, start, length).to_vec() } else { own.message(end).to_vec() }
    });
    assert!(heap.bytes_of(chunk, 0, start).iter().all(|byte| *byte == 0xee), "written before the room");
    (outcome, in_chunk)
}

fn builder(layout: &Layout, seed: u64) -> Builder<'_> {
    Builder::new(FakeHeap::real(1 << 20, seed), layout, Realm::default(), seed)
}

/// What comes of a value that is written to memory of its own.
fn read(laid: &Laid, layout: &Layout, plans: &mut Plans, mode: Mode<'_>) -> Outcome {
    let (roots, value) = (laid.heap.tagged(laid.roots), laid.heap.tagged(laid.value));
    walk(laid.heap.live_window(layout), roots, value, plans, mode)
}

/// Modes in which keys are text.
fn plain_or_records() -> impl Strategy<Value = Mode<'static>> {
    let records = record_modes().prop_map(|mode| Mode { numeric_keys: false, ..mode });
    prop_oneof![Just(PLAIN), records]
}

#[test]
fn samples_are_read_from_live_memory() {
    let layout = of_version(if cfg!(miri) { 3 } else { 0 });
    let mut builder = builder(&layout, 9);
    let samples = samples();
    let words: Vec<_> = samples.iter().map(|sample| builder.value(sample)).collect();
    let roots = builder.roots_array();
    let mut laid = Laid { heap: builder.heap, roots, value: 0 };
    for (sample, word) in samples.iter().zip(words) {
        laid.value = word;
        assert_eq!(
            read(&laid, &layout, &mut Plans::default(), PLAIN),
            encode(sample, Realm::default(), PLAIN)
        );
    }
}

proptest! {
    #![proptest_config(config(120))]

    #[test]
    #[cfg_attr(miri, ignore = "values take minutes to make")]
    fn live_memory_reads_the_same(
        message in values(),
        origin in versions(),
        mode in plain_or_records(),
        seed in any::<u64>(),
    ) {
        let layout = origin.layout();
        let known = Known::of(from_ref(&message), mode, seed);
        let mode = Mode { known: known.as_ref(), ..mode };
        let laid = Laid::out_in(FakeHeap::real(1 << 20, seed), mode, &message, &layout, Realm::default(), seed);
        let mut plans = Plans::default();
        let expected = encode(&message, Realm::default(), mode);
        for _ in 0..2 {
            prop_assert_eq!(&read(&laid, &layout, &mut plans, mode), &expected);
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "values take minutes to make")]
    fn results_lie_in_the_chunk_or_beside_it(
        message in values(),
        origin in versions(),
        start in 0..=CHUNK,
        mode in plain_or_records(),
        seed in any::<u64>(),
    ) {
        let layout = origin.layout();
        let known = Known::of(from_ref(&message), mode, seed);
        let mode = Mode { known: known.as_ref(), ..mode };
        let mut builder = builder(&layout, seed);
        let value = builder.value(&message);
        let (outcome, in_chunk) = write(builder, value, &layout, start, mode);
        let expected = encode(&message, Realm::default(), mode);
        let length = expected.as_ref().map_or(0, Vec::len);
        prop_assert_eq!(outcome, expected);
        prop_assert!(!in_chunk || start + length <= CHUNK);
    }
}

#[test]
fn every_end_of_the_chunk() {
    let layout = of_version(4);
    for length in (0..120).step_by(if cfg!(miri) { 29 } else { 1 }) {
        let mut builder = builder(&layout, 9);
        let message = Value::String(Text::ascii(&"x".repeat(length)));
        let value = builder.value(&message);
        let (outcome, in_chunk) = write(builder, value, &layout, CHUNK - 100, PLAIN);
        assert_eq!(outcome, encode(&message, Realm::default(), PLAIN));
        assert!(in_chunk || length > 100 - SLACK - 9, "{length}");
    }
}

/// Of a view of the chunk nothing may be lent where the result is written.
#[test]
fn views_of_the_chunk() {
    let layout = of_version(3);
    let half = CHUNK / 2;
    for (start, length, is_taken) in [
        (0, 10, true),
        (0, half, true),
        (0, half + 1, false),
        (half, 1, false),
        (half + 20, 10, false),
        (CHUNK - 1, 1, false),
        (0, CHUNK, false),
    ] {
        let mut builder = builder(&layout, 9);
        let value = builder.view_of_chunk(start, length);
        let (outcome, _) = write(builder, value, &layout, half, PLAIN);
        let expected = [&[0xc4, length as u8][..], &vec![0xee; length]].concat();
        assert_eq!(outcome, if is_taken { Ok(expected) } else { Err(Handover::Buffer) }, "{start} {length}");
    }
}

#[test]
fn a_chunk_that_is_gone_is_no_room() {
    let layout = of_version(2);
    let mut builder = builder(&layout, 9);
    let roots = builder.roots_array();
    let buffers = &layout.buffers;
    let chunk = builder.root(Root::Chunk);
    builder.heap.set(Address::of(chunk), buffers.buffer_flags, u64::from(buffers.detached));
    let window = builder.heap.live_window(&layout);
    let roots = Roots::of(window, builder.heap.tagged(roots)).expect("roots");
    assert!(roots.chunk_room(window, 0).is_none());
    assert!(roots.chunk_room(window, CHUNK + 1).is_none());
}
