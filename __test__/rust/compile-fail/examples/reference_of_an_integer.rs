// error: E0624
//! An address is no reference.

use ferropack::v8::tagged::{HeapObject, Ref};

pub fn case(object: Ref<'_, HeapObject>) -> usize {
    #[cfg(feature = "wrong")]
    let object = Ref::<HeapObject>::at(object.address());
    object.address()
}

fn main() {}
