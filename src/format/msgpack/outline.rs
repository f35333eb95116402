//! Where values of MessagePack end, for input that comes in pieces.

use super::ext;
use super::marker::Marker;
use super::record_id::{may_go_on, slot_of, wide_slot};
use crate::format::outline::{Extent, Outline, WideSlot};

/// Extents of MessagePack.
pub struct Msgpack;

/// See [`Outline::BY_LEAD`].
const fn by_lead() -> [(u8, u8); 256] {
    let mut table = [(0, 0); 256];
    let mut lead = 0;
    while lead < 256 {
        table[lead] = match Marker::from_u8(lead as u8) {
            Marker::FixPos(0x40..) => (0, 0),
            Marker::FixPos(_) | Marker::FixNeg(_) | Marker::Null | Marker::False | Marker::True => (1, 0),
            Marker::FixStr(length) => (1 + length, 0),
            Marker::FixArray(count) => (1, count),
            Marker::FixMap(pairs) => (1, 2 * pairs),
            Marker::U8 | Marker::I8 => (2, 0),
            Marker::U16 | Marker::I16 => (3, 0),
            Marker::U32 | Marker::I32 | Marker::F32 => (5, 0),
            Marker::U64 | Marker::I64 | Marker::F64 => (9, 0),
            _ => (0, 0),
        };
        lead += 1;
    }
    table
}

impl Outline for Msgpack {
    const BY_LEAD: [(u8, u8); 256] = by_lead();

    #[inline(always)]
    fn extent(bytes: &[u8], reaches: impl Fn(u8, bool) -> bool) -> Extent {
        let Some(lead) = bytes.first() else { return Extent::Short(1) };
        match Marker::from_u8(*lead) {
            Marker::FixPos(0x40..) => record(bytes),
            Marker::FixPos(_) | Marker::FixNeg(_) | Marker::Null | Marker::False | Marker::True => {
                Extent::Bytes(1)
            }
            Marker::FixStr(length) => Extent::Bytes(1 + u64::from(length)),
            Marker::FixArray(count) => list(1, u64::from(count)),
            Marker::FixMap(pairs) => map(1, u64::from(pairs)),
            Marker::U8 | Marker::I8 => Extent::Bytes(2),
            Marker::U16 | Marker::I16 => Extent::Bytes(3),
            Marker::U32 | Marker::I32 | Marker::F32 => Extent::Bytes(5),
            Marker::U64 | Marker::I64 | Marker::F64 => Extent::Bytes(9),
            Marker::Str8 | Marker::Bin8 => sized::<1>(bytes, |length| Extent::Bytes(2 + length)),
            Marker::Str16 | Marker::Bin16 => sized::<2>(bytes, |length| Extent::Bytes(3 + length)),
            Marker::Str32 | Marker::Bin32 => sized::<4>(bytes, |length| Extent::Bytes(5 + length)),
            Marker::Array16 => sized::<2>(bytes, |count| list(3, count)),
            Marker::Array32 => sized::<4>(bytes, |count| list(5, count)),
            Marker::Map16 => sized::<2>(bytes, |pairs| map(3, pairs)),
            Marker::Map32 => sized::<4>(bytes, |pairs| map(5, pairs)),
            Marker::FixExt1 => fixext1(bytes, reaches),
            Marker::FixExt2 => fixext2(bytes, reaches),
            Marker::FixExt4 => extension(bytes, 1, 4, reaches),
            Marker::FixExt8 => extension(bytes, 1, 8, reaches),
            Marker::FixExt16 => extension(bytes, 1, 16, reaches),
            Marker::Ext8 => sized::<1>(bytes, |length| extension(bytes, 2, length, reaches)),
            Marker::Ext16 => sized::<2>(bytes, |length| extension(bytes, 3, length, reaches)),
            Marker::Ext32 => sized::<4>(bytes, |length| extension(bytes, 5, length, reaches)),
            Marker::Reserved => Extent::Reserved,
        }
    }
}

fn list(head: u64, count: u64) -> Extent {
    Extent::Values { head, count, list: true }
}

fn map(head: u64, pairs: u64) -> Extent {
    Extent::Values { head, count: 2 * pairs, list: false }
}

