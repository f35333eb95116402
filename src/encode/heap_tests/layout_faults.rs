//! Layouts that are wrong in one place: samples read by them give other bytes, or none.

use super::known::Known;
use super::samples::samples;
use super::{Mode, Outcome, PLAIN, Plans, deep, walk};
use crate::options::RECORDS;
use crate::v8::fake_heap::build::Builder;
use crate::v8::fake_heap::layouts::{of_version, parts};
use crate::v8::fake_heap::value::Realm;
use crate::v8::fake_heap::{FakeHeap, Garbage};
use crate::v8::layout::{ArrayType, Bits, Layout};
use crate::v8::roots::Roots;

/// The samples in one heap.
struct Samples {
    heap: FakeHeap,
    roots: u64,
    values: Vec<u64>,
}

impl Samples {
    fn new(layout: &Layout, garbage: Garbage, mode: Mode<'_>) -> Self {
        let mut builder = Builder::new(FakeHeap::new(garbage, 5), layout, Realm::default(), 5);
        let values = samples().iter().map(|sample| builder.value(sample)).collect();
        if let Some(known) = mode.known {
            known.lay_out_keys(&mut builder);
        }
        let roots = builder.roots_array();
        Self { heap: builder.heap, roots, values }
    }

    /// What a layout makes of them: their bytes, twice so that plans are used as well, and in words.
    fn read(&self, layout: &Layout, mode: Mode<'_>) -> Vec<(Outcome, Outcome, String)> {
        let window = self.heap.window(layout);
        let mut plans = Plans::default();
        let mut read = |word: &u64| {
            self.heap.restart();
            let (roots, value) = (self.heap.tagged(self.roots), self.heap.tagged(*word));
            let mut walk = || walk(window, roots, value, &mut plans, mode);
            (walk(), walk(), window.describe(value))
        };
        let mut all: Vec<_> = self.values.iter().map(&mut read).collect();
        let chunk = Roots::of(window, self.heap.tagged(self.roots)).map(|roots| roots.chunk_memory(window));
        all.push((Ok(vec![]), Ok(vec![]), format!("{chunk:?}")));
        all
    }

    /// Which faults give what the right layout gives.
    fn unnoticed(
        layout: &Layout,
        garbage: Garbage,
        mode: Mode<'_>,
        faults: Vec<(String, Layout)>,
    ) -> Vec<String> {
        deep(|| {
            let samples = Self::new(layout, garbage, mode);
            let right = samples.read(layout, mode);
            let names = faults.into_iter().filter(|(_, faulty)| samples.read(faulty, mode) == right);
            names.map(|(name, _)| name).collect()
        })
    }
}

/// The modes in which layouts are tried: objects as maps, and as whatever kind of record.
fn in_modes(body: impl Fn(Mode<'_>)) {
    body(PLAIN);
    let records = Mode { options: RECORDS, ..PLAIN };
    let known = Known::of(&samples(), records, 5);
    body(Mode { known: known.as_ref(), ..records });
}

/// Each field moved by its width to both sides.
fn moved(layout: &Layout) -> Vec<(String, Layout)> {
    let count = parts(&mut layout.clone()).len();
    let mut faults = Vec::new();
    for index in 0..count {
        for forward in [false, true] {
            let mut faulty = layout.clone();
            let part = &mut parts(&mut faulty)[index];
            let (name, offset, width) = (part.name, part.field.offset(), part.field.width());
            if forward || offset >= width {
                part.field.move_to(if forward { offset + width } else { offset - width });
                faults.push((format!("{name} {}", if forward { "behind" } else { "before" }), faulty));
            }
        }
    }
    faults
}

#[test]
fn a_field_that_has_moved_is_noticed() {
    in_modes(|mode| {
        for version in 0..5 {
            for garbage in [Garbage::Random, Garbage::Zeros] {
                let layout = of_version(version);
                let unnoticed = Samples::unnoticed(&layout, garbage, mode, moved(&layout));
                assert!(unnoticed.is_empty(), "version {version}: {unnoticed:?} {mode:?}");
            }
        }
    });
}

fn shifted(bits: Bits) -> Bits {
    Bits { mask: bits.mask << 1, shift: bits.shift + 1 }
}

/// Each number that is no offset, changed a little.
fn changed(layout: &Layout) -> Vec<(String, Layout)> {
    let mut faults = Vec::new();
    macro_rules! change {
        ($($($field:ident).+ => $change:expr),* $(,)?) => {
            $(
                let mut faulty = layout.clone();
                let field = &mut faulty.$($field).+;
                *field = $change(field.clone());
                faults.push((stringify!($($field).+).replace(' ', ""), faulty));
            )*
        };
    }
    let next = |number: usize| number + 1;
    let next_kind = |kind: u32| kind + 1;
    let next_type = |instance_type: u16| instance_type + 1;
    let next_bit = |bits: u32| bits << 1;
    change! {
        map.special_bits => |_| 0,
        map.elements_kind => shifted,
        map.own_descriptors => shifted,
        map.is_dictionary => next_bit,
        descriptors.size => next,
        descriptors.key => next,
        descriptors.details => next,
        descriptors.plain => |plain| plain ^ layout.descriptors.dont_enum,
        descriptors.relevant => |relevant: u32| relevant & layout.descriptors.accessor,
        descriptors.dont_enum => next_bit,
        descriptors.accessor => next_bit,
        descriptors.index => shifted,
        buffers.special_buffer => |_| 0,
        dictionary.names => next,
        dictionary.numbers => next,
        dictionary.entry => next,
        dictionary.enumeration_index => |bits: Bits| Bits { mask: 0, ..bits },
        dictionary.dont_enum => next_bit,
        dictionary.accessor => next_bit,
        elements.first_double => next_kind,
        elements.last_double => next_kind,
        elements.last_fast => |kind: u32| kind - 1,
        elements.dictionary => next_kind,
        elements.first_typed => next_kind,
        elements.first_resizable => next_kind,
        types.first_nonstring => next_type,
        types.heap_number => next_type,
        types.oddball => next_type,
        types.bigint => next_type,
        types.hole => next_type,
        types.property_array => next_type,
        types.name_dictionary => next_type,
        types.number_dictionary => next_type,
        types.hash_map => next_type,
        types.hash_set => next_type,
        types.object => next_type,
        types.object_prototype => next_type,
        types.array => next_type,
        types.date => next_type,
        types.js_map => next_type,
        types.js_set => next_type,
        types.typed_array => next_type,
        types.array_buffer => next_type,
        types.primitive_wrapper => next_type,
        types.data_view => next_type,
        types.regexp => next_type,
        types.error => next_type,
        elements.typed => |types: [ArrayType; ArrayType::COUNT]| {
            let mut types = types;
            types.reverse();
            types
        },
    }
    if let (Some(bit), Some(_)) = (layout.map.interesting, layout.dictionary.interesting) {
        change! {
            map.interesting => |_| Some(bit << 1),
            dictionary.interesting => |_| Some(0),
        }
    }
    faults
}

#[test]
fn a_number_that_has_changed_is_noticed() {
    in_modes(|mode| {
        for version in 0..5 {
            let layout = of_version(version);
            let mut unnoticed = Samples::unnoticed(&layout, Garbage::Random, mode, changed(&layout));
            // Where holes are oddballs, only the one of arrays is known, by itself.
            unnoticed.retain(|name| name != "types.hole" || layout.types.hole != layout.types.oddball);
            assert!(unnoticed.is_empty(), "version {version}: {unnoticed:?} {mode:?}");
        }
    });
}
