// error: E0502
//! A call of Node-API may move what a word points to.

use ferropack::node_api::env::Env;
use ferropack::node_api::module::Arguments;
use ferropack::v8::NoGcScope;

pub fn case(env: &mut Env, arguments: &Arguments<1>) -> bool {
    let scope = NoGcScope::enter(env);
    let word = scope.argument(arguments, 0);
    #[cfg(feature = "wrong")]
    let _ = env.array(1);
    word.is_some_and(|word| word.smi().is_some())
}

fn main() {}
