// error: E0597
//! The words of an array can not be kept for the next call.

use ferropack::node_api::env::Env;
use ferropack::node_api::module::Arguments;
use ferropack::v8::memory::{Run, Word};
use ferropack::v8::objects::Elements;
use ferropack::v8::value::HeapValue;
use ferropack::v8::{Heap, NoGcScope};

pub fn case<'kept>(
    env: &'kept mut Env,
    arguments: &Arguments<1>,
    heap: &'kept Heap,
    kept: &mut Vec<Run<'kept, Word>>,
) {
    let scope = NoGcScope::enter(env);
    let window = scope.window(heap);
    let Some(HeapValue::Array(array, map)) = scope.argument(arguments, 0).map(|word| window.classify(word))
    else {
        return;
    };
    let Elements::Words(words) = window.elements(array.object(), map) else { return };
    #[cfg(feature = "wrong")]
    kept.push(words);
    #[cfg(not(feature = "wrong"))]
    kept.truncate(words.len());
}

fn main() {}
