// error: E0624
//! An offset is no field: only a layout makes one.

use ferropack::v8::layout::Layout;
use ferropack::v8::layout::field::Field;

pub fn case(layout: &mut Layout) {
    layout.array_length = Field::clone(&layout.array_length);
    #[cfg(feature = "wrong")]
    {
        layout.array_length = Field::at(8);
    }
}

fn main() {}
