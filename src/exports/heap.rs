//! The heap walker as JavaScript calls it: the proof of the layout once, and then packing.

use std::ffi::CStr;
use std::mem;

use super::State;
use crate::buffer::{OutputBuffer, Position};
use crate::encode::handover::Handover;
use crate::encode::heap_identities::{Indistinct, References};
use crate::encode::heap_walk::{self, Setting, Step};
use crate::encode::plan::Plans;
use crate::encode::records::{OwnSlots, Records};
use crate::error::EncodeError;
use crate::format::msgpack::bundle::{BundlingWriter, Texts};
use crate::format::msgpack::writer::Writer as MsgpackWriter;
use crate::node_api::env::Env;
use crate::node_api::module::{Arguments, HotFunction, Returned};
use crate::options::{BUNDLE_STRINGS, NO_RECORDS, RECORDS, STRUCTURED_CLONE, VARIABLE_MAP_SIZE};
use crate::tape::control;
use crate::v8::layout::derive::Samples;
use crate::v8::layout::symbols::Symbols;
use crate::v8::layout::{Layout, Refusal, Version, table};
use crate::v8::memory::{Memory, Window};
use crate::v8::probe::Probe;
use crate::v8::roots::Roots;
use crate::v8::tagged::Tagged;
use crate::v8::value::HeapValue;
use crate::v8::{Heap, NoGcScope};

use super::{control_block, control_block_mut};

/// What of the heap walker belongs to an environment.
#[derive(Default)]
pub(super) struct HeapState {
    heap: Option<Heap>,
    plans: Plans,
    own_slots: OwnSlots,
    references: References,
}

/// `attachHeap(v8, symbols, roots, samples, kinds, expected, chunk)`: proves the layout and returns the empty
/// string, or why it can not be trusted.
///
/// * `v8`: `process.versions.v8`.
/// * `symbols`: lines of `name=value` that stand above the symbols found, or `name=` for one that is to be
///   missing; for tests. A line `any version` asks for the proof on a version that was not reviewed.
/// * `samples`: first those that types are learned from, then those that are walked.
/// * `kinds`: for each sample that is walked a line that says what it is, or may be; then, behind an empty
///   line, for each that must be handed over.
/// * `expected`: the bytes of all samples that are walked, packed one after the other.
/// * `chunk`: the ArrayBuffer that is among the roots.
pub(super) struct AttachHeap;

impl HotFunction<7> for AttachHeap {
    type State = State;
    const NAME: &'static CStr = c"attachHeap";

    fn call<'env>(env: &'env mut Env, state: &mut State, arguments: Arguments<'_, 7>) -> Returned<'env> {
        let [v8, symbols, _, _, kinds, expected, chunk] = arguments.values(env);
        let chunk = env.memory_of(chunk)?;
        let (v8, symbols, kinds) = (env.text(v8)?, env.text(symbols)?, env.text(kinds)?);
        let expected = env.bytes(expected)?.into_owned();
        let proof =
            find(&v8, &symbols).and_then(|layout| prove(env, &arguments, layout, &kinds, &expected, chunk));
        let reason = match proof.and_then(Heap::proven) {
            Ok(heap) => {
                state.heap.heap = Some(heap);
                String::new()
            }
            Err(Refusal(reason)) => {
                state.heap.heap = None;
                reason
            }
        };
        Ok(Some(env.string_utf16(&reason.encode_utf16().collect::<Vec<_>>())?))
    }
}

/// The layout that symbols and version give.
fn find(v8: &str, overrides: &str) -> Result<Layout, Refusal> {
    let version = Version::parse(v8).ok_or_else(|| Refusal(format!("V8 {v8} is no version")))?;
    let process = Symbols::of_process();
    let exported = process.value("TaggedSize").is_some();
    let lookup = |name: &str| {
        let given = overrides.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix('='));
        match given {
            Some(value) => value.parse().ok(),
            None if exported => process.value(name),
            None => table::value(v8, name),
        }
    };
    if lookup("TaggedSize").is_none() {
        return Err(Refusal(format!(
            "this build of V8 {v8} exports no symbols, and there is no table for it"
        )));
    }
    Layout::from_symbols(&lookup, version, overrides.lines().any(|line| line == "any version"))
}

