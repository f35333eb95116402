//! The list of keys in the definition of a record.
//!
//! Nearly all are arrays of strings as they are. The others are brought to that form: a list that can be
//! referred to, a reference to one, keys that are bundled strings.

use super::bundles::{Bundles, Cut};
use super::extensions::{ExtensionTypes, Meaning};
use super::record_shapes::{ListId, NO_LIST, RecordShapes};
use super::references::{References, Target, reference_id};
use crate::error::DecodeError;
use crate::format::{Item, Scanner};
use crate::options::NO_REFERENCES;

/// What a list may refer to.
pub struct Around<'s> {
    /// Strings.
    pub bundles: &'s mut Bundles,
    /// Lists.
    pub references: &'s mut References,
    /// What stands for either.
    pub extensions: &'s ExtensionTypes,
    /// Option bits.
    pub options: u32,
}

/// A list that was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyList {
    /// Its number.
    pub list: ListId,
    /// Where it ends in the input.
    pub end: usize,
    /// The id by which it can be referred to.
    pub target: Option<u32>,
}

/// Reads a list of keys as most are. The result is how many there are; none if the list is of another form.
pub fn skip_keys<'a, S: Scanner<'a>>(scanner: &mut S) -> Result<Option<usize>, DecodeError> {
    let count = match scanner.next()? {
        Item::Array(count) => count,
        Item::Ext { .. } => return Ok(None),
        _ => return Err(DecodeError::KeysNotArray),
    };
    for _ in 0..count {
        if scanner.text_key()?.is_some() {
            continue;
        }
        match scanner.next()? {
            Item::Reserved | Item::Ext { .. } => return Ok(None),
            item => check_key(item)?,
        }
    }
    Ok(Some(count))
}

/// Refuses what names no property.
fn check_key(item: Item) -> Result<(), DecodeError> {
    match item {
        Item::Int(_) | Item::Double(_) | Item::Single(_) | Item::Int64(_) | Item::Uint64(_) => Ok(()),
        // What else is the id of a record is an integer here.
        Item::Record { .. } => Ok(()),
        _ => Err(DecodeError::InvalidKey),
    }
}

/// Reads a list of any form.
#[inline(never)]
pub fn read_list<'a, S: Scanner<'a>>(
    scanner: S,
    previous: ListId,
    shapes: &mut RecordShapes,
    around: &mut Around<'_>,
) -> Result<KeyList, DecodeError> {
    let mut reader = Reader { scanner, shapes, around };
    let (target, count) = match reader.head()? {
        Head::Array(count) => (None, count),
        Head::Pointer(id) => {
            let list = reader.referred(id)?;
            return Ok(KeyList { list, end: reader.scanner.position(), target: None });
        }
        Head::Target(id) => match reader.head()? {
            Head::Array(count) => (Some(id), count),
            _ => return Err(DecodeError::KeysNotArray),
        },
    };
    let list = reader.keys(previous, count)?;
    if let Some(id) = target {
        reader.around.references.note(id, Target::Keys(list));
    }
    Ok(KeyList { list, end: reader.scanner.position(), target })
}

/// What a list begins with.
enum Head {
    Array(usize),
    Target(u32),
    Pointer(u32),
}

struct Reader<'r, 's, S> {
    scanner: S,
    shapes: &'r mut RecordShapes,
    around: &'r mut Around<'s>,
}

impl<'a, S: Scanner<'a>> Reader<'_, '_, S> {
    fn head(&mut self) -> Result<Head, DecodeError> {
        loop {
            let Around { bundles, extensions, options, .. } = &mut *self.around;
            match self.scanner.next()? {
                Item::Array(count) => return Ok(Head::Array(count)),
                Item::Ext { code, short, start, length } => match extensions.meaning(code, short) {
                    Meaning::Bundle => bundles.open(self.scanner, start, length)?,
                    Meaning::Target | Meaning::Pointer if *options & NO_REFERENCES != 0 => {
                        return Err(DecodeError::ReferencesDisabled);
                    }
                    Meaning::Target => {
                        return reference_id(self.scanner.input(), start + length).map(Head::Target);
                    }
                    Meaning::Pointer => {
                        return reference_id(self.scanner.input(), start + length).map(Head::Pointer);
                    }
                    Meaning::Unknown => return Err(DecodeError::UnknownExtension(code, short)),
                    _ => return Err(DecodeError::KeysNotArray),
                },
                _ => return Err(DecodeError::KeysNotArray),
            }
        }
    }

