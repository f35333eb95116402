//! Safe wrappers of the Node-API calls in use.
//!
//! [`Env`] stands for "JavaScript on this thread is waiting for us". None of the wrapped calls runs
//! JavaScript, so what they hand out by reference stays as it is while the `Env` is borrowed.
//! The functions mirror Node's `js_native_api.h` and `node_api.h`.

use napi::sys;
use std::borrow::Cow;
use std::ffi::{CStr, c_void};
use std::marker::PhantomData;
use std::ptr::{null, null_mut};
use std::slice;

use super::module::Arguments;
use crate::buffer::SharedMemory;
use crate::error::Class;

/// The environment of one call.
pub struct Env {
    raw: sys::napi_env,
}

/// A JavaScript value, valid until the call returns.
#[derive(Clone, Copy)]
pub struct Value<'env> {
    raw: sys::napi_value,
    env: PhantomData<&'env ()>,
}

/// The bytes of a Uint8Array, or where they were copied to.
pub enum Input<'a> {
    /// They lie in memory that only this thread writes.
    Borrowed(&'a [u8]),
    /// So many were copied to the memory given.
    Copied(usize),
    /// They were shared with other threads.
    Owned(Vec<u8>),
}

/// A call of Node-API failed: an argument of the wrong type, or an exception is pending.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Failed;

fn check(status: sys::napi_status) -> Result<(), Failed> {
    if status == sys::Status::napi_ok { Ok(()) } else { Err(Failed) }
}

impl Value<'_> {
    /// The handle, for the return value of a callback.
    #[must_use]
    pub fn into_raw(self) -> sys::napi_value {
        self.raw
    }
}

