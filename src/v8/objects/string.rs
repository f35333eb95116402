//! Strings. V8: `src/objects/string.tq`, `instance-type.h`.

use crate::v8::memory::{Memory, Run, U8, U16, Window};
use crate::v8::tagged::{AnyString, ConsString, Ref, SeqString, Tagged};

/// Bits of a string's type that say how it is represented.
const REPRESENTATION: u16 = 7;
const SEQUENTIAL: u16 = 0;
const CONS: u16 = 1;
const EXTERNAL: u16 = 2;
const SLICED: u16 = 3;
const THIN: u16 = 5;
/// Set where characters have one byte. Only true of the string that has the characters: others were made
/// when it may have been another.
const ONE_BYTE: u16 = 8;
/// Set where an external string does not keep the address of its data.
const UNCACHED: u16 = 0x10;

/// No string of V8's is longer (`String::kMaxLength`).
const MAX_LENGTH: usize = (1 << 29) - 24;

/// The characters of a string that is no concatenation.
#[derive(Clone, Copy)]
pub enum Leaf<'gc> {
    /// Latin-1
    OneByte(Run<'gc, U8>),
    /// UTF-16
    TwoByte(Run<'gc, U16>),
}

impl Leaf<'_> {
    /// Units in it.
    #[must_use]
    pub fn len(self) -> usize {
        match self {
            Self::OneByte(run) => run.len(),
            Self::TwoByte(run) => run.len(),
        }
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// A part of it, if it is as long.
    fn part(self, offset: usize, length: usize) -> Option<Self> {
        if offset.checked_add(length)? > self.len() {
            return None;
        }
        Some(match self {
            Self::OneByte(run) => Self::OneByte(run.behind(offset).first(length)),
            Self::TwoByte(run) => Self::TwoByte(run.behind(offset).first(length)),
        })
    }
}

/// A string, taken apart as far as one step goes.
#[derive(Clone, Copy)]
pub enum Text<'gc> {
    /// Its characters.
    Leaf(Leaf<'gc>),
    /// Two strings, one after the other.
    Cons(Ref<'gc, AnyString>, Ref<'gc, AnyString>),
    /// Its characters can not be had without V8's help.
    Unknown,
}

/// What number a key may be the text of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberInKey {
    /// This one, exactly.
    Integer(i64),
    /// None.
    No,
    /// Perhaps one that is not whole.
    Maybe,
}

/// Digits of which every whole number is a double.
const MAX_DIGITS: usize = 15;

fn number_in(text: impl Iterator<Item = u8>) -> NumberInKey {
    let mut value = 0;
    let mut negative = false;
    let mut empty = true;
    for (index, byte) in text.enumerate() {
        empty = false;
        match byte {
            b'-' if index == 0 => negative = true,
            // "-0" and numbers with more zeros than they need turn into other keys.
            b'0'..=b'9' if index < MAX_DIGITS && !(value == 0 && index > 0 && !(negative && index == 1)) => {
                value = value * 10 + i64::from(byte - b'0');
            }
            b'I' if index == 0 => return NumberInKey::Maybe,
            _ if index == 0 => return NumberInKey::No,
            _ => return NumberInKey::Maybe,
        }
    }
    match (negative, value) {
        _ if empty => NumberInKey::No,
        (true, 0) => NumberInKey::Maybe,
        (true, _) => NumberInKey::Integer(-value),
        (false, _) => NumberInKey::Integer(value),
    }
}

impl<'gc, M: Memory> Window<'gc, M> {
    /// Length of a string in units. 32 bits of their own: beside them lies the hash, which other threads
    /// may write.
    #[inline(always)]
    #[must_use]
    pub fn string_length(self, string: Ref<'gc, AnyString>) -> usize {
        (self.load(string, self.hot().string_length) as usize).min(MAX_LENGTH)
    }

