//! How to get from an object to what is in it, a file for each of V8's classes. Safe code over
//! [`super::memory`]; every length is what the object says of itself, and an index is checked against it.

mod bigint;
mod fixed_array;
mod js_array_buffer;
mod js_object;
mod js_regexp;
mod map;
mod property;
mod string;

pub use self::fixed_array::HOLE_NAN;
pub use self::js_array_buffer::View;
pub use self::js_object::{Elements, InObject};
pub use self::map::{Descriptor, Descriptors};
pub use self::property::Property;
pub use self::string::{Leaf, NumberInKey, Text};
