// error: E0597
//! A word means nothing once its window is closed.

use ferropack::node_api::env::Env;
use ferropack::node_api::module::Arguments;
use ferropack::v8::NoGcScope;

pub fn case(env: &mut Env, arguments: &Arguments<1>) -> bool {
    let mut is_smi = false;
    #[cfg(feature = "wrong")]
    let kept;
    {
        let scope = NoGcScope::enter(env);
        let word = scope.argument(arguments, 0);
        is_smi |= word.is_some_and(|word| word.smi().is_some());
        #[cfg(feature = "wrong")]
        {
            kept = word;
        }
    }
    #[cfg(feature = "wrong")]
    drop(kept);
    is_smi
}

fn main() {}