    /// The characters of a sequential one-byte string.
    #[inline(always)]
    #[must_use]
    pub fn sequential_one_byte(
        self,
        string: Ref<'gc, AnyString>,
        instance_type: u16,
    ) -> Option<Run<'gc, U8>> {
        (instance_type & (REPRESENTATION | ONE_BYTE) == SEQUENTIAL | ONE_BYTE)
            .then(|| self.run(string.assume(), self.hot().string_one_byte, self.string_length(string)))
    }

    /// The parts of a concatenation. Its second part is empty if V8 has put them together since.
    #[inline(always)]
    #[must_use]
    pub fn cons_parts(
        self,
        string: Ref<'gc, AnyString>,
        instance_type: u16,
    ) -> Option<(Ref<'gc, AnyString>, Ref<'gc, AnyString>)> {
        let layout = &self.layout().string;
        let cons = string.assume::<ConsString>();
        (instance_type & REPRESENTATION == CONS)
            .then(|| (self.load(cons, layout.cons_first), self.load(cons, layout.cons_second)))
    }

    /// The first 8 bytes of a sequential one-byte string of 1 to 8 characters; those behind it are
    /// padding, and may be anything.
    #[inline(always)]
    #[must_use]
    pub fn short_string(self, string: Ref<'gc, AnyString>, length: usize) -> Option<u64> {
        (1..=8).contains(&length).then(|| self.load(string.assume::<SeqString>(), self.hot().string_word))
    }

    /// The string behind a word, if it is one, and its instance type.
    #[inline(always)]
    #[must_use]
    pub fn string(self, word: Tagged<'gc>) -> Option<(Ref<'gc, AnyString>, u16)> {
        let object = word.heap_object()?;
        let instance_type = self.instance_type(self.map(object));
        (instance_type < self.hot().first_nonstring).then(|| (object.assume(), instance_type))
    }

    /// The length of a sequential string of ASCII characters.
    #[must_use]
    pub fn ascii_length(self, word: Tagged<'gc>) -> Option<usize> {
        let (string, instance_type) = self.string(word)?;
        let run = self.sequential_one_byte(string, instance_type)?;
        self.with_bytes(run, <[u8]>::is_ascii).then(|| run.len())
    }

    /// What number a key may be the text of: a whole one, another one, or none.
    #[must_use]
    pub fn number_in_key(self, word: Tagged<'gc>) -> NumberInKey {
        let Some(Text::Leaf(leaf)) = self.string(word).map(|(string, kind)| self.text(string, kind)) else {
            return NumberInKey::Maybe;
        };
        match leaf {
            Leaf::OneByte(run) => self.with_bytes(run, |bytes| number_in(bytes.iter().copied())),
            Leaf::TwoByte(run) => {
                // What is above Latin-1 is in no number.
                let byte = |unit: &u16| u8::try_from(*unit).unwrap_or(b'?');
                self.with_units(run, |units| number_in(units.iter().map(byte)))
            }
        }
    }

    /// Whether a word is a sequential one-byte string of these characters.
    #[inline(always)]
    #[must_use]
    pub fn is_text(self, word: Tagged<'gc>, characters: &[u8]) -> bool {
        let Some(object) = word.heap_object() else { return false };
        let instance_type = self.instance_type(self.map(object));
        instance_type < self.hot().first_nonstring
            && self.sequential_one_byte(object.assume(), instance_type).is_some_and(|run| {
                run.len() == characters.len() && self.with_bytes(run, |bytes| bytes == characters)
            })
    }

    /// Takes a string apart.
    #[must_use]
    pub fn text(self, string: Ref<'gc, AnyString>, instance_type: u16) -> Text<'gc> {
        let layout = &self.layout().string;
        let length = self.string_length(string);
        match instance_type & REPRESENTATION {
            SEQUENTIAL => Text::Leaf(self.sequential(string, instance_type)),
            CONS => {
                let cons = string.assume::<ConsString>();
                let (first, second) =
                    (self.load(cons, layout.cons_first), self.load(cons, layout.cons_second));
                Text::Cons(first, second)
            }
            THIN => {
                let actual = self.load(string.assume(), layout.thin_actual);
                self.flat(actual).map_or(Text::Unknown, Text::Leaf)
            }
            SLICED => {
                let parent = self.load(string.assume(), layout.sliced_parent);
                let offset = self.load(string.assume(), layout.sliced_offset).smi();
                let offset = offset.and_then(|offset| usize::try_from(offset).ok());
                // A parent may have become a thin string since the slice was made.
                let part = self.flat(parent).zip(offset).and_then(|(leaf, offset)| leaf.part(offset, length));
                part.map_or(Text::Unknown, Text::Leaf)
            }
            EXTERNAL => self.external(string, instance_type).map_or(Text::Unknown, Text::Leaf),
            _ => Text::Unknown,
        }
    }

    /// For samples: the string that a sliced one is a part of, and its instance type.
    pub(in crate::v8) fn sliced_parent(
        self,
        string: Ref<'gc, AnyString>,
        instance_type: u16,
    ) -> Option<(Ref<'gc, AnyString>, u16)> {
        let is_sliced = instance_type & REPRESENTATION == SLICED;
        is_sliced
            .then(|| self.load(string.assume(), self.layout().string.sliced_parent).tagged())
            .and_then(|parent| self.string(parent))
    }

    fn sequential(self, string: Ref<'gc, AnyString>, instance_type: u16) -> Leaf<'gc> {
        let length = self.string_length(string);
        if instance_type & ONE_BYTE != 0 {
            Leaf::OneByte(self.run(string.assume(), self.hot().string_one_byte, length))
        } else {
            Leaf::TwoByte(self.run(string.assume(), self.layout().string.two_byte, length))
        }
    }

    fn external(self, string: Ref<'gc, AnyString>, instance_type: u16) -> Option<Leaf<'gc>> {
        if instance_type & UNCACHED != 0 {
            return None;
        }
        let data = self.load(string.assume(), self.layout().string.external_data);
        let length = self.string_length(string);
        if data == 0 && length != 0 {
            return None;
        }
        Some(if instance_type & ONE_BYTE != 0 {
            Leaf::OneByte(self.outside(data, length))
        } else {
            Leaf::TwoByte(self.outside(data, length))
        })
    }

    /// The characters of what a thin or sliced string stands for: it has them, or is thin itself.
    fn flat(self, string: Ref<'gc, AnyString>) -> Option<Leaf<'gc>> {
        let mut string = string;
        for _ in 0..2 {
            let instance_type = self.instance_type(self.map(string));
            if instance_type >= self.hot().first_nonstring {
                return None;
            }
            match instance_type & REPRESENTATION {
                SEQUENTIAL => return Some(self.sequential(string, instance_type)),
                EXTERNAL => return self.external(string, instance_type),
                THIN => string = self.load(string.assume(), self.layout().string.thin_actual),
                _ => return None,
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_keys() {
        let of = |text: &str| number_in(text.bytes());
        for number in [0, 7, 10, 100, -1, -907, 999_999_999_999_999] {
            assert_eq!(of(&number.to_string()), NumberInKey::Integer(number));
        }
        for text in
            ["00", "01", "-0", "-", "-01", "1.5", "1e21", "Infinity", "-Infinity", "1x", "9999999999999999"]
        {
            assert_eq!(of(text), NumberInKey::Maybe, "{text}");
        }
        for text in ["", "a", "NaN", " 1", "+1", ".5"] {
            assert_eq!(of(text), NumberInKey::No, "{text}");
        }
    }
}
