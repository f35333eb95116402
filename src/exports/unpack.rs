//! What JavaScript calls to unpack.

use std::borrow::Cow;
use std::ffi::CStr;

use super::{State, control_block_mut};
use crate::decode::frame::Scanned;
use crate::decode::scan::{PADDING, scan};
use crate::decode::sequence::Sequence;
use crate::decode::strings::{Piece, Strings};
use crate::decode::{Context, Decoder};
use crate::error::{DecodeError, MAX_DEPTH};
use crate::format::msgpack::scanner::Scanner as MsgpackScanner;
use crate::node_api::env::{Env, Failed, Input, Value};
use crate::node_api::module::{Arguments, HotFunction, Returned};
use crate::options::FREEZE;
use crate::tape::{control, records};

/// Inputs up to this size are copied: behind the copy the scanner may read on, and nobody else can
/// write it.
const SMALL_INPUT: usize = 256;

/// A copy of a small input, with the padding behind it.
pub(super) struct SmallInput([u8; SMALL_INPUT + PADDING]);

impl Default for SmallInput {
    fn default() -> Self {
        Self([0; SMALL_INPUT + PADDING])
    }
}

/// `scan(source)`: reads one value to the tape. Returns its first piece of text, if there is any.
pub(super) struct Scan;

impl HotFunction<1> for Scan {
    type State = State;
    const NAME: &'static CStr = c"scan";

    fn call<'env>(env: &'env mut Env, state: &mut State, arguments: Arguments<'_, 1>) -> Returned<'env> {
        let State { control, decoder, small_input, shared_input, small_scanned, .. } = state;
        let control = control_block_mut(control);
        let env = &*env;
        let [source] = arguments.values(env);
        *shared_input = None;
        *small_scanned = false;
        let SmallInput(copy) = small_input;
        let (bytes, length) = match env.bytes_or_copy(source, &mut copy[..SMALL_INPUT])? {
            Input::Borrowed(bytes) => (bytes, bytes.len()),
            Input::Copied(length) => {
                *small_scanned = true;
                (&copy[..], length)
            }
            Input::Owned(bytes) => {
                let bytes = &*shared_input.insert(bytes);
                (&bytes[..], bytes.len())
            }
        };
        let end = (control[control::INPUT_END] as usize).min(length);
        let start = control[control::INPUT_START] as usize;
        let first_slot = control[control::SLOT_START] as usize;
        let options = control[control::OPTIONS] | decoder.extensions.replaced();
        let context = control[control::CONTEXT] as usize;
        if context != 0 {
            control[control::CONTEXT] = 0;
        }
        let mode = control[control::RECORD_MODE];
        let used = control[control::RECORD_SLOTS];
        control[control::RECORD_MODE] = 0;
        let count = control[control::SEQUENCE] as usize;
        control[control::SEQUENCE] = 0;
        let outermost = first_slot == 0;
        let confirmed = control[control::DEFINITIONS] == 0;
        let context = if context == 0 { None } else { decoder.context(context) };
        let continued = mode & records::CONTINUED != 0 || context.is_some_and(|context| context.is_last);
        let renewed = decoder.begin(outermost, confirmed, continued);
        // Definitions may be left over where the message is broken.
        control[control::DEFINITIONS] = u32::MAX;
        if renewed && used != 0 {
            report(control, decoder);
            if count != 0 {
                return Err(DecodeError::Incomplete.into());
            }
            control[control::RECORD_UNKNOWN] = u32::MAX;
            return Ok(None);
        }
        decoder.records.begin(mode, used as usize);
        let scanner = MsgpackScanner::new(&bytes[..end], start, options);
        if let Some(Context { progress, .. }) = context {
            decoder.bundles.reopen(scanner, progress)?;
        }
        let scanned = if count == 0 {
            scan(decoder, scanner, bytes, first_slot, options)
        } else {
            scan(decoder, Sequence::new(scanner, count), bytes, first_slot, options)
        };
        let Scanned { free, depth, position, kept, log } = match scanned {
            Ok(scanned) => scanned,
            // A row is given up: what is loaded for a value is loaded for that value alone.
            Err(DecodeError::UndefinedRecord(slot)) if mode & records::ASKED != 0 && count == 0 => {
                decoder.bundles.undo();
                report(control, decoder);
                control[control::RECORD_UNKNOWN] = slot + 1;
                return Ok(None);
            }
            Err(error) => {
                decoder.bundles.undo();
                // Nobody will use what it has defined.
                if outermost && decoder.records.is_full() {
                    decoder.records.renew();
                }
                report(control, decoder);
                return Err(error.into());
            }
        };
        let moved = control[control::SLOT_CAPACITY] != decoder.slots.words().len() as u32;
        if moved || renewed || kept != 0 || log != 0 || decoder.records.is_full() {
            report(control, decoder);
            control[control::RECORDS_DEFINED] = kept as u32;
            control[control::DEFINITION_LOG] = log as u32;
            control[control::RECORD_SLOTS] = decoder.records.used() as u32;
        }
        control[control::DEPTH] = if options & FREEZE == 0 { depth } else { MAX_DEPTH + 1 } as u32;
        control[control::SLOT_START] = free as u32;
        control[control::INPUT_START] = position as u32;
        control[control::DEFINITIONS] = decoder.short_strings.definitions().len() as u32;
        let pieces = decoder.strings.pieces();
        control[control::PIECES] = pieces.len() as u32;
        let Some(first) = pieces.first() else { return Ok(None) };
        let (latin, wide) = decoder.strings.first();
        control[control::LATIN_PIECE] = latin.map_or(u32::MAX, |number| number as u32);
        control[control::WIDE_PIECE] = wide.map_or(u32::MAX, |number| number as u32);
        Ok(Some(string(env, &decoder.strings, *first, bytes)?))
    }
}

