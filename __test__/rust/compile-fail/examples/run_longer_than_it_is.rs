// error: E0451
//! How many things stand in a row is what their object says.

use ferropack::v8::memory::{Run, U8};

pub fn case(run: Run<'_, U8>) -> usize {
    #[cfg(feature = "wrong")]
    let run = Run { length: 1000, ..run };
    run.len()
}

fn main() {}
