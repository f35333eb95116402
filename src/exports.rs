//! What JavaScript may call. Each function reads its arguments, calls down, and returns or throws.
//!
//! The hot functions take what they can through the control block ([`crate::tape::control`]), as a
//! word there costs a nanosecond and an argument several.

use napi::bindgen_prelude::{Object, Unknown};
use napi_derive::napi;
use serde::Serialize;
use std::borrow::Cow;

use crate::buffer::{OutputBuffer, SharedMemory};
use crate::decode::Decoder;
use crate::decode::strings::Piece;
use crate::encode::{Tape, tape_walk};
use crate::error::EncodeError;
use crate::format::msgpack::scanner::Scanner as MsgpackScanner;
use crate::format::msgpack::writer::Writer as MsgpackWriter;
use crate::node_api::env::{Env, Failed, Value};
use crate::node_api::instance::Instance;
use crate::node_api::module::{Arguments, HotFunction, Registrar};
use crate::node_api::throw::Thrown;
use crate::options::Options;
use crate::shapes::Shapes;
use crate::tape::{Layout, MAX_PACK_WORDS, control};
use crate::text::utf16::{PADDING, PaddedText};

/// Words of the packing tape, and entries of its side array, between messages: a word stands for at
/// most one entry, but in a run of numbers.
const BASE_WORDS: usize = 1 << 15;
/// Text scratch kept between messages, in units.
const KEPT_TEXT: usize = 1 << 19;

/// Everything of one environment.
struct State {
    control: SharedMemory,
    words: SharedMemory,
    side: SharedMemory,
    text: Vec<u16>,
    shapes: Shapes,
    output: OutputBuffer,
    decoder: Decoder,
}

impl State {
    fn new() -> Self {
        Self {
            control: SharedMemory::new(control::LENGTH.div_ceil(2)),
            words: SharedMemory::new(BASE_WORDS / 2),
            side: SharedMemory::new(BASE_WORDS),
            text: Vec::new(),
            shapes: Shapes::default(),
            output: OutputBuffer::default(),
            decoder: Decoder::default(),
        }
    }

    fn control(&self, word: usize) -> usize {
        self.control.half_words()[word] as usize
    }

    fn set_control(&mut self, word: usize, value: usize) {
        self.control.half_words_mut()[word] = value as u32;
    }

    fn set_control_maybe(&mut self, word: usize, value: Option<usize>) {
        self.control.half_words_mut()[word] = value.map_or(u32::MAX, |value| value as u32);
    }
}

/// Reads `text`, and before it the strings of `list` if that is an array, into `units`.
fn read_text(
    env: &Env,
    list: Value<'_>,
    text: Value<'_>,
    length: usize,
    units: &mut Vec<u16>,
) -> Result<(), Failed> {
    units.clear();
    if length != 0 {
        units.reserve(length + PADDING);
        // Undefined is no array: then all text is in `text`.
        for index in 0..env.array_length(list).unwrap_or(0) {
            env.scoped(|env| {
                let part = env.element(list, index)?;
                let left = length.saturating_sub(units.len());
                env.append_utf16(part, left, units).map(|_| ())
            })?;
        }
        let left = length.saturating_sub(units.len());
        env.append_utf16(text, left, units)?;
    }
    if units.len() != length {
        return Err(Failed);
    }
    units.resize(length + PADDING, 0);
    Ok(())
}

fn read_binaries<'a>(env: &'a Env, list: Value<'a>) -> Result<Vec<Cow<'a, [u8]>>, Failed> {
    let count = env.array_length(list).unwrap_or(0);
    (0..count).map(|index| env.bytes(env.element(list, index)?)).collect()
}

/// `encode(text, chunk, texts, binaries)`: packs the message on the tape. The result goes to the
/// chunk if it fits there, else it waits to be taken.
struct Encode;

impl HotFunction<4> for Encode {
    type State = State;
    const NAME: &'static std::ffi::CStr = c"encode";

