//! Text between JavaScript's UTF-16 and the wire's UTF-8. Leaf module, no `unsafe`.

pub mod utf16;
pub mod utf8;
