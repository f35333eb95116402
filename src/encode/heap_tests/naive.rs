//! The bytes of a value, written the plain way.

mod records;

use std::collections::HashMap;

pub(super) use self::records::{Fact, KeyList, Texts, key_lists};
use super::{Mode, Outcome};
use crate::encode::handover::Handover;
use crate::options::{
    ASKS_ABOUT_INVALID_DATES, MAP_AS_EMPTY_OBJECT, MORE_TYPES, NO_RECORDS, NO_TO_JSON, SET_AS_EMPTY_OBJECT,
    TIMESTAMP32, UNDEFINED_AS_NIL, VARIABLE_MAP_SIZE,
};
use crate::v8::fake_heap::value::{
    Array, ErrorObject, Heritage, Key, Lineage, Member, Object, Oddity, Realm, Sort, Special, Text, Value,
};
use crate::v8::layout::ArrayType;

/// The message, or why the walker leaves it to the other one.
pub(super) fn encode(value: &Value, realm: Realm, mode: Mode<'_>) -> Outcome {
    let mut naive = Naive::new(realm, mode);
    naive.value(value)?;
    Ok(naive.out)
}

/// The types of typed arrays by their codes.
pub(super) const ARRAY_TYPES: [ArrayType; ArrayType::COUNT] = [
    ArrayType::Int8,
    ArrayType::Uint8,
    ArrayType::Uint8Clamped,
    ArrayType::Int16,
    ArrayType::Uint16,
    ArrayType::Int32,
    ArrayType::Uint32,
    ArrayType::Float32,
    ArrayType::Float64,
    ArrayType::BigInt64,
    ArrayType::BigUint64,
];

struct Naive<'k> {
    out: Vec<u8>,
    realm: Realm,
    mode: Mode<'k>,
    /// The keys of all objects so far.
    lists: Vec<Texts>,
    /// Slots of the records that the message has defined.
    defined: HashMap<KeyList, u32>,
}

type Done = Result<(), Handover>;

impl<'k> Naive<'k> {
    fn new(realm: Realm, mode: Mode<'k>) -> Self {
        Self { out: Vec::new(), realm, mode, lists: Vec::new(), defined: HashMap::new() }
    }

    fn value(&mut self, value: &Value) -> Done {
        match value {
            Value::Undefined => self.undefined(),
            Value::Null => self.out.push(0xc0),
            Value::Bool(value) => self.out.push(0xc2 + u8::from(*value)),
            Value::Smi(int) => self.number(f64::from(*int)),
            Value::Number(number) => self.number(*number),
            Value::String(text) => self.text(text)?,
            Value::BigInt(negative, digits) => self.bigint(*negative, digits)?,
            Value::Date(milliseconds) if milliseconds.is_nan() && self.has(ASKS_ABOUT_INVALID_DATES) => {
                return Err(Handover::InvalidDate);
            }
            Value::Date(milliseconds) => self.date(*milliseconds),
            Value::Array(array) => self.array(array)?,
            Value::Object(object) => self.object(object)?,
            Value::Map(_) if self.has(MAP_AS_EMPTY_OBJECT) => self.out.push(0x80),
            Value::Map(entries) => {
                let entries: Vec<_> = entries.iter().flatten().collect();
                self.head(entries.len(), 0x80, [None, Some(0xde), Some(0xdf)]);
                for (key, value) in entries {
                    self.value(key)?;
                    self.value(value)?;
                }
            }
            Value::Set(_) if self.has(SET_AS_EMPTY_OBJECT) => {
                self.object_head(vec![])?;
            }
            Value::Set(entries) => {
                let entries: Vec<_> = entries.iter().flatten().collect();
                self.typed(b's');
                self.array_head(entries.len());
                for value in entries {
                    self.value(value)?;
                }
            }
            Value::TypedArray(array) => {
                let code = ARRAY_TYPES.iter().position(|known| *known == array.array_type);
                let code = code.filter(|_| !array.is_buffer).map(|code| code as u8);
                self.binary(&array.bytes, array.special, code)?;
            }
            Value::Buffer(buffer) => self.binary(&buffer.bytes, buffer.special, Some(16))?,
            Value::DataView(buffer, _) => self.binary(&buffer.bytes, buffer.special, Some(17))?,
            Value::RegExp(source, flags) => self.regexp(source, *flags)?,
            Value::Error(error) => self.error(error)?,
            Value::Boxed(primitive) => self.boxed(primitive)?,
            Value::Odd(_, Oddity::Subclass) => return Err(Handover::Prototype),
            Value::Odd(value, Oddity::OwnConstructor(_) | Oddity::OwnDictionary)
                if !matches!(**value, Value::Array(_)) =>
            {
                return Err(Handover::Class);
            }
            Value::Odd(value, Oddity::OwnProperty) if matches!(**value, Value::RegExp(..)) => {
                return Err(Handover::Kind);
            }
            Value::Odd(value, _) => self.value(value)?,
            Value::Symbol | Value::Function => return Err(Handover::Kind),
        }
        Ok(())
    }

