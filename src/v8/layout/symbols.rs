//! Finds the symbols that V8 publishes for debuggers (`tools/gen-postmortem-metadata.py`), in whatever
//! defines them first in this process: Node's executable, or the library it was built into.

#[cfg(unix)]
use libloading::os::unix::Library;

/// The symbols of the running process.
pub struct Symbols {
    #[cfg(unix)]
    process: Library,
}

impl Symbols {
    /// Those that the dynamic loader finds.
    #[must_use]
    pub fn of_process() -> Self {
        Self {
            #[cfg(unix)]
            process: Library::this(),
        }
    }

    /// The value of the symbol `v8dbg_<name>`.
    #[cfg(unix)]
    #[must_use]
    pub fn value(&self, name: &str) -> Option<i64> {
        let symbol = format!("v8dbg_{name}");
        // SAFETY: the name is that of a constant of type `int`, in every V8 that has it, and looking a
        // symbol up in what is loaded already runs no code.
        let address = unsafe { self.process.get::<*const i32>(symbol) }.ok()?.into_raw().cast::<i32>();
        // SAFETY: the loader says that the constant lies there.
        (!address.is_null()).then(|| i64::from(unsafe { address.read_unaligned() }))
    }

    /// Windows' binaries export none.
    #[cfg(not(unix))]
    #[must_use]
    pub fn value(&self, _: &str) -> Option<i64> {
        None
    }
}
