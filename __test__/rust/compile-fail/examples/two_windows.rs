// error: E0499
//! There is one window at a time: what one is entrusted with the other would not know of.

use ferropack::node_api::env::Env;
use ferropack::node_api::module::Arguments;
use ferropack::v8::NoGcScope;

pub fn case(env: &mut Env, arguments: &Arguments<1>) -> bool {
    let scope = NoGcScope::enter(env);
    #[cfg(feature = "wrong")]
    let _other = NoGcScope::enter(env);
    scope.argument(arguments, 0).is_some()
}

fn main() {}