    fn has(&self, option: u32) -> bool {
        self.mode.options & option != 0
    }

    fn undefined(&mut self) {
        if self.has(UNDEFINED_AS_NIL) {
            self.out.push(0xc0);
        } else {
            self.out.extend([0xd4, 0, 0]);
        }
    }

    /// A length with the smallest of the four heads: in the low four bits, then in one, two or four bytes.
    fn head(&mut self, length: usize, fixed: u8, [one, two, four]: [Option<u8>; 3]) {
        match (length, one, two, four) {
            (0..=15, ..) if fixed != 0 => self.out.push(fixed | length as u8),
            (0..=0xff, Some(marker), ..) => self.out.extend([marker, length as u8]),
            (0..=0xffff, _, Some(marker), _) => {
                self.out.push(marker);
                self.out.extend((length as u16).to_be_bytes());
            }
            (_, _, _, marker) => {
                self.out.push(marker.expect("the largest is always there"));
                self.out.extend((length as u32).to_be_bytes());
            }
        }
    }

    fn array_head(&mut self, length: usize) {
        self.head(length, 0x90, [None, Some(0xdc), Some(0xdd)]);
    }

    fn map_head(&mut self, pairs: usize) {
        let fixed = if self.mode.numeric_keys || self.has(VARIABLE_MAP_SIZE) { 0x80 } else { 0 };
        self.head(pairs, fixed, [None, Some(0xde), Some(0xdf)]);
    }

    fn number(&mut self, number: f64) {
        let largest_byte = if self.has(NO_RECORDS) { 127 } else { 63 };
        if number.trunc() != number || !(-2_147_483_648.0..4_294_967_296.0).contains(&number) {
            let number = if number.is_nan() { f64::NAN } else { number };
            self.out.push(0xcb);
            self.out.extend(number.to_be_bytes());
            return;
        }
        match number as i64 {
            int @ 0.. if int <= largest_byte => self.out.push(int as u8),
            int @ -32..0 => self.out.push(int as u8),
            int @ 0..=0xff => self.out.extend([0xcc, int as u8]),
            int @ 0x100..=0xffff => {
                self.out.push(0xcd);
                self.out.extend((int as u16).to_be_bytes());
            }
            int @ 0x1_0000.. => {
                self.out.push(0xce);
                self.out.extend((int as u32).to_be_bytes());
            }
            int @ -0x80.. => self.out.extend([0xd0, int as u8]),
            int @ -0x8000.. => {
                self.out.push(0xd1);
                self.out.extend((int as i16).to_be_bytes());
            }
            int => {
                self.out.push(0xd2);
                self.out.extend((int as i32).to_be_bytes());
            }
        }
    }

    fn units(&mut self, units: &[u16]) {
        let text = String::from_utf16_lossy(units);
        if text.len() <= 31 {
            self.out.push(0xa0 | text.len() as u8);
        } else {
            self.head(text.len(), 0, [Some(0xd9), Some(0xda), Some(0xdb)]);
        }
        self.out.extend(text.into_bytes());
    }

    fn text(&mut self, text: &Text) -> Done {
        if text.is_uncached() {
            return Err(Handover::String);
        }
        self.units(&text.units());
        Ok(())
    }

