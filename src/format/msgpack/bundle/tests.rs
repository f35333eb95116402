use super::*;
use crate::options::NO_RECORDS;
use crate::text::utf16::PADDING;
use proptest::prelude::*;

fn units_of(text: &str) -> Vec<u16> {
    text.encode_utf16().collect()
}

fn padded(units: &[u16]) -> Vec<u16> {
    [units, &[0xe9; PADDING]].concat()
}

fn key_of(units: &[u16]) -> EncodedKey {
    Writer::encode_key(PaddedText::new(&padded(units)))
}

/// What `write` makes of an empty message, with records or without.
fn written_with(
    options: u32,
    write: impl FnOnce(&mut BundlingWriter<'_, '_>, Position) -> Position,
) -> Vec<u8> {
    let mut texts = Texts::default();
    let mut writer = BundlingWriter::new(Writer::new(OutputBuffer::default(), options), &mut texts);
    let end = write(&mut writer, Position::START);
    let end = writer.finish(end);
    writer.into_output().message(end).to_vec()
}

fn written(write: impl FnOnce(&mut BundlingWriter<'_, '_>, Position) -> Position) -> Vec<u8> {
    written_with(NO_RECORDS, write)
}

/// The ways in which a string may be written.
#[derive(Clone, Copy, Debug)]
enum Way {
    String,
    TwoByte,
    OneByte,
    Word,
    Fill,
    Key,
}

const WAYS: [Way; 6] = [Way::String, Way::TwoByte, Way::OneByte, Way::Word, Way::Fill, Way::Key];

fn write(writer: &mut BundlingWriter<'_, '_>, at: Position, units: &[u16], way: Way) -> Position {
    let bytes: Vec<u8> = units.iter().map(|unit| *unit as u8).collect();
    let is_latin1 = units.iter().all(|unit| *unit <= 0xff);
    let is_ascii = bytes.is_ascii() && is_latin1;
    match way {
        Way::OneByte if is_latin1 => writer.one_byte_string(at, &bytes),
        Way::Word if is_ascii && (1..=8).contains(&bytes.len()) => {
            let mut word = [0xff; 8];
            word[..bytes.len()].copy_from_slice(&bytes);
            writer.ascii_word(at, u64::from_le_bytes(word), bytes.len())
        }
        Way::Fill if is_ascii => {
            assert_eq!(writer.ascii_string(at, bytes.len(), |_| false), None);
            let fill = |room: &mut [u8]| {
                room.copy_from_slice(&bytes);
                true
            };
            writer.ascii_string(at, bytes.len(), fill).expect("it was filled")
        }
        Way::Key => writer.key(at, &key_of(units)),
        Way::TwoByte => writer.two_byte_string(at, units),
        _ => writer.string(at, PaddedText::new(&padded(units))),
    }
}

fn encoded(units: &[u16]) -> Vec<u8> {
    let mut writer = Writer::new(OutputBuffer::default(), NO_RECORDS);
    let end = writer.two_byte_string(Position::START, units);
    writer.into_output().message(end).to_vec()
}

/// A bundle of the oracle: its text, and the bytes from its field on.
#[derive(Default)]
struct Bundle {
    ascii: Vec<u16>,
    other: Vec<u16>,
    units: usize,
    bytes: Vec<u8>,
}

impl Bundle {
    fn strings(&self) -> Vec<u8> {
        [encoded(&self.other), encoded(&self.ascii)].concat()
    }
}

