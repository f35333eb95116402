//! Scans messages that were made by chance and then broken: no panic, nothing read behind the end, no more
//! slots than the input can fill, and the next message is scanned as if nothing had been.

mod messages;

use std::time::{SystemTime, UNIX_EPOCH};

use ferropack::decode::Decoder;
use ferropack::decode::frame::Scanned;
use ferropack::decode::scan::{PADDING, scan};
use ferropack::error::DecodeError;
use ferropack::format::msgpack::scanner::Scanner;
use ferropack::options::{INT64_AS_NUMBER, INT64_AUTO, MAPS_AS_OBJECTS, NO_RECORDS, ROUND_FLOAT32};
use ferropack::tape::reader;

use messages::{Random, broken, message};

const OPTIONS: [u32; 5] = [NO_RECORDS, MAPS_AS_OBJECTS, INT64_AS_NUMBER, INT64_AUTO, ROUND_FLOAT32];

/// Types of extensions that have a meaning, and what their readers take.
const EXTENSIONS: [(u8, u32); 5] = [
    (0x42, reader::PAYLOAD_AND_MORE),
    (0x62, reader::BUNDLE),
    (0x69, reader::TARGET),
    (0x70, reader::POINTER),
    (0x73, reader::VALUE),
];

/// A decoder, and what stands behind each message that it gets.
struct Behind {
    decoder: Decoder,
    padding: [u8; PADDING],
}

impl Behind {
    fn new(byte: u8, extensions: &[(u8, u32)]) -> Self {
        let mut decoder = Decoder::default();
        for (code, kind) in extensions {
            decoder.extensions.set(*code, *kind, 0);
        }
        Self { decoder, padding: [byte; PADDING] }
    }

    /// Where a message ends, how deep it is, and its slots.
    fn scan(&mut self, message: &[u8], options: u32) -> Result<(Scanned, &[u64]), DecodeError> {
        let padded = [message, &self.padding].concat();
        let input = &padded[..message.len()];
        self.decoder.begin(true, true, false);
        self.decoder.records.begin(0, 0);
        let scanned = scan(&mut self.decoder, Scanner::new(input, 0, options), &padded, 0, options);
        let table = self.decoder.records.table.words();
        assert!(table.iter().all(|word| *word == 0), "{message:02x?} left a definition behind");
        let scanned = scanned?;
        Ok((scanned, &self.decoder.slots.words()[..scanned.free]))
    }
}

fn number_of(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

#[test]
fn broken_messages() {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_nanos() as u64);
    let seed = number_of("FERROPACK_SEED").unwrap_or(now);
    let count = number_of("FERROPACK_VALUES").unwrap_or(20_000);
    println!("FERROPACK_SEED={seed} FERROPACK_VALUES={count}");
    let mut random = Random(seed);
    let mut sound = 0;
    let mut experienced = Behind::new(0x91, &EXTENSIONS);
    for _ in 0..count {
        let options = OPTIONS.iter().filter(|_| random.below(2) == 0).fold(0, |all, option| all | option);
        let whole = message(&mut random);
        let bytes = if random.below(4) == 0 { whole } else { broken(&mut random, whole) };
        let (mut first, mut second) = (Behind::new(0, &EXTENSIONS), Behind::new(0xff, &EXTENSIONS));
        let found = first.scan(&bytes, options);
        assert_eq!(found, second.scan(&bytes, options), "{bytes:02x?}, options {options:#x}");
        // What was learned from other messages changes slots, but not what is sound.
        let outline = |(scanned, _): (Scanned, &[u64])| (scanned.position, scanned.depth);
        let outlined = found.map(outline);
        assert_eq!(experienced.scan(&bytes, options).map(outline), outlined, "{bytes:02x?}");
        if let Ok((scanned, slots)) = found {
            sound += 1;
            assert!(scanned.position <= bytes.len(), "{bytes:02x?}");
            assert!(slots.len() <= 8 * bytes.len() + 64, "{bytes:02x?}");
        }
    }
    assert!(sound > count / 5, "only {sound} messages of {count} were sound");
}
