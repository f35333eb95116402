// error: E0624
//! A number is no tagged word.

use ferropack::v8::tagged::Tagged;

pub fn case(word: Tagged<'_>) -> Option<i32> {
    #[cfg(feature = "wrong")]
    let word = Tagged::from_word(0x1001);
    word.smi()
}

fn main() {}
