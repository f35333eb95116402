//! The heap walker on heaps that are made up: the same bytes as a naive encoder's under any layout, a clean
//! end on heaps that are broken, and a notice of layouts that are wrong.
//!
//! `FERROPACK_TEST=full` tries more values, `FERROPACK_VALUES` as many as it says; as a fuzz test:
//! `FERROPACK_VALUES=1000000 cargo test --profile checked heap_tests`.

// All of this is, and tests may put together what does not know each other.
#[cfg(test)]
mod built_ins;
mod corrupt;
mod crafted;
mod kinds;
mod known;
mod layout_faults;
mod learned;
mod live;
mod naive;
mod records;
mod references;
mod samples;
mod shuffled;
mod values;

use std::panic::resume_unwind;
use std::thread;

use proptest::test_runner::Config;

use self::known::Known;
use super::handover::Handover;
use super::heap_identities::{Indistinct, References};
use super::heap_walk::{self, Setting};
use super::plan::Plans;
use super::records::Records;
use crate::buffer::OutputBuffer;
use crate::decode::Decoder;
use crate::decode::scan::scan;
use crate::format::msgpack::ext;
use crate::format::msgpack::scanner::Scanner;
use crate::format::msgpack::writer::Writer;
use crate::options::{
    ASKS_ABOUT_INVALID_DATES, COERCIBLE_KEYS, MAP_AS_EMPTY_OBJECT, MORE_TYPES, NO_RECORDS, NO_TO_JSON,
    SET_AS_EMPTY_OBJECT, STRUCTURED_CLONE, TIMESTAMP32, UNDEFINED_AS_NIL, VARIABLE_MAP_SIZE,
};
use crate::tape::reader;
use crate::v8::Window;
use crate::v8::fake_heap::build::Builder;
use crate::v8::fake_heap::value::{Realm, Value};
use crate::v8::fake_heap::{FakeHeap, Garbage};
use crate::v8::layout::Layout;
use crate::v8::memory::Memory;
use crate::v8::roots::Roots;
use crate::v8::tagged::Tagged;

/// The options of a packr that change what the walker does.
#[derive(Clone, Copy, Debug)]
struct Mode<'k> {
    options: u32,
    numeric_keys: bool,
    /// Where objects may be records: which are.
    known: Option<&'k Known>,
}

impl Mode<'_> {
    fn setting<'w>(&self, plans: &'w mut Plans, records: Option<Records<'w>>) -> Setting<'w> {
        let numeric_keys = if self.numeric_keys { COERCIBLE_KEYS } else { 0 };
        Setting { plans, records, options: self.options | numeric_keys }
    }
}

const PLAIN: Mode<'_> = Mode { options: NO_RECORDS, numeric_keys: false, known: None };

/// Bits of [`Mode::options`] that tests vary.
const OPTIONS: [u32; 10] = [
    NO_RECORDS,
    VARIABLE_MAP_SIZE,
    UNDEFINED_AS_NIL,
    MORE_TYPES,
    TIMESTAMP32,
    STRUCTURED_CLONE,
    MAP_AS_EMPTY_OBJECT,
    SET_AS_EMPTY_OBJECT,
    NO_TO_JSON,
    ASKS_ABOUT_INVALID_DATES,
];

type Outcome = Result<Vec<u8>, Handover>;

/// So many cases, unless the environment asks for more.
fn config(cases: u32) -> Config {
    let values = std::env::var("FERROPACK_VALUES").ok().and_then(|values| values.parse().ok());
    let full = std::env::var("FERROPACK_TEST").is_ok_and(|mode| mode == "full");
    let cases = if full { cases * 50 } else { cases };
    // A failure prints all that is needed to repeat it.
    Config { cases: values.unwrap_or(cases), failure_persistence: None, ..Config::default() }
}