/// A message of these strings, put together from whole bundles.
fn naive(strings: &[Vec<u16>]) -> Vec<u8> {
    let mut before = Vec::new();
    let mut bundles: Vec<Bundle> = Vec::new();
    for units in strings {
        if !COLLECTED.contains(&units.len()) {
            let bytes = bundles.last_mut().map_or(&mut before, |bundle| &mut bundle.bytes);
            bytes.extend(encoded(units));
            continue;
        }
        match bundles.last_mut() {
            Some(bundle) if bundle.units + units.len() <= MAX_UNITS => bundle.units += units.len(),
            _ => bundles.push(Bundle::default()),
        }
        let bundle = bundles.last_mut().expect("there is one");
        let is_ascii = units.iter().all(|unit| *unit < 0x80);
        let text = if is_ascii { &mut bundle.ascii } else { &mut bundle.other };
        text.extend(units);
        let length = if is_ascii { units.len() as i32 } else { -(units.len() as i32) };
        let mut writer = Writer::new(OutputBuffer::default(), NO_RECORDS);
        let end = writer.int(Position::START, length);
        bundle.bytes.push(0xc1);
        bundle.bytes.extend(writer.into_output().message(end));
    }
    // Each opening holds the strings of the bundle before it, and its own field says how much follows.
    let mut message = before;
    let mut last: Option<Bundle> = None;
    let count = bundles.len();
    for (index, bundle) in bundles.into_iter().enumerate() {
        let held = last.take().map(|last| last.strings());
        let length = 4 + held.as_ref().map_or(0, Vec::len);
        let next_header = if index + 1 == count {
            0
        } else if 4 + bundle.strings().len() <= 0xffff {
            4 + 4
        } else {
            6 + 4
        };
        let distance = length + bundle.bytes.len() + next_header;
        match held {
            None => message.extend([0xd6, 0x62]),
            Some(_) if length <= 0xffff => {
                message.push(0xc8);
                message.extend((length as u16).to_be_bytes());
                message.push(0x62);
            }
            Some(_) => {
                message.push(0xc9);
                message.extend((length as u32).to_be_bytes());
                message.push(0x62);
            }
        }
        message.extend((distance as u32).to_be_bytes());
        message.extend(held.unwrap_or_default());
        message.extend(&bundle.bytes);
        last = Some(bundle);
    }
    message.extend(last.map(|last| last.strings()).unwrap_or_default());
    message
}

fn compare(strings: &[Vec<u16>], ways: &[Way]) {
    let message = written(|writer, mut at| {
        for (index, units) in strings.iter().enumerate() {
            at = write(writer, at, units, ways[index % ways.len()]);
        }
        at
    });
    assert!(
        message == naive(strings),
        "{ways:?} of lengths {:?}",
        strings.iter().map(Vec::len).collect::<Vec<_>>()
    );
}

#[test]
fn known_bytes() {
    let message = written(|writer, at| {
        let at = writer.array(at, 5);
        ["hello", "h\u{e9}llo", "w\u{f6}rld", "abcd", "ab"]
            .iter()
            .fold(at, |at, text| writer.string(at, PaddedText::new(&padded(&units_of(text)))))
    });
    let expected = b"\x95\xd6\x62\0\0\0\x0f\xc1\x05\xc1\xfb\xc1\xfb\xc1\x04\xa2ab\xach\xc3\xa9llow\xc3\xb6rld\xa9helloabcd";
    assert_eq!(message, expected);
}

#[test]
fn lengths_are_written_as_other_integers_are() {
    let text = padded(&[0x61; 100]);
    let write = |writer: &mut BundlingWriter<'_, '_>, at| writer.string(at, PaddedText::new(&text));
    assert_eq!(written_with(NO_RECORDS, write)[6..8], [0xc1, 100]);
    assert_eq!(written_with(0, write)[6..9], [0xc1, 0xcc, 100]);
}

#[test]
fn nothing_collected_leaves_no_trace() {
    let message = written(|writer, at| {
        let at = writer.array(at, 3);
        let at = writer.one_byte_string(at, b"abc");
        let at = writer.two_byte_string(at, &[0x4f60; 3]);
        writer.two_byte_string(at, &[0x61; 4096])
    });
    assert_eq!(message[..5], *b"\x93\xa3abc");
    assert_eq!(message.len(), 5 + 10 + 3 + 4096);
}

#[test]
fn strings_of_every_length_and_way() {
    for way in WAYS {
        for length in [0, 1, 3, 4, 5, 7, 8, 9, 31, 32, 33, 255, 256, 4095, 4096] {
            for unit in [0x61, 0xe9, 0x4f60, 0xd83d] {
                let mut mixed = vec![0x61; length];
                if let Some(last) = mixed.last_mut() {
                    *last = unit;
                }
                compare(&[vec![unit; length], units_of("some text"), mixed], &[way]);
            }
        }
    }
}

#[test]
fn the_string_that_is_too_much_begins_a_bundle() {
    let first = vec![0x78; 4095];
    for way in WAYS {
        for rest in [1759, 1760, 1761] {
            let mut strings = vec![first.clone()];
            strings.extend(std::iter::repeat_n(vec![0x79; 4000], 5));
            strings.push(vec![0x7a; rest]);
            strings.push(units_of("behind"));
            compare(&strings, &[way]);
        }
    }
}

