//! Every variant against the standard library, and memory outside the room.

use super::{SLACK, Variant, variants};
use proptest::prelude::*;

const LONGEST: usize = 100;
/// Miri is slow: it sees some lengths and places only.
const STEP: usize = if cfg!(miri) { 27 } else { 1 };
/// What lies around the room.
const CANARY: u8 = 0xa5;

/// Calls `encode` with room of exactly `least` bytes and returns what it wrote; nothing else changed.
fn written(least: usize, encode: impl FnOnce(&mut [u8]) -> usize) -> Vec<u8> {
    // Miri sees it without.
    const AROUND: usize = if cfg!(miri) { 0 } else { 64 };
    let mut memory = vec![CANARY; AROUND + least + AROUND];
    let size = encode(&mut memory[AROUND..AROUND + least]);
    let (before, rest) = memory.split_at(AROUND);
    let (room, behind) = rest.split_at(least);
    assert!(before.iter().chain(behind).all(|byte| *byte == CANARY), "written outside the room");
    room[..size].to_vec()
}

fn utf16(variant: &Variant, readable: &[u16], length: usize) -> Vec<u8> {
    written(3 * length + SLACK, |room| (variant.utf16)(readable, length, room))
}

fn latin1(variant: &Variant, bytes: &[u8]) -> Vec<u8> {
    written(2 * bytes.len() + SLACK, |room| (variant.latin1)(bytes, room))
}

/// `behind` is what may be read behind the text.
fn check_utf16(units: &[u16], behind: &[u16]) {
    let expected = String::from_utf16_lossy(units).into_bytes();
    let readable = [units, behind].concat();
    for variant in variants() {
        assert_eq!(
            utf16(&variant, &readable, units.len()),
            expected,
            "{} {units:x?} {behind:x?}",
            variant.name
        );
    }
}

fn check_latin1(bytes: &[u8]) {
    let expected: String = bytes.iter().map(|byte| char::from(*byte)).collect();
    for variant in variants() {
        assert_eq!(latin1(&variant, bytes), expected.as_bytes(), "{} {bytes:x?}", variant.name);
    }
}

/// The units at the ends of each class.
const SPECIAL: [u16; 14] =
    [0, 0x7f, 0x80, 0xff, 0x100, 0x7ff, 0x800, 0xfff, 0xd7ff, 0xd800, 0xdbff, 0xdc00, 0xdfff, 0xffff];
/// One unit of each class to fill a text with.
const FILLING: [u16; 3] = [0x61, 0x44f, 0x3042];
/// In place of some units: pairs, halves alone, and both.
const PAIRS: [&[u16]; 6] = [
    &[0xd83d, 0xde00],
    &[0xd83d, 0xde00, 0xdbff, 0xdfff],
    &[0xd83d, 0xd83d, 0xde00],
    &[0xde00, 0xd83d],
    &[0xde00, 0xd83d, 0xde00, 0xd83d],
    &[0xd800, 0xdc00, 0xdc00],
];

#[test]
fn here_are_the_variants_of_this_processor() {
    let names: Vec<_> = variants().iter().map(|variant| variant.name).collect();
    assert_eq!(names, ["scalar", "SSSE3", "AVX2"][..names.len()]);
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    assert_eq!(names.len() > 1, is_x86_feature_detected!("ssse3") && is_x86_feature_detected!("popcnt"));
}

#[test]
fn utf16_of_every_length_with_a_special_unit_at_every_place() {
    for filling in FILLING {
        for length in (0..=LONGEST).step_by(STEP) {
            let mut units = vec![filling; length];
            check_utf16(&units, &[]);
            for at in (0..length).step_by(STEP) {
                for special in SPECIAL {
                    units[at] = special;
                    check_utf16(&units, &[]);
                }
                units[at] = filling;
            }
        }
    }
}

#[test]
fn pairs_and_halves_at_every_place() {
    for filling in FILLING {
        for length in (7..=80).step_by(STEP) {
            for special in PAIRS {
                for at in (0..=length - special.len()).step_by(STEP) {
                    let mut units = vec![filling; length];
                    units[at..at + special.len()].copy_from_slice(special);
                    check_utf16(&units, &[]);
                    // The last unit also as the end of the text.
                    check_utf16(&units[..at + special.len()], &[]);
                    check_utf16(&units[..at + 1], &[]);
                    check_utf16(&units[at..], &[]);
                }
            }
        }
    }
}

