// error: E0308
//! A string has no length of an array.

use ferropack::node_api::env::Env;
use ferropack::node_api::module::Arguments;
use ferropack::v8::value::HeapValue;
use ferropack::v8::{Heap, NoGcScope};

pub fn case(env: &mut Env, arguments: &Arguments<1>, heap: &Heap) -> Option<u32> {
    let scope = NoGcScope::enter(env);
    let window = scope.window(heap);
    let HeapValue::String(string, _) = window.classify(scope.argument(arguments, 0)?) else { return None };
    #[cfg(feature = "wrong")]
    let _ = window.load(string, heap.layout().array_length);
    Some(window.load(string, heap.layout().string.length))
}

fn main() {}