/// What follows from the length of `N` bytes behind the first one.
#[inline(always)]
fn sized<const N: usize>(bytes: &[u8], extent: impl FnOnce(u64) -> Extent) -> Extent {
    match bytes.get(1..=N) {
        Some(length) => extent(length.iter().fold(0, |value, byte| value << 8 | u64::from(*byte))),
        None => Extent::Short(1 + N as u64),
    }
}

fn record(bytes: &[u8]) -> Extent {
    let slot = slot_of(usize::from(bytes[0]));
    let wide = match bytes.get(1) {
        _ if !may_go_on(slot) => WideSlot::None,
        Some(second) => WideSlot::Slot(wide_slot(slot, usize::from(*second))),
        None => WideSlot::Short,
    };
    Extent::Record { slot, wide }
}

fn fixext1(bytes: &[u8], reaches: impl Fn(u8, bool) -> bool) -> Extent {
    let [_, code, data, ..] = *bytes else { return Extent::Short(3) };
    match code {
        ext::RECORD => Extent::Define { head: 3, slot: slot_of(usize::from(data)), two_byte: false },
        _ if reaches(code, true) => Extent::Prefix(3),
        ext::UNDEFINED | ext::TIMESTAMP => Extent::Bytes(3),
        _ => Extent::Extension(3),
    }
}

fn fixext2(bytes: &[u8], reaches: impl Fn(u8, bool) -> bool) -> Extent {
    let [_, code, first, second, ..] = *bytes else { return Extent::Short(4) };
    if code != ext::RECORD {
        return extension(bytes, 1, 2, reaches);
    }
    let first = slot_of(usize::from(first));
    // A byte that always is a whole id can not begin one of two.
    let slot = if may_go_on(first) { wide_slot(first, usize::from(second)) } else { usize::MAX };
    Extent::Define { head: 4, slot, two_byte: true }
}

