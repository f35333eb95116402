//! What JavaScript calls to pack.

use std::ffi::CStr;
use std::mem;

use super::{State, control_block_mut};
use crate::encode::{Tape, tape_walk};
use crate::error::EncodeError;
use crate::format::msgpack::bundle::BundlingWriter;
use crate::format::msgpack::writer::Writer as MsgpackWriter;
use crate::node_api::env::{Env, Value};
use crate::node_api::module::{Arguments, HotFunction, Returned};
use crate::node_api::throw::Thrown;
use crate::options::BUNDLE_STRINGS;
use crate::tape::{TAG_BITS, control, pack};
use crate::text::utf16::{PADDING, PaddedText};

/// Text scratch kept between messages, in units.
const KEPT_TEXT: usize = 1 << 19;
/// Binary data kept between messages, in bytes.
const KEPT_BINARY: usize = 1 << 20;

/// Reads the `count` strings of `parts` and then `text` into `units`, `length` units in all.
fn read_text(
    env: &Env,
    text: Value<'_>,
    parts: Option<(Value<'_>, u32)>,
    length: usize,
    units: &mut Vec<u16>,
) -> Result<(), Thrown> {
    units.clear();
    if length != 0 {
        units.try_reserve(length + PADDING).map_err(|_| EncodeError::OutOfMemory)?;
        if let Some((parts, count)) = parts {
            for index in 0..count {
                env.scoped(|env| {
                    let left = length.saturating_sub(units.len());
                    env.append_utf16(env.element(parts, index)?, left, units)
                })?;
            }
        }
        let left = length.saturating_sub(units.len());
        env.append_utf16(text, left, units)?;
    }
    if units.len() != length {
        return Err(Thrown::Failed);
    }
    units.resize(length + PADDING, 0);
    Ok(())
}

/// `putBinary(bytes)`: copies bytes to the binary data of the message that is being walked. At once, as
/// user code that runs later in the walk may change them.
pub(super) struct PutBinary;

impl HotFunction<1> for PutBinary {
    type State = State;
    const NAME: &'static CStr = c"putBinary";

    fn call<'env>(env: &'env mut Env, state: &mut State, arguments: Arguments<'_, 1>) -> Returned<'env> {
        let start = state.control(control::BINARY);
        let [bytes] = arguments.values(env);
        let bytes = env.bytes(bytes)?;
        // What lies behind was left by a message that failed.
        state.binary.truncate(start);
        state.binary.try_reserve(bytes.len()).map_err(|_| EncodeError::OutOfMemory)?;
        state.binary.extend_from_slice(&bytes);
        let length = u32::try_from(bytes.len()).map_err(|_| EncodeError::TooLarge)?;
        control_block_mut(&mut state.control)[control::BINARY] = length;
        Ok(None)
    }
}

/// `patchBinary(bytes)`: puts bytes in the place of as many that `putBinary` has copied.
pub(super) struct PatchBinary;

impl HotFunction<1> for PatchBinary {
    type State = State;
    const NAME: &'static CStr = c"patchBinary";

    fn call<'env>(env: &'env mut Env, state: &mut State, arguments: Arguments<'_, 1>) -> Returned<'env> {
        let start = state.control(control::BINARY);
        let [bytes] = arguments.values(env);
        let bytes = env.bytes(bytes)?;
        let place = state.binary.get_mut(start..).and_then(|rest| rest.get_mut(..bytes.len()));
        place.ok_or(EncodeError::BrokenTape)?.copy_from_slice(&bytes);
        Ok(None)
    }
}

/// `encode(text, chunk, parts)`: packs the message on the tape. `parts` holds the strings before
/// `text`, as many as the control block says. The result goes to the chunk if it fits there, else it
/// waits to be taken.
pub(super) struct Encode;

impl HotFunction<3> for Encode {
    type State = State;
    const NAME: &'static CStr = c"encode";

    fn call<'env>(env: &'env mut Env, state: &mut State, arguments: Arguments<'_, 3>) -> Returned<'env> {
        let length = state.control(control::TEXT_LENGTH);
        let binary_start = state.control(control::BINARY);
        {
            let [text, _, parts] = arguments.values(env);
            let texts = state.control(control::TEXTS) as u32;
            read_text(env, text, Some((parts, texts)), length, &mut state.text)?;
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
                binary: state.binary.get(binary_start..).unwrap_or_default(),
            };
            let options = state.control(control::OPTIONS) as u32;
            state.output.clear();
            let mut writer = MsgpackWriter::new(mem::take(&mut state.output), options);
            let (shapes, stack) = (&state.shapes, &mut state.walk_stack);
            let outcome;
            if options & BUNDLE_STRINGS == 0 || is_string(tape) {
                outcome = tape_walk::walk(tape, shapes, stack, &mut writer);
                state.output = writer.into_output();
            } else {
                let mut writer = BundlingWriter::new(writer, &mut state.bundled);
                outcome = tape_walk::walk(tape, shapes, stack, &mut writer);
                state.output = writer.into_output();
            }
            state.end = outcome?;
        }
        if state.output.overflowed(state.end) {
            return Err(EncodeError::TooLarge.into());
        }
        let start = state.control(control::CHUNK_START);
        state.output.finish(state.end);
        let message = state.output.message(state.end);
        let size = message.len();
        let placed = env.copy_into(&arguments, 1, start, message)?;
        let control = control_block_mut(&mut state.control);
        control[control::RESULT_LENGTH] = size as u32;
        control[control::RESULT_PLACED] = u32::from(placed);
        if state.text.capacity() > KEPT_TEXT {
            state.text = Vec::new();
        }
        // An outer message may still need what lies before this one's.
        if binary_start == 0 && state.binary.capacity() > KEPT_BINARY {
            state.binary = Vec::new();
        }
        Ok(None)
    }
}

