//! What JavaScript may call. Each function reads its arguments, calls down, and returns or throws.
//!
//! The hot functions take what they can through the control block ([`crate::tape::control`]), as a
//! word there costs a nanosecond and an argument several.

mod boundary;
mod heap;
mod memory;
mod pack;
mod unpack;

use napi::bindgen_prelude::{JsObjectValue, Object, Unknown};
use napi_derive::napi;
use serde::Serialize;
use std::collections::BTreeMap;

use crate::buffer::{OutputBuffer, Position, SharedMemory};
use crate::decode::Decoder;
use crate::encode::handover;
use crate::encode::tape_walk::Frame;
use crate::format::msgpack::bundle;
use crate::node_api::instance::Instance;
use crate::node_api::module::Registrar;
use crate::options::Options;
use crate::shapes::{MAX_SHAPES, Shapes};
use crate::tape::{Layout, control};
use crate::v8::layout::derive;
use crate::v8::layout::symbols::Symbols;
use crate::v8::layout::table;
use crate::v8::roots;

/// Words of the packing tape, and entries of its side array, between messages: a word stands for at
/// most one entry, but in a run of numbers.
const BASE_WORDS: usize = 1 << 15;

/// Everything of one environment.
struct State {
    control: SharedMemory,
    words: SharedMemory,
    side: SharedMemory,
    text: Vec<u16>,
    binary: Vec<u8>,
    walk_stack: Vec<Frame>,
    /// Strings of a message that bundles them.
    bundled: bundle::Texts,
    shapes: Shapes,
    /// What of the shapes the packr knows that packs now, see [`crate::tape::known`].
    known: SharedMemory,
    output: OutputBuffer<'static>,
    /// Where the message in `output` ends.
    end: Position,
    decoder: Decoder,
    heap: heap::HeapState,
    /// The input scanned last, where it lies in memory that other threads may write.
    shared_input: Option<Vec<u8>>,
    /// Whether the input scanned last was small enough to be copied.
    small_scanned: bool,
    small_input: unpack::SmallInput,
}

impl State {
    /// With a tape of so many words at first.
    fn new(words: usize) -> Self {
        Self {
            control: SharedMemory::new(control::LENGTH.div_ceil(2)),
            words: SharedMemory::new(words / 2),
            side: SharedMemory::new(words),
            text: Vec::new(),
            binary: Vec::new(),
            walk_stack: Vec::new(),
            bundled: bundle::Texts::default(),
            shapes: Shapes::default(),
            known: SharedMemory::new(MAX_SHAPES.div_ceil(2)),
            output: OutputBuffer::default(),
            end: Position::START,
            decoder: Decoder::default(),
            heap: heap::HeapState::default(),
            shared_input: None,
            small_scanned: false,
            small_input: unpack::SmallInput::default(),
        }
    }

    /// Gives all memory back that is worth it. Nothing is called any more.
    fn release(&mut self) {
        *self = Self::new(0);
        self.decoder.slots = SharedMemory::new(0);
    }

    fn control(&self, word: usize) -> usize {
        control_block(&self.control)[word] as usize
    }
}

/// The words of the control block.
fn control_block(memory: &SharedMemory) -> &[u32; control::LENGTH] {
    memory.half_words().first_chunk().expect("the block has this size")
}

/// The words of the control block, to write.
fn control_block_mut(memory: &mut SharedMemory) -> &mut [u32; control::LENGTH] {
    memory.half_words_mut().first_chunk_mut().expect("the block has this size")
}

/// Option bits of a packr or unpackr. Throws on a field that is not known or has the wrong type:
/// `src/js/options.js` makes the object.
#[napi(catch_unwind)]
pub fn compile_options(env: napi::Env, options: Unknown<'_>) -> napi::Result<u32> {
    Ok(env.from_js_value::<Options, _>(options)?.bits())
}

/// Takes note that JavaScript has a reader for an extension type, under `number`; `kind` says what that takes
/// ([`crate::tape::reader`]). Messages with types that have none are refused where they stand.
#[napi(catch_unwind)]
pub fn set_extension_reader(env: napi::Env, code: u8, kind: u32, number: u32) -> napi::Result<()> {
    Instance::<State>::of(&env)?.with(|state| state.decoder.extensions.set(code, kind, number));
    Ok(())
}

/// The numbers of the tape, for the test that compares them with `src/js/tape.js`.
#[napi(catch_unwind)]
pub fn tape_layout<'env>(env: &'env napi::Env) -> napi::Result<Unknown<'env>> {
    env.to_js_value(&Layout::current())
}

