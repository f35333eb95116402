//! What JavaScript calls to find the end of a value that comes in pieces.

use napi_derive::napi;

use super::State;
use crate::decode::boundary::{Boundary, Found};
use crate::decode::definitions::TableRecords;
use crate::decode::row::Row;
use crate::format::msgpack::outline::Msgpack;
use crate::node_api::instance::Instance;

/// The search for the end of one value. It belongs to the JavaScript object that stands for it, so streams
/// that are dropped in the middle of a value leave nothing behind.
#[napi]
#[derive(Default)]
pub struct BoundaryScan(Boundary);

#[napi]
impl BoundaryScan {
    /// A search at the beginning of a value.
    #[napi(constructor)]
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Begins anew with another value: to make an object costs ten times as much as to look at a small value.
    #[napi(catch_unwind)]
    pub fn restart(&mut self) {
        self.0 = Boundary::default();
    }

    /// Goes on with the first `length` bytes of `held`, the value's bytes as far as they have come. The
    /// record table is that of the unpackr that will read it, and `mode` is its record mode.
    ///
    /// The result is the place where the value ends; or, below 0, minus the number of bytes without which
    /// there can be no progress; or 0 where a record is not known that reading the value may load; or NaN
    /// where only reading it can tell.
    #[napi(catch_unwind)]
    pub fn scan(&mut self, env: napi::Env, held: &[u8], length: u32, mode: u32) -> napi::Result<f64> {
        let input = held.get(..length as usize).unwrap_or(held);
        let found = Instance::<State>::of(&env)?.with(|state| {
            let records = TableRecords::new(&state.decoder.records, mode);
            let types = &state.decoder.extensions;
            self.0.scan::<Msgpack>(input, &records, |code, short| types.reaches(code, short))
        });
        Ok(match found {
            Found::End(position) => position as f64,
            Found::Needs(bytes) => -(bytes as f64),
            Found::Unloaded => 0.0,
            Found::Unclear => f64::NAN,
        })
    }

    /// How far the search has come.
    #[napi(getter, catch_unwind)]
    #[must_use]
    pub fn position(&self) -> f64 {
        self.0.position() as f64
    }
}

/// The search for values in a row.
#[napi]
#[derive(Default)]
pub struct RowScan(Row);

#[napi]
impl RowScan {
    /// A search that has found nothing yet.
    #[napi(constructor)]
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Counts the whole values in a row in `chunk` from `start` to `end`, up to `most` of them, that may be
    /// read together. `mode` is as above.
    #[napi(catch_unwind)]
    pub fn count(
        &mut self,
        env: napi::Env,
        chunk: &[u8],
        start: u32,
        end: u32,
        most: u32,
        mode: u32,
    ) -> napi::Result<u32> {
        let input = chunk.get(..end as usize).unwrap_or(chunk);
        let count = Instance::<State>::of(&env)?.with(|state| {
            let records = TableRecords::new(&state.decoder.records, mode);
            self.0.count::<Msgpack>(input, start as usize, most as usize, &records)
        });
        Ok(count as u32)
    }

    /// Where the values counted last end.
    #[napi(getter, catch_unwind)]
    #[must_use]
    pub fn end(&self) -> f64 {
        self.0.end() as f64
    }
}