    fn call<'env>(
        env: &'env mut Env,
        state: &mut State,
        arguments: Arguments<4>,
    ) -> Result<Option<Value<'env>>, Thrown> {
        let length = state.control(control::TEXT_LENGTH);
        {
            let [text, _, texts, binaries] = arguments.values(env);
            read_text(env, texts, text, length, &mut state.text)?;
            let binaries = read_binaries(env, binaries)?;
            let tape = Tape {
                words: slice(
                    state.words.half_words(),
                    state.control(control::TAPE_START),
                    state.control(control::TAPE_END),
                )?,
                side: slice(
                    state.side.words(),
                    state.control(control::SIDE_START),
                    state.side.words().len(),
                )?,
                text: PaddedText::new(&state.text),
                binaries: &binaries,
            };
            let options = state.control(control::OPTIONS) as u32;
            state.output.clear();
            tape_walk::walk(tape, &state.shapes, &mut MsgpackWriter::new(&mut state.output, options))?;
        }
        if state.output.overflowed() {
            return Err(EncodeError::TooLarge.into());
        }
        let size = state.output.bytes().len();
        let start = state.control(control::CHUNK_START);
        let placed = env.copy_into(&arguments, 1, start, state.output.bytes())?;
        state.set_control(control::RESULT_LENGTH, size);
        state.set_control(control::RESULT_PLACED, usize::from(placed));
        if state.text.capacity() > KEPT_TEXT {
            state.text = Vec::new();
        }
        Ok(None)
    }
}

fn slice<T>(all: &[T], start: usize, end: usize) -> Result<&[T], EncodeError> {
    all.get(start..end).ok_or(EncodeError::BrokenTape)
}

/// `take(target)`: copies the result that did not fit to `target`.
struct Take;

impl HotFunction<1> for Take {
    type State = State;
    const NAME: &'static std::ffi::CStr = c"take";

    fn call<'env>(
        env: &'env mut Env,
        state: &mut State,
        arguments: Arguments<1>,
    ) -> Result<Option<Value<'env>>, Thrown> {
        let start = state.control(control::CHUNK_START);
        if !env.copy_into(&arguments, 0, start, state.output.bytes())? {
            return Err(Thrown::Failed);
        }
        state.output.clear();
        Ok(None)
    }
}

/// `defineShape(text)`: gives a number to the keys whose lengths lie on the tape, as if they were a
/// message.
struct DefineShape;

impl HotFunction<2> for DefineShape {
    type State = State;
    const NAME: &'static std::ffi::CStr = c"defineShape";

    fn call<'env>(
        env: &'env mut Env,
        state: &mut State,
        arguments: Arguments<2>,
    ) -> Result<Option<Value<'env>>, Thrown> {
        let [text, none] = arguments.values(env);
        let length = state.control(control::TEXT_LENGTH);
        read_text(env, none, text, length, &mut state.text)?;
        let tape = Tape {
            words: slice(
                state.words.half_words(),
                state.control(control::TAPE_START),
                state.control(control::TAPE_END),
            )?,
            side: &[],
            text: PaddedText::new(&state.text),
            binaries: &[],
        };
        let keys = tape_walk::encode_keys::<MsgpackWriter<'_>>(tape, &mut state.output)?;
        let number = state.shapes.define(keys);
        state.set_control_maybe(control::SHAPE, number);
        Ok(None)
    }
}

/// `clearShapes()`: all numbers given by `defineShape` lose their meaning.
struct ClearShapes;

impl HotFunction<0> for ClearShapes {
    type State = State;
    const NAME: &'static std::ffi::CStr = c"clearShapes";

    fn call<'env>(
        _: &'env mut Env,
        state: &mut State,
        _: Arguments<0>,
    ) -> Result<Option<Value<'env>>, Thrown> {
        state.shapes.clear();
        Ok(None)
    }
}

