//! Our errors as JavaScript errors.

use crate::error::{DecodeError, EncodeError};

use super::env::{Env, Failed, Property, throw_last_resort};

/// Why a native function ends without a value.
#[derive(Clone, Copy, Debug)]
pub enum Thrown {
    /// The value can not be packed.
    Encode(EncodeError),
    /// The message can not be unpacked.
    Decode(DecodeError),
    /// A Node-API call failed; what it threw, if anything, stands.
    Failed,
}

impl From<EncodeError> for Thrown {
    fn from(error: EncodeError) -> Self {
        Self::Encode(error)
    }
}

impl From<DecodeError> for Thrown {
    fn from(error: DecodeError) -> Self {
        Self::Decode(error)
    }
}

impl From<Failed> for Thrown {
    fn from(Failed: Failed) -> Self {
        Self::Failed
    }
}

/// Throws `thrown` in JavaScript.
#[cold]
pub fn throw(env: &mut Env, thrown: Thrown) {
    let made = match thrown {
        Thrown::Encode(error) => {
            let (class, message) = error.describe();
            env.throw_error(class, message, &[])
        }
        Thrown::Decode(error) => {
            let (class, message) = error.describe();
            let mut properties = Vec::new();
            if error.is_incomplete() {
                properties.push((c"incomplete", Property::True));
            }
            if let Some(count) = error.missing_bytes() {
                properties.push((c"missingBytes", Property::Number(count as f64)));
            }
            env.throw_error(class, &message, &properties)
        }
        Thrown::Failed => Err(Failed),
    };
    if made.is_err() && !env.exception_pending() {
        throw_last_resort(env, c"A call of Node-API failed");
    }
}
