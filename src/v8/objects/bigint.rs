//! BigInts. V8: `src/objects/bigint.h`.

use crate::v8::memory::{Memory, Window};
use crate::v8::tagged::{BigInt, Ref};

impl<'gc, M: Memory> Window<'gc, M> {
    /// Sign and magnitude of a bigint of at most 64 bits.
    #[must_use]
    pub fn small_bigint(self, bigint: Ref<'gc, BigInt>) -> Option<(bool, u64)> {
        let bits = self.load(bigint, self.layout().bigint_bits);
        let (negative, digits) = (bits & 1 != 0, bits >> 1 & 0x3fff_ffff);
        let run = self.run(bigint, self.layout().bigint_digits, digits as usize);
        match digits {
            0 => Some((false, 0)),
            1 => Some((negative, self.get(run, 0)?)),
            _ => None,
        }
    }
}