    fn bigint(&mut self, negative: bool, digits: &[u64]) -> Done {
        let magnitude = match digits {
            [] => 0,
            [digit] => i128::from(*digit),
            _ => return Err(Handover::BigInt),
        };
        let value = if negative { -magnitude } else { magnitude };
        if let Ok(value) = i64::try_from(value) {
            self.out.push(0xd3);
            self.out.extend(value.to_be_bytes());
        } else if let Ok(value) = u64::try_from(value) {
            self.out.push(0xcf);
            self.out.extend(value.to_be_bytes());
        } else {
            return Err(Handover::BigInt);
        }
        Ok(())
    }

    fn date(&mut self, milliseconds: f64) {
        if milliseconds.is_nan() {
            return self.out.extend([0xd4, 0xff, 0xff]);
        }
        let milliseconds = milliseconds as i64;
        let (seconds, nanoseconds) =
            (milliseconds.div_euclid(1000), milliseconds.rem_euclid(1000) * 1_000_000);
        match seconds {
            0..=0xffff_ffff if nanoseconds == 0 || self.has(TIMESTAMP32) => {
                self.out.extend([0xd6, 0xff]);
                self.out.extend((seconds as u32).to_be_bytes());
            }
            0..=0x3_ffff_ffff => {
                self.out.extend([0xd7, 0xff]);
                self.out.extend(((nanoseconds as u64) << 34 | seconds as u64).to_be_bytes());
            }
            _ => {
                self.out.extend([0xc7, 12, 0xff]);
                self.out.extend((nanoseconds as u32).to_be_bytes());
                self.out.extend(seconds.to_be_bytes());
            }
        }
    }

    fn array(&mut self, array: &Array) -> Done {
        self.array_head(array.elements.len());
        for element in &array.elements {
            match element {
                Some(Member { sort: Sort::Accessor | Sort::HiddenAccessor, .. }) => {
                    return Err(Handover::Accessor);
                }
                Some(member) => self.value(&member.value)?,
                None if self.realm.elements_in_array_prototype || self.realm.elements_in_object_prototype => {
                    return Err(Handover::Holes);
                }
                None => self.undefined(),
            }
        }
        Ok(())
    }

    fn object(&mut self, object: &Object) -> Done {
        if object.special {
            return Err(Handover::Kind);
        }
        let to_json = object.properties.iter().any(|(key, _)| *key == Key::ascii("toJSON"));
        match object.heritage {
            Heritage::Plain => {}
            Heritage::Claimed => return Err(Handover::Class),
            _ if self.has(NO_TO_JSON) => {}
            Heritage::ClassWithToJson | Heritage::LargeClassWithToJson => return Err(Handover::ToJson),
            _ if to_json => return Err(Handover::ToJson),
            _ => {}
        }
        let is_seen = |member: &Member| !matches!(member.sort, Sort::Hidden | Sort::HiddenAccessor);
        let elements = object.elements.iter().enumerate();
        let elements: Vec<_> = elements
            .filter_map(|(index, element)| Some((index, element.as_ref().filter(|member| is_seen(member))?)))
            .collect();
        let names: Vec<_> = object
            .properties
            .iter()
            .filter_map(|(key, member)| match key {
                Key::Text(units) if is_seen(member) => Some((units, member)),
                _ => None,
            })
            .collect();
        let indices = elements.iter().map(|(index, _)| digits(*index));
        let keys = indices.chain(names.iter().map(|(name, _)| name.to_vec())).collect();
        let with_keys = self.object_head(keys)?;
        for (index, member) in elements {
            if with_keys {
                self.index(index);
            }
            self.member(member, true)?;
        }
        for (name, member) in names {
            if with_keys {
                self.name(name)?;
            }
            self.member(member, object.dictionary)?;
        }
        Ok(())
    }

    fn member(&mut self, member: &Member, in_dictionary: bool) -> Done {
        match member.sort {
            Sort::Accessor => Err(Handover::Accessor),
            Sort::InMap if !in_dictionary => Err(Handover::PropertyInMap),
            _ => self.value(&member.value),
        }
    }

    fn index(&mut self, index: usize) {
        if self.mode.numeric_keys {
            self.number(index as f64);
        } else {
            self.units(&digits(index));
        }
    }