/// Tries the layout on the samples, through reads that can not fault.
fn prove<const N: usize>(
    env: &mut Env,
    arguments: &Arguments<'_, N>,
    mut layout: Layout,
    kinds: &str,
    expected: &[u8],
    chunk: (usize, usize),
) -> Result<Layout, Refusal> {
    let scope = NoGcScope::enter(env);
    let direct = || Refusal("this build passes handles in a way that is not known".into());
    let roots = scope.argument(arguments, 2).ok_or_else(direct)?;
    let samples = scope.argument(arguments, 3).ok_or_else(direct)?;
    let probe = Probe::default();
    if probe.failed() {
        return Err(Refusal("memory of this process can not be probed".into()));
    }
    let learned = {
        let window = scope.probing(&probe, &layout);
        let sample = |index| element(window, samples, index);
        let learned = Samples {
            bigint: sample(0)?,
            object_prototype: sample(1)?,
            holey: sample(2)?,
            dictionary: sample(3)?,
            sparse: sample(4)?,
            map: sample(5)?,
            set: sample(6)?,
        };
        let mut types = layout.types.clone();
        learned.complete(window, &mut types)?;
        types
    };
    layout.types = learned;
    let window = scope.probing(&probe, &layout);
    let roots = Roots::of(window, roots).ok_or_else(|| Refusal("the roots can not be read".into()))?;
    if roots.chunk_memory(window) != Some(chunk) || chunk.1 == 0 {
        return Err(Refusal("memory of an ArrayBuffer is not where it should be".into()));
    }
    let mut plans = Plans::default();
    let mut rest = expected;
    let (walked, refused) = kinds.split_once("\n\n").unwrap_or((kinds, ""));
    let walks = walked.lines().map(|kind| (kind, true)).chain(refused.lines().map(|kind| (kind, false)));
    for (index, (kind, is_walked)) in walks.enumerate() {
        let sample = element(window, samples, Samples::COUNT + index)?;
        let found = window.describe(sample);
        if kind.split(" or ").all(|kind| kind != found) {
            return Err(Refusal(format!("a sample of kind \"{kind}\" looks like \"{found}\"")));
        }
        let options = NO_RECORDS | VARIABLE_MAP_SIZE;
        let setting = Setting { plans: &mut plans, records: None, options };
        let writer = MsgpackWriter::new(OutputBuffer::default(), options);
        let (step, mut writer) = heap_walk::walk(window, roots, sample, setting, writer, Indistinct);
        if !is_walked {
            if window.failed() || step.is_ok() {
                return Err(Refusal(format!("a sample of kind \"{kind}\" is not told apart")));
            }
            continue;
        }
        let bytes = step.ok().map(|end| writer.output().message(end).to_vec());
        let right = bytes.filter(|bytes| !window.failed() && rest.starts_with(bytes));
        let Some(bytes) = right else {
            return Err(Refusal(format!("a sample of kind \"{kind}\" is not read right")));
        };
        rest = &rest[bytes.len()..];
    }
    if !rest.is_empty() {
        return Err(Refusal("the self-test is not complete".into()));
    }
    Ok(layout)
}

/// An element of the array of samples.
fn element<'gc, M: Memory>(
    window: Window<'gc, M>,
    array: Tagged<'gc>,
    index: usize,
) -> Result<Tagged<'gc>, Refusal> {
    window.element_of(array, index).ok_or_else(|| Refusal("the samples can not be read".into()))
}