/// Tells JavaScript where things are now.
#[cold]
fn report(control: &mut [u32; control::LENGTH], decoder: &Decoder) {
    control[control::SLOT_CAPACITY] = decoder.slots.words().len() as u32;
    control[control::GENERATION] = decoder.generation();
    control[control::NEWS] = 1;
}

/// A piece of text as a string.
fn string<'env>(
    env: &'env Env,
    strings: &Strings,
    piece: Piece,
    input: &[u8],
) -> Result<Value<'env>, Failed> {
    match piece {
        Piece::Latin { start, end } => env.string_latin1(input.get(start..end).ok_or(Failed)?),
        Piece::Wide { start, end } => env.string_utf16(strings.units(start, end)),
    }
}

/// `piece(source)`: the piece of text that `control.PIECES` names, of the input scanned last.
pub(super) struct PieceOf;

impl HotFunction<1> for PieceOf {
    type State = State;
    const NAME: &'static CStr = c"piece";

    fn call<'env>(env: &'env mut Env, state: &mut State, arguments: Arguments<'_, 1>) -> Returned<'env> {
        let env = &*env;
        let [source] = arguments.values(env);
        let number = state.control(control::PIECES);
        let strings = &state.decoder.strings;
        let piece = *strings.pieces().get(number).ok_or(Failed)?;
        let bytes = match &state.shared_input {
            // What was scanned, whatever another thread has written since.
            Some(copy) => Cow::Borrowed(copy.as_slice()),
            None if state.small_scanned => Cow::Borrowed(&state.small_input.0[..]),
            None => env.bytes(source)?,
        };
        Ok(Some(string(env, strings, piece, &bytes)?))
    }
}

/// `recordShape(keys)`: the number of a list of keys, given as it would be on the wire. How many there are,
/// and out, the number, is `control.SHAPE`.
pub(super) struct RecordShape;

impl HotFunction<1> for RecordShape {
    type State = State;
    const NAME: &'static CStr = c"recordShape";

    fn call<'env>(env: &'env mut Env, state: &mut State, arguments: Arguments<'_, 1>) -> Returned<'env> {
        let env = &*env;
        let [keys] = arguments.values(env);
        let count = state.control(control::SHAPE);
        let number = state.decoder.records.shapes.give(&env.bytes(keys)?, count);
        control_block_mut(&mut state.control)[control::SHAPE] = number;
        Ok(None)
    }
}

/// `recordKeys()`: the list of keys whose number is `control.SHAPE`, as it is on the wire: a character for
/// each byte.
pub(super) struct RecordKeys;

impl HotFunction<0> for RecordKeys {
    type State = State;
    const NAME: &'static CStr = c"recordKeys";

    fn call<'env>(env: &'env mut Env, state: &mut State, _: Arguments<'_, 0>) -> Returned<'env> {
        let number = state.control(control::SHAPE) as u32;
        let bytes = state.decoder.records.shapes.bytes(number).ok_or(Failed)?;
        let env = &*env;
        Ok(Some(env.string_latin1(bytes)?))
    }
}

/// `release()`: gives back what a large message took while it was unpacked.
pub(super) struct Release;

impl HotFunction<0> for Release {
    type State = State;
    const NAME: &'static CStr = c"release";

    fn call<'env>(_: &'env mut Env, state: &mut State, _: Arguments<'_, 0>) -> Returned<'env> {
        state.decoder.release();
        state.shared_input = None;
        report(control_block_mut(&mut state.control), &state.decoder);
        Ok(None)
    }
}
