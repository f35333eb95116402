//! Times the scanner alone: `cargo run --release --example scan -- messages.msgpack [seconds]`, for a
//! file of messages one after the other. Prints nanoseconds a message.

use ferropack::decode::Decoder;
use ferropack::decode::scan::{PADDING, scan};
use ferropack::format::msgpack::scanner::Scanner;
use ferropack::options::{MAPS_AS_OBJECTS, NO_RECORDS};
use std::time::{Duration, Instant};

const OPTIONS: u32 = MAPS_AS_OBJECTS | NO_RECORDS;

/// Scans a message of `padded` from `start` on; as for small inputs, there are bytes behind the end.
fn scan_at(decoder: &mut Decoder, padded: &[u8], start: usize) -> usize {
    let input = &padded[..padded.len() - PADDING];
    decoder.begin(true, true, false);
    scan(decoder, Scanner::new(input, start, OPTIONS), padded, 0, OPTIONS).expect("a sound message").position
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().expect("a file of messages");
    let seconds = arguments.next().map_or(2.0, |text| text.parse().expect("seconds"));
    let mut bytes = std::fs::read(path).expect("a readable file");
    let end_of_all = bytes.len();
    bytes.extend([0; PADDING]);
    let mut decoder = Decoder::default();
    let mut messages = Vec::new();
    let mut at = 0;
    while at < end_of_all {
        let end = scan_at(&mut decoder, &bytes, at);
        messages.push([&bytes[at..end], &[0; PADDING]].concat());
        at = end;
    }
    let mut best = f64::MAX;
    let until = Instant::now() + Duration::from_secs_f64(seconds);
    while Instant::now() < until {
        let rounds = 2000 / messages.len() + 1;
        let start = Instant::now();
        for _ in 0..rounds {
            for message in &messages {
                scan_at(&mut decoder, message, 0);
            }
        }
        best = best.min(start.elapsed().as_nanos() as f64 / (rounds * messages.len()) as f64);
    }
    println!("{best:.0} ns a message, {} messages", messages.len());
}
