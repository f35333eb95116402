//! Targets of references that are inserted once all is written: only then it is known which objects are targets.

use super::Writer;
use crate::buffer::Position;
use crate::format;

/// Bytes of a target's header.
const SIZE: usize = 6;

impl Writer<'_> {
    /// Inserts targets before places of the message that ends at `end`; they are given by ascending place, with
    /// their ids. The result is where the message ends then.
    pub fn insert_targets(&mut self, end: Position, targets: &[(Position, u32)]) -> Position {
        let behind = end.advance(targets.len() * SIZE);
        if targets.is_empty() || behind.is_too_far() {
            return behind;
        }
        let mut last = end;
        // From the back, so that each byte moves once, to where none is that is still to be moved.
        for (index, (place, id)) in targets.iter().enumerate().rev() {
            let before = place.advance(index * SIZE);
            self.out.shift(*place, last, before.advance(SIZE));
            format::Writer::target(self, before, *id);
            last = *place;
        }
        behind
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::buffer::OutputBuffer;
    use crate::format::Writer as _;

    fn at(place: usize) -> Position {
        Position::START.advance(place)
    }

    #[test]
    fn headers_come_before_what_they_name() {
        let mut writer = Writer::new(OutputBuffer::default(), 0);
        let end = writer.raw(at(0), &[1, 2, 3, 4, 5]);
        let end = writer.insert_targets(end, &[(at(0), 7), (at(2), 1), (at(4), 0x0102_0304)]);
        let header = |id: [u8; 4]| [&[0xd6, 0x69][..], &id].concat();
        let expected = [
            header([0, 0, 0, 7]),
            vec![1, 2],
            header([0, 0, 0, 1]),
            vec![3, 4],
            header([1, 2, 3, 4]),
            vec![5],
        ];
        assert_eq!(writer.output().message(end), expected.concat());
    }

    #[test]
    fn nothing_moves_without_targets() {
        let mut writer = Writer::new(OutputBuffer::default(), 0);
        let end = writer.raw(at(0), &[1, 2, 3]);
        assert_eq!(writer.insert_targets(end, &[]), end);
        assert_eq!(writer.output().message(end), [1, 2, 3]);
    }

    #[test]
    fn more_targets_than_there_was_room_for() {
        for length in [1_usize, 1000, 20_000] {
            let mut writer = Writer::new(OutputBuffer::default(), 0);
            let bytes: Vec<u8> = (0..length).map(|index| index as u8).collect();
            let end = writer.raw(at(0), &bytes);
            let targets: Vec<_> = (0..length).map(|index| (at(index), index as u32)).collect();
            let end = writer.insert_targets(end, &targets);
            let expected: Vec<_> = (0..length as u32)
                .flat_map(|id| [&[0xd6, 0x69][..], &id.to_be_bytes(), &[id as u8]].concat())
                .collect();
            assert_eq!(writer.output().message(end), expected);
        }
    }
}
