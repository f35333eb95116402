//! The native half of Ferropack.
//!
//! ```text
//! pack:    value -> encode::heap_walk reads V8's objects ------------> format::Writer -> bytes
//!          or    -> js/walk.js fills the tape -> encode::tape_walk --> format::Writer -> bytes
//! unpack:  bytes -> format::Scanner -> decode::scan writes the tape -> js/build.js -> value
//! ```
//!
//! * [`exports`]: what JavaScript may call; [`node_api`]: the edge to Node, the only place with
//!   Node-API in it.
//! * [`encode`] and [`decode`]: from and to the [`tape`], knowing no wire format.
//! * [`v8`]: objects in V8's heap, knowing no wire format.
//! * [`mod@format`]: the wire formats, knowing no JavaScript.
//! * [`shapes`]: key lists with encoded keys; [`buffer`], [`number`], [`text`], [`options`],
//!   [`error`]: leaves that anyone may use.
//!
//! `unsafe` is allowed in `buffer` with its part, `node_api::env`, `node_api::module`, `text::arch::x86_64`,
//! `v8::memory`, `v8::handle`, `v8::layout::symbols` and nowhere else.

#[cfg(target_endian = "big")]
compile_error!("the tape's slots are read as little-endian words");

#[expect(unsafe_code, reason = "memory that JavaScript sees as well is managed by hand")]
pub mod buffer;
pub mod decode;
pub mod encode;
pub mod error;
pub mod exports;
pub mod format;
pub mod node_api;
pub mod number;
pub mod options;
pub mod shapes;
pub mod tape;
pub mod text;
pub mod v8;
