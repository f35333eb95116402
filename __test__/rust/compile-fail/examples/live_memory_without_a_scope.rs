// error: E0423
//! The memory of the process is not for anyone to read.

use ferropack::v8::memory::{Live, Memory};

pub fn case(live: &Live) -> bool {
    #[cfg(feature = "wrong")]
    let live = &Live(());
    live.failed()
}

fn main() {}
