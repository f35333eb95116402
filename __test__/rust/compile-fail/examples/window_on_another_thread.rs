// error: E0277
//! Only the thread on which JavaScript waits may hold a window.

use std::thread;

use ferropack::node_api::env::Env;
use ferropack::v8::NoGcScope;

fn look(_: &NoGcScope<'_>) {}

pub fn case(env: &mut Env) {
    let scope = NoGcScope::enter(env);
    thread::scope(|threads| {
        #[cfg(feature = "wrong")]
        threads.spawn(|| look(&scope));
        #[cfg(not(feature = "wrong"))]
        threads.spawn(|| ());
        look(&scope);
    });
}

fn main() {}