impl Env {
    /// A handle of the running callback as a value that borrows this `Env`.
    pub(super) fn value(&self, raw: sys::napi_value) -> Value<'_> {
        Value { raw, env: PhantomData }
    }

    /// # Safety
    /// `raw` is the environment of the callback that is running, on its thread, and the `Env` does
    /// not outlive it.
    #[must_use]
    pub unsafe fn from_raw(raw: sys::napi_env) -> Self {
        Self { raw }
    }

    /// The arguments of this call; those not given are undefined.
    ///
    /// # Safety
    /// `info` belongs to the callback that is running.
    pub unsafe fn arguments<const N: usize>(
        &self,
        info: sys::napi_callback_info,
    ) -> Result<([Value<'_>; N], *mut c_void), Failed> {
        let mut count = N;
        let mut raw = [null_mut(); N];
        let mut data = null_mut();
        // SAFETY: `raw` has room for `count` handles, and Node-API fills all of them.
        check(unsafe {
            sys::napi_get_cb_info(self.raw, info, &raw mut count, raw.as_mut_ptr(), null_mut(), &raw mut data)
        })?;
        Ok((raw.map(|raw| Value { raw, env: PhantomData }), data))
    }

    /// The bytes of a Uint8Array. Those of a SharedArrayBuffer are copied, as another thread may be
    /// writing them.
    pub fn bytes<'a>(&'a self, value: Value<'a>) -> Result<Cow<'a, [u8]>, Failed> {
        Ok(match self.bytes_or_copy(value, &mut [])? {
            Input::Borrowed(bytes) => Cow::Borrowed(bytes),
            Input::Owned(bytes) => Cow::Owned(bytes),
            Input::Copied(_) => Cow::Borrowed(&[]),
        })
    }

    /// The bytes of a Uint8Array; if they fit, they are copied to `small`.
    #[inline(always)]
    pub fn bytes_or_copy<'a>(&'a self, value: Value<'a>, small: &mut [u8]) -> Result<Input<'a>, Failed> {
        let (mut length, mut data, mut buffer) = (0, null_mut(), null_mut());
        // The type is not asked for, which would double the cost: JavaScript has looked at it, and in
        // any typed array `length` elements are at least as many bytes.
        // SAFETY: out-parameters are valid; a value that is no typed array gives an error status.
        check(unsafe {
            sys::napi_get_typedarray_info(
                self.raw,
                value.raw,
                null_mut(),
                &raw mut length,
                &raw mut data,
                &raw mut buffer,
                null_mut(),
            )
        })?;
        if length == 0 || data.is_null() {
            return Ok(Input::Copied(0));
        }
        if length <= small.len() {
            // SAFETY: the backing store holds `length` bytes at `data` and lives as long as the handle;
            // `small` is memory of ours with room for them. Another thread may write shared memory
            // meanwhile; each byte is read once, and any value will do.
            unsafe { small.as_mut_ptr().copy_from_nonoverlapping(data.cast(), length) };
            return Ok(Input::Copied(length));
        }
        let mut owned_by_thread = false;
        // SAFETY: `buffer` was just returned by Node-API.
        check(unsafe { sys::napi_is_arraybuffer(self.raw, buffer, &raw mut owned_by_thread) })?;
        if owned_by_thread {
            // SAFETY: as above; the memory is detached or freed only by JavaScript or with its object,
            // neither of which can happen while `self` is borrowed.
            return Ok(Input::Borrowed(unsafe { slice::from_raw_parts(data.cast::<u8>(), length) }));
        }
        let mut copy = vec![0; length];
        // SAFETY: as for `small`.
        unsafe { copy.as_mut_ptr().copy_from_nonoverlapping(data.cast(), length) };
        Ok(Input::Owned(copy))
    }

    /// Writes `bytes` into the ArrayBuffer that is argument `index`, at `start`. False if they do not
    /// fit. As it borrows the environment mutably, no slice of JavaScript's memory is alive.
    pub fn copy_into<const N: usize>(
        &mut self,
        arguments: &Arguments<'_, N>,
        index: usize,
        start: usize,
        bytes: &[u8],
    ) -> Result<bool, Failed> {
        let target = arguments.values(self)[index];
        let (mut data, mut length) = (null_mut(), 0);
        // SAFETY: out-parameters are valid; a value that is no ArrayBuffer gives an error status.
        check(unsafe {
            sys::napi_get_arraybuffer_info(self.raw, target.raw, &raw mut data, &raw mut length)
        })?;
        if start.checked_add(bytes.len()).is_none_or(|end| end > length) || data.is_null() {
            return Ok(false);
        }
        // SAFETY: `start` is within the memory.
        let target = unsafe { data.cast::<u8>().add(start) };
        // SAFETY: there is room for the bytes behind `start`, and `bytes` is memory of ours, never that
        // of a JavaScript buffer.
        unsafe { target.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len()) };
        Ok(true)
    }

    /// Address and length of an ArrayBuffer's memory, to be compared.
    pub fn memory_of(&self, value: Value<'_>) -> Result<(usize, usize), Failed> {
        let (mut data, mut length) = (null_mut(), 0);
        // SAFETY: out-parameters are valid; a value that is no ArrayBuffer gives an error status.
        check(unsafe {
            sys::napi_get_arraybuffer_info(self.raw, value.raw, &raw mut data, &raw mut length)
        })?;
        Ok((data.addr(), length))
    }

    /// Appends the UTF-16 units of a string; `expected` is its length as JavaScript counted it.
    pub fn append_utf16(
        &self,
        value: Value<'_>,
        expected: usize,
        units: &mut Vec<u16>,
    ) -> Result<usize, Failed> {
        // Node-API writes a terminating zero as well.
        units.reserve(expected + 1);
        let mut length = 0;
        // SAFETY: the spare capacity has room for `expected + 1` units, and no more are written.
        check(unsafe {
            sys::napi_get_value_string_utf16(
                self.raw,
                value.raw,
                units.spare_capacity_mut().as_mut_ptr().cast(),
                expected + 1,
                &raw mut length,
            )
        })?;
        let end = units.len() + length.min(expected);
        // SAFETY: Node-API initialised `length` units behind the old end.
        unsafe { units.set_len(end) };
        Ok(length)
    }

    /// The text of a string.
    pub fn text(&self, value: Value<'_>) -> Result<String, Failed> {
        let mut length = 0;
        // SAFETY: without a buffer only the length is asked for.
        check(unsafe {
            sys::napi_get_value_string_utf16(self.raw, value.raw, null_mut(), 0, &raw mut length)
        })?;
        let mut units = Vec::new();
        self.append_utf16(value, length, &mut units)?;
        Ok(String::from_utf16_lossy(&units))
    }

    /// A string of Latin-1 bytes.
    pub fn string_latin1(&self, bytes: &[u8]) -> Result<Value<'_>, Failed> {
        let mut raw = null_mut();
        // SAFETY: pointer and length come from one slice.
        check(unsafe {
            sys::napi_create_string_latin1(
                self.raw,
                bytes.as_ptr().cast(),
                bytes.len() as isize,
                &raw mut raw,
            )
        })?;
        Ok(Value { raw, env: PhantomData })
    }

    /// A string of UTF-16 units.
    pub fn string_utf16(&self, units: &[u16]) -> Result<Value<'_>, Failed> {
        let mut raw = null_mut();
        // SAFETY: pointer and length come from one slice.
        check(unsafe {
            sys::napi_create_string_utf16(self.raw, units.as_ptr(), units.len() as isize, &raw mut raw)
        })?;
        Ok(Value { raw, env: PhantomData })
    }

    /// A new array of `length` elements.
    pub fn array(&self, length: usize) -> Result<Value<'_>, Failed> {
        let mut raw = null_mut();
        // SAFETY: plain out-parameter.
        check(unsafe { sys::napi_create_array_with_length(self.raw, length, &raw mut raw) })?;
        Ok(Value { raw, env: PhantomData })
    }

    /// Element of a list made by our own JavaScript: own data properties, and no prototype whose
    /// accessors could run instead.
    pub fn element<'a>(&'a self, array: Value<'a>, index: u32) -> Result<Value<'a>, Failed> {
        let mut raw = null_mut();
        // SAFETY: anything but an object gives an error status.
        check(unsafe { sys::napi_get_element(self.raw, array.raw, index, &raw mut raw) })?;
        Ok(Value { raw, env: PhantomData })
    }

    /// Sets an element of an array made here.
    pub fn set_element(&self, array: Value<'_>, index: u32, value: Value<'_>) -> Result<(), Failed> {
        // SAFETY: both are handles of this call.
        check(unsafe { sys::napi_set_element(self.raw, array.raw, index, value.raw) })
    }

    /// Runs `body` with handles of its own, so that a loop does not pile them up.
    pub fn scoped<T>(&self, body: impl FnOnce(&Self) -> Result<T, Failed>) -> Result<T, Failed> {
        let mut scope = null_mut();
        // SAFETY: opened and closed in pairs below; `T` carries no handle, as `Value` would borrow
        // from the `Self` inside.
        check(unsafe { sys::napi_open_handle_scope(self.raw, &raw mut scope) })?;
        let result = body(self);
        // SAFETY: the scope opened last.
        check(unsafe { sys::napi_close_handle_scope(self.raw, scope) })?;
        result
    }

    /// An ArrayBuffer over memory of ours, which lives until both sides have let go of it.
    pub fn array_buffer(&self, memory: &SharedMemory) -> Result<Value<'_>, Failed> {
        let mut raw = null_mut();
        let (data, length, token) = memory.share();
        // SAFETY: the share keeps `length` bytes at `data` alive until Node-API calls the finalizer,
        // which it does once, when the ArrayBuffer's memory is released.
        let status = unsafe {
            sys::napi_create_external_arraybuffer(
                self.raw,
                data,
                length,
                Some(end_share),
                token,
                &raw mut raw,
            )
        };
        check(status).inspect_err(|_| {
            // SAFETY: without an ArrayBuffer nobody else ends the share.
            unsafe { SharedMemory::end_share(token) }
        })?;
        Ok(Value { raw, env: PhantomData })
    }

    /// Throws an error with these own properties.
    pub(super) fn throw_error(
        &mut self,
        class: Class,
        message: &str,
        properties: &[(&CStr, Property)],
    ) -> Result<(), Failed> {
        let text = self.string_utf16(&message.encode_utf16().collect::<Vec<_>>())?.raw;
        let mut error = null_mut();
        let create = match class {
            Class::Error => sys::napi_create_error,
            Class::Range => sys::napi_create_range_error,
            Class::Type => sys::napi_create_type_error,
        };
        // SAFETY: the text is a string handle of this call; a null code means none.
        check(unsafe { create(self.raw, null_mut(), text, &raw mut error) })?;
        for (name, property) in properties {
            let mut value = null_mut();
            check(match property {
                // SAFETY: plain out-parameter.
                Property::True => unsafe { sys::napi_get_boolean(self.raw, true, &raw mut value) },
                // SAFETY: plain out-parameter.
                Property::Number(number) => unsafe {
                    sys::napi_create_double(self.raw, *number, &raw mut value)
                },
            })?;
            // SAFETY: the error object was made above; the name ends in a zero.
            check(unsafe { sys::napi_set_named_property(self.raw, error, name.as_ptr(), value) })?;
        }
        // SAFETY: an object of this call.
        check(unsafe { sys::napi_throw(self.raw, error) })
    }

    /// Whether an exception waits to be thrown when the callback returns.
    pub(super) fn exception_pending(&self) -> bool {
        let mut pending = false;
        // SAFETY: plain out-parameter.
        let status = unsafe { sys::napi_is_exception_pending(self.raw, &raw mut pending) };
        check(status).is_ok() && pending
    }
}

