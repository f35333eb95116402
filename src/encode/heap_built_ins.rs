//! Built-ins of the heap walk that are told by what they hold and by their prototypes: views, ArrayBuffers, regular
//! expressions, errors; and which objects are left to the extensions of programs.

use super::handover::Handover;
use super::heap_identities::Identities;
use super::heap_walk::{HeapWalk, Step};
use crate::buffer::Position;
use crate::format::{Writer, types};
use crate::options::{MORE_TYPES, NO_TO_JSON};
use crate::v8::layout::ArrayType;
use crate::v8::memory::{Memory, Run, U8};
use crate::v8::objects::{Property, View};
use crate::v8::roots::{Extensions, Root};
use crate::v8::tagged::{
    HeapObject, JsArrayBuffer, JsError, JsRegExp, JsTypedArray, JsView, Map, Ref, Tagged,
};

/// Longest chain of prototypes that is looked at.
pub(super) const MAX_PROTOTYPES: usize = 32;

impl<'gc, W: Writer, M: Memory, I: Identities> HeapWalk<'_, 'gc, W, M, I> {
    /// Requires that an object with this prototype is no instance of a class that was registered.
    pub(super) fn refuse_extensions(&mut self, prototype: Ref<'gc, HeapObject>) -> Result<(), Handover> {
        let window = self.window;
        let classes = match self.roots.extensions(window) {
            Extensions::None => return Ok(()),
            Extensions::Of(classes) => classes,
            Extensions::Any => return Err(Handover::Extension),
        };
        if self.common_prototype.is_some_and(|common| common.is(prototype)) {
            return Ok(());
        }
        let null = self.roots.get(window, Root::Null);
        let mut next = prototype;
        for _ in 0..MAX_PROTOTYPES {
            if next.tagged().is(null) {
                self.common_prototype = Some(prototype);
                return Ok(());
            }
            for index in 0..classes.len() {
                if window.get(classes, index).is_none_or(|class| class.is(next.tagged())) || window.failed() {
                    return Err(Handover::Extension);
                }
            }
            next = window.prototype(window.map(next)).heap_object().ok_or(Handover::Unexpected)?;
        }
        Err(Handover::Extension)
    }

    /// Why an array whose prototype is not that of arrays is handed over.
    #[cold]
    pub(super) fn odd_array(&mut self, map: Ref<'gc, Map>) -> Handover {
        let refused =
            self.window.prototype(map).heap_object().map(|prototype| self.refuse_extensions(prototype));
        refused.and_then(Result::err).unwrap_or(Handover::Prototype)
    }

    /// Whether `constructor`, as read from a prototype, may be that of plain objects.
    #[inline(never)]
    fn may_pass_for_plain(&self, prototype: Ref<'gc, HeapObject>) -> bool {
        let window = self.window;
        let root = |root| self.roots.get(window, root);
        if !window.is_ordinary(prototype) {
            return true;
        }
        match window.property(prototype.with_properties(), root(Root::Constructor), root(Root::Null)) {
            Property::Data(constructor) => constructor.is(root(Root::Object)),
            Property::Absent | Property::Unknown => true,
        }
    }

    /// A typed array is what its memory is, whatever it inherits on the way to one of the usual prototypes.
    #[inline(always)]
    pub(super) fn typed_array(
        &mut self,
        at: Position,
        array: Ref<'gc, JsTypedArray>,
        map: Ref<'gc, Map>,
    ) -> Step {
        let window = self.window;
        let prototype = window.prototype(map);
        let is_buffer = self.roots.is_of_buffers(window, prototype);
        if is_buffer || !self.has(MORE_TYPES) && self.roots.is_of_views(window, prototype) {
            return self.binary(at, window.view(array, window.elements_kind(map)));
        }
        self.other_typed_array(at, array, map)
    }

    #[inline(never)]
    fn other_typed_array(&mut self, at: Position, array: Ref<'gc, JsTypedArray>, map: Ref<'gc, Map>) -> Step {
        let window = self.window;
        let prototype = window.prototype(map).heap_object().ok_or(Handover::Unexpected)?;
        if !self.roots.is_of_views(window, prototype.tagged()) && self.may_pass_for_plain(prototype) {
            return Err(Handover::Prototype);
        }
        let kind = window.elements_kind(map);
        let is_bare = !self.has(MORE_TYPES) || self.inherits_from_buffers(prototype)?;
        // What has no code is written as its bytes.
        let code = if is_bare { None } else { window.array_type(kind).map(code_of) };
        self.bytes(at, window.view(array, kind), code)
    }

    /// Whether a prototype is that of Buffers, or inherits from it.
    #[inline(never)]
    fn inherits_from_buffers(&self, prototype: Ref<'gc, HeapObject>) -> Result<bool, Handover> {
        let window = self.window;
        let null = self.roots.get(window, Root::Null);
        let mut next = prototype;
        for _ in 0..MAX_PROTOTYPES {
            if self.roots.is_of_buffers(window, next.tagged()) {
                return Ok(true);
            }
            if next.tagged().is(null) {
                return Ok(false);
            }
            next = window.prototype(window.map(next)).heap_object().ok_or(Handover::Unexpected)?;
        }
        Err(Handover::Prototype)
    }

    #[inline(never)]
    pub(super) fn data_view(&mut self, at: Position, view: Ref<'gc, JsView>) -> Step {
        self.bytes(at, self.window.data_view(view), self.has(MORE_TYPES).then_some(types::DATA_VIEW))
    }

    #[inline(never)]
    pub(super) fn array_buffer(&mut self, at: Position, buffer: Ref<'gc, JsArrayBuffer>) -> Step {
        self.bytes(at, self.window.buffer_bytes(buffer), self.has(MORE_TYPES).then_some(types::ARRAY_BUFFER))
    }

    /// Memory as the built-in that a code stands for, or as what it is.
    fn bytes(&mut self, at: Position, view: View<'gc>, code: Option<u8>) -> Step {
        let Some(code) = code else { return self.binary(at, view) };
        let run = self.lent(view)?;
        Ok(self.window.with_bytes(run, |bytes| self.writer.typed_array(at, code, bytes)))
    }

    #[inline(always)]
    fn binary(&mut self, at: Position, view: View<'gc>) -> Step {
        let run = self.lent(view)?;
        Ok(self.window.with_bytes(run, |bytes| self.writer.binary(at, bytes)))
    }

    /// Where results are written to nothing is lent: a view of the chunk may show that part.
    #[inline(always)]
    fn lent(&self, view: View<'gc>) -> Result<Run<'gc, U8>, Handover> {
        match view {
            View::Bytes(run) if !self.writer.meets(run.address(), run.len()) => Ok(run),
            View::Bytes(_) | View::Special => Err(Handover::Buffer),
        }
    }

    /// Says which built-in the array that follows stands for, where there are types for that.
    pub(super) fn typed(&mut self, at: Position, code: u8) -> Position {
        if self.has(MORE_TYPES) { self.writer.extended_value(at, code) } else { at }
    }

    #[inline(never)]
    pub(super) fn regexp(&mut self, at: Position, regexp: Ref<'gc, JsRegExp>, map: Ref<'gc, Map>) -> Step {
        let Some((source, flags)) = self.window.regexp(regexp, map) else { return Err(Handover::Kind) };
        let at = self.typed(at, types::REGEXP);
        let at = self.writer.array(at, 2);
        let at = self.name(at, source)?;
        Ok(self.writer.one_byte_string(at, flags.text()))
    }

    /// An error as its name, message and cause, which it may inherit.
    #[inline(never)]
    pub(super) fn error(
        &mut self,
        at: Position,
        error: Ref<'gc, JsError>,
        map: Ref<'gc, Map>,
        depth: u32,
    ) -> Step {
        let Some(depth) = depth.checked_sub(1) else { return Err(Handover::Depth) };
        let window = self.window;
        let undefined = self.roots.get(window, Root::Undefined);
        self.prove_error(error, map)?;
        let property = |root| {
            let (name, null) = (self.roots.get(window, root), self.roots.get(window, Root::Null));
            match window.property(error.object(), name, null) {
                Property::Data(value) => Ok(value),
                Property::Absent => Ok(undefined),
                Property::Unknown => Err(Handover::Accessor),
            }
        };
        let parts = [property(Root::Name)?, property(Root::Message)?, property(Root::Cause)?];
        if !self.is_name_of_one(parts[0]) {
            return Err(Handover::Kind);
        }
        let at = self.typed(at, types::ERROR);
        let mut at = self.writer.array(at, parts.len());
        for part in parts {
            at = self.any(at, part, depth)?;
        }
        Ok(at)
    }

    /// Requires that an error passes for nothing but an error, and chooses for itself how it is written by no
    /// toJSON.
    fn prove_error(&self, error: Ref<'gc, JsError>, map: Ref<'gc, Map>) -> Result<(), Handover> {
        let window = self.window;
        let root = |root| self.roots.get(window, root);
        let mut next = window.prototype(map).heap_object().ok_or(Handover::Unexpected)?;
        if next.tagged().is(root(Root::ErrorPrototype)) {
            return Ok(());
        }
        if self.may_pass_for_plain(next) {
            return Err(Handover::Class);
        }
        if !self.has(NO_TO_JSON)
            && !matches!(
                window.property(error.object(), root(Root::ToJson), root(Root::Null)),
                Property::Absent
            )
        {
            return Err(Handover::ToJson);
        }
        for _ in 0..MAX_PROTOTYPES {
            if next.tagged().is(root(Root::ErrorPrototype)) {
                return Ok(());
            }
            // One of several errors has a list of these.
            if next.tagged().is(root(Root::AggregateErrorPrototype)) || self.roots.claims(window, next) {
                return Err(Handover::Kind);
            }
            next = window.prototype(window.map(next)).heap_object().ok_or(Handover::Prototype)?;
        }
        Err(Handover::Prototype)
    }

    /// Whether an error of this name is one error. With the other name it has a list of errors, whatever its class.
    fn is_name_of_one(&self, name: Tagged<'gc>) -> bool {
        let window = self.window;
        let Some((string, instance_type)) = window.string(name) else { return false };
        let run = window.sequential_one_byte(string, instance_type);
        run.is_some_and(|run| window.with_bytes(run, |text| text != b"AggregateError"))
    }
}

/// What stands for the type of a typed array.
fn code_of(array_type: ArrayType) -> u8 {
    match array_type {
        ArrayType::Int8 => types::INT8,
        ArrayType::Uint8 => types::UINT8,
        ArrayType::Uint8Clamped => types::UINT8_CLAMPED,
        ArrayType::Int16 => types::INT16,
        ArrayType::Uint16 => types::UINT16,
        ArrayType::Int32 => types::INT32,
        ArrayType::Uint32 => types::UINT32,
        ArrayType::Float32 => types::FLOAT32,
        ArrayType::Float64 => types::FLOAT64,
        ArrayType::BigInt64 => types::BIGINT64,
        ArrayType::BigUint64 => types::BIGUINT64,
    }
}
