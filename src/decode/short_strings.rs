//! Short strings that come again and again: codes, tags, units. JavaScript keeps them by number, so a
//! message that holds one needs no text for it.
//!
//! A string gets a number when it is met a second time while its place remembers the first; places
//! are few and shared, so unique strings leave nothing behind. A string defined in a message reaches
//! JavaScript in a list, before the message is built. Both sides must agree at all times: the list is
//! confirmed by the next call, and without that all numbers are dropped.

use super::strings::Strings;
use crate::tape::slot;

/// Longest string in bytes.
pub const MAX_LENGTH: usize = 8;
/// Number of places.
const PLACES: usize = 1 << PLACE_BITS;
const PLACE_BITS: u32 = 11;
/// Look-ups after which the share of hits decides whether to go on.
const TRIAL: u32 = 1 << 10;
/// Look-ups that are left out when hits were few.
const PAUSE: u32 = 1 << 14;

/// A place: the string that has its number, and the one met last.
#[derive(Clone, Copy, Default)]
struct Place {
    text: u64,
    candidate: u64,
    /// Message that used the number last; it must not change hands in the same one.
    used: u32,
    length: u8,
    candidate_length: u8,
}

/// The strings of one wire format's messages.
#[derive(Default)]
pub struct ShortStrings {
    places: Vec<Place>,
    /// What JavaScript is to define before this message is built.
    definitions: Vec<u64>,
    message: u32,
    lookups: u32,
    hits: u32,
    pause: u32,
    /// No number is given while an outer message is being built.
    frozen: bool,
}

/// Outcome of a look-up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// JavaScript has the string under this number.
    Number(u32),
    /// It is to be defined under this number.
    New(u32),
    /// It is a string like any other.
    Nothing,
}

impl ShortStrings {
    /// Starts a message. `confirmed` says that JavaScript made the definitions of the one before,
    /// `outermost` that no other message is being built, whose numbers must not change hands.
    pub fn begin(&mut self, outermost: bool, confirmed: bool) {
        self.frozen = !outermost;
        if !self.definitions.is_empty() {
            if !confirmed {
                self.places.clear();
            }
            self.definitions.clear();
        }
        self.message = self.message.wrapping_add(1);
    }

    /// Definitions of the message scanned last, as tape slots.
    #[must_use]
    pub fn definitions(&self) -> &[u64] {
        &self.definitions
    }

    /// Takes note that string `number` is `length` bytes at `offset` of the first piece.
    pub fn define(&mut self, number: u32, offset: usize, length: usize) {
        self.definitions.push(slot::words(number | (length as u32) << 16, offset as u32));
    }

    /// Takes back a number that was just given.
    pub fn forget(&mut self, number: u32) {
        self.places[number as usize] = Place::default();
    }

    /// Looks up a string of `length` ASCII bytes, which [`load`] made a word of.
    #[inline(always)]
    pub fn find(&mut self, text: u64, length: usize) -> Found {
        if self.pause != 0 {
            self.pause -= 1;
            return Found::Nothing;
        }
        let length = length as u8;
        let number = place_of(text, length);
        self.lookups += 1;
        match self.places.get_mut(number) {
            Some(place) if place.text == text && place.length == length => {
                self.hits += 1;
                place.used = self.message;
                Found::Number(number as u32)
            }
            _ => self.miss(text, length, number),
        }
    }

    #[inline(never)]
    fn miss(&mut self, text: u64, length: u8, number: usize) -> Found {
        if self.places.is_empty() {
            self.places = vec![Place::default(); PLACES];
        }
        if self.lookups >= TRIAL {
            if self.hits < TRIAL / 4 {
                self.pause = PAUSE;
            }
            self.lookups = 0;
            self.hits = 0;
        }
        let place = &mut self.places[number];
        if place.candidate != text || place.candidate_length != length {
            place.candidate = text;
            place.candidate_length = length;
            return Found::Nothing;
        }
        if self.frozen || place.length != 0 && place.used == self.message {
            return Found::Nothing;
        }
        place.text = text;
        place.length = length;
        place.used = self.message;
        Found::New(number as u32)
    }
}

/// The bits of so many bytes.
const MASKS: [u64; MAX_LENGTH + 1] = {
    let mut masks = [u64::MAX; MAX_LENGTH + 1];
    let mut length = 0;
    while length < MAX_LENGTH {
        masks[length] = (1 << (8 * length)) - 1;
        length += 1;
    }
    masks
};

