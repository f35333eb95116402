//! The loop that turns a scanner's items into slots.
//!
//! An explicit stack bounds depth; a container's slots are reserved at once, and the scanner has
//! made sure that the input can hold as many items, so the tape never outgrows the input by more
//! than a constant factor.
//!
//! The fields of the innermost container and the scanner itself are locals that no outlined function
//! gets the address of, so that they can stay in registers: measured, a struct that is copied instead
//! costs 23 % of the loop.

use super::Decoder;
use super::arrays::put_arrays;
use super::bundles::Cut;
use super::extension_slots::{Head, Put, put_extension};
use super::frame::{Frame, Kind, Scanned};
use super::key_lists::Around;
use super::key_trie::{EdgeId, MAX_KEYS, ROOT};
use super::objects::{PendingKey, check_container_key, check_key, find_key, is_value_next, learn, unshape};
use super::short_strings::{Found, MAX_LENGTH, define, is_ascii_word, load};
use super::slots::{append_definitions, grow, number_run};
use super::strings::Text;
use crate::error::{DecodeError, MAX_DEPTH};
use crate::format::{Item, Scalar, Scanner};
use crate::options::{ARRAY_KEYS, FREEZE, MAPS_AS_OBJECTS};
use crate::tape::slot;
use crate::text::utf8;

/// Bytes behind the input, of any value, that keep the end of a small one on the fast paths.
pub const PADDING: usize = 16;

/// Scans one value to the slots from `start` on; its own slot is the first. `padded` is the input and
/// whatever may be read behind it.
pub fn scan<'a, S: Scanner<'a>>(
    decoder: &mut Decoder,
    scanner: S,
    padded: &[u8],
    start: usize,
    options: u32,
) -> Result<Scanned, DecodeError> {
    scan_value(decoder, scanner, padded, start, options).inspect_err(|_| _ = decoder.records.end(false))
}

