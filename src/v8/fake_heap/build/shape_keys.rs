//! The keys of all shapes, as JavaScript holds them.

use super::{Builder, UNKNOWN_TYPE};
use crate::v8::fake_heap::value::Value;
use crate::v8::roots::Root;

/// What stands at a place of the array.
#[derive(Clone, Debug)]
pub(crate) enum PlacedKey {
    /// The string that hidden classes have for a key.
    Internalized(Vec<u16>),
    /// Anything else.
    Value(Value),
    Hole,
}

impl Builder<'_> {
    /// Makes an array of such keys a root, with some room behind them.
    pub(crate) fn shape_keys(&mut self, keys: &[PlacedKey]) {
        let hole = self.root(Root::Hole);
        let mut words = Vec::new();
        for key in keys {
            words.push(Some(match key {
                PlacedKey::Internalized(units) => self.internalized(units),
                PlacedKey::Value(value) => self.value(value),
                PlacedKey::Hole => hole,
            }));
        }
        words.resize(words.len() + self.random.below(3), Some(hole));
        let elements = self.fixed_array(UNKNOWN_TYPE, &words);
        let kind = self.word_kind();
        let array = self.js_array(keys.len(), kind, elements, None);
        self.set_root(Root::ShapeKeys, array.word());
    }
}
