//! Writes lists, tuples and records as JSON.

use serde::ser::{
    Serialize, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple,
    SerializeTupleStruct, SerializeTupleVariant,
};
use serde_json::{Map, Value};

use super::JsonError;
use super::name::Wit;
use super::write::Writer;

/// Returns a value, within its case if it is a case's payload.
pub(super) fn in_case(case: Option<&'static str>, value: Value) -> Value {
    match case {
        Some(case) => Value::Object(Map::from_iter([(Wit(case).to_string(), value)])),
        None => value,
    }
}

/// An array being written.
pub(super) struct Array<'a> {
    writer: Writer<'a>,
    case: Option<&'static str>,
    items: Vec<Value>,
    /// Whether the array is a list of the contract, and not a tuple.
    is_list: bool,
    /// The bytes of the list, for an excerpt of a list of bytes.
    bytes: Vec<u8>,
    /// The number of items that an excerpt leaves out.
    omitted: usize,
}

impl<'a> Array<'a> {
    pub(super) fn new(writer: Writer<'a>, case: Option<&'static str>, len: usize) -> Self {
        let capacity = writer.0.map_or(len, |_| 0);
        Self {
            writer,
            case,
            items: Vec::with_capacity(capacity),
            is_list: false,
            bytes: Vec::new(),
            omitted: 0,
        }
    }

    /// Creates a list of the contract.
    pub(super) fn list(writer: Writer<'a>, len: usize) -> Self {
        Self {
            is_list: true,
            ..Self::new(writer, None, len)
        }
    }

    fn push<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), JsonError> {
        if self.is_list && self.writer.0.is_some_and(|excerpt| !excerpt.has_room()) {
            self.omitted += 1;
            return Ok(());
        }
        let index = self.items.len();
        let item = value.serialize(self.writer).map_err(|e| e.under(index))?;
        let Some(excerpt) = self.writer.0 else {
            self.items.push(item);
            return Ok(());
        };
        match excerpt.byte.take().filter(|_| self.is_list) {
            Some(byte) => self.bytes.push(byte),
            None => {
                excerpt.spend_item();
                self.items.push(item);
            }
        }
        Ok(())
    }

    fn done(mut self) -> Result<Value, JsonError> {
        let value = match self.writer.0 {
            Some(excerpt) if !self.bytes.is_empty() => excerpt.bytes(&self.bytes),
            _ => {
                if self.omitted > 0 {
                    let more = format!("… and {} more", self.omitted);
                    self.items.push(more.into());
                }
                Value::Array(self.items)
            }
        };
        Ok(in_case(self.case, value))
    }
}

macro_rules! arrays {
    ($($trait:ident, $method:ident;)*) => {
        $(impl $trait for Array<'_> {
            type Ok = Value;
            type Error = JsonError;

            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), JsonError> {
                self.push(value)
            }

            fn end(self) -> Result<Value, JsonError> {
                self.done()
            }
        })*
    };
}

arrays! {
    SerializeSeq, serialize_element;
    SerializeTuple, serialize_element;
    SerializeTupleStruct, serialize_field;
    SerializeTupleVariant, serialize_field;
}

/// An object being written.
pub(super) struct Object<'a> {
    writer: Writer<'a>,
    case: Option<&'static str>,
    entries: Map<String, Value>,
    key: String,
}

impl<'a> Object<'a> {
    pub(super) fn new(writer: Writer<'a>, case: Option<&'static str>) -> Self {
        Self {
            writer,
            case,
            entries: Map::new(),
            key: String::new(),
        }
    }

    fn insert<T: Serialize + ?Sized>(&mut self, key: String, value: &T) -> Result<(), JsonError> {
        let value = value.serialize(self.writer).map_err(|e| e.under(&key))?;
        if let Some(excerpt) = self.writer.0 {
            excerpt.byte.set(None);
            excerpt.spend_item();
        }
        self.entries.insert(key, value);
        Ok(())
    }

    fn done(self) -> Result<Value, JsonError> {
        Ok(in_case(self.case, Value::Object(self.entries)))
    }
}

macro_rules! records {
    ($($trait:ident;)*) => {
        $(impl $trait for Object<'_> {
            type Ok = Value;
            type Error = JsonError;

            fn serialize_field<T: Serialize + ?Sized>(
                &mut self,
                field: &'static str,
                value: &T,
            ) -> Result<(), JsonError> {
                self.insert(Wit(field).to_string(), value)
            }

            fn end(self) -> Result<Value, JsonError> {
                self.done()
            }
        })*
    };
}

records! {
    SerializeStruct;
    SerializeStructVariant;
}

impl SerializeMap for Object<'_> {
    type Ok = Value;
    type Error = JsonError;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), JsonError> {
        // The user chose the key's name, which may be a number.
        self.key = match key.serialize(self.writer)? {
            Value::String(key) => key,
            Value::Number(key) => key.to_string(),
            _ => return Err(JsonError::new("the key of a map is no string".into())),
        };
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), JsonError> {
        let key = std::mem::take(&mut self.key);
        self.insert(key, value)
    }

    fn end(self) -> Result<Value, JsonError> {
        self.done()
    }
}
