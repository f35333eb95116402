// error: E0521
//! A window can not be put where it outlives the call.

use std::cell::RefCell;

use ferropack::node_api::env::Env;
use ferropack::v8::NoGcScope;

thread_local! {
    static KEPT: RefCell<Option<NoGcScope<'static>>> = const { RefCell::new(None) };
}

pub fn case(env: &mut Env) {
    let scope = NoGcScope::enter(env);
    #[cfg(feature = "wrong")]
    KEPT.set(Some(scope));
    #[cfg(not(feature = "wrong"))]
    let _ = (scope, KEPT.take());
}

fn main() {}