/// An extension whose type stands at `at`, before a payload of this length.
fn extension(bytes: &[u8], at: usize, length: u64, reaches: impl Fn(u8, bool) -> bool) -> Extent {
    let Some(code) = bytes.get(at) else { return Extent::Short(at as u64 + 1) };
    let start = at as u64 + 1;
    let head = start + length;
    if matches!(*code, ext::UNDEFINED | ext::TIMESTAMP) {
        return Extent::Bytes(head);
    }
    if length < 4 || !matches!(*code, ext::TARGET | ext::REFERENCE | ext::BUNDLE) || !reaches(*code, false) {
        return Extent::Extension(head);
    }
    let Some(word) = bytes[at + 1..].first_chunk() else { return Extent::Short(start + 4) };
    let word = u32::from_be_bytes(*word);
    match *code {
        ext::TARGET => Extent::Target { head, id: word },
        ext::REFERENCE => Extent::Pointer { head, id: word },
        _ => Extent::Bundle { head, strings: start + u64::from(word) },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reaches(code: u8, is_short: bool) -> bool {
        let codes = if is_short {
            [ext::ERROR, ext::SET, ext::REGEXP]
        } else {
            [ext::TARGET, ext::REFERENCE, ext::BUNDLE]
        };
        codes.contains(&code)
    }

    fn extent(bytes: &[u8]) -> Extent {
        Msgpack::extent(bytes, reaches)
    }

    #[test]
    fn values_of_known_size() {
        for (bytes, size) in [
            (&b"\x3f"[..], 1),
            (b"\xe0", 1),
            (b"\xc0", 1),
            (b"\xa3", 4),
            (b"\xcc", 2),
            (b"\xcd", 3),
            (b"\xca", 5),
            (b"\xcb", 9),
            (b"\xd3", 9),
            (b"\xd9\xff", 257),
            (b"\xc5\x01\x00", 259),
            (b"\xdb\xff\xff\xff\xff", 5 + 0xffff_ffff),
            (b"\xd4\x00\x00", 3),
            (b"\xd4\xff\xff", 3),
            (b"\xd6\xff", 6),
            (b"\xc7\x0c\xff", 15),
        ] {
            assert_eq!(extent(bytes), Extent::Bytes(size), "{bytes:x?}");
        }
        for (bytes, size) in [
            (&b"\xd4\x05\x00"[..], 3),
            (b"\xd5\x42\x00\x01", 4),
            (b"\xd8\x42", 18),
            (b"\xc7\x00\x05", 3),
            (b"\xc8\x01\x00\x74", 260),
            (b"\xc7\x03\x69", 6),
        ] {
            assert_eq!(extent(bytes), Extent::Extension(size), "{bytes:x?}");
        }
    }

    #[test]
    fn first_bytes_tell_the_same() {
        for lead in 0..=255_u8 {
            let (length, values) = Msgpack::BY_LEAD[usize::from(lead)];
            match (length, values, extent(&[lead])) {
                (0, 0, Extent::Record { .. } | Extent::Short(_) | Extent::Reserved) => {}
                (length, 0, Extent::Bytes(bytes)) => assert_eq!(u64::from(length), bytes),
                (1, values, Extent::Values { head: 1, count, .. }) => assert_eq!(u64::from(values), count),
                other => panic!("{lead:x}: {other:?}"),
            }
        }
    }

    #[test]
    fn containers() {
        let list = |head, count| Extent::Values { head, count, list: true };
        let map = |head, count| Extent::Values { head, count, list: false };
        assert_eq!(extent(b"\x92"), list(1, 2));
        assert_eq!(extent(b"\xdc\x01\x00"), list(3, 256));
        assert_eq!(extent(b"\xdd\xff\xff\xff\xff"), list(5, 0xffff_ffff));
        assert_eq!(extent(b"\x83"), map(1, 6));
        assert_eq!(extent(b"\xde\x00\x01"), map(3, 2));
        assert_eq!(extent(b"\xdf\xff\xff\xff\xff"), map(5, 2 * 0xffff_ffff));
        assert_eq!(extent(b"\xd4\x73\x00"), Extent::Prefix(3));
    }

    #[test]
    fn records() {
        assert_eq!(extent(b"\x41"), Extent::Record { slot: 1, wide: WideSlot::None });
        assert_eq!(extent(b"\x63"), Extent::Record { slot: 35, wide: WideSlot::Short });
        assert_eq!(extent(b"\x63\x02"), Extent::Record { slot: 35, wide: WideSlot::Slot(99) });
        assert_eq!(extent(b"\xd4\x72\x41"), Extent::Define { head: 3, slot: 1, two_byte: false });
        assert_eq!(extent(b"\xd5\x72\x63\x02"), Extent::Define { head: 4, slot: 99, two_byte: true });
        assert_eq!(extent(b"\xd5\x72\x41\x02"), Extent::Define { head: 4, slot: usize::MAX, two_byte: true });
    }

    #[test]
    fn what_reaches_further() {
        assert_eq!(extent(b"\xd6\x69\0\0\0\x07"), Extent::Target { head: 6, id: 7 });
        assert_eq!(extent(b"\xd6\x70\0\0\0\x07"), Extent::Pointer { head: 6, id: 7 });
        assert_eq!(extent(b"\xd6\x62\0\0\0\x06"), Extent::Bundle { head: 6, strings: 8 });
        assert_eq!(extent(b"\xc8\x01\x00\x62\0\0\x02\0"), Extent::Bundle { head: 260, strings: 516 });
        assert_eq!(extent(b"\xc1"), Extent::Reserved);
        // Types that have another reader, which takes the payload.
        let replaced = |bytes: &[u8]| Msgpack::extent(bytes, |_, _| false);
        assert_eq!(replaced(b"\xd6\x69\0\0\0\x07"), Extent::Extension(6));
        assert_eq!(replaced(b"\xd4\x73\0"), Extent::Extension(3));
    }

    #[test]
    fn heads_that_are_cut() {
        for (bytes, least) in [
            (&b""[..], 1),
            (b"\xd9", 2),
            (b"\xda\0", 3),
            (b"\xdd\0\0\0", 5),
            (b"\xd4\x73", 3),
            (b"\xd5\x72\x41", 4),
            (b"\xd6", 2),
            (b"\xd6\x69\0\0\0", 6),
            (b"\xc9\0\0\0\x01", 6),
        ] {
            assert_eq!(extent(bytes), Extent::Short(least), "{bytes:x?}");
        }
    }
}
