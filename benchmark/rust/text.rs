//! Times the text encoders, each variant that this processor can run and the standard library:
//! `cargo run --release --example text [-- seconds]`. Prints nanoseconds for a set of short texts, or for
//! one long text.

use ferropack::text::arch::{SLACK, Variant, variants};
use ferropack::text::latin1::encode_latin1;
use ferropack::text::utf16::{PADDING, PaddedText, encode_padded, encode_utf16};
use std::hint::black_box;
use std::time::{Duration, Instant};

const RUSSIAN: &str = "Каждый вечер старый смотритель поднимался на маяк, зажигал лампу и долго слушал, как \
    внизу шумит тёмное море. В 1897 году здесь разбилось судно, и с тех пор он не пропустил ни одной ночи; \
    даже в бурю огонь горел ровно. ";
const JAPANESE: &str = "毎晩、年老いた灯台守は塔に登り、ランプに火をともして、暗い海の音に長いあいだ耳を澄ませていた。\
    1897年にここで船が難破してから、彼は一夜も欠かさなかった。嵐の夜でも、光は静かに燃えていた。";
const FRENCH: &str = "Chaque soir, le vieux gardien montait à la tour, allumait la lampe et écoutait longtemps la \
    mer agitée. Depuis le naufrage de l'été 1897, il n'avait manqué aucune nuit ; même pendant la tempête, la \
    lumière brûlait, régulière. ";
const ENGLISH: &str = "Every evening the old keeper climbed the tower, lit the lamp and listened for a long time to \
    the dark sea below. Since the wreck of 1897 he had not missed a single night; even in a storm the light \
    burned steadily. ";
const EMOJI: &str =
    "Great trip today 😀🌊, the lighthouse 🗼 was open! Смотри фото 📷 и 灯台 ✨ — see you soon 👋🏽 ";

/// Long texts are timed as so many different ones: a single one is learned by the branch predictor.
const COPIES: usize = 30;
/// How often the encoders take turns.
const TURNS: u32 = 10;

struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % limit
    }
}

/// A text of so many units, the words in any order.
fn text(model: &str, length: usize, random: &mut Random) -> Vec<u16> {
    let words: Vec<&str> = model.split_inclusive([' ', '、', '。']).collect();
    let mut units = Vec::new();
    while units.len() < length {
        units.extend(words[random.below(words.len())].encode_utf16());
    }
    units.truncate(length);
    units
}

struct Set {
    name: &'static str,
    texts: Vec<Vec<u16>>,
    /// Times are divided by this.
    copies: usize,
}

impl Set {
    fn long(name: &'static str, model: &str, length: usize) -> Self {
        let mut random = Random(0x9e37_79b9_7f4a_7c15);
        Self { name, texts: (0..COPIES).map(|_| text(model, length, &mut random)).collect(), copies: COPIES }
    }

    fn short(name: &'static str, model: &str, count: usize, shortest: usize, longest: usize) -> Self {
        let mut random = Random(0x0005_deec_e66d);
        let mut one = || {
            let length = shortest + random.below(longest - shortest + 1);
            let from = random.below(40);
            text(model, from + length, &mut random).split_off(from)
        };
        Self { name, texts: (0..count).map(|_| one()).collect(), copies: 1 }
    }
}

/// The best time for all texts, in nanoseconds.
fn time<T>(texts: &[T], budget: Duration, encode: &mut dyn FnMut(&T) -> usize) -> f64 {
    let mut best = f64::MAX;
    // Short enough that many a round is not interrupted.
    let rounds = if texts.len() == 60 { 10 } else { 1 };
    let until = Instant::now() + budget;
    while Instant::now() < until {
        let start = Instant::now();
        for _ in 0..rounds {
            for text in texts {
                black_box(encode(black_box(text)));
            }
        }
        best = best.min(start.elapsed().as_nanos() as f64 / f64::from(rounds));
    }
    best
}

