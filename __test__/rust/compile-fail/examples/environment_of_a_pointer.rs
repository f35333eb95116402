// error: E0133
//! An environment is made where JavaScript has called, which is a promise to keep by hand.

use ferropack::node_api::env::Env;

pub fn case(env: &mut Env) {
    #[cfg(feature = "wrong")]
    let env = &mut Env::from_raw(std::ptr::null_mut());
    let _ = env;
}

fn main() {}
