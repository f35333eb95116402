//! Everything native that belongs to one environment (the main thread, or a worker): there are no
//! statics, so environments can not meet.

use std::cell::RefCell;
use std::rc::Rc;

/// State of an environment, alive until Node-API ends the environment.
pub struct Instance<S>(Rc<RefCell<S>>);

impl<S: 'static> Instance<S> {
    /// Ties `state` to `env`.
    pub fn install(env: &napi::Env, state: S) -> napi::Result<Self> {
        let state = Rc::new(RefCell::new(state));
        env.set_instance_data(Rc::clone(&state), (), |_| {})?;
        Ok(Self(state))
    }

    /// The state of the environment that is calling.
    pub fn of(env: &napi::Env) -> napi::Result<Self> {
        let state = env.get_instance_data::<Rc<RefCell<S>>>()?;
        state
            .map(|state| Self(Rc::clone(state)))
            .ok_or_else(|| napi::Error::from_reason("ferropack is not initialised in this environment"))
    }

    /// Runs `body` on the state.
    pub fn with<T>(&self, body: impl FnOnce(&mut S) -> T) -> T {
        body(&mut self.0.borrow_mut())
    }

    /// Where the state lies.
    pub(super) fn address(&self) -> *const RefCell<S> {
        Rc::as_ptr(&self.0)
    }
}
