//! Times the tape walk and the writer alone: `cargo run --release --example encode -- [seconds]`, on the
//! tape of a message like `["tag", [[1440949922, {"message": "hi there"}]]]`.

use ferropack::buffer::{OutputBuffer, Position};
use ferropack::encode::{Tape, tape_walk};
use ferropack::format::msgpack::writer::Writer;
use ferropack::options::NO_RECORDS;
use ferropack::shapes::Shapes;
use ferropack::tape::{TAG_BITS, pack};
use ferropack::text::utf16::{PADDING, PaddedText};
use std::mem;
use std::time::{Duration, Instant};

fn padded(text: &str) -> Vec<u16> {
    text.encode_utf16().chain([0; PADDING]).collect()
}

fn word(tag: u32, payload: u32) -> u32 {
    payload << TAG_BITS | tag
}

fn main() {
    let seconds = std::env::args().nth(1).map_or(2.0, |text| text.parse().expect("seconds"));
    let mut output = OutputBuffer::default();
    let mut shapes = Shapes::default();
    let keys = padded("message");
    let key_tape = Tape { words: &[7], side: &[], text: PaddedText::new(&keys), binary: &[] };
    shapes.define(tape_walk::encode_keys::<Writer>(key_tape).expect("keys"));
    let text = padded("taghi there");
    let words = [
        word(pack::ARRAY, 2),
        word(pack::STR, 3),
        word(pack::ARRAY, 1),
        word(pack::ARRAY, 2),
        word(pack::INT32, 0),
        1_440_949_922,
        word(pack::OBJECT, 0),
        word(pack::STR, 8),
    ];
    let tape = Tape { words: &words, side: &[], text: PaddedText::new(&text), binary: &[] };
    let mut stack = Vec::new();
    let mut best = f64::MAX;
    let mut end = Position::START;
    let until = Instant::now() + Duration::from_secs_f64(seconds);
    while Instant::now() < until {
        let rounds = 10_000;
        let start = Instant::now();
        for _ in 0..rounds {
            output.clear();
            let mut writer = Writer::new(mem::take(&mut output), NO_RECORDS);
            end = tape_walk::walk(tape, &shapes, &mut stack, &mut writer).expect("a sound tape");
            output = writer.into_output();
        }
        best = best.min(start.elapsed().as_nanos() as f64 / f64::from(rounds));
    }
    println!("{best:.0} ns a message, {} bytes", output.message(end).len());
}