#[test]
fn surrogates_only() {
    for length in (0..=LONGEST).step_by(STEP) {
        let pairs: Vec<u16> = [0xd83d, 0xde00].into_iter().cycle().take(length).collect();
        check_utf16(&pairs, &[]);
        check_utf16(&pairs[length.min(1)..], &[]);
        check_utf16(&vec![0xd83d; length], &[]);
        check_utf16(&vec![0xde00; length], &[]);
    }
}

#[test]
fn what_is_behind_the_text_is_not_part_of_it() {
    for filling in FILLING {
        for length in (0..=40).step_by(STEP) {
            for behind in [0, 1, 7, 8, 15, 16, 40] {
                for unit in [0x61, 0x3042, 0xd83d, 0xde00] {
                    let mut units = vec![filling; length];
                    check_utf16(&units, &vec![unit; behind]);
                    if let Some(last) = units.last_mut() {
                        *last = 0xd83d;
                        check_utf16(&units, &vec![unit; behind]);
                    }
                }
            }
        }
    }
}

#[test]
#[cfg_attr(miri, ignore = "too long")]
fn every_code_point_and_every_half() {
    let all: Vec<u16> = ('\0'..=char::MAX).collect::<String>().encode_utf16().collect();
    let ascending: Vec<u16> = (0..=0xffff).collect();
    let descending: Vec<u16> = (0..=0xffff).rev().collect();
    for shift in [0, 5] {
        for units in [&all, &ascending, &descending] {
            let shifted = [&vec![0x61; shift], &units[..]].concat();
            let expected = String::from_utf16_lossy(&shifted);
            for variant in variants() {
                let same = utf16(&variant, &shifted, shifted.len()) == expected.as_bytes();
                assert!(same, "{} shifted by {shift}", variant.name);
            }
        }
    }
    for unit in ascending {
        check_utf16(&[unit], &[]);
    }
}

#[test]
fn latin1_of_every_length_with_a_letter_at_every_place() {
    for length in (0..=LONGEST).step_by(STEP) {
        for filling in [b'a', 0xe9] {
            let mut bytes = vec![filling; length];
            check_latin1(&bytes);
            for at in (0..length).step_by(STEP) {
                for special in [0, 0x7f, 0x80, 0xbf, 0xc0, 0xff] {
                    bytes[at] = special;
                    check_latin1(&bytes);
                }
                bytes[at] = filling;
            }
        }
    }
}

#[test]
fn every_byte() {
    let all: Vec<u8> = (0..=0xff).collect();
    for start in (0..40).step_by(STEP) {
        check_latin1(&all[start..]);
        check_latin1(&all[100 + start..]);
    }
}

/// Texts of runs, so that blocks of one kind as well as mixed ones occur.
fn runs() -> impl Strategy<Value = Vec<u16>> {
    let unit = prop_oneof![
        4 => 0u16..0x80,
        2 => 0x80u16..0x800,
        2 => 0x800u16..=0xffff,
        1 => 0xd7f0u16..0xe010,
    ];
    let pair = (0xd800u16..0xdc00, 0xdc00u16..0xe000).prop_map(|(high, low)| vec![high, low]);
    let run = prop_oneof![
        3 => (unit, 0usize..70).prop_map(|(unit, length)| vec![unit; length]),
        3 => proptest::collection::vec(prop_oneof![0u16..0x80, 0u16..0x900, any::<u16>()], 0..40),
        2 => pair,
    ];
    proptest::collection::vec(run, 0..8).prop_map(|runs| runs.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    #[cfg_attr(miri, ignore = "asks for the working directory")]
    fn utf16_equals_the_standard_library(units in runs(), behind in proptest::collection::vec(any::<u16>(), 0..20)) {
        check_utf16(&units, &behind);
    }

    #[test]
    #[cfg_attr(miri, ignore = "asks for the working directory")]
    fn latin1_equals_char_by_char(bytes in proptest::collection::vec(prop_oneof![3 => 0u8..0x80, 1 => any::<u8>()], 0..300)) {
        check_latin1(&bytes);
    }
}
