// error: E0277
//! A window may only be opened on the thread on which JavaScript waits.

use std::thread;

use ferropack::node_api::env::Env;
use ferropack::v8::NoGcScope;

pub fn case(env: &mut Env) {
    thread::scope(|threads| {
        #[cfg(feature = "wrong")]
        threads.spawn(|| {
            let _ = NoGcScope::enter(env);
        });
        #[cfg(not(feature = "wrong"))]
        threads.spawn(|| ());
        #[cfg(not(feature = "wrong"))]
        let _ = NoGcScope::enter(env);
    });
}

fn main() {}
