//! Reads of this process's memory that fail instead of faulting, for a layout that is on trial.
//!
//! The system copies whole pages (`process_vm_readv` and its like), so a pointer to nowhere is an error.
//! A failed read gives zeros and is remembered; the number of reads is bounded, so that a length read at
//! the wrong place can not keep a walk busy.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::ops::Range;

use read_process_memory::{CopyAddress, Pid, ProcessHandle};

use super::memory::{Memory, Place, units_of};

const PAGE: usize = 4096;
/// Bytes that one trial may read.
const BUDGET: usize = 1 << 23;

/// Memory of this process as it was when first looked at.
pub struct Probe {
    process: Option<ProcessHandle>,
    pages: RefCell<HashMap<usize, Option<Box<[u8; PAGE]>>>>,
    left: Cell<usize>,
    failed: Cell<bool>,
}

impl Default for Probe {
    fn default() -> Self {
        let process = Pid::try_from(std::process::id()).ok().and_then(|id| ProcessHandle::try_from(id).ok());
        Self {
            failed: Cell::new(process.is_none()),
            process,
            pages: RefCell::default(),
            left: Cell::new(BUDGET),
        }
    }
}

impl Probe {
    fn fail(&self) {
        self.failed.set(true);
    }

    fn page(&self, number: usize) -> Option<Box<[u8; PAGE]>> {
        let mut page = Box::new([0; PAGE]);
        let process = self.process.as_ref()?;
        process.copy_address(number * PAGE, page.as_mut_slice()).ok()?;
        Some(page)
    }

    /// Copies what lies at `address`.
    fn copy(&self, address: usize, bytes: &mut [u8]) {
        let left = self.left.get().checked_sub(bytes.len().max(1));
        let end = address.checked_add(bytes.len());
        let (Some(left), Some(_), false) = (left, end, self.failed.get()) else {
            return self.fail();
        };
        self.left.set(left);
        let mut pages = self.pages.borrow_mut();
        let mut done = 0;
        while done < bytes.len() {
            let from = address + done;
            let (number, start) = (from / PAGE, from % PAGE);
            let count = (PAGE - start).min(bytes.len() - done);
            let page = pages.entry(number).or_insert_with(|| self.page(number));
            let Some(page) = page else { return self.fail() };
            let part: Range<usize> = start..start + count;
            bytes[done..done + count].copy_from_slice(&page[part]);
            done += count;
        }
    }
}

impl Memory for Probe {
    fn read<const N: usize>(&self, place: Place) -> [u8; N] {
        let mut bytes = [0; N];
        self.copy(place.address(), &mut bytes);
        if self.failed.get() { [0; N] } else { bytes }
    }

    fn with_bytes<T>(&self, place: Place, length: usize, body: impl FnOnce(&[u8]) -> T) -> T {
        if length > self.left.get() {
            self.fail();
            return body(&[]);
        }
        let mut bytes = vec![0; length];
        self.copy(place.address(), &mut bytes);
        body(&bytes)
    }

    fn with_units<T>(&self, place: Place, length: usize, body: impl FnOnce(&[u16]) -> T) -> T {
        self.with_bytes(place, length.saturating_mul(2), |bytes| body(&units_of(bytes)))
    }

    fn failed(&self) -> bool {
        self.failed.get()
    }
}
