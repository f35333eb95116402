//! Records of a message as the heap walker writes them: which of its shapes JavaScript has decided on, and
//! which the message has defined so far.

use super::handover::Handover;
use crate::shapes::Shapes;
use crate::tape::known;

/// What an object is written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A map.
    Map,
    /// An instance of the record in this slot.
    Instance(u32),
    /// An instance of a record that is defined before it.
    Definition(u32),
}

/// The slots that messages have given to shapes of their own. Kept between messages for its memory.
#[derive(Default)]
pub struct OwnSlots {
    message: u32,
    /// For each shape the message that defined it last, and the slot.
    slots: Vec<(u32, u32)>,
}

impl OwnSlots {
    /// Starts a message, which has defined nothing.
    #[inline(always)]
    fn begin(&mut self, shapes: usize) {
        self.message = self.message.wrapping_add(1);
        if self.message == 0 {
            *self = Self { message: 1, slots: Vec::new() };
        }
        if self.slots.len() < shapes {
            self.slots.resize(shapes, (0, 0));
        }
    }
}

/// Records of one message.
pub struct Records<'r> {
    /// Encoded keys by shape.
    pub shapes: &'r Shapes,
    /// By shape, see [`known`].
    table: &'r [u32],
    own: &'r mut OwnSlots,
    next_own: u32,
    end_own: u32,
}

impl<'r> Records<'r> {
    /// Starts a message. It may define records in the slots from `first_own` up to `end_own`.
    #[inline(always)]
    pub fn begin(
        shapes: &'r Shapes,
        table: &'r [u32],
        own: &'r mut OwnSlots,
        first_own: u32,
        end_own: u32,
    ) -> Self {
        own.begin(table.len());
        Self { shapes, table, own, next_own: first_own, end_own }
    }

    /// What an object of a shape is written as. Its definition must follow where the result is one.
    #[inline(always)]
    pub fn form(&mut self, shape: u32) -> Result<Form, Handover> {
        match self.table.get(shape as usize).copied().unwrap_or(known::NOTHING) {
            known::NOTHING => Err(Handover::Structure),
            known::MAP => Ok(Form::Map),
            known::OWN => self.own_form(shape),
            slot => Ok(Form::Instance(slot - known::SLOT)),
        }
    }

    fn own_form(&mut self, shape: u32) -> Result<Form, Handover> {
        let Some(entry) = self.own.slots.get_mut(shape as usize) else { return Err(Handover::Structure) };
        if entry.0 == self.own.message {
            return Ok(Form::Instance(entry.1));
        }
        // JavaScript decides which of them is forgotten.
        if self.next_own >= self.end_own {
            return Err(Handover::Structure);
        }
        *entry = (self.own.message, self.next_own);
        self.next_own += 1;
        Ok(Form::Definition(entry.1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: [u32; 5] = [known::OWN, known::SLOT + 7, known::MAP, known::NOTHING, known::OWN];

    /// What a message makes of these shapes, with own slots from 10 up to 12.
    fn forms(own: &mut OwnSlots, table: &[u32], shapes: &[u32]) -> Vec<Result<Form, Handover>> {
        let all = Shapes::default();
        let mut records = Records::begin(&all, table, own, 10, 12);
        shapes.iter().map(|shape| records.form(*shape)).collect()
    }

    #[test]
    fn each_entry_of_the_table() {
        let own = &mut OwnSlots::default();
        assert_eq!(
            forms(own, &TABLE, &[1, 2, 3, 5, u32::MAX]),
            [
                Ok(Form::Instance(7)),
                Ok(Form::Map),
                Err(Handover::Structure),
                Err(Handover::Structure),
                Err(Handover::Structure)
            ]
        );
    }

    #[test]
    fn a_message_defines_a_shape_once() {
        let own = &mut OwnSlots::default();
        let expected = [
            Ok(Form::Definition(10)),
            Ok(Form::Instance(10)),
            Ok(Form::Definition(11)),
            Ok(Form::Instance(10)),
            Ok(Form::Instance(11)),
        ];
        for _ in 0..2 {
            assert_eq!(forms(own, &TABLE, &[4, 4, 0, 4, 0]), expected);
        }
    }

    #[test]
    fn slots_that_run_out() {
        let own = &mut OwnSlots::default();
        let out = Err(Handover::Structure);
        let expected = [Ok(Form::Definition(10)), Ok(Form::Definition(11)), out, Ok(Form::Instance(11)), out];
        assert_eq!(forms(own, &[known::OWN; 4], &[0, 1, 2, 1, 3]), expected);
        let all = Shapes::default();
        for (first, end) in [(5, 5), (6, 5)] {
            assert_eq!(Records::begin(&all, &TABLE, own, first, end).form(0), out);
        }
    }

    #[test]
    fn a_table_that_changes_its_length() {
        let own = &mut OwnSlots::default();
        let defined =
            |count: u32| (10..10 + count).map(|slot| Ok(Form::Definition(slot))).collect::<Vec<_>>();
        assert_eq!(forms(own, &[known::OWN; 2], &[1, 0]), defined(2));
        assert_eq!(
            forms(own, &[known::OWN; 1], &[0, 1]),
            [Ok(Form::Definition(10)), Err(Handover::Structure)]
        );
        assert_eq!(forms(own, &[known::OWN; 9], &[8, 1]), defined(2));
    }

    #[test]
    fn messages_whose_number_comes_again() {
        let own = &mut OwnSlots::default();
        forms(own, &TABLE, &[0]);
        own.message = u32::MAX - 1;
        for _ in 0..4 {
            assert_eq!(forms(own, &TABLE, &[0, 0]), [Ok(Form::Definition(10)), Ok(Form::Instance(10))]);
        }
        assert_eq!(own.message, 3);
    }
}
