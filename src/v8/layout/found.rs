//! Symbols looked up one after the other, with a list of those that are missing or not as expected.

use super::field::Field;
use super::{Bits, Refusal};

/// The value of a symbol by its name without prefix.
pub type Lookup<'a> = &'a dyn Fn(&str) -> Option<i64>;

/// A search for symbols that remembers its failures.
pub struct Found<'a> {
    lookup: Lookup<'a>,
    faults: Vec<String>,
}

impl<'a> Found<'a> {
    /// Starts to search.
    #[must_use]
    pub fn new(lookup: Lookup<'a>) -> Self {
        Self { lookup, faults: Vec::new() }
    }

    /// The value of the first spelling that exists, if it is a number from 0 to `max`.
    pub fn number(&mut self, spellings: &[&str], max: i64) -> u32 {
        let found = spellings.iter().find_map(|name| Some((name, (self.lookup)(name)?)));
        match found {
            None => self.faults.push(format!("no symbol {}", spellings.join(" or "))),
            Some((name, value)) if !(0..=max).contains(&value) => {
                self.faults.push(format!("{name} is {value}"));
            }
            Some((_, value)) => return value as u32,
        }
        0
    }

    /// An offset. No object that is read is longer than a few hundred bytes.
    pub fn field<C, T>(&mut self, spellings: &[&str]) -> Field<C, T> {
        Field::at(self.number(spellings, 512))
    }

    /// An offset that no symbol gives but a rule does. Tests may give another one, as `derived_<name>`.
    pub fn derived<C, T>(&mut self, name: &str, offset: u32) -> Field<C, T> {
        let given = (self.lookup)(&format!("derived_{name}"));
        Field::at(given.and_then(|offset| u32::try_from(offset).ok()).unwrap_or(offset))
    }

    /// An instance type.
    pub fn instance_type(&mut self, spelling: &str) -> u16 {
        self.number(&[spelling], i64::from(u16::MAX)) as u16
    }

    /// Bits given by a mask and a shift.
    pub fn bits(&mut self, mask: &str, shift: &str) -> Bits {
        let mask = self.number(&[mask], i64::from(u32::MAX));
        let shift = self.number(&[shift], 31);
        if mask.trailing_zeros() != shift {
            self.faults.push(format!("a mask {mask:#x} for a shift of {shift}"));
        }
        Bits { mask, shift }
    }

    /// Requires a value that the code depends on.
    pub fn fixed(&mut self, spelling: &str, expected: i64) {
        match (self.lookup)(spelling) {
            Some(value) if value == expected => {}
            Some(value) => self.faults.push(format!("{spelling} is {value} instead of {expected}")),
            None => self.faults.push(format!("no symbol {spelling}")),
        }
    }

    /// Adds a fault found otherwise.
    pub fn fault(&mut self, text: String) {
        self.faults.push(text);
    }

    /// Whether all was well.
    pub fn finish(self) -> Result<(), Refusal> {
        if self.faults.is_empty() { Ok(()) } else { Err(Refusal(self.faults.join(", "))) }
    }
}
