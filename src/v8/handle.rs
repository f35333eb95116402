//! From a Node-API handle to the tagged word behind it.

use std::ffi::c_void;
use std::mem::align_of;

use super::tagged::Tagged;

/// The word that a handle of the running callback stands for. None for what can not be such a handle: a
/// build with direct handles passes the tagged pointer itself, which is odd.
#[inline(always)]
pub(super) fn tagged<'gc>(handle: *const c_void) -> Option<Tagged<'gc>> {
    let slot = handle.cast::<u64>();
    if slot.is_null() || slot.addr() % align_of::<u64>() != 0 {
        return None;
    }
    // SAFETY: in builds without direct handles, which were refused when the layout was proven, a
    // `napi_value` points to a slot of the caller's frame or of a handle scope, which holds the word as
    // long as the callback runs (Node's `js_native_api_v8.h`, `V8LocalValueFromJsValue`).
    Some(Tagged::from_word(unsafe { slot.read() }))
}
