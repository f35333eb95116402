//! Registration of the hot functions, and the guard that keeps panics out of Node.

use napi::bindgen_prelude::{JsValue, Object};
use napi::sys;
use std::cell::RefCell;
use std::ffi::{CStr, c_void};
use std::marker::PhantomData;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::null_mut;

use crate::buffer::AllocationFailed;
use crate::error::EncodeError;

use super::env::{Env, Failed, Value, attach, throw_last_resort};
use super::instance::Instance;
use super::throw::{Thrown, throw};

/// What a hot function gives back: a value, undefined, or what to throw.
pub type Returned<'env> = Result<Option<Value<'env>>, Thrown>;

/// A native function that JavaScript calls once or more per message. It is registered by hand: the
/// attribute macro of napi costs 70 ns more per call that has an argument.
pub trait HotFunction<const ARGUMENTS: usize> {
    /// What the environment keeps between calls.
    type State;
    /// Name of the property.
    const NAME: &'static CStr;

    /// The work; `None` returns undefined to JavaScript.
    fn call<'env>(
        env: &'env mut Env,
        state: &mut Self::State,
        arguments: Arguments<'_, ARGUMENTS>,
    ) -> Returned<'env>;
}

/// The arguments of a call, not yet tied to a borrow of the [`Env`].
pub struct Arguments<'call, const N: usize>([sys::napi_value; N], PhantomData<&'call ()>);

impl<const N: usize> Arguments<'_, N> {
    /// The arguments as values that borrow `env`.
    #[must_use]
    pub fn values<'env>(&self, env: &'env Env) -> [Value<'env>; N] {
        self.0.map(|raw| env.value(raw))
    }

    /// The handle of an argument; undefined's if it was not given.
    #[inline(always)]
    #[must_use]
    pub fn handle(&self, index: usize) -> *const c_void {
        self.0[index].cast()
    }
}

/// Attaches hot functions to the module's exports while it is initialised.
pub struct Registrar<'a, S> {
    env: sys::napi_env,
    exports: sys::napi_value,
    instance: &'a Instance<S>,
}

impl<'a, S: 'static> Registrar<'a, S> {
    /// Functions attached through this find `instance`, which must have been installed in `env`.
    #[must_use]
    pub fn new(env: &napi::Env, exports: &Object<'_>, instance: &'a Instance<S>) -> Self {
        Self { env: env.raw(), exports: exports.raw(), instance }
    }

    /// Attaches `F`.
    pub fn hot<F: HotFunction<N, State = S>, const N: usize>(&self) -> napi::Result<()> {
        let state = self.instance.address().cast_mut().cast();
        // SAFETY: `trampoline` treats its data as the state of `F`, and `Instance::install` keeps
        // that alive until the environment ends, after its last call.
        unsafe { attach(self.env, self.exports, F::NAME, Some(trampoline::<F, N>), state) }
            .map_err(|Failed| napi::Error::from_reason("a native function could not be attached"))
    }
}

unsafe extern "C" fn trampoline<F: HotFunction<N>, const N: usize>(
    raw: sys::napi_env,
    info: sys::napi_callback_info,
) -> sys::napi_value {
    // SAFETY: Node-API calls this with the environment of the running callback.
    let mut env = unsafe { Env::from_raw(raw) };
    // A panic must not unwind into C++. Everything it could leave half done is cleared at the start
    // of the next call, which is why asserting unwind safety holds.
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        // SAFETY: `info` belongs to this callback.
        let (values, data) = unsafe { env.arguments::<N>(info) }.map_err(|Failed| Thrown::Failed)?;
        let arguments = Arguments(values.map(Value::into_raw), PhantomData);
        // SAFETY: `Registrar::hot` attached this function with its state, alive while calls happen.
        let state = unsafe { &*data.cast::<RefCell<F::State>>() };
        // No native function calls JavaScript, so this can only fail if that changes.
        let mut state = state.try_borrow_mut().map_err(|_| Thrown::Failed)?;
        let value = F::call(&mut env, &mut state, arguments)?;
        Ok(value.map_or(null_mut(), Value::into_raw))
    }));
    match outcome {
        Ok(Ok(value)) => value,
        Ok(Err(thrown)) => {
            throw(&mut env, thrown);
            null_mut()
        }
        Err(cause) if cause.is::<AllocationFailed>() => {
            throw(&mut env, Thrown::Encode(EncodeError::OutOfMemory));
            null_mut()
        }
        Err(_panic) => {
            throw_last_resort(&env, c"Internal error in ferropack's native code");
            null_mut()
        }
    }
}