/// The numbers and names that the heap walker shares with JavaScript: reasons of a hand-over, and roots.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct HeapNames {
    handovers: &'static [&'static str],
    roots: &'static [&'static str],
    derived: &'static [&'static str],
}

/// The names of reasons and roots, in order.
#[napi(catch_unwind)]
pub fn heap_names<'env>(env: &'env napi::Env) -> napi::Result<Unknown<'env>> {
    env.to_js_value(&HeapNames {
        handovers: &handover::NAMES,
        roots: &roots::NAMES,
        derived: &derive::DERIVED,
    })
}

/// The symbols that the heap's layout is made of: as the process has them, and as the table of V8 `v8`
/// does.
#[napi(catch_unwind)]
pub fn heap_symbols<'env>(env: &'env napi::Env, v8: String) -> napi::Result<Unknown<'env>> {
    let process = Symbols::of_process();
    let values: BTreeMap<&str, (Option<i64>, Option<i64>)> =
        table::names().map(|name| (name, (process.value(name), table::value(&v8, name)))).collect();
    env.to_js_value(&values)
}

/// Keys of a shape that unpacking knows, in order.
#[napi(catch_unwind)]
pub fn shape_keys(env: napi::Env, shape: u32) -> napi::Result<Vec<String>> {
    Ok(Instance::<State>::of(&env)?.with(|state| {
        let keys = &state.decoder.keys;
        keys.path(shape).iter().map(|node| key_text(keys.text(*node))).collect()
    }))
}

/// A single key that unpacking knows.
#[napi(catch_unwind)]
pub fn shape_key(env: napi::Env, node: u32) -> napi::Result<String> {
    Ok(Instance::<State>::of(&env)?.with(|state| key_text(state.decoder.keys.text(node))))
}

fn key_text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Memory that an environment holds, in bytes or entries.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct MemoryReport {
    pack_words: usize,
    pack_side: usize,
    pack_output: usize,
    pack_text: usize,
    pack_binary: usize,
    pack_shapes: usize,
    unpack_slots: usize,
    unpack_text: usize,
    unpack_keys: usize,
    unpack_records: usize,
}

/// What this environment holds now.
#[napi(catch_unwind)]
pub fn memory_report<'env>(env: &'env napi::Env) -> napi::Result<Unknown<'env>> {
    let report = Instance::<State>::of(env)?.with(|state| MemoryReport {
        pack_words: state.words.words().len() * 8,
        pack_side: state.side.words().len() * 8,
        pack_output: state.output.capacity(),
        pack_text: state.text.capacity() * 2,
        pack_binary: state.binary.capacity(),
        pack_shapes: state.shapes.len(),
        unpack_slots: state.decoder.slots.words().len() * 8,
        unpack_text: state.decoder.strings.memory(),
        unpack_keys: state.decoder.keys.len(),
        unpack_records: state.decoder.records.shapes.len(),
    });
    env.to_js_value(&report)
}

/// Sets up this environment.
#[napi(module_exports)]
pub fn init(mut exports: Object<'_>, env: napi::Env) -> napi::Result<()> {
    let instance = Instance::install(&env, State::new(BASE_WORDS))?;
    // An environment outlives the JavaScript modules that it was loaded for, of which a test runner makes many in
    // turn. `src/js/binding.js` sees to it that the exports live as long as any function among them.
    let released = Instance::<State>::of(&env)?;
    exports.add_finalizer((), (), move |_| released.with(State::release))?;
    let registrar = Registrar::new(&env, &exports, &instance);
    registrar.hot::<pack::Encode, 3>()?;
    registrar.hot::<pack::PutBinary, 1>()?;
    registrar.hot::<pack::PatchBinary, 1>()?;
    registrar.hot::<pack::Take, 1>()?;
    registrar.hot::<pack::DefineShape, 1>()?;
    registrar.hot::<pack::ClearShapes, 0>()?;
    registrar.hot::<unpack::Scan, 1>()?;
    registrar.hot::<unpack::PieceOf, 1>()?;
    registrar.hot::<heap::AttachHeap, 7>()?;
    registrar.hot::<heap::PackHeap, 2>()?;
    registrar.hot::<pack::ReleaseOutput, 0>()?;
    registrar.hot::<memory::ControlBlock, 0>()?;
    registrar.hot::<memory::PackWords, 0>()?;
    registrar.hot::<memory::PackSide, 0>()?;
    registrar.hot::<memory::UnpackSlots, 0>()?;
    registrar.hot::<memory::KnownShapes, 0>()?;
    registrar.hot::<memory::RecordSlots, 0>()?;
    registrar.hot::<unpack::RecordShape, 1>()?;
    registrar.hot::<unpack::RecordKeys, 0>()?;
    registrar.hot::<unpack::Release, 0>()
}