/// Value of a property that an error carries.
pub(super) enum Property {
    True,
    Number(f64),
}

/// Attaches a native function to an object.
///
/// # Safety
/// `callback` treats `data` as what it is, and `data` outlives the environment's last call.
pub(super) unsafe fn attach(
    env: sys::napi_env,
    object: sys::napi_value,
    name: &CStr,
    callback: sys::napi_callback,
    data: *mut c_void,
) -> Result<(), Failed> {
    let mut function = null_mut();
    // SAFETY: the name ends in a zero; the rest is the caller's promise.
    check(unsafe { sys::napi_create_function(env, name.as_ptr(), -1, callback, data, &raw mut function) })?;
    // SAFETY: handles of the module's initialisation.
    check(unsafe { sys::napi_set_named_property(env, object, name.as_ptr(), function) })?;
    Ok(())
}

/// Throws when nothing better can be said; never fails.
pub(super) fn throw_last_resort(env: &Env, message: &CStr) {
    // SAFETY: both texts end in a zero, and a null code means none.
    unsafe { sys::napi_throw_error(env.raw, null(), message.as_ptr()) };
}

/// Finalizer of the ArrayBuffers made by [`Env::array_buffer`].
unsafe extern "C" fn end_share(_env: sys::napi_env, _data: *mut c_void, token: *mut c_void) {
    // SAFETY: Node-API hands back the token given with the ArrayBuffer, once.
    unsafe { SharedMemory::end_share(token) };
}
