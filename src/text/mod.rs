//! Transcoding between what V8 holds (Latin-1 and UTF-16) and what is on the wire (UTF-8). Leaf module;
//! what depends on the processor is in [`arch`].

pub mod arch;
pub mod latin1;
pub mod utf16;
pub mod utf8;
pub mod write;
