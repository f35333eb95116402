// error: E0515
//! A reference can not be returned from where its window was opened.

use ferropack::node_api::env::Env;
use ferropack::node_api::module::Arguments;
use ferropack::v8::NoGcScope;
use ferropack::v8::tagged::{HeapObject, Ref};

pub fn case<'env>(env: &'env mut Env, arguments: &Arguments<1>) -> Option<Ref<'env, HeapObject>> {
    let scope = NoGcScope::enter(env);
    let object = scope.argument(arguments, 0)?.heap_object();
    #[cfg(feature = "wrong")]
    return object;
    #[cfg(not(feature = "wrong"))]
    let _ = object;
    #[cfg(not(feature = "wrong"))]
    None
}

fn main() {}
