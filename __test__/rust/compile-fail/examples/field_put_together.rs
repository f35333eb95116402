// error: E0451
//! The offset of a field is private.

use ferropack::v8::layout::field::Field;
use ferropack::v8::memory::Word;
use ferropack::v8::tagged::JsArray;

pub fn case(field: Field<JsArray, Word>) -> usize {
    #[cfg(feature = "wrong")]
    let field = Field { offset: 8, ..field };
    field.offset()
}

fn main() {}