/// `scan(source)`: reads one value to the tape. Returns its text, if that is a single piece.
struct Scan;

impl HotFunction<1> for Scan {
    type State = State;
    const NAME: &'static std::ffi::CStr = c"scan";

    fn call<'env>(
        env: &'env mut Env,
        state: &mut State,
        arguments: Arguments<1>,
    ) -> Result<Option<Value<'env>>, Thrown> {
        let start = state.control(control::INPUT_START);
        let end = state.control(control::INPUT_END);
        let first_slot = state.control(control::SLOT_START);
        let options = state.control(control::OPTIONS) as u32;
        let env = &*env;
        let [source] = arguments.values(env);
        let bytes = env.bytes(source)?;
        let input = &bytes[..end.min(bytes.len())];
        state.decoder.begin(first_slot == 0);
        let mut scanner = MsgpackScanner::new(input, start, options);
        let outcome = state.decoder.scan(&mut scanner, first_slot, options);
        let position = crate::format::Scanner::position(&scanner);
        // The tape may have moved even where the message turns out to be broken.
        let capacity = state.decoder.slots.words().len();
        state.set_control(control::SLOT_CAPACITY, capacity);
        let generation = state.decoder.keys.generation() as usize;
        state.set_control(control::GENERATION, generation);
        state.set_control(control::SLOT_START, outcome?);
        state.set_control(control::INPUT_START, position);
        let pieces = state.decoder.strings.pieces().len();
        state.set_control(control::PIECES, pieces);
        if pieces == 0 {
            return Ok(None);
        }
        let (latin, wide) = state.decoder.strings.first();
        state.set_control_maybe(control::LATIN_PIECE, latin);
        state.set_control_maybe(control::WIDE_PIECE, wide);
        Ok(Some(piece(env, state, input, 0)?))
    }
}

/// One piece of the text of the message scanned last.
fn piece<'env>(env: &'env Env, state: &State, input: &[u8], number: usize) -> Result<Value<'env>, Failed> {
    match state.decoder.strings.pieces().get(number) {
        Some(Piece::Latin { start, end }) => env.string_latin1(input.get(*start..*end).ok_or(Failed)?),
        Some(Piece::Wide { start, end }) => env.string_utf16(state.decoder.strings.units(*start, *end)),
        None => Err(Failed),
    }
}

/// `piece(source)`: the piece of text that `control.PIECES` names, of the input scanned last.
struct PieceOf;

impl HotFunction<1> for PieceOf {
    type State = State;
    const NAME: &'static std::ffi::CStr = c"piece";

    fn call<'env>(
        env: &'env mut Env,
        state: &mut State,
        arguments: Arguments<1>,
    ) -> Result<Option<Value<'env>>, Thrown> {
        let env = &*env;
        let [source] = arguments.values(env);
        let bytes = env.bytes(source)?;
        Ok(Some(piece(env, state, &bytes, state.control(control::PIECES))?))
    }
}

macro_rules! memory_function {
    ($(#[$doc:meta])* $type:ident, $name:literal, |$state:ident, $wanted:ident| $memory:expr) => {
        $(#[$doc])*
        struct $type;

        impl HotFunction<0> for $type {
            type State = State;
            const NAME: &'static std::ffi::CStr = $name;

            fn call<'env>(env: &'env mut Env, $state: &mut State, _: Arguments<0>) -> Result<Option<Value<'env>>, Thrown> {
                let $wanted = $state.control(control::TAPE_END);
                Ok(Some(env.array_buffer($memory?)?))
            }
        }
    };
}