    /// With numeric keys, one that a whole number has as its text is that number.
    fn name(&mut self, name: &[u16]) -> Done {
        if self.mode.numeric_keys {
            let text = String::from_utf16_lossy(name);
            if let Ok(number) = text.parse::<i64>()
                && number.to_string() == text
                && number.unsigned_abs() < 1_000_000_000_000_000
            {
                self.number(number as f64);
                return Ok(());
            }
            if text.starts_with(|first: char| first.is_ascii_digit() || first == '-' || first == 'I') {
                return Err(Handover::NumericKey);
            }
        }
        self.units(name);
        Ok(())
    }

    fn binary(&mut self, bytes: &[u8], special: Option<Special>, code: Option<u8>) -> Done {
        if special.is_some() {
            return Err(Handover::Buffer);
        }
        match code.filter(|_| self.has(MORE_TYPES)) {
            Some(code) => {
                self.head(bytes.len() + 1, 0, [Some(0xc7), Some(0xc8), Some(0xc9)]);
                self.out.extend([b't', code]);
            }
            None => self.head(bytes.len(), 0, [Some(0xc4), Some(0xc5), Some(0xc6)]),
        }
        self.out.extend(bytes);
        Ok(())
    }

    /// What says that the next value stands for another one.
    fn typed(&mut self, code: u8) {
        if self.has(MORE_TYPES) {
            self.out.extend([0xd4, code, 0]);
        }
    }

    fn regexp(&mut self, source: &Text, flags: u32) -> Done {
        let letters = "gimyus?dv".chars().enumerate().filter(|(bit, _)| flags >> bit & 1 != 0);
        let mut letters: Vec<_> = letters.map(|(_, letter)| letter).collect();
        letters.sort_unstable();
        if flags > 0x1ff || letters.contains(&'?') {
            return Err(Handover::Kind);
        }
        self.typed(b'x');
        self.array_head(2);
        self.text(source)?;
        self.units(&letters.into_iter().map(|letter| letter as u16).collect::<Vec<_>>());
        Ok(())
    }

    fn error(&mut self, error: &ErrorObject) -> Done {
        if error.dictionary || error.own("constructor").is_some() || error.lineage == Lineage::Impostor {
            return Err(Handover::Class);
        }
        if error.lineage != Lineage::Error && !self.has(NO_TO_JSON) {
            match error.own("toJSON") {
                None if error.lineage != Lineage::ClassWithToJson => {}
                _ => return Err(Handover::ToJson),
            }
        }
        if error.lineage == Lineage::AggregateError {
            return Err(Handover::Kind);
        }
        let (name, message) = (Value::String(Text::ascii("Error")), Value::String(Text::ascii("")));
        let mut parts = Vec::new();
        for (key, inherited) in [("name", &name), ("message", &message), ("cause", &Value::Undefined)] {
            parts.push(error.own(key).unwrap_or(Ok(inherited)).map_err(|_| Handover::Accessor)?);
        }
        match parts[0] {
            Value::String(Text::Plain { units, wide: false })
                if units.iter().all(|unit| *unit <= 0xff)
                    && *units != "AggregateError".encode_utf16().collect::<Vec<_>>() => {}
            _ => return Err(Handover::Kind),
        }
        self.typed(b'e');
        self.array_head(3);
        parts.into_iter().try_for_each(|part| self.value(part))
    }

    /// An object; a string's characters are its properties.
    fn boxed(&mut self, primitive: &Value) -> Done {
        let units = match primitive {
            Value::String(text) if text.is_uncached() => return Err(Handover::String),
            Value::String(text) => text.units(),
            _ => Vec::new(),
        };
        let with_keys = self.object_head((0..units.len()).map(digits).collect())?;
        for (index, unit) in units.iter().enumerate() {
            if with_keys {
                self.index(index);
            }
            self.units(&[*unit]);
        }
        Ok(())
    }
}

/// The text of an index.
fn digits(index: usize) -> Vec<u16> {
    index.to_string().encode_utf16().collect()
}

/// Whether the walker must look at JavaScript's own idea of a value, as a naive encoder can not.
pub(super) fn is_left_open(outcome: &Outcome) -> bool {
    matches!(outcome, Err(Handover::NumericKey))
}
