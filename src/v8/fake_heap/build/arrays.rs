//! Arrays.

use super::{Blueprint, Builder, UNKNOWN_TYPE};
use crate::v8::fake_heap::value::{Array, Member, Oddity, Sort, Storage, Value};
use crate::v8::fake_heap::{ANY, Address, SMI, smi};
use crate::v8::objects::HOLE_NAN;
use crate::v8::roots::Root;

/// The number that a value is.
fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Smi(int) => Some(f64::from(*int)),
        Value::Number(number) => Some(*number),
        _ => None,
    }
}

impl Builder<'_> {
    pub(super) fn array_of(&mut self, array: &Array, oddity: Option<Oddity>) -> Address {
        let elements = &array.elements;
        let is_data = elements.iter().flatten().all(|member| member.sort == Sort::Data);
        let numbers: Option<Vec<_>> = elements.iter().map(|element| self.double(element.as_ref())).collect();
        let kinds = &self.layout.elements;
        let (kind, storage) = if array.storage == Storage::Dictionary || !is_data {
            (kinds.dictionary, self.number_dictionary(elements))
        } else if let (Storage::Doubles, Some(numbers)) = (array.storage, numbers) {
            let kind = self.random.pick(&[kinds.first_double, kinds.last_double]);
            (kind, self.double_array(numbers))
        } else {
            let words = self.words_or_holes(elements);
            let storage = self.fixed_array(UNKNOWN_TYPE, &words);
            (self.word_kind(), storage)
        };
        self.js_array(elements.len(), kind, storage, oddity)
    }

    pub(super) fn js_array(
        &mut self,
        length: usize,
        kind: u32,
        elements: Address,
        oddity: Option<Oddity>,
    ) -> Address {
        let root = if oddity == Some(Oddity::Subclass) { Root::MapPrototype } else { Root::ArrayPrototype };
        let types = &self.layout.types;
        let array = self.odd_object(Blueprint::new(types.array, kind, self.root(root), elements), oddity);
        self.heap.set(array, self.layout.array_length, smi(length as i32));
        self.heap.count("length of an array", array, self.layout.array_length, SMI, ANY);
        array
    }

    /// The words of elements, and of some room behind them.
    pub(super) fn words_or_holes(&mut self, elements: &[Option<Member>]) -> Vec<Option<u64>> {
        let hole = self.root(Root::Hole);
        let mut words = Vec::new();
        for element in elements {
            let word = match element {
                Some(member) => self.value(&member.value),
                None => hole,
            };
            words.push(Some(word));
        }
        words.resize(words.len() + self.random.below(3), Some(hole));
        words
    }

    fn double(&self, element: Option<&Member>) -> Option<u64> {
        let Some(member) = element else { return Some(HOLE_NAN) };
        let number = number(&member.value)?;
        // V8 stores any NaN with one pattern.
        Some(if number.is_nan() { f64::NAN.to_bits() } else { number.to_bits() })
    }

    fn double_array(&mut self, mut numbers: Vec<u64>) -> Address {
        if numbers.is_empty() {
            return self.empty_array;
        }
        numbers.resize(numbers.len() + self.random.below(3), HOLE_NAN);
        let words: Vec<_> = numbers.into_iter().map(Some).collect();
        let (length, data) = (self.layout.double_array_length, self.layout.double_array_data);
        self.array(UNKNOWN_TYPE, "length of doubles", &words, length, data)
    }
}
