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
