//! Codes of built-ins that have extension types of their own, and of what [`super::Writer::typed_array`] writes.
//! `src/js/walk-built-ins.js` has the same.

pub use super::msgpack::ext::{ERROR, REGEXP, SET};

/// Int8Array
pub const INT8: u8 = 0;
/// Uint8Array
pub const UINT8: u8 = 1;
/// Uint8ClampedArray
pub const UINT8_CLAMPED: u8 = 2;
/// Int16Array
pub const INT16: u8 = 3;
/// Uint16Array
pub const UINT16: u8 = 4;
/// Int32Array
pub const INT32: u8 = 5;
/// Uint32Array
pub const UINT32: u8 = 6;
/// Float32Array
pub const FLOAT32: u8 = 7;
/// Float64Array
pub const FLOAT64: u8 = 8;
/// BigInt64Array
pub const BIGINT64: u8 = 9;
/// BigUint64Array
pub const BIGUINT64: u8 = 10;
/// ArrayBuffer
pub const ARRAY_BUFFER: u8 = 16;
/// DataView
pub const DATA_VIEW: u8 = 17;