    /// The list that has an id; what is found is remembered.
    fn referred(&mut self, id: u32) -> Result<ListId, DecodeError> {
        let (position, cursor) = match self.around.references.find(id)? {
            Target::Keys(list) => return Ok(list),
            Target::Value(position, cursor) => (position, cursor),
        };
        let behind = self.scanner.position();
        let before = self.around.bundles.cursor();
        self.scanner.seek(position);
        self.around.bundles.set_cursor(cursor);
        let list = self.elsewhere();
        let length = self.scanner.position() - position;
        self.around.bundles.set_cursor(before);
        self.scanner.seek(behind);
        let list = list?;
        self.around.references.claim(length, self.scanner.input().len())?;
        self.around.references.note(id, Target::Keys(list));
        Ok(list)
    }

    /// Reads the list of keys that an array among the values is.
    fn elsewhere(&mut self) -> Result<ListId, DecodeError> {
        loop {
            match self.head()? {
                Head::Array(count) => return self.keys(NO_LIST, count),
                // It has other ids, too.
                Head::Target(_) => {}
                Head::Pointer(_) => return Err(DecodeError::KeysNotArray),
            }
        }
    }

    /// Reads `count` keys. What follows are their bytes as a list would have them that needs nothing else.
    fn keys(&mut self, previous: ListId, count: usize) -> Result<ListId, DecodeError> {
        let input = self.scanner.input();
        let mut encoded = Vec::new();
        S::put_list(&mut encoded, count);
        for _ in 0..count {
            let start = self.scanner.position();
            if self.scanner.text_key()?.is_some() {
                encoded.extend_from_slice(&input[start..self.scanner.position()]);
                continue;
            }
            self.key(&mut encoded)?;
        }
        Ok(self.shapes.find_or_add(previous, &encoded, count))
    }

    fn key(&mut self, encoded: &mut Vec<u8>) -> Result<(), DecodeError> {
        let input = self.scanner.input();
        loop {
            let start = self.scanner.position();
            if let Some((start, length)) = self.scanner.text_key()? {
                S::put_key(encoded, Ok(&String::from_utf8_lossy(&input[start..start + length])));
                return Ok(());
            }
            let Around { bundles, extensions, .. } = &mut *self.around;
            match self.scanner.next()? {
                Item::Ext { code, short, start, length }
                    if extensions.meaning(code, short) == Meaning::Bundle =>
                {
                    bundles.open(self.scanner, start, length)?;
                }
                Item::Ext { code, short, .. } if extensions.meaning(code, short) == Meaning::Unknown => {
                    return Err(DecodeError::UnknownExtension(code, short));
                }
                Item::Reserved if bundles.is_open() => {
                    let (cut, end) = bundles.cut(self.scanner)?;
                    self.scanner.seek(end);
                    match cut {
                        Cut::Ascii(start, length) => {
                            let text = String::from_utf8_lossy(&input[start..start + length]);
                            S::put_key(encoded, Ok(&text));
                        }
                        Cut::Units(start, length) => {
                            let units = &bundles.units()[start..start + length];
                            let text = String::from_utf16(units);
                            S::put_key(encoded, text.as_deref().map_err(|_| units));
                        }
                    }
                    return Ok(());
                }
                item => {
                    check_key(item)?;
                    encoded.extend_from_slice(&input[start..self.scanner.position()]);
                    return Ok(());
                }
            }
        }
    }
}
