// error: E0624
//! What class an object is of is not for anyone to say.

use ferropack::v8::tagged::{HeapObject, JsArray, Ref};

pub fn case(object: Ref<'_, HeapObject>) -> usize {
    #[cfg(feature = "wrong")]
    let object: Ref<'_, JsArray> = object.assume();
    object.address()
}

pub fn other(array: Ref<'_, JsArray>) -> usize {
    array.object().address()
}

fn main() {}