memory_function!(
    /// `controlBlock()`: the control block. Called once.
    ControlBlock, c"controlBlock", |state, _wanted| Ok::<_, Thrown>(&state.control)
);
memory_function!(
    /// `packWords()`: new memory for the packing tape, of as many words as `control.TAPE_END` says
    /// (0: the base size), with the old content as far as it fits.
    PackWords, c"packWords", |state, wanted| resize(&mut state.words, wanted / 2, BASE_WORDS / 2)
);
memory_function!(
    /// `packSide()`: the same for the side array.
    PackSide, c"packSide", |state, wanted| resize(&mut state.side, wanted, BASE_WORDS)
);
memory_function!(
    /// `unpackSlots()`: the memory of the unpacking tape, after it moved.
    UnpackSlots, c"unpackSlots", |state, _wanted| Ok::<_, Thrown>(&state.decoder.slots)
);

fn resize(memory: &mut SharedMemory, wanted: usize, base: usize) -> Result<&SharedMemory, EncodeError> {
    if wanted > MAX_PACK_WORDS {
        return Err(EncodeError::TooLarge);
    }
    let mut larger = SharedMemory::new(if wanted == 0 { base } else { wanted });
    let kept = larger.words().len().min(memory.words().len());
    larger.words_mut()[..kept].copy_from_slice(&memory.words()[..kept]);
    *memory = larger;
    Ok(memory)
}

/// `release()`: gives back what a large message took while it was unpacked.
struct Release;

impl HotFunction<0> for Release {
    type State = State;
    const NAME: &'static std::ffi::CStr = c"release";

    fn call<'env>(
        _: &'env mut Env,
        state: &mut State,
        _: Arguments<0>,
    ) -> Result<Option<Value<'env>>, Thrown> {
        state.decoder.release();
        let capacity = state.decoder.slots.words().len();
        state.set_control(control::SLOT_CAPACITY, capacity);
        Ok(None)
    }
}

/// Option bits of a packr or unpackr. Throws on a field that is not known or has the wrong type:
/// `src/js/options.js` makes the object.
#[napi(catch_unwind)]
pub fn compile_options(env: napi::Env, options: Unknown<'_>) -> napi::Result<u32> {
    Ok(env.from_js_value::<Options, _>(options)?.bits())
}

/// The numbers of the tape, for the test that compares them with `src/js/tape.js`.
#[napi(catch_unwind)]
pub fn tape_layout<'env>(env: &'env napi::Env) -> napi::Result<Unknown<'env>> {
    env.to_js_value(&Layout::current())
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
    pack_shapes: usize,
    unpack_slots: usize,
    unpack_text: usize,
    unpack_keys: usize,
}

/// What this environment holds now.
#[napi(catch_unwind)]
pub fn memory_report<'env>(env: &'env napi::Env) -> napi::Result<Unknown<'env>> {
    let report = Instance::<State>::of(env)?.with(|state| MemoryReport {
        pack_words: state.words.words().len() * 8,
        pack_side: state.side.words().len() * 8,
        pack_output: state.output.capacity(),
        pack_text: state.text.capacity() * 2,
        pack_shapes: state.shapes.len(),
        unpack_slots: state.decoder.slots.words().len() * 8,
        unpack_text: state.decoder.strings.memory(),
        unpack_keys: state.decoder.keys.len(),
    });
    env.to_js_value(&report)
}

/// Sets up this environment.
#[napi(module_exports)]
pub fn init(exports: Object<'_>, env: napi::Env) -> napi::Result<()> {
    let instance = Instance::install(&env, State::new())?;
    let registrar = Registrar::new(&env, &exports, &instance);
    registrar.hot::<Encode, 4>()?;
    registrar.hot::<Take, 1>()?;
    registrar.hot::<DefineShape, 2>()?;
    registrar.hot::<ClearShapes, 0>()?;
    registrar.hot::<Scan, 1>()?;
    registrar.hot::<PieceOf, 1>()?;
    registrar.hot::<ControlBlock, 0>()?;
    registrar.hot::<PackWords, 0>()?;
    registrar.hot::<PackSide, 0>()?;
    registrar.hot::<UnpackSlots, 0>()?;
    registrar.hot::<Release, 0>()
}
