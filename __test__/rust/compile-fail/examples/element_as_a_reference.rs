// error: E0308
//! A word is no reference before its tag was looked at.

use ferropack::node_api::env::Env;
use ferropack::node_api::module::Arguments;
use ferropack::v8::{Heap, NoGcScope};

pub fn case(env: &mut Env, arguments: &Arguments<1>, heap: &Heap) -> Option<usize> {
    let scope = NoGcScope::enter(env);
    let window = scope.window(heap);
    let word = scope.argument(arguments, 0)?;
    #[cfg(feature = "wrong")]
    return Some(window.map(word).address());
    #[cfg(not(feature = "wrong"))]
    Some(window.map(word.heap_object()?).address())
}

fn main() {}