#[inline(always)]
fn scan_value<'a, S: Scanner<'a>>(
    decoder: &mut Decoder,
    mut scanner: S,
    padded: &[u8],
    start: usize,
    options: u32,
) -> Result<Scanned, DecodeError> {
    let Decoder {
        slots,
        keys,
        records,
        strings,
        short_strings,
        extensions,
        bundles,
        references,
        message,
        stack,
        pending: pending_keys,
    } = decoder;
    if records.are_expected() {
        scanner.expect_records();
    }
    let input = scanner.input();
    let mut free = start;
    let mut tape = slots.words_mut();

    macro_rules! reserve {
        ($count:expr) => {
            if tape.len().saturating_sub(free) < $count {
                grow(slots, free, $count)?;
                tape = slots.words_mut();
            }
        };
    }
    /// One slot of its own; the result is the slot that names it.
    macro_rules! rare {
        ($kind:expr, $words:expr) => {{
            reserve!(1);
            tape[free] = $words;
            free += 1;
            slot::boxed(slot::RARE, $kind, (free as u32 - 1) * 2)
        }};
    }
    reserve!(1);
    let (mut at, mut end) = (start, start + 1);
    let mut owner = start;
    let mut pending = 0;
    let mut node = ROOT;
    let mut context = ROOT;
    let mut kind = Kind::Values;
    let mut depth = 0;
    // Frames that there may be: fewer where one stands for several containers.
    let mut levels = MAX_DEPTH;
    free += 1;

    /// The slot of a string.
    macro_rules! string_slot {
        ($start:expr, $length:expr) => {
            if $length == 0 {
                slot::single(slot::SINGLE_EMPTY_STRING)
            } else {
                let short = if $length <= MAX_LENGTH { Some(load(padded, $start, $length)) } else { None };
                let ascii = match short {
                    Some(text) => is_ascii_word(text),
                    None => utf8::is_ascii(&input[$start..$start + $length]),
                };
                let found = match short {
                    Some(text) if ascii => short_strings.find(text, $length),
                    _ => Found::Nothing,
                };
                if let Found::Number(number) = found {
                    slot::single(slot::SINGLE_SHORT_STRING + number)
                } else {
                    let text = if ascii {
                        strings.add_ascii($start, $length)
                    } else {
                        strings.add_wide(&input[$start..$start + $length])
                    };
                    match (text, found) {
                        (Text::Slot(slot), Found::New(number)) => {
                            define(short_strings, strings, number, slot)
                        }
                        (Text::Slot(slot), _) => slot,
                        (Text::Rare(kind, words), found) => {
                            if let Found::New(number) = found {
                                short_strings.forget(number);
                            }
                            rare!(kind, words)
                        }
                    }
                }
            }
        };
    }

    /// The slot of a record, whose values follow.
    macro_rules! record {
        ($list:expr, $place:expr) => {{
            let list = $list;
            let count = records.shapes.keys(list);
            scanner.claim(count)?;
            let inside = list < slot::RECORD_SHAPE;
            reserve!(count + 1);
            if !inside {
                tape[free] = slot::words(list, 0);
                free += 1;
            }
            let values = free;
            free += count;
            enter!($place, Kind::Record, values);
            if inside {
                slot::boxed(slot::OBJECT, slot::RECORD_SHAPE | list, values as u32 * 2)
            } else {
                slot::boxed(slot::RARE, slot::RARE_RECORD, (values as u32 - 1) * 2)
            }
        }};
    }

    /// Leaves the container for one inside it.
    macro_rules! enter {
        ($place:expr, $kind:expr, $at:expr) => {
            if stack.len() >= levels {
                return Err(DecodeError::TooDeep);
            }
            stack.push(Frame { at, end, owner, pending, node, context, kind });
            depth = depth.max(stack.len() + (MAX_DEPTH - levels));
            owner = $place;
            kind = $kind;
            at = $at;
            end = free;
        };
    }

    'containers: loop {
        while at == end {
            match kind {
                Kind::Values | Kind::Record => {}
                Kind::Nested => levels += pending,
                // The low word already names the values.
                Kind::Shaped => tape[owner] |= u64::from(node) << 32,
                Kind::Keyed => {
                    let pairs = tape[tape[owner] as u32 as usize / 2] as u32 as usize;
                    learn(keys, input, &pending_keys[pending..], node, pairs);
                    pending_keys.truncate(pending);
                }
            }
            match stack.pop() {
                Some(outer) => {
                    Frame { at, end, owner, pending, node, context, kind } = outer;
                    if kind == Kind::Keyed && is_value_next(at, end) {
                        // What ended here was a key.
                        check_container_key(tape[at - 1], options & ARRAY_KEYS != 0)?;
                    }
                }
                None => {
                    strings.close_latin();
                    let (kept, log) = append_definitions(slots, free, short_strings.definitions(), records)?;
                    let position = bundles.end().unwrap_or(scanner.position());
                    return Ok(Scanned { free, depth, position, kept, log });
                }
            }
        }
        // Values of the frequent kinds, as long as they go on; all else is left to what follows.
        if kind == Kind::Record || S::IN_ROW && kind == Kind::Values {
            loop {
                let value = match scanner.scalar() {
                    Some(Scalar::Slot(slot)) => slot,
                    Some(Scalar::Str(start, length)) => string_slot!(start, length),
                    None => break,
                };
                tape[at] = value;
                at += 1;
                if at == end {
                    continue 'containers;
                }
            }
        }
        // Keys that are as predicted and values of the frequent kinds, likewise.
        while kind == Kind::Shaped {
            let edge = if node == ROOT { EdgeId::first_in(context) } else { EdgeId::after(node) };
            let position = scanner.position();
            if let Some(rest) = padded.get(position..)
                && let Some(head) = rest.first_chunk()
                && let Some((found, length)) = keys.edge(edge).follow(head)
                && length <= input.len() - position
            {
                scanner.seek(position + length);
                node = found;
            } else if let Some((found, end)) = find_key(keys, scanner, padded, node, edge)? {
                scanner.seek(end);
                node = found;
            } else {
                // A key that the trie does not have: the object goes on without a shape.
                let path = keys.path(node);
                let pairs = end - at + path.len();
                reserve!(1 + 2 * pairs);
                unshape(tape, owner, free, &path, pairs);
                at = free + 1 + 2 * path.len();
                free += 1 + 2 * pairs;
                end = free;
                kind = Kind::Keyed;
                pending = pending_keys.len();
                context = node;
                break;
            }
            let value = match scanner.scalar() {
                Some(Scalar::Slot(slot)) => slot,
                Some(Scalar::Str(start, length)) => string_slot!(start, length),
                None => {
                    context = node;
                    break;
                }
            };
            tape[at] = value;
            at += 1;
            if at == end {
                continue 'containers;
            }
        }
        let place = at;
        at += 1;
        if kind == Kind::Keyed && is_value_next(at, end) {
            let item = scanner.position();
            let mut ahead = scanner;
            if let Some((start, length)) = ahead.text_key()? {
                scanner.seek(ahead.position());
                pending_keys.push(PendingKey { item, start, length });
                let value = match strings.add(input, start, length) {
                    Text::Slot(slot) => slot,
                    Text::Rare(kind, words) => rare!(kind, words),
                };
                tape[place] = value;
                continue;
            }
            check_key(scanner, bundles.is_open()).map_err(|error| extensions.explain(error))?;
        }
        // What stands for no value of its own is followed by the one that goes here.
        let value = loop {
            break match scanner.next().map_err(|error| extensions.explain(error))? {
                Item::Int(value) => slot::int(value),
                Item::Double(value) => slot::double(value),
                Item::Single(which) => slot::single(which),
                Item::Str(start, length) => string_slot!(start, length),
                Item::Map(pairs) if options & MAPS_AS_OBJECTS != 0 && pairs <= MAX_KEYS => {
                    reserve!(pairs);
                    let values = free;
                    free += pairs;
                    enter!(place, Kind::Shaped, values);
                    node = ROOT;
                    slot::boxed(slot::OBJECT, 0, values as u32 * 2)
                }
                Item::Map(pairs) => {
                    reserve!(1 + 2 * pairs);
                    let header = free;
                    tape[header] = slot::words(pairs as u32, 0);
                    free += 1 + 2 * pairs;
                    let (kind_inside, rare) = if options & MAPS_AS_OBJECTS != 0 {
                        (Kind::Keyed, slot::RARE_OBJECT)
                    } else {
                        (Kind::Values, slot::RARE_MAP)
                    };
                    enter!(place, kind_inside, header + 1);
                    node = ROOT;
                    pending = pending_keys.len();
                    slot::boxed(slot::RARE, rare, header as u32 * 2)
                }
                Item::Array(length) => {
                    reserve!(1 + length);
                    let header = free;
                    free += 1 + length;
                    tape[header] = slot::words(length as u32, 0);
                    let elements = &mut tape[header + 1..free];
                    let run = scanner.numbers(elements);
                    let is_key = kind == Kind::Keyed && is_value_next(at, end);
                    let elements = 'elements: {
                        if run.count == length {
                            if is_key && options & ARRAY_KEYS == 0 {
                                return Err(DecodeError::InvalidKey);
                            }
                            break 'elements number_run(elements, run.ints, run.doubles);
                        }
                        if run.count == 0 && scanner.short_array() > 0 && options & FREEZE == 0 && !is_key {
                            let put = put_arrays(slots, header, free, scanner, length)?;
                            tape = slots.words_mut();
                            if let Some(arrays) = put {
                                levels = levels.checked_sub(arrays.nested).ok_or(DecodeError::TooDeep)?;
                                free = arrays.free;
                                scanner.seek(arrays.position);
                                if arrays.nested > 0 {
                                    enter!(place, Kind::Nested, free - 1);
                                    pending = arrays.nested;
                                }
                                break 'elements arrays.elements;
                            }
                        }
                        enter!(place, Kind::Values, header + 1 + run.count);
                        slot::ARRAY_ANY
                    };
                    slot::boxed(slot::ARRAY, elements, header as u32 * 2)
                }
                Item::Bin(start, length) => rare!(slot::RARE_BIN, slot::words(start as u32, length as u32)),
                Item::Int64(value) => rare!(slot::RARE_INT64, value as u64),
                Item::Uint64(value) => rare!(slot::RARE_UINT64, value),
                Item::Date(value) => rare!(slot::RARE_DATE, slot::double(value)),
                Item::Reserved if bundles.is_open() => {
                    let (cut, end_of_length) = bundles.cut(scanner)?;
                    scanner.seek(end_of_length);
                    match cut {
                        Cut::Ascii(start, length) => {
                            strings.keep_reach();
                            let named = string_slot!(start, length);
                            strings.keep_reach();
                            named
                        }
                        Cut::Units(start, length) => {
                            match strings.add_units(&bundles.units()[start..start + length]) {
                                Text::Slot(slot) => slot,
                                Text::Rare(kind, words) => rare!(kind, words),
                            }
                        }
                    }
                }
                Item::Reserved => slot::single(slot::SINGLE_C1),
                Item::Ext { code, short, start, length } => {
                    let head = Head { code, short, start, length };
                    let around = Around { bundles, references, extensions, options };
                    let put = put_extension(slots, free, scanner, head, around, records, *message)?;
                    tape = slots.words_mut();
                    match put {
                        Put::Nothing => continue,
                        Put::Value(named, end_of_slots) => {
                            free = end_of_slots;
                            named
                        }
                        Put::Owner(named, end_of_slots) => {
                            free = end_of_slots;
                            enter!(place, Kind::Values, free - 1);
                            named
                        }
                    }
                }
                Item::Record { slot, int } => {
                    let (list, end_of_id) = records.find(scanner, slot)?;
                    scanner.seek(end_of_id);
                    match list {
                        Some(list) => record!(list, place),
                        None => slot::int(int),
                    }
                }
                Item::Define { slot, two_byte } => {
                    let around = Around { bundles, references, extensions, options };
                    let defined = records
                        .define(scanner, slot, two_byte, around)
                        .map_err(|error| extensions.explain(error))?;
                    scanner.seek(defined.end);
                    scanner.expect_records();
                    match defined.target {
                        None => record!(defined.list, place),
                        Some(id) => {
                            let named = rare!(slot::RARE_TARGET_KEYS, slot::words(id, defined.list));
                            reserve!(1);
                            let inner = free;
                            free += 1;
                            let record = record!(defined.list, inner);
                            tape[inner] = record;
                            named
                        }
                    }
                }
            };
        };
        tape[place] = value;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode::BASE_SLOTS;
    use crate::format::msgpack::scanner::Scanner as MsgpackScanner;
    use crate::options::NO_RECORDS;
    use proptest::prelude::*;

    const AS_OBJECTS: u32 = NO_RECORDS | MAPS_AS_OBJECTS;

    fn scan_with(decoder: &mut Decoder, input: &[u8], options: u32) -> Result<Scanned, DecodeError> {
        decoder.begin(true, true, false);
        scan(decoder, MsgpackScanner::new(input, 0, options), input, 0, options)
    }

    fn slots(input: &[u8]) -> Vec<u64> {
        let mut decoder = Decoder::default();
        let scanned = scan_with(&mut decoder, input, AS_OBJECTS).unwrap();
        assert_eq!(scanned.position, input.len());
        decoder.slots.words()[..scanned.free].to_vec()
    }

    #[test]
    fn arrays_of_numbers_are_runs() {
        assert_eq!(
            slots(&[0x92, 1, 0xff]),
            [slot::boxed(slot::ARRAY, slot::ARRAY_INTS, 2), slot::words(2, 0), slot::int(1), slot::int(-1)]
        );
        let mixed = slots(&[0x92, 1, 0xca, 0x3f, 0x80, 0, 0]);
        assert_eq!(mixed[0], slot::boxed(slot::ARRAY, slot::ARRAY_DOUBLES, 2));
        assert_eq!(mixed[2..], [1f64.to_bits(), 1f64.to_bits()]);
        let other = slots(&[0x92, 1, 0xc0]);
        assert_eq!(other[0], slot::boxed(slot::ARRAY, slot::ARRAY_ANY, 2));
        assert_eq!(other[2..], [slot::int(1), slot::single(slot::SINGLE_NULL)]);
    }

    #[test]
    fn arrays_of_pairs_have_one_head() {
        let tuples = |kind| slot::boxed(slot::ARRAY, slot::ARRAY_TUPLES | kind, 2);
        let ints = slots(&[0x92, 0x92, 1, 0xff, 0x92, 3, 4]);
        assert_eq!(ints[..2], [tuples(slot::ARRAY_INTS), slot::words(2, 2)]);
        assert_eq!(ints[2..], [1, -1, 3, 4].map(slot::int));
        let mixed = slots(&[0x92, 0x93, 1, 2, 3, 0x93, 4, 5, 0xca, 0x3f, 0x80, 0, 0]);
        assert_eq!(mixed[..2], [tuples(slot::ARRAY_DOUBLES), slot::words(2, 3)]);
        assert_eq!(mixed[2..], [1f64, 2.0, 3.0, 4.0, 5.0, 1.0].map(f64::to_bits));
        for other in
            [&[0x92, 0x92, 1, 2, 0x91, 3][..], &[0x92, 0x92, 1, 2, 0x92, 3, 0xc0], &[0x91, 0x92, 1, 2]]
        {
            assert_eq!(slots(other)[0], slot::boxed(slot::ARRAY, slot::ARRAY_ANY, 2));
        }
    }

    #[test]
    fn a_long_array_that_ends_in_something_else_keeps_its_length() {
        for last in [&[0x92, 1, 0xc0][..], &[0x92, 1, 2]] {
            let count = BASE_SLOTS;
            let mut input = vec![0xdd];
            input.extend((count as u32).to_be_bytes());
            input.extend([0x92, 1, 2].repeat(count - 1));
            input.extend(last);
            let mut decoder = Decoder::default();
            scan_with(&mut decoder, &input, AS_OBJECTS).unwrap();
            assert_eq!(decoder.slots.words()[1] as u32 as usize, count);
        }
    }

    #[test]
    fn arrays_of_one_array_are_levels_like_others() {
        let any = |word| slot::boxed(slot::ARRAY, slot::ARRAY_ANY, word);
        let one = slot::words(1, 0);
        assert_eq!(slots(&[0x91, 0x91, 0x91, 0xc0])[..6], [any(2), one, any(6), one, any(10), one]);
        for (levels, behind) in [(0, 1), (7, 1), (MAX_DEPTH - 2, 1), (MAX_DEPTH - 1, 0)] {
            // The levels are counted in what comes behind, too.
            let nested = [&vec![0x91; levels][..], &[0x92], &[0xc0], &vec![0x91; behind], &[0xc0]].concat();
            let mut decoder = Decoder::default();
            let scanned = scan_with(&mut decoder, &nested, AS_OBJECTS).unwrap();
            assert_eq!(scanned.depth, levels + 1 + behind);
            let deeper = [&[0x91; 1][..], &nested].concat();
            let scanned = scan_with(&mut decoder, &deeper, AS_OBJECTS);
            assert_eq!(scanned.is_ok(), levels < MAX_DEPTH - 2);
        }
    }

    #[test]
    fn an_object_gets_a_shape_the_third_time() {
        let input = [0x82, 0xa1, b'a', 1, 0xa1, b'b', 0xc3];
        let mut decoder = Decoder::default();
        for shaped in [false, false, true] {
            scan_with(&mut decoder, &input, AS_OBJECTS).unwrap();
            let kind = (decoder.slots.words()[0] >> 48) as u32;
            assert_eq!(kind, if shaped { slot::OBJECT } else { slot::RARE });
        }
        let shape = (decoder.slots.words()[0] >> 32) as u32 & 0xffff;
        let keys: Vec<_> = decoder.keys.path(shape).iter().map(|node| decoder.keys.text(*node)).collect();
        assert_eq!(keys, [b"a", b"b"]);
        // A key that is not known turns it back, with the keys before it.
        scan_with(&mut decoder, &[0x82, 0xa1, b'a', 1, 0xa1, b'c', 2], AS_OBJECTS).unwrap();
        let words = decoder.slots.words();
        assert_eq!((words[0] >> 32) as u32, slot::RARE << 16 | slot::RARE_OBJECT);
        let header = words[0] as u32 as usize / 2;
        assert_eq!(words[header], slot::words(2, 0));
        assert_eq!((words[header + 1] >> 32) as u32, slot::RARE << 16 | slot::RARE_KEY);
        assert_eq!(words[header + 2], slot::int(1));
        assert_eq!(words[header + 4], slot::int(2));
    }

    #[test]
    fn what_is_wrong_first_is_reported() {
        let fails = |input: &[u8]| scan_with(&mut Decoder::default(), input, AS_OBJECTS).unwrap_err();
        assert_eq!(fails(&[]), DecodeError::Incomplete);
        assert_eq!(fails(&[0x81, 0x90]), DecodeError::InvalidKey);
        assert_eq!(fails(&[0x81, 0x91]), DecodeError::Incomplete);
        assert_eq!(fails(&[0x92, 0xd4, 0x50]), DecodeError::UnknownExtension(0x50, true));
        assert_eq!(fails(&[0x92, 0xd5, 0x50, 0, 0]), DecodeError::UnknownExtension(0x50, false));
        assert_eq!(fails(&[0xdc, 0, 1]), DecodeError::Missing(1));
        assert_eq!(fails(&[0x91; MAX_DEPTH + 2]), DecodeError::TooDeep);
    }

    #[test]
    fn a_large_tape_grows_and_is_given_back() {
        let count = 1_000_000u32;
        let mut input = vec![0xdd];
        input.extend(count.to_be_bytes());
        input.resize(input.len() + count as usize, 0xc0);
        let mut decoder = Decoder::default();
        let scanned = scan_with(&mut decoder, &input, AS_OBJECTS).unwrap();
        assert_eq!(scanned.free, count as usize + 2);
        assert_eq!(decoder.slots.words()[scanned.free - 1], slot::single(slot::SINGLE_NULL));
        decoder.release();
        assert_eq!(decoder.slots.words().len(), BASE_SLOTS);
    }

    proptest! {
        #[test]
        fn no_input_makes_it_panic_or_reserve_much(
            input in proptest::collection::vec(
                prop_oneof![any::<u8>(), 0x80u8..0xa4, 0xc0u8..0xe0, 0u8..8, Just(0x72)], 0..60),
            options in prop_oneof![Just(AS_OBJECTS), Just(NO_RECORDS), Just(MAPS_AS_OBJECTS | ARRAY_KEYS)],
        ) {
            let mut decoder = Decoder::default();
            // Every kind of reader has a type that is frequent above.
            for code in 0..8 {
                decoder.extensions.set(code, u32::from(code), 0);
            }
            for _ in 0..3 {
                if let Ok(scanned) = scan_with(&mut decoder, &input, options) {
                    prop_assert!(scanned.position <= input.len());
                    prop_assert!(scanned.free <= 8 * input.len() + 8);
                }
                prop_assert_eq!(decoder.slots.words().len(), BASE_SLOTS);
            }
        }
    }
}
