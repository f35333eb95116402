//! Strings in all representations.

use super::Builder;
use crate::v8::fake_heap::value::Text;
use crate::v8::fake_heap::{ANY, Address, SMI, smi};

const CONS: u16 = 1;
const EXTERNAL: u16 = 2;
const SLICED: u16 = 3;
const THIN: u16 = 5;
const ONE_BYTE: u16 = 0x08;
const UNCACHED: u16 = 0x10;
const NOT_INTERNALIZED: u16 = 0x20;

fn bytes(units: &[u16], one_byte: bool) -> Vec<u8> {
    if one_byte {
        units.iter().map(|unit| *unit as u8).collect()
    } else {
        units.iter().flat_map(|unit| unit.to_le_bytes()).collect()
    }
}

fn fits_one_byte(units: &[u16]) -> bool {
    units.iter().all(|unit| *unit <= 0xff)
}

impl Builder<'_> {
    /// The one string of these characters that keys have.
    pub(super) fn internalized(&mut self, units: &[u16]) -> u64 {
        if let Some(word) = self.strings.get(units) {
            return *word;
        }
        let word = self.plain(units, false, 0).word();
        self.strings.insert(units.to_vec(), word);
        word
    }

    pub(super) fn name(&mut self, text: &str) -> u64 {
        self.internalized(&text.encode_utf16().collect::<Vec<_>>())
    }

    pub(super) fn text(&mut self, text: &Text) -> Address {
        match text {
            Text::Plain { units, wide } => {
                let internalized = self.random.pick(&[0, NOT_INTERNALIZED]);
                self.plain(units, *wide, internalized)
            }
            Text::External { units, wide } => self.external(units, *wide),
            Text::Uncached(units) => self.string(EXTERNAL | UNCACHED | ONE_BYTE, units.len(), self.header),
            Text::Cons(first, second) => {
                let length = first.units().len() + second.units().len();
                let (first, second) = (self.text(first), self.text(second));
                let string = self.indirect(CONS, length);
                self.heap.set(string, self.layout.string.cons_first, first.word());
                self.heap.set(string, self.layout.string.cons_second, second.word());
                string
            }
            Text::Sliced(parent, start, length) => {
                let parent = self.text(parent);
                let string = self.indirect(SLICED, *length);
                let field = self.layout.string.sliced_offset;
                self.heap.set(string, self.layout.string.sliced_parent, parent.word());
                self.heap.set(string, field, smi(*start as i32));
                self.heap.count("start of a slice", string, field, SMI, ANY);
                string
            }
            Text::Thin(actual) => {
                let length = actual.units().len();
                let actual = self.text(actual);
                let string = self.indirect(THIN, length);
                self.heap.set(string, self.layout.string.thin_actual, actual.word());
                string
            }
        }
    }

    fn string(&mut self, instance_type: u16, length: usize, size: usize) -> Address {
        let string = self.simple(instance_type, size);
        self.heap.set(string, self.layout.string.length, length as u64);
        string
    }

    /// A string that stands for others. Its own encoding bit means nothing.
    fn indirect(&mut self, representation: u16, length: usize) -> Address {
        let encoding = self.random.pick(&[0, ONE_BYTE]);
        let string = self.string(representation | encoding | NOT_INTERNALIZED, length, self.header);
        let field = self.layout.string.length;
        self.heap.count("length of an indirect string", string, field, u64::MAX, ANY);
        string
    }

    fn plain(&mut self, units: &[u16], wide: bool, internalized: u16) -> Address {
        let one_byte = !wide && fits_one_byte(units);
        let layout = &self.layout.string;
        let mut bytes = bytes(units, one_byte);
        let start = if one_byte { layout.one_byte.offset() } else { layout.two_byte.offset() };
        // What fills the last word of a short string may be looked at, whatever it is.
        let padded = if one_byte && (1..8).contains(&bytes.len()) { 8 } else { bytes.len() };
        bytes.resize_with(padded, || self.random.next() as u8);
        let instance_type = internalized | if one_byte { ONE_BYTE } else { 0 };
        let string = self.string(instance_type, units.len(), start.max(self.header) + padded);
        self.heap.put(string, start, &bytes);
        let length = units.len() as u64;
        self.heap.count("length of a string", string, self.layout.string.length, u64::MAX, 0..=length);
        string
    }

    fn external(&mut self, units: &[u16], wide: bool) -> Address {
        let one_byte = !wide && fits_one_byte(units);
        let bytes = bytes(units, one_byte);
        // Data outside the heap need not lie at a whole word.
        let odd = self.random.below(2);
        let data = self.heap.allocate(bytes.len() + odd);
        self.heap.put(data, odd, &bytes);
        let instance_type = EXTERNAL | if one_byte { ONE_BYTE } else { 0 };
        let string = self.string(instance_type | NOT_INTERNALIZED, units.len(), self.header);
        let address = if units.is_empty() { 0 } else { data.word() - 1 + odd as u64 };
        self.heap.set(string, self.layout.string.external_data, address);
        let length = units.len() as u64;
        self.heap.count(
            "length of an external string",
            string,
            self.layout.string.length,
            u64::MAX,
            0..=length,
        );
        string
    }
}
