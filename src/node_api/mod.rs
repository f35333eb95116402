//! The Node-API edge: everything that touches `napi_env`. With [`crate::exports`] the only user of
//! the napi crates.

#[expect(unsafe_code, reason = "Node-API is a C interface; this is the one file that calls it")]
pub mod env;
pub mod instance;
#[expect(unsafe_code, reason = "callbacks from C and the memory both languages share")]
pub mod module;
pub mod throw;
