//! Writes the contract's types as JSON.

use serde::ser::{Serialize, Serializer};
use serde_json::{Number, Value};

use super::JsonError;
use super::compound::{Array, Object, in_case};
use super::excerpt::Excerpt;
use super::name::Wit;

/// Writes one value: all of it, or an excerpt.
#[derive(Clone, Copy)]
pub(super) struct Writer<'a>(pub(super) Option<&'a Excerpt<'a>>);

macro_rules! as_they_are {
    ($($method:ident, $type:ty;)*) => {
        $(fn $method(self, value: $type) -> Result<Value, JsonError> {
            Ok(value.into())
        })*
    };
}

impl<'a> Serializer for Writer<'a> {
    type Ok = Value;
    type Error = JsonError;
    type SerializeSeq = Array<'a>;
    type SerializeTuple = Array<'a>;
    type SerializeTupleStruct = Array<'a>;
    type SerializeTupleVariant = Array<'a>;
    type SerializeMap = Object<'a>;
    type SerializeStruct = Object<'a>;
    type SerializeStructVariant = Object<'a>;

    as_they_are! {
        serialize_bool, bool;
        serialize_i8, i8;
        serialize_i16, i16;
        serialize_i32, i32;
        serialize_i64, i64;
        serialize_u16, u16;
        serialize_u32, u32;
        serialize_u64, u64;
    }

    fn serialize_u8(self, value: u8) -> Result<Value, JsonError> {
        if let Some(excerpt) = self.0 {
            excerpt.byte.set(Some(value));
        }
        Ok(value.into())
    }

    fn serialize_str(self, value: &str) -> Result<Value, JsonError> {
        Ok(match self.0 {
            Some(excerpt) => excerpt.text(value).into(),
            None => value.into(),
        })
    }

    fn serialize_bytes(self, value: &[u8]) -> Result<Value, JsonError> {
        Ok(match self.0 {
            Some(excerpt) => excerpt.bytes(value),
            None => value.into(),
        })
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
        // A byte in a case is not a byte of a list.
        self.0.inspect(|excerpt| excerpt.byte.set(None));
        Ok(in_case(Some(case), value))
    }

    fn serialize_seq(self, len: Option<usize>) -> Result<Array<'a>, JsonError> {
        Ok(Array::list(self, len.unwrap_or_default()))
    }

    fn serialize_tuple(self, len: usize) -> Result<Array<'a>, JsonError> {
        Ok(Array::new(self, None, len))
    }

    fn serialize_tuple_struct(self, _: &'static str, len: usize) -> Result<Array<'a>, JsonError> {
        Ok(Array::new(self, None, len))
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        case: &'static str,
        len: usize,
    ) -> Result<Array<'a>, JsonError> {
        Ok(Array::new(self, Some(case), len))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Object<'a>, JsonError> {
        Ok(Object::new(self, None))
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Object<'a>, JsonError> {
        Ok(Object::new(self, None))
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        case: &'static str,
        _: usize,
    ) -> Result<Object<'a>, JsonError> {
        Ok(Object::new(self, Some(case)))
    }
}
