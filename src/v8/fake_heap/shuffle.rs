//! Layouts that no version of V8 has, so that a walk that gets its bytes right takes every offset, every
//! bit and every number from the layout.

use super::layouts::{Class, of_version, parts};
use super::random::Random;
use crate::v8::layout::field::Field;
use crate::v8::layout::{
    Bits, BufferLayout, DateValue, DescriptorLayout, DictionaryLayout, ElementsKinds, Layout, MapLayout,
    Types,
};

/// Fields lie below this, runs behind all fields of their object.
const FIELDS_END: usize = 120;

/// A layout with nothing where it was.
pub(crate) fn shuffled(seed: u64) -> Layout {
    let mut random = Random::new(seed);
    let mut layout = of_version(random.below(5));
    layout.date_value = if random.once_in(2) {
        DateValue::Tagged(Field::invented(0))
    } else {
        DateValue::Double(Field::invented(0))
    };
    place_fields(&mut layout, &mut random);
    // Words that are the same by another name.
    layout.double_array_length = Field::invented(layout.fixed_array_length.offset() as u32);
    layout.string.word = Field::invented(layout.string.one_byte.offset() as u32);
    // In-object properties are counted from any word at or before the first field.
    layout.object.start = Field::invented(8 * random.below(3) as u32);
    shuffle_map(&mut layout.map, &mut random);
    shuffle_descriptors(&mut layout.descriptors, &mut random);
    shuffle_dictionary(&mut layout.dictionary, &mut random);
    shuffle_buffers(&mut layout.buffers, &mut random);
    layout.elements = elements_kinds(&mut random);
    layout.types = types(&mut random);
    layout
}

fn place_fields(layout: &mut Layout, random: &mut Random) {
    let mut placed: Vec<(Class, usize, usize)> = Vec::new();
    let mut all = parts(layout);
    random.shuffle(&mut all);
    let generations = |class: Class| std::iter::successors(Some(class), |class| class.base());
    all.sort_by_key(|part| (part.is_run, generations(part.class).count()));
    for part in all {
        let width = part.field.width();
        let is_taken = |start: usize| {
            let overlaps = |at: usize, end: usize| at < start + width && start < end;
            let related = |class: Class| {
                generations(class).any(|base| base == part.class)
                    || generations(part.class).any(|base| base == class)
            };
            placed.iter().any(|(class, at, end)| related(*class) && overlaps(*at, *end))
        };
        let start = if part.is_run {
            FIELDS_END + 8 * random.below(4)
        } else {
            loop {
                let start = width * random.below(FIELDS_END / width);
                if !is_taken(start) {
                    break start;
                }
            }
        };
        part.field.move_to(start);
        if !part.is_run {
            placed.push((part.class, start, start + width));
        }
    }
}

/// `widths` fields of so many bits each, anywhere in a word of `size` bits, none over another.
fn bit_fields(size: u32, widths: &[u32], random: &mut Random) -> Vec<Bits> {
    let mut left = size - widths.iter().sum::<u32>();
    let mut order: Vec<usize> = (0..widths.len()).collect();
    random.shuffle(&mut order);
    let mut fields = vec![Bits { mask: 0, shift: 0 }; widths.len()];
    let mut shift = 0;
    for index in order {
        let gap = random.below(left as usize + 1) as u32;
        (left, shift) = (left - gap, shift + gap);
        fields[index] = Bits { mask: (u32::MAX >> (32 - widths[index])) << shift, shift };
        shift += widths[index];
    }
    fields
}

fn shuffle_map(map: &mut MapLayout, random: &mut Random) {
    map.special_bits = 1 << random.below(8) | 1 << random.below(8);
    map.elements_kind = bit_fields(8, &[6], random)[0];
    let fields = bit_fields(32, &[10, 1, 1], random);
    map.own_descriptors = fields[0];
    map.is_dictionary = fields[1].mask;
    map.interesting = random.once_in(2).then_some(fields[2].mask);
}

fn shuffle_descriptors(descriptors: &mut DescriptorLayout, random: &mut Random) {
    descriptors.size = 2 + random.below(4);
    descriptors.key = random.below(descriptors.size);
    descriptors.details = (descriptors.key + 1 + random.below(descriptors.size - 1)) % descriptors.size;
    let fields = bit_fields(32, &[10, 1, 1, 1], random);
    let [index, location, dont_enum, accessor] = fields[..] else { unreachable!() };
    descriptors.index = index;
    descriptors.dont_enum = dont_enum.mask;
    descriptors.accessor = accessor.mask;
    descriptors.relevant = location.mask | dont_enum.mask | accessor.mask;
    descriptors.plain = random.pick(&[0, location.mask]);
}

fn shuffle_dictionary(dictionary: &mut DictionaryLayout, random: &mut Random) {
    dictionary.names = 3 + random.below(5);
    dictionary.numbers = 1 + random.below(5);
    dictionary.entry = 3 + random.below(3);
    dictionary.interesting = random.once_in(2).then_some(1 + random.below(dictionary.names - 1));
    let fields = bit_fields(32, &[23, 1, 1], random);
    dictionary.enumeration_index = fields[0];
    dictionary.dont_enum = fields[1].mask;
    dictionary.accessor = fields[2].mask;
}

fn shuffle_buffers(buffers: &mut BufferLayout, random: &mut Random) {
    let fields = bit_fields(32, &[1, 1, 1], random);
    buffers.detached = fields[0].mask;
    buffers.special_buffer = fields[0].mask | fields[1].mask | fields[2].mask;
}

fn elements_kinds(random: &mut Random) -> ElementsKinds {
    let first_double = 1 + random.below(6) as u32;
    let last_double = first_double + random.below(3) as u32;
    let last_fast = last_double + 1 + random.below(6) as u32;
    let dictionary = last_fast + 1 + random.below(4) as u32;
    let first_typed = dictionary + 1 + random.below(6) as u32;
    let first_resizable = first_typed + 12 + random.below(3) as u32;
    let mut typed = of_version(0).elements.typed;
    random.shuffle(&mut typed);
    ElementsKinds { first_double, last_double, last_fast, dictionary, first_typed, first_resizable, typed }
}

fn types(random: &mut Random) -> Types {
    // Below are strings, and this one is a symbol's.
    let first_nonstring = 64 * (1 + random.below(8)) as u16;
    let mut next = first_nonstring;
    let mut numbers = [0; 21];
    for number in &mut numbers {
        next += 1 + random.below(100) as u16;
        *number = next;
    }
    random.shuffle(&mut numbers);
    let [
        heap_number,
        oddball,
        bigint,
        hole,
        property_array,
        name_dictionary,
        number_dictionary,
        hash_map,
        hash_set,
        object,
        object_prototype,
        array,
        date,
        js_map,
        js_set,
        typed_array,
        array_buffer,
        primitive_wrapper,
        data_view,
        regexp,
        error,
    ] = numbers;
    Types {
        first_nonstring,
        heap_number,
        oddball,
        bigint,
        hole: if random.once_in(2) { oddball } else { hole },
        property_array,
        name_dictionary,
        number_dictionary,
        hash_map,
        hash_set,
        object,
        object_prototype,
        array,
        date,
        js_map,
        js_set,
        typed_array,
        array_buffer,
        primitive_wrapper,
        data_view,
        regexp,
        error,
    }
}
