//! MessagePack: <https://github.com/msgpack/msgpack/blob/master/spec.md>, with msgpackr's choices
//! where the specification leaves one.

pub mod bundle;
pub mod ext;
mod key_list;
pub mod marker;
mod number_form;
mod numbers;
pub mod outline;
mod record_id;
pub mod scanner;
mod short_arrays;
mod string_header;
mod timestamp;
pub mod writer;
