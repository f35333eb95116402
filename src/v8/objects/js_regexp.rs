//! Regular expressions. V8: `src/objects/js-regexp.tq`, `src/regexp/regexp-flags.h`.

use crate::v8::memory::{Memory, Window};
use crate::v8::tagged::{JsRegExp, Map, Ref, Tagged};

/// The letters of flags in the order in which they are written, and their bits.
const FLAGS: [(u8, u32); 8] = [
    (b'd', 1 << 7),
    (b'g', 1 << 0),
    (b'i', 1 << 1),
    (b'm', 1 << 2),
    (b's', 1 << 5),
    (b'u', 1 << 4),
    (b'v', 1 << 8),
    (b'y', 1 << 3),
];

/// The flags of a regular expression, as text.
#[derive(Clone, Copy)]
pub struct RegExpFlags {
    letters: [u8; FLAGS.len()],
    length: usize,
}

impl RegExpFlags {
    /// The letters.
    #[must_use]
    pub fn text(&self) -> &[u8] {
        self.letters.get(..self.length).unwrap_or_default()
    }
}

impl<'gc, M: Memory> Window<'gc, M> {
    /// Source and flags of a regular expression that has no properties of its own but `lastIndex`.
    #[must_use]
    pub fn regexp(
        self,
        regexp: Ref<'gc, JsRegExp>,
        map: Ref<'gc, Map>,
    ) -> Option<(Tagged<'gc>, RegExpFlags)> {
        let bits = self.bit_field3(map);
        if self.is_dictionary(bits) || self.hot().own_descriptors.of(bits) != 1 {
            return None;
        }
        let mut rest = self.load(regexp, self.layout().regexp_flags).smi()? as u32;
        let mut flags = RegExpFlags { letters: [0; FLAGS.len()], length: 0 };
        for (letter, bit) in FLAGS {
            if rest & bit != 0 {
                flags.letters[flags.length] = letter;
                flags.length += 1;
            }
            rest &= !bit;
        }
        // One of V8's own, or of years to come.
        (rest == 0).then(|| (self.load(regexp, self.layout().regexp_source), flags))
    }
}
