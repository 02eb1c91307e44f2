//! From the contract's types to JSON.

use serde::ser::{
    Serialize, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple,
    SerializeTupleStruct, SerializeTupleVariant, Serializer,
};
use serde_json::{Map, Number, Value};

use super::JsonError;
use super::name::Wit;

/// Writes one value.
pub(super) struct Writer;

macro_rules! as_they_are {
    ($($method:ident, $type:ty;)*) => {
        $(fn $method(self, value: $type) -> Result<Value, JsonError> {
            Ok(value.into())
        })*
    };
}

impl Serializer for Writer {
    type Ok = Value;
    type Error = JsonError;
    type SerializeSeq = Array;
    type SerializeTuple = Array;
    type SerializeTupleStruct = Array;
    type SerializeTupleVariant = Array;
    type SerializeMap = Object;
    type SerializeStruct = Object;
    type SerializeStructVariant = Object;

    as_they_are! {
        serialize_bool, bool;
        serialize_i8, i8;
        serialize_i16, i16;
        serialize_i32, i32;
        serialize_i64, i64;
        serialize_u8, u8;
        serialize_u16, u16;
        serialize_u32, u32;
        serialize_u64, u64;
        serialize_str, &str;
        serialize_bytes, &[u8];
    }

    fn serialize_f32(self, value: f32) -> Result<Value, JsonError> {
        self.serialize_f64(value.into())
    }

    fn serialize_f64(self, value: f64) -> Result<Value, JsonError> {
        match Number::from_f64(value) {
            Some(number) => Ok(Value::Number(number)),
            None => Err(JsonError::new(format!("JSON has no number {value}"))),
        }
    }

    fn serialize_char(self, value: char) -> Result<Value, JsonError> {
        Ok(value.to_string().into())
    }

    fn serialize_none(self) -> Result<Value, JsonError> {
        Ok(Value::Null)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<Value, JsonError> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<Value, JsonError> {
        Ok(Value::Null)
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<Value, JsonError> {
        Ok(Value::Null)
    }

    fn serialize_unit_variant(
        self,
        _: &'static str,
        _: u32,
        case: &'static str,
    ) -> Result<Value, JsonError> {
        Ok(Wit(case).to_string().into())
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<Value, JsonError> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        case: &'static str,
        value: &T,
    ) -> Result<Value, JsonError> {
        let value = value.serialize(self).map_err(|e| e.under(Wit(case)))?;
        Ok(in_case(Some(case), value))
    }

    fn serialize_seq(self, len: Option<usize>) -> Result<Array, JsonError> {
        Ok(Array::new(None, len.unwrap_or_default()))
    }

    fn serialize_tuple(self, len: usize) -> Result<Array, JsonError> {
        Ok(Array::new(None, len))
    }

    fn serialize_tuple_struct(self, _: &'static str, len: usize) -> Result<Array, JsonError> {
        Ok(Array::new(None, len))
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        case: &'static str,
        len: usize,
    ) -> Result<Array, JsonError> {
        Ok(Array::new(Some(case), len))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Object, JsonError> {
        Ok(Object::default())
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Object, JsonError> {
        Ok(Object::default())
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        case: &'static str,
        _: usize,
    ) -> Result<Object, JsonError> {
        Ok(Object {
            case: Some(case),
            ..Object::default()
        })
    }
}

/// A value, within its case if it is what one carries.
fn in_case(case: Option<&'static str>, value: Value) -> Value {
    match case {
        Some(case) => Value::Object(Map::from_iter([(Wit(case).to_string(), value)])),
        None => value,
    }
}

/// An array being written.
pub(super) struct Array {
    case: Option<&'static str>,
    items: Vec<Value>,
}

impl Array {
    fn new(case: Option<&'static str>, len: usize) -> Self {
        Self {
            case,
            items: Vec::with_capacity(len),
        }
    }

    fn push<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), JsonError> {
        let index = self.items.len();
        let item = value.serialize(Writer).map_err(|e| e.under(index))?;
        self.items.push(item);
        Ok(())
    }

    fn done(self) -> Result<Value, JsonError> {
        Ok(in_case(self.case, Value::Array(self.items)))
    }
}

macro_rules! arrays {
    ($($trait:ident, $method:ident;)*) => {
        $(impl $trait for Array {
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
#[derive(Default)]
pub(super) struct Object {
    case: Option<&'static str>,
    entries: Map<String, Value>,
    key: String,
}

impl Object {
    fn insert<T: Serialize + ?Sized>(&mut self, key: String, value: &T) -> Result<(), JsonError> {
        let value = value.serialize(Writer).map_err(|e| e.under(&key))?;
        self.entries.insert(key, value);
        Ok(())
    }

    fn done(self) -> Result<Value, JsonError> {
        Ok(in_case(self.case, Value::Object(self.entries)))
    }
}

macro_rules! records {
    ($($trait:ident;)*) => {
        $(impl $trait for Object {
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

impl SerializeMap for Object {
    type Ok = Value;
    type Error = JsonError;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), JsonError> {
        // A key is what the user calls it, a number included.
        self.key = match key.serialize(Writer)? {
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