/// Up to [`MAX_LENGTH`] bytes at `start` as one word, with zeros behind them; `padded` should go on for
/// a few bytes more.
#[inline(always)]
#[must_use]
pub fn load(padded: &[u8], start: usize, length: usize) -> u64 {
    match padded.get(start..).and_then(|rest| rest.first_chunk::<8>()) {
        Some(whole) => u64::from_le_bytes(*whole) & MASKS[length],
        None => load_slowly(padded, start, length),
    }
}

#[inline(never)]
fn load_slowly(bytes: &[u8], start: usize, length: usize) -> u64 {
    let mut whole = [0; 8];
    whole[..length].copy_from_slice(&bytes[start..start + length]);
    u64::from_le_bytes(whole)
}

/// Whether the bytes of a word are all ASCII.
#[inline(always)]
#[must_use]
pub fn is_ascii_word(text: u64) -> bool {
    text & 0x8080_8080_8080_8080 == 0
}

#[inline(always)]
fn place_of(text: u64, length: u8) -> usize {
    let mixed = (text ^ u64::from(length)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed >> (64 - PLACE_BITS)) as usize
}

/// The slot of a string that is to have a number from now on; definitions name the first piece only.
#[inline(never)]
pub fn define(short_strings: &mut ShortStrings, strings: &Strings, number: u32, slot: u64) -> u64 {
    if !strings.in_first_piece() {
        short_strings.forget(number);
        return slot;
    }
    short_strings.define(number, slot as u32 as usize, (slot >> 32) as usize & 0xffff);
    slot::single(slot::SINGLE_SHORT_STRING + number)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(strings: &mut ShortStrings, bytes: &[u8]) -> Found {
        strings.find(load(bytes, 0, bytes.len()), bytes.len())
    }

    #[test]
    fn words_of_every_length() {
        for length in 0..=8 {
            let bytes: Vec<u8> = (1..=length).collect();
            let mut whole = [0; 8];
            whole[..bytes.len()].copy_from_slice(&bytes);
            let padded = [&bytes[..], &[0xff; 8]].concat();
            assert_eq!(load(&bytes, 0, bytes.len()), u64::from_le_bytes(whole));
            assert_eq!(load(&padded, 0, bytes.len()), u64::from_le_bytes(whole));
        }
    }

    #[test]
    fn the_second_meeting_defines_and_the_third_finds() {
        let mut strings = ShortStrings::default();
        strings.begin(true, true);
        assert_eq!(find(&mut strings, b"kg"), Found::Nothing);
        let Found::New(number) = find(&mut strings, b"kg") else { panic!("not defined") };
        strings.define(number, 5, 2);
        assert_eq!(find(&mut strings, b"kg"), Found::Number(number));
        assert_eq!(strings.definitions(), [slot::words(number | 2 << 16, 5)]);
        strings.begin(true, true);
        assert_eq!(find(&mut strings, b"kg"), Found::Number(number));
    }

    #[test]
    fn without_confirmation_all_numbers_are_dropped() {
        let mut strings = ShortStrings::default();
        strings.begin(true, true);
        find(&mut strings, b"kg");
        let Found::New(number) = find(&mut strings, b"kg") else { panic!("not defined") };
        strings.define(number, 0, 2);
        strings.begin(true, false);
        assert_eq!(find(&mut strings, b"kg"), Found::Nothing);
    }

    #[test]
    fn a_number_in_use_does_not_change_hands_within_a_message() {
        let mut strings = ShortStrings::default();
        strings.begin(true, true);
        // Two strings of the same place.
        let mut seen = std::collections::HashMap::new();
        let (first, second) = (0..u32::MAX)
            .find_map(|number| {
                let other = seen.insert(place_of(u64::from(number), 4), number);
                other.map(|other| (other.to_le_bytes(), number.to_le_bytes()))
            })
            .unwrap();
        find(&mut strings, &first);
        let Found::New(number) = find(&mut strings, &first) else { panic!("not defined") };
        strings.define(number, 0, 4);
        for _ in 0..3 {
            assert_eq!(find(&mut strings, &second), Found::Nothing);
        }
        assert_eq!(find(&mut strings, &first), Found::Number(number));
        strings.begin(true, true);
        assert_eq!(find(&mut strings, &second), Found::New(number));
    }

    #[test]
    fn no_number_is_given_inside_another_message() {
        let mut strings = ShortStrings::default();
        strings.begin(true, true);
        find(&mut strings, b"kg");
        strings.begin(false, true);
        for _ in 0..3 {
            assert_eq!(find(&mut strings, b"kg"), Found::Nothing);
        }
    }

    #[test]
    fn unique_strings_pause_the_search() {
        let mut strings = ShortStrings::default();
        strings.begin(true, true);
        for number in 0..TRIAL + 1 {
            find(&mut strings, &number.to_le_bytes());
        }
        assert!(strings.pause > 0);
    }
}
