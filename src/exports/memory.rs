//! The memory that both sides write, as JavaScript asks for it: as an ArrayBuffer.

use std::ffi::CStr;

use super::{BASE_WORDS, State, control_block_mut};
use crate::buffer::SharedMemory;
use crate::error::EncodeError;
use crate::node_api::env::Env;
use crate::node_api::module::{Arguments, HotFunction, Returned};
use crate::tape::{MAX_PACK_WORDS, control};

/// `controlBlock()`: the control block. Called once.
pub(super) struct ControlBlock;

impl HotFunction<0> for ControlBlock {
    type State = State;
    const NAME: &'static CStr = c"controlBlock";

    fn call<'env>(env: &'env mut Env, state: &mut State, _: Arguments<'_, 0>) -> Returned<'env> {
        Ok(Some(env.array_buffer(&state.control)?))
    }
}

/// `packWords()`: new memory for the packing tape, of as many words as `control.TAPE_END` says (0:
/// the base size), with the old content as far as it fits.
pub(super) struct PackWords;

impl HotFunction<0> for PackWords {
    type State = State;
    const NAME: &'static CStr = c"packWords";

    fn call<'env>(env: &'env mut Env, state: &mut State, _: Arguments<'_, 0>) -> Returned<'env> {
        let wanted = state.control(control::TAPE_END).div_ceil(2);
        resize(&mut state.words, wanted, BASE_WORDS / 2)?;
        let words = state.words.half_words().len() as u32;
        control_block_mut(&mut state.control)[control::PACK_WORDS] = words;
        Ok(Some(env.array_buffer(&state.words)?))
    }
}

/// `packSide()`: the same for the side array, in entries.
pub(super) struct PackSide;

impl HotFunction<0> for PackSide {
    type State = State;
    const NAME: &'static CStr = c"packSide";

    fn call<'env>(env: &'env mut Env, state: &mut State, _: Arguments<'_, 0>) -> Returned<'env> {
        let wanted = state.control(control::TAPE_END);
        resize(&mut state.side, wanted, BASE_WORDS)?;
        let entries = state.side.words().len() as u32;
        control_block_mut(&mut state.control)[control::PACK_SIDE] = entries;
        Ok(Some(env.array_buffer(&state.side)?))
    }
}

/// `unpackSlots()`: the memory of the unpacking tape, after it moved.
pub(super) struct UnpackSlots;

impl HotFunction<0> for UnpackSlots {
    type State = State;
    const NAME: &'static CStr = c"unpackSlots";

    fn call<'env>(env: &'env mut Env, state: &mut State, _: Arguments<'_, 0>) -> Returned<'env> {
        Ok(Some(env.array_buffer(&state.decoder.slots)?))
    }
}

/// `knownShapes()`: the table of what a packr knows of shapes. Called once.
pub(super) struct KnownShapes;

impl HotFunction<0> for KnownShapes {
    type State = State;
    const NAME: &'static CStr = c"knownShapes";

    fn call<'env>(env: &'env mut Env, state: &mut State, _: Arguments<'_, 0>) -> Returned<'env> {
        Ok(Some(env.array_buffer(&state.known)?))
    }
}

/// `recordSlots()`: the record table. Called once.
pub(super) struct RecordSlots;

impl HotFunction<0> for RecordSlots {
    type State = State;
    const NAME: &'static CStr = c"recordSlots";

    fn call<'env>(env: &'env mut Env, state: &mut State, _: Arguments<'_, 0>) -> Returned<'env> {
        Ok(Some(env.array_buffer(&state.decoder.records.table)?))
    }
}

/// Replaces `memory` by one of `wanted` 64-bit words, or of `base` if that is 0.
fn resize(memory: &mut SharedMemory, wanted: usize, base: usize) -> Result<(), EncodeError> {
    if wanted > MAX_PACK_WORDS {
        return Err(EncodeError::TooLarge);
    }
    let mut larger = SharedMemory::new(if wanted == 0 { base } else { wanted });
    let kept = larger.words().len().min(memory.words().len());
    larger.words_mut()[..kept].copy_from_slice(&memory.words()[..kept]);
    *memory = larger;
    Ok(())
}