/// Whether bytes are one whole message.
fn is_message(bytes: &[u8], mode: Mode<'_>) -> bool {
    let mut decoder = Decoder::default();
    for (code, kind) in [
        (ext::TYPED_ARRAY, reader::PAYLOAD),
        (ext::ERROR, reader::VALUE_OF_SHORT),
        (ext::SET, reader::VALUE_OF_SHORT),
        (ext::REGEXP, reader::VALUE_OF_SHORT),
        (ext::TARGET, reader::TARGET),
        (ext::REFERENCE, reader::POINTER),
    ] {
        decoder.extensions.set(code, kind, 1);
    }
    decoder.begin(true, true, false);
    if let Some(known) = mode.known {
        known.tell(&mut decoder.records);
    }
    let scanned = scan(&mut decoder, Scanner::new(bytes, 0, mode.options), bytes, 0, mode.options);
    scanned.is_ok_and(|scanned| scanned.position == bytes.len())
}

/// Runs a walk that may nest as deeply as walks may: without optimisation a level takes some 40 kB.
fn deep<T: Send>(body: impl FnOnce() -> T + Send) -> T {
    on_stack(64 << 20, body)
}

fn on_stack<T: Send>(size: usize, body: impl FnOnce() -> T + Send) -> T {
    thread::scope(|scope| {
        let thread = thread::Builder::new().stack_size(size).spawn_scoped(scope, body);
        thread.expect("a thread").join().unwrap_or_else(|panic| resume_unwind(panic))
    })
}

/// A value in a heap of its own.
struct Laid {
    heap: FakeHeap,
    roots: u64,
    value: u64,
}

impl Laid {
    fn out(value: &Value, layout: &Layout, realm: Realm, seed: u64) -> Self {
        Self::out_for(PLAIN, value, layout, realm, seed)
    }

    /// With what the walk takes from the heap in this mode.
    fn out_for(mode: Mode<'_>, value: &Value, layout: &Layout, realm: Realm, seed: u64) -> Self {
        Self::out_in(FakeHeap::new(Garbage::Random, seed), mode, value, layout, realm, seed)
    }

    fn out_in(
        heap: FakeHeap,
        mode: Mode<'_>,
        value: &Value,
        layout: &Layout,
        realm: Realm,
        seed: u64,
    ) -> Self {
        let mut builder = Builder::new(heap, layout, realm, seed);
        // First, so that its maps have the same addresses whatever follows.
        let value = builder.value(value);
        if let Some(known) = mode.known {
            known.lay_out_keys(&mut builder);
        }
        let roots = builder.roots_array();
        Self { heap: builder.heap, roots, value }
    }

    /// What the walker makes of it.
    fn walk(&self, layout: &Layout, plans: &mut Plans, mode: Mode<'_>) -> Outcome {
        let (roots, value) = (self.heap.tagged(self.roots), self.heap.tagged(self.value));
        walk(self.heap.window(layout), roots, value, plans, mode)
    }
}

fn walk<'gc, M: Memory>(
    window: Window<'gc, M>,
    roots: Tagged<'gc>,
    value: Tagged<'gc>,
    plans: &mut Plans,
    mode: Mode<'_>,
) -> Outcome {
    let roots = Roots::of(window, roots).ok_or(Handover::Unexpected)?;
    let writer = Writer::new(OutputBuffer::default(), mode.options);
    let mut own = mode.known.map(Known::own);
    let records = mode.known.zip(own.as_deref_mut()).map(|(known, own)| known.records(own));
    let setting = mode.setting(plans, records);
    let mut references = References::default();
    let (step, mut writer) = if mode.options & STRUCTURED_CLONE == 0 {
        heap_walk::walk(window, roots, value, setting, writer, Indistinct)
    } else {
        references.begin();
        heap_walk::walk(window, roots, value, setting, writer, &mut references)
    };
    let end = writer.insert_targets(step?, references.targets());
    if window.failed() { Err(Handover::Unexpected) } else { Ok(writer.output().message(end).to_vec()) }
}
