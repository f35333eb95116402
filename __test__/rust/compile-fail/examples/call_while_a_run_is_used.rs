// error: E0502
//! A call of Node-API may free what the words of an array lie in.

use ferropack::node_api::env::Env;
use ferropack::node_api::module::Arguments;
use ferropack::v8::objects::Elements;
use ferropack::v8::value::HeapValue;
use ferropack::v8::{Heap, NoGcScope};

pub fn case(env: &mut Env, arguments: &Arguments<1>, heap: &Heap) -> Option<usize> {
    let scope = NoGcScope::enter(env);
    let window = scope.window(heap);
    let HeapValue::Array(array, map) = window.classify(scope.argument(arguments, 0)?) else { return None };
    let Elements::Words(words) = window.elements(array.object(), map) else { return None };
    #[cfg(feature = "wrong")]
    let _ = env.array(1);
    Some(words.len())
}

fn main() {}