/// Whether the message is nothing but a string, and no other value became one: it is not bundled.
fn is_string(tape: Tape<'_>) -> bool {
    tape.words.first().is_some_and(|word| word & ((1 << TAG_BITS) - 1) == pack::STR)
}

fn slice<T>(all: &[T], start: usize, end: usize) -> Result<&[T], EncodeError> {
    all.get(start..end).ok_or(EncodeError::BrokenTape)
}

/// `take(target)`: copies the result that did not fit to `target`.
pub(super) struct Take;

impl HotFunction<1> for Take {
    type State = State;
    const NAME: &'static CStr = c"take";

    fn call<'env>(env: &'env mut Env, state: &mut State, arguments: Arguments<'_, 1>) -> Returned<'env> {
        let start = state.control(control::CHUNK_START);
        if !env.copy_into(&arguments, 0, start, state.output.message(state.end))? {
            return Err(Thrown::Failed);
        }
        Ok(None)
    }
}

/// `releaseOutput()`: gives back the memory in which a large message was put together. Not while one is.
pub(super) struct ReleaseOutput;

impl HotFunction<0> for ReleaseOutput {
    type State = State;
    const NAME: &'static CStr = c"releaseOutput";

    fn call<'env>(_: &'env mut Env, state: &mut State, _: Arguments<'_, 0>) -> Returned<'env> {
        state.output.release();
        if state.text.capacity() > KEPT_TEXT {
            state.text = Vec::new();
        }
        if state.binary.capacity() > KEPT_BINARY {
            state.binary = Vec::new();
        }
        Ok(None)
    }
}

/// `defineShape(text)`: gives a number to the keys whose lengths lie on the tape, as if they were a
/// message. The control block then has the number, and in `TAPE_START` the place of the first key among those
/// of all shapes.
pub(super) struct DefineShape;

impl HotFunction<1> for DefineShape {
    type State = State;
    const NAME: &'static CStr = c"defineShape";

    fn call<'env>(env: &'env mut Env, state: &mut State, arguments: Arguments<'_, 1>) -> Returned<'env> {
        let [text] = arguments.values(env);
        let length = state.control(control::TEXT_LENGTH);
        read_text(env, text, None, length, &mut state.text)?;
        let tape = Tape {
            words: slice(
                state.words.half_words(),
                state.control(control::TAPE_START),
                state.control(control::TAPE_END),
            )?,
            side: &[],
            text: PaddedText::new(&state.text),
            binary: &[],
        };
        let keys = tape_walk::encode_keys::<MsgpackWriter>(tape)?;
        let number = state.shapes.define(keys);
        let first = number.and_then(|number| state.shapes.range(number)).map_or(0, |(first, _)| first);
        let control = control_block_mut(&mut state.control);
        control[control::SHAPE] = number.map_or(u32::MAX, |number| number as u32);
        control[control::TAPE_START] = first as u32;
        Ok(None)
    }
}

/// `clearShapes()`: all numbers given by `defineShape` lose their meaning.
pub(super) struct ClearShapes;

impl HotFunction<0> for ClearShapes {
    type State = State;
    const NAME: &'static CStr = c"clearShapes";

    fn call<'env>(_: &'env mut Env, state: &mut State, _: Arguments<'_, 0>) -> Returned<'env> {
        state.shapes.clear();
        Ok(None)
    }
}