/// The walk of a message whose strings are bundled, or in which what is met again is a reference. On its own, so
/// that it takes nothing from the usual one.
#[inline(never)]
fn walk_apart<'gc, M: Memory>(
    window: Window<'gc, M>,
    roots: Roots<'gc>,
    value: Tagged<'gc>,
    setting: Setting<'_>,
    writer: MsgpackWriter<'gc>,
    (bundled, references): (&mut Texts, &mut References),
) -> (Step, OutputBuffer<'gc>) {
    if setting.options & BUNDLE_STRINGS == 0 {
        references.begin();
        let (step, mut writer) = heap_walk::walk(window, roots, value, setting, writer, &mut *references);
        let step = step.map(|end| writer.insert_targets(end, references.targets()));
        references.shrink();
        return (step, writer.into_output());
    }
    // A message that is nothing but a string is not bundled.
    if matches!(window.classify(value), HeapValue::String(..)) {
        let (step, writer) = heap_walk::walk(window, roots, value, setting, writer, Indistinct);
        return (step, writer.into_output());
    }
    // What is inserted would come before bundles, whose offsets count bytes.
    if setting.options & STRUCTURED_CLONE != 0 {
        return (Err(Handover::References), writer.into_output());
    }
    let writer = BundlingWriter::new(writer, bundled);
    let (step, writer) = heap_walk::walk(window, roots, value, setting, writer, Indistinct);
    (step, writer.into_output())
}

/// `packHeap(value, roots)`: packs a value. The control block says where the result lies, or why the walk
/// stopped.
pub(super) struct PackHeap;

impl HotFunction<2> for PackHeap {
    type State = State;
    const NAME: &'static CStr = c"packHeap";

    #[inline(always)]
    fn call<'env>(env: &'env mut Env, state: &mut State, arguments: Arguments<'_, 2>) -> Returned<'env> {
        let options = state.control(control::OPTIONS) as u32;
        let start = state.control(control::CHUNK_START);
        let HeapState { heap, plans, own_slots, references } = &mut state.heap;
        let Some(heap) = heap else {
            control_block_mut(&mut state.control)[control::HANDOVER] = Handover::Unexpected as u32 + 1;
            return Ok(None);
        };
        state.output.clear();
        let output = mem::take(&mut state.output);
        let scope = NoGcScope::enter(env);
        let window = scope.window(heap);
        let roots = scope.argument(&arguments, 1).and_then(|roots| Roots::of(window, roots));
        let (Some(value), Some(roots)) = (scope.argument(&arguments, 0), roots) else {
            state.output = output;
            control_block_mut(&mut state.control)[control::HANDOVER] = Handover::Unexpected as u32 + 1;
            return Ok(None);
        };
        // Where the last message would not have fitted, the next one would have to move, too.
        let room =
            roots.chunk_room(window, start).filter(|room| state.end.since(Position::START) <= room.len());
        let output = match room {
            Some(room) => output.lend(room),
            None => output,
        };
        let writer = MsgpackWriter::new(output, options);
        let records = (options & RECORDS != 0).then(|| {
            let control = control_block(&state.control);
            let word = |word: usize| control[word];
            let known = state.known.half_words();
            let known = known.get(..word(control::KNOWN_SHAPES) as usize).unwrap_or_default();
            Records::begin(&state.shapes, known, own_slots, word(control::FIRST_OWN), word(control::END_OWN))
        });
        let setting = Setting { plans, records, options };
        let (step, mut output) = if options & (BUNDLE_STRINGS | STRUCTURED_CLONE) == 0 {
            let (step, writer) = heap_walk::walk(window, roots, value, setting, writer, Indistinct);
            (step, writer.into_output())
        } else {
            walk_apart(window, roots, value, setting, writer, (&mut state.bundled, references))
        };
        let outcome = match step {
            Ok(end) if output.overflowed(end) => Err(Handover::TooLarge),
            Ok(end) => {
                state.end = end;
                output.finish(end);
                Ok(end.since(Position::START))
            }
            Err(handover) => Err(handover),
        };
        let placed;
        (state.output, placed) = output.leave_room();
        let control = control_block_mut(&mut state.control);
        match outcome {
            Ok(length) => {
                control[control::RESULT_LENGTH] = length as u32;
                control[control::RESULT_PLACED] = u32::from(placed);
                control[control::HANDOVER] = 0;
            }
            Err(Handover::TooLarge) => return Err(EncodeError::TooLarge.into()),
            Err(handover) => control[control::HANDOVER] = handover as u32 + 1,
        }
        Ok(None)
    }
}
