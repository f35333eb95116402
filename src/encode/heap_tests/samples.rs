//! Values of every kind, in every way in which V8 has them.

use crate::v8::fake_heap::value::{
    Array, Bytes, ErrorObject, Heritage, Key, Lineage, Member, Object, Oddity, Sort, Special, Storage, Text,
    TypedArray, Value,
};
use crate::v8::layout::ArrayType;

fn text(text: Text) -> Value {
    Value::String(text)
}

fn wide(text: &str) -> Text {
    Text::Plain { units: text.encode_utf16().collect(), wide: true }
}

fn external(text: &str, wide: bool) -> Text {
    Text::External { units: text.encode_utf16().collect(), wide }
}

fn sliced(parent: Text, start: usize, length: usize) -> Value {
    text(Text::Sliced(Box::new(parent), start, length))
}

fn typed(array_type: ArrayType, special: Option<Special>, on_heap: bool) -> Value {
    let bytes = vec![1, 2, 3, 4, 5, 6];
    Value::TypedArray(TypedArray { is_buffer: false, array_type, bytes, on_heap, special })
}

fn object(count: usize) -> Object {
    let keys: Vec<_> = (0..count).map(|index| format!("key{index}")).collect();
    let values = (0..count).map(|index| Value::Smi(index as i32 - 4));
    Object::plain(keys.iter().map(String::as_str).zip(values).collect())
}

fn with(sort: Sort, key: Key) -> Object {
    let mut object = object(2);
    object.properties.insert(1, (key, Member { sort, value: Value::Smi(9) }));
    object
}

fn array(values: Vec<Option<Value>>, storage: Storage) -> Value {
    let elements = values.into_iter().map(|value| value.map(Member::data)).collect();
    Value::Array(Array { elements, storage })
}

fn bytes(special: Option<Special>) -> Bytes {
    Bytes { bytes: vec![7, 8, 9], special }
}

fn error(lineage: Lineage) -> Value {
    let member = |text| Member { sort: Sort::Hidden, value: Value::String(Text::ascii(text)) };
    let properties = vec![
        (Key::ascii("stack"), member("where it was made")),
        (Key::ascii("message"), member("what happened")),
    ];
    Value::Error(ErrorObject { lineage, properties, dictionary: false })
}

/// So many that all choices of V8's come up.
fn many(value: impl Fn() -> Value) -> Value {
    let count = if cfg!(miri) { 3 } else { 40 };
    Array::of((0..count).map(|_| value()).collect())
}

/// At least one value for each thing that a layout says.
pub(super) fn samples() -> Vec<Value> {
    let named = |sort| with(sort, Key::ascii("other"));
    let in_dictionary = |object| Value::Object(Object { dictionary: true, ..object });
    let mut samples = vec![
        Value::Number(1.5),
        Value::BigInt(true, vec![77]),
        Value::Date(1_234_567.0),
        Value::Date(1.5e12),
        text(Text::ascii("a")),
        text(Text::ascii("b")),
        text(Text::ascii("c")),
        text(Text::ascii("short")),
        text(Text::ascii("longer than a word")),
        text(wide("wide")),
        text(Text::Cons(Box::new(Text::ascii("first")), Box::new(wide("second")))),
        text(Text::Thin(Box::new(Text::ascii("actual")))),
        text(external("external", false)),
        text(external("external", true)),
        sliced(Text::ascii("characters"), 3, 4),
        sliced(external("characters", false), 3, 4),
        Value::Map(vec![None, Some((Value::Smi(1), Value::Smi(2))), Some((Value::Smi(3), Value::Null))]),
        Value::Set(vec![Some(Value::Smi(1)), None, Some(Value::Smi(3))]),
        array(vec![Some(Value::Smi(1)), None, Some(Value::Bool(true))], Storage::Words),
        many(|| array(vec![Some(Value::Smi(0)), None, Some(Value::Number(0.5))], Storage::Doubles)),
        many(|| array(vec![Some(Value::Null)], Storage::Words)),
        array(vec![Some(Value::Null), None, Some(Value::Smi(1))], Storage::Dictionary),
        Value::Object(object(3)),
        many(|| Value::Object(object(3))),
        Value::Object(object(9)),
        in_dictionary(object(9)),
        Value::Object(object(40)),
        in_dictionary(named(Sort::Hidden)),
        in_dictionary(named(Sort::Accessor)),
        Value::Object(with(Sort::Data, Key::Symbol)),
        Value::Object(Object { special: true, ..object(1) }),
        Value::Object(Object { elements: vec![Some(Member::data(Value::Smi(1)))], ..object(1) }),
        Value::Boxed(Box::new(text(Text::ascii("boxed")))),
        Value::Boxed(Box::new(Value::Smi(1))),
        Value::Odd(Box::new(Value::Set(vec![])), Oddity::Subclass),
        Value::Function,
        typed(ArrayType::Uint8, None, false),
        typed(ArrayType::BigInt64, None, true),
        typed(ArrayType::Float64, None, true),
        Value::Buffer(bytes(None)),
        Value::DataView(bytes(None), 5),
        Value::RegExp(Text::ascii("source"), 0x91),
        error(Lineage::Error),
        error(Lineage::Class),
    ];
    for sort in [Sort::Hidden, Sort::HiddenAccessor, Sort::Accessor, Sort::InMap] {
        samples.push(Value::Object(named(sort)));
    }
    for special in [Special::Detached, Special::Shared, Special::Resizable, Special::ResizableKind] {
        samples.push(typed(ArrayType::Uint8, Some(special), false));
    }
    for heritage in [
        Heritage::Null,
        Heritage::Class,
        Heritage::LargeClass,
        Heritage::ClassWithToJson,
        Heritage::LargeClassWithToJson,
        Heritage::Claimed,
    ] {
        samples.push(Value::Object(Object { heritage, ..object(2) }));
    }
    samples
}
