// error: E0502
//! To read an argument through Node-API flattens strings, which allocates.

use ferropack::node_api::env::Env;
use ferropack::node_api::module::Arguments;
use ferropack::v8::NoGcScope;

pub fn case(env: &mut Env, arguments: &Arguments<1>) -> bool {
    let scope = NoGcScope::enter(env);
    #[cfg(feature = "wrong")]
    let [text] = arguments.values(env);
    #[cfg(feature = "wrong")]
    let _ = env.text(text);
    scope.argument(arguments, 0).is_some()
}

fn main() {}