/// What is timed: a name, and what it does with a text and the room.
type Encoder<T> = (&'static str, Box<dyn Fn(&T, &mut [u8]) -> usize>);

/// Prints a table. The encoders take turns, so that what else the machine does meets all of them.
fn table<T>(title: &str, sets: &[(&Set, Vec<T>)], encoders: &[Encoder<T>], budget: Duration) {
    let mut room = vec![0; 6000 * 3 + SLACK];
    let mut best = vec![vec![f64::MAX; sets.len()]; encoders.len()];
    for _ in 0..TURNS {
        for ((_, encode), times) in encoders.iter().zip(&mut best) {
            for ((set, texts), time_of_set) in sets.iter().zip(times) {
                let all = time(texts, budget / TURNS, &mut |text| encode(text, &mut room));
                *time_of_set = time_of_set.min(all / set.copies as f64);
            }
        }
    }
    print!("{title:18}");
    sets.iter().for_each(|(set, _)| print!("{:>10}", set.name));
    for ((name, _), times) in encoders.iter().zip(&best) {
        print!("\n{name:18}");
        times.iter().for_each(|time| print!("{time:10.0}"));
    }
    println!("\n");
}

fn main() {
    let seconds = std::env::args().nth(1).map_or(0.2, |text| text.parse().expect("seconds for each cell"));
    let budget = Duration::from_secs_f64(seconds);

    let sets = [
        Set::short("60 ru", RUSSIAN, 60, 5, 30),
        Set::short("20000 ru", RUSSIAN, 20000, 5, 30),
        Set::short("60 ja", JAPANESE, 60, 3, 12),
        Set::short("20000 ja", JAPANESE, 20000, 3, 12),
        Set::short("60 en", ENGLISH, 60, 5, 30),
        Set::short("60 emoji", EMOJI, 60, 5, 30),
        Set::long("ru 5.5k", RUSSIAN, 5500),
        Set::long("ja 3.6k", JAPANESE, 3600),
        Set::long("fr 4.7k", FRENCH, 4700),
        Set::long("en 4.5k", ENGLISH, 4500),
        Set::long("emoji 3k", EMOJI, 3000),
    ];
    // All are padded, and looked at with and without the padding.
    let padded = |set: &Set| -> Vec<Vec<u16>> {
        set.texts.iter().map(|text| [&text[..], &[0x20; PADDING]].concat()).collect()
    };
    let sets: Vec<_> = sets.iter().map(|set| (set, padded(set))).collect();
    let mut encoders: Vec<Encoder<Vec<u16>>> = Vec::new();
    for Variant { name, utf16, .. } in variants() {
        encoders.push((name, Box::new(move |text, room| utf16(units(text), text.len() - PADDING, room))));
    }
    encoders.push(("encode_utf16", Box::new(|text, room| encode_utf16(units(text), room))));
    encoders.push(("encode_padded", Box::new(|text, room| encode_padded(PaddedText::new(text), room))));
    encoders.push(("from_utf16_lossy", Box::new(|text, _| String::from_utf16_lossy(units(text)).len())));
    table("UTF-16, ns", &sets, &encoders, budget);

    let sets = [
        Set::short("60 fr", FRENCH, 60, 5, 30),
        Set::short("20000 fr", FRENCH, 20000, 5, 30),
        Set::long("fr 4.7k", FRENCH, 4700),
        Set::long("en 4.5k", ENGLISH, 4500),
    ];
    let narrow = |set: &Set| -> Vec<Vec<u8>> {
        set.texts.iter().map(|text| text.iter().map(|unit| *unit as u8).collect()).collect()
    };
    let sets: Vec<_> = sets.iter().map(|set| (set, narrow(set))).collect();
    let mut encoders: Vec<Encoder<Vec<u8>>> = Vec::new();
    for Variant { name, latin1, .. } in variants() {
        encoders.push((name, Box::new(move |bytes, room| latin1(bytes, room))));
    }
    encoders.push(("encode_latin1", Box::new(|bytes, room| encode_latin1(bytes, room))));
    let collect = |bytes: &Vec<u8>| bytes.iter().map(|byte| char::from(*byte)).collect::<String>().len();
    encoders.push(("char by char", Box::new(move |bytes, _| collect(bytes))));
    table("Latin-1, ns", &sets, &encoders, budget);
}

fn units(padded: &[u16]) -> &[u16] {
    &padded[..padded.len() - PADDING]
}
