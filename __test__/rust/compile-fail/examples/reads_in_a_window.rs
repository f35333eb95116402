// compiles
//! What all other cases forbid something of: arguments are read in a window, and the environment is used
//! before and behind it.

use ferropack::node_api::env::{Env, Failed};
use ferropack::node_api::module::Arguments;
use ferropack::v8::value::HeapValue;
use ferropack::v8::{Heap, NoGcScope};

pub fn length(env: &mut Env, arguments: &Arguments<1>, heap: &Heap) -> Result<usize, Failed> {
    env.array(0)?;
    let scope = NoGcScope::enter(env);
    let window = scope.window(heap);
    let length = scope.argument(arguments, 0).map_or(0, |value| match window.classify(value) {
        HeapValue::String(string, _) => window.string_length(string),
        HeapValue::Array(array, _) => {
            window.load(array, heap.layout().array_length).smi().map_or(0, |n| n as usize)
        }
        _ => 0,
    });
    env.array(length)?;
    Ok(length)
}

fn main() {}
