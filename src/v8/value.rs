//! What a tagged word is: the frequent kinds at once, the others in a second step.

use super::memory::{Memory, Window};
use super::tagged::{
    AnyString, BigInt, HeapObject, JsArray, JsArrayBuffer, JsCollection, JsDate, JsError, JsObject,
    JsPrimitiveWrapper, JsRegExp, JsTypedArray, JsView, Map, Ref, Tagged,
};

/// A value by the kinds that most values have.
#[derive(Clone, Copy)]
pub enum HeapValue<'gc> {
    /// A small integer.
    Smi(i32),
    /// A string, and its instance type.
    String(Ref<'gc, AnyString>, u16),
    /// Any other number.
    Number(f64),
    /// undefined, null, true, false, or up to V8 11 a hole.
    Oddball,
    /// An object without internal slots.
    Object(Ref<'gc, JsObject>, Ref<'gc, Map>),
    /// An array.
    Array(Ref<'gc, JsArray>, Ref<'gc, Map>),
    /// Anything else, and its instance type.
    Other(Ref<'gc, HeapObject>, Ref<'gc, Map>, u16),
}

/// The rarer kinds.
#[derive(Clone, Copy)]
pub enum Exotic<'gc> {
    /// A bigint.
    BigInt(Ref<'gc, BigInt>),
    /// A Date.
    Date(Ref<'gc, JsDate>),
    /// A Map.
    Map(Ref<'gc, JsCollection>),
    /// A Set.
    Set(Ref<'gc, JsCollection>),
    /// A typed array.
    TypedArray(Ref<'gc, JsTypedArray>),
    /// A DataView, of a buffer that has a fixed length.
    DataView(Ref<'gc, JsView>),
    /// An ArrayBuffer, or a SharedArrayBuffer.
    ArrayBuffer(Ref<'gc, JsArrayBuffer>),
    /// A regular expression.
    RegExp(Ref<'gc, JsRegExp>),
    /// An error.
    Error(Ref<'gc, JsError>),
    /// A boxed primitive.
    Wrapper(Ref<'gc, JsPrimitiveWrapper>),
    /// What only JavaScript knows how to treat.
    Unknown,
}

impl<'gc, M: Memory> Window<'gc, M> {
    /// Finds the kind of a value. The map and the type come before anything else of an object: what lies
    /// behind a hole's map may not be readable.
    #[inline(always)]
    #[must_use]
    pub fn classify(self, value: Tagged<'gc>) -> HeapValue<'gc> {
        if let Some(smi) = value.smi() {
            return HeapValue::Smi(smi);
        }
        let Some(object) = value.heap_object() else { return HeapValue::Oddball };
        let map = self.map(object);
        let instance_type = self.instance_type(map);
        let hot = self.hot();
        if instance_type < hot.first_nonstring {
            HeapValue::String(object.assume(), instance_type)
        } else if instance_type == hot.object {
            HeapValue::Object(object.assume(), map)
        } else if instance_type == hot.heap_number {
            HeapValue::Number(self.heap_number(object.assume()))
        } else if instance_type == self.layout().types.array {
            HeapValue::Array(object.assume(), map)
        } else if instance_type == hot.oddball {
            HeapValue::Oddball
        } else {
            HeapValue::Other(object, map, instance_type)
        }
    }

    /// Finds the kind of a rarer object.
    #[must_use]
    pub fn exotic(self, object: Ref<'gc, HeapObject>, instance_type: u16) -> Exotic<'gc> {
        let types = &self.layout().types;
        if instance_type == types.date {
            Exotic::Date(object.assume())
        } else if instance_type == types.typed_array {
            Exotic::TypedArray(object.assume())
        } else if instance_type == types.js_map {
            Exotic::Map(object.assume())
        } else if instance_type == types.js_set {
            Exotic::Set(object.assume())
        } else if instance_type == types.bigint {
            Exotic::BigInt(object.assume())
        } else if instance_type == types.primitive_wrapper {
            Exotic::Wrapper(object.assume())
        } else if instance_type == types.error {
            Exotic::Error(object.assume())
        } else if instance_type == types.array_buffer {
            Exotic::ArrayBuffer(object.assume())
        } else if instance_type == types.data_view {
            Exotic::DataView(object.assume())
        } else if instance_type == types.regexp {
            Exotic::RegExp(object.assume())
        } else {
            Exotic::Unknown
        }
    }
}
