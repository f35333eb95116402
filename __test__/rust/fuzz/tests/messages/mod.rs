//! Messages made by chance, and ways to break them.

/// A sequence of random numbers (SplitMix64).
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    pub fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    fn bytes(&mut self, count: usize, out: &mut Vec<u8>) {
        out.extend((0..count).map(|_| self.next() as u8));
    }
}

/// A sound message.
pub fn message(random: &mut Random) -> Vec<u8> {
    let mut out = Vec::new();
    value(random, 4, &mut out);
    out
}

fn value(random: &mut Random, depth: usize, out: &mut Vec<u8>) {
    let kinds = if depth == 0 { 14 } else { 22 };
    match random.below(kinds) {
        0..=3 => number(random, out),
        4..=7 => text(random, out),
        8 => out.push([0xc0, 0xc1, 0xc2, 0xc3][random.below(4)]),
        9 => sized(random, [0xc4, 0xc5, 0xc6], 0, out),
        // Of known types and of unknown ones, timestamps among them.
        10 => {
            let size = 1 << random.below(5);
            out.extend([0xd4 + (size as u32).ilog2() as u8, code(random)]);
            random.bytes(size, out);
        }
        11 => sized(random, [0xc7, 0xc8, 0xc9], 1, out),
        12 => out.extend([0xd4, 0, 0]),
        13 => {
            let size = [4, 8][random.below(2)];
            out.extend([if size == 4 { 0xd6 } else { 0xd7 }, 0xff]);
            random.bytes(size, out);
        }
        14..=15 => container(random, depth, [0x90, 0xdc, 0xdd], 1, out),
        16..=19 => container(random, depth, [0x80, 0xde, 0xdf], 2, out),
        _ => records(random, depth, out),
    }
}

/// An array of records of the same kind: one that defines it, and one that refers to it.
fn records(random: &mut Random, depth: usize, out: &mut Vec<u8>) {
    let (id, keys) = (0x40 + random.below(0x40) as u8, random.below(5));
    let second = (random.below(3) == 0 && id >= 0x60).then(|| random.next() as u8);
    out.extend([0x92, if second.is_some() { 0xd5 } else { 0xd4 }, 0x72, id]);
    out.extend(second);
    out.push(0x90 | keys as u8);
    for _ in 0..keys {
        match random.below(32) {
            0 => value(random, 0, out),
            _ => out.extend([0xa1, b'a' + random.below(8) as u8]),
        }
    }
    for _ in 0..keys {
        value(random, depth - 1, out);
    }
    out.push(id);
    out.extend(second);
    for _ in 0..keys {
        value(random, depth - 1, out);
    }
}

fn code(random: &mut Random) -> u8 {
    [0x42, 0x62, 0x69, 0x70, 0x73, 0, 0xff, random.next() as u8][random.below(8)]
}

fn number(random: &mut Random, out: &mut Vec<u8>) {
    match random.below(12) {
        0 => out.push(random.next() as u8 & 0x7f),
        1 => out.push(0xe0 | random.next() as u8),
        kind => {
            let size = [4, 8, 1, 2, 4, 8, 1, 2, 4, 8][kind - 2];
            out.push(0xca + kind as u8 - 2);
            random.bytes(size, out);
        }
    }
}

fn text(random: &mut Random, out: &mut Vec<u8>) {
    let count = [1, 2, 3, 8, 20, 40, 300][random.below(7)];
    let letters = ["a", "b", "z", "\u{e9}", "\u{20ac}", "\u{1f600}"];
    let known = if random.below(4) == 0 { 6 } else { 2 };
    let text: String = (0..random.below(count + 1)).map(|_| letters[random.below(known)]).collect();
    header(random, text.len(), 0xa0, 31, Some(0xd9), [0xda, 0xdb], out);
    out.extend(text.bytes());
}

/// A header of any size that holds the length: mostly the smallest.
fn header(
    random: &mut Random,
    length: usize,
    fixed: u8,
    most: usize,
    one: Option<u8>,
    [two, four]: [u8; 2],
    out: &mut Vec<u8>,
) {
    let wide = random.below(8) == 0;
    if length <= most && !wide {
        return out.push(fixed | length as u8);
    }
    match one {
        Some(marker) if length <= 0xff && !wide => out.extend([marker, length as u8]),
        _ if length <= 0xffff && random.below(4) != 0 => {
            out.push(two);
            out.extend((length as u16).to_be_bytes());
        }
        _ => {
            out.push(four);
            out.extend((length as u32).to_be_bytes());
        }
    }
}

/// Binary data, or an extension if there is a code.
fn sized(random: &mut Random, [one, two, four]: [u8; 3], codes: usize, out: &mut Vec<u8>) {
    let length = random.below(40);
    match random.below(3) {
        0 => out.extend([one, length as u8]),
        1 => out.extend([two, 0, length as u8]),
        _ => out.extend([four, 0, 0, 0, length as u8]),
    }
    out.extend((0..codes).map(|_| code(random)));
    random.bytes(length, out);
}

fn container(random: &mut Random, depth: usize, [fixed, two, four]: [u8; 3], size: usize, out: &mut Vec<u8>) {
    let length = random.below(7);
    header(random, length, fixed, 15, None, [two, four], out);
    for _ in 0..length {
        if size == 2 {
            // Few keys, so that objects have them in common; now and then one of any kind.
            if random.below(32) == 0 {
                value(random, 0, out);
            } else {
                out.extend([0xa1, b'a' + random.below(8) as u8]);
            }
        }
        value(random, depth - 1, out);
    }
}

/// A message with something wrong in it.
pub fn broken(random: &mut Random, message: Vec<u8>) -> Vec<u8> {
    let mut bytes = message;
    for _ in 0..=random.below(3) {
        if bytes.is_empty() {
            return bytes;
        }
        let at = random.below(bytes.len());
        match random.below(7) {
            0 => bytes.truncate(at),
            1 => bytes[at] ^= 1 << random.below(8),
            2 => bytes[at] = random.next() as u8,
            // A header where none was, of a length that is not there.
            3 => bytes[at] = [0xc4, 0xc6, 0xc9, 0xdb, 0xdd, 0xdf, 0xde, 0xdc, 0xda][random.below(9)],
            4 => {
                let length = [0xff_u32, 0xffff, 0x7fff_ffff, 0x8000_0000, u32::MAX][random.below(5)];
                bytes.splice(at..at, [0xdb, 0xdd, 0xdf, 0xc6][random.below(4)..][..1].iter().copied());
                bytes.splice(at + 1..at + 1, length.to_be_bytes());
            }
            5 => {
                bytes.remove(at);
            }
            _ => {
                let end = at + random.below(bytes.len() - at);
                bytes.extend_from_within(at..end);
            }
        }
    }
    bytes
}
