// error: E0308
//! Of an object whose type was not looked at, no more than what all objects have.

use ferropack::node_api::env::Env;
use ferropack::node_api::module::Arguments;
use ferropack::v8::{Heap, NoGcScope};

pub fn case(env: &mut Env, arguments: &Arguments<1>, heap: &Heap) -> Option<usize> {
    let scope = NoGcScope::enter(env);
    let window = scope.window(heap);
    let object = scope.argument(arguments, 0)?.heap_object()?;
    #[cfg(feature = "wrong")]
    let _ = window.load(object, heap.layout().heap_number_value);
    Some(window.load(object, heap.layout().heap_object_map).address())
}

fn main() {}
