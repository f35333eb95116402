//! What JavaScript calls to unpack.

use std::borrow::Cow;
use std::ffi::CStr;

use super::State;
use crate::decode::scan::{Scanned, scan};
use crate::decode::strings::Piece;
use crate::format::msgpack::scanner::Scanner as MsgpackScanner;
use crate::node_api::env::{Env, Failed, Value};
use crate::node_api::module::{Arguments, HotFunction};
use crate::node_api::throw::Thrown;
use crate::tape::control;

/// `scan(source)`: reads one value to the tape. Returns its text, if that is a single piece.
pub(super) struct Scan;

impl HotFunction<1> for Scan {
    type State = State;
    const NAME: &'static CStr = c"scan";

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
        state.shared_input = None;
        let bytes = env.bytes(source)?;
        let input = &bytes[..end.min(bytes.len())];
        state.decoder.begin(first_slot == 0, state.control(control::DEFINITIONS) == 0);
        let scanner = MsgpackScanner::new(input, start, options);
        let outcome = scan(&mut state.decoder, scanner, first_slot, options);
        let definitions = state.decoder.short_strings.definitions().len();
        state.set_control(control::DEFINITIONS, definitions);
        // The tape may have moved even where the message turns out to be broken.
        let capacity = state.decoder.slots.words().len();
        state.set_control(control::SLOT_CAPACITY, capacity);
        let generation = state.decoder.keys.generation() as usize;
        state.set_control(control::GENERATION, generation);
        let Scanned { free, position } = outcome?;
        state.set_control(control::SLOT_START, free);
        state.set_control(control::INPUT_START, position);
        let pieces = state.decoder.strings.pieces().len();
        state.set_control(control::PIECES, pieces);
        if pieces == 0 {
            return Ok(None);
        }
        let (latin, wide) = state.decoder.strings.first();
        state.set_control_maybe(control::LATIN_PIECE, latin);
        state.set_control_maybe(control::WIDE_PIECE, wide);
        let first = piece(env, state, input, 0)?;
        if let Cow::Owned(copy) = bytes {
            state.shared_input = Some(copy);
        }
        Ok(Some(first))
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
pub(super) struct PieceOf;

impl HotFunction<1> for PieceOf {
    type State = State;
    const NAME: &'static CStr = c"piece";

    fn call<'env>(
        env: &'env mut Env,
        state: &mut State,
        arguments: Arguments<1>,
    ) -> Result<Option<Value<'env>>, Thrown> {
        let env = &*env;
        let [source] = arguments.values(env);
        let bytes = match &state.shared_input {
            // What was scanned, whatever another thread has written since.
            Some(copy) => Cow::Borrowed(copy.as_slice()),
            None => env.bytes(source)?,
        };
        Ok(Some(piece(env, state, &bytes, state.control(control::PIECES))?))
    }
}

/// `release()`: gives back what a large message took while it was unpacked.
pub(super) struct Release;

impl HotFunction<0> for Release {
    type State = State;
    const NAME: &'static CStr = c"release";

    fn call<'env>(
        _: &'env mut Env,
        state: &mut State,
        _: Arguments<0>,
    ) -> Result<Option<Value<'env>>, Thrown> {
        state.decoder.release();
        state.shared_input = None;
        let capacity = state.decoder.slots.words().len();
        state.set_control(control::SLOT_CAPACITY, capacity);
        Ok(None)
    }
}
