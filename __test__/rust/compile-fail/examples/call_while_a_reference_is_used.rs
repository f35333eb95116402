// error: E0502
//! A call of Node-API may move what a reference points to.

use ferropack::node_api::env::Env;
use ferropack::node_api::module::Arguments;
use ferropack::v8::NoGcScope;

pub fn case(env: &mut Env, arguments: &Arguments<1>) -> Option<usize> {
    let scope = NoGcScope::enter(env);
    let object = scope.argument(arguments, 0)?.heap_object()?;
    #[cfg(feature = "wrong")]
    let _ = env.string_latin1(b"text");
    Some(object.address())
}

fn main() {}
