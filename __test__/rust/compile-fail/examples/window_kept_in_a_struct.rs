// error: E0502
//! A struct with a window in it keeps the environment borrowed as well.

use ferropack::node_api::env::Env;
use ferropack::node_api::module::Arguments;
use ferropack::v8::NoGcScope;

pub struct Kept<'env> {
    scope: NoGcScope<'env>,
}

pub fn case(env: &mut Env, arguments: &Arguments<1>) -> bool {
    let kept = Kept { scope: NoGcScope::enter(env) };
    #[cfg(feature = "wrong")]
    let _ = env.array(1);
    kept.scope.argument(arguments, 0).is_some()
}

fn main() {}
