// error: E0502
//! A call of Node-API in a window, in which more is read behind it.

use ferropack::node_api::env::Env;
use ferropack::node_api::module::Arguments;
use ferropack::v8::{Heap, NoGcScope};

pub fn case(env: &mut Env, arguments: &Arguments<1>, heap: &Heap) -> Option<String> {
    let scope = NoGcScope::enter(env);
    let window = scope.window(heap);
    #[cfg(feature = "wrong")]
    let _ = env.array(1);
    Some(window.describe(scope.argument(arguments, 0)?))
}

fn main() {}