#[test]
fn wide_bundles_have_a_longer_length() {
    // 65,531 bytes of strings are the most that the short form holds.
    for more in 0..8 {
        let mut strings = vec![vec![0x4f60; 3000]; 7];
        let missing = 65_531 - 7 * 9000 - 4 + more - 3;
        strings.push(vec![0x4f60; missing / 3]);
        strings.extend([vec![0xe9; 4 + missing % 3], vec![0x61; 4000]]);
        strings.extend(vec![vec![0x4f60; 4095]; 20]);
        compare(&strings, &[Way::TwoByte]);
    }
}

#[test]
fn halves_of_pairs_meet() {
    for way in WAYS {
        let message = written(|writer, at| {
            let at = write(writer, at, &[0x61, 0x62, 0x63, 0xd83d], way);
            write(writer, at, &[0xde00, 0x61, 0x62, 0x63], way)
        });
        assert_eq!(message[..10], *b"\xd6\x62\0\0\0\x08\xc1\xfc\xc1\xfc");
        assert_eq!(message[10..], *b"\xaaabc\xf0\x9f\x98\x80abc\xa0");
    }
}

#[test]
fn strings_that_are_only_looked_at_stand_where_they_are() {
    let key = key_of(&units_of("h\u{e9}llo"));
    let message = written(|writer, start| {
        writer.set_trying(true);
        let end = WAYS.iter().fold(start, |at, way| write(writer, at, &units_of("hello"), *way));
        assert_eq!(writer.written(start, end), b"\xa5hello".repeat(WAYS.len()));
        let end = writer.key(start, &key);
        assert_eq!(writer.written(start, end), key.bytes());
        writer.set_trying(false);
        writer.ascii_word(start, u64::from_le_bytes(*b"text.js\0"), 7)
    });
    assert_eq!(message, b"\xd6\x62\0\0\0\x06\xc1\x07\xa0\xa7text.js");
}

#[test]
fn the_unused_byte_is_no_value_behind_an_opening() {
    let mut texts = Texts::default();
    let mut writer = BundlingWriter::new(Writer::new(OutputBuffer::default(), NO_RECORDS), &mut texts);
    let at = writer.reserved(Position::START).expect("nothing was opened");
    assert_eq!(writer.written(Position::START, at), [0xc1]);
    let at = writer.one_byte_string(at, b"abc");
    let at = writer.reserved(at).expect("nothing was opened");
    let at = writer.one_byte_string(at, b"abcd");
    assert_eq!(writer.reserved(at), Err(EncodeError::ReservedInBundle));
}

#[test]
fn texts_of_a_message_that_failed_are_forgotten() {
    let mut texts = Texts::default();
    let mut writer = BundlingWriter::new(Writer::new(OutputBuffer::default(), NO_RECORDS), &mut texts);
    writer.one_byte_string(Position::START, b"left");
    writer.two_byte_string(Position::START, &[0x4f60; 9]);
    let mut writer = BundlingWriter::new(Writer::new(OutputBuffer::default(), NO_RECORDS), &mut texts);
    let at = writer.one_byte_string(Position::START, b"next");
    let end = writer.finish(at);
    assert_eq!(writer.written(Position::START, end), b"\xd6\x62\0\0\0\x06\xc1\x04\xa0\xa4next");
}

#[test]
fn memory_for_texts_is_bounded() {
    let mut texts = Texts::default();
    let mut writer = BundlingWriter::new(Writer::new(OutputBuffer::default(), NO_RECORDS), &mut texts);
    let mut at = Position::START;
    for _ in 0..200 {
        at = writer.two_byte_string(at, &[0x4f60; 4095]);
        at = writer.two_byte_string(at, &[0x61; 4095]);
    }
    writer.finish(at);
    assert!(texts.ascii.capacity() < 1 << 16 && texts.other.capacity() < 1 << 16);
}

fn text() -> impl Strategy<Value = Vec<u16>> {
    let unit = prop_oneof![0x20u16..0x80, 0x20u16..0x80, 0x80u16..0x100, 0xd700u16..0xe100];
    prop_oneof![
        proptest::collection::vec(0x20u16..0x80, 0..40),
        proptest::collection::vec(unit, 0..40),
        (0usize..5000, 0x20u16..0x100).prop_map(|(length, unit)| vec![unit; length]),
        (0usize..5000, 0xd000u16..0xe000).prop_map(|(length, unit)| vec![unit; length]),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn equals_whole_bundles(
        strings in proptest::collection::vec(text(), 0..40),
        ways in proptest::collection::vec(proptest::sample::select(&WAYS[..]), 1..7),
    ) {
        compare(&strings, &ways);
    }
}
