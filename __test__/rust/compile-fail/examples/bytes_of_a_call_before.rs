// error: E0502
//! Bytes that Node-API lent are not looked at in a window: the environment is borrowed for them.

use ferropack::node_api::env::{Env, Failed};
use ferropack::node_api::module::Arguments;
use ferropack::v8::NoGcScope;

pub fn case(env: &mut Env, arguments: &Arguments<1>) -> Result<usize, Failed> {
    let [bytes] = arguments.values(env);
    let bytes = env.bytes(bytes)?;
    #[cfg(not(feature = "wrong"))]
    let length = bytes.len();
    let scope = NoGcScope::enter(env);
    #[cfg(feature = "wrong")]
    let length = bytes.len();
    Ok(length + usize::from(scope.argument(arguments, 0).is_some()))
}

fn main() {}
