//! A string, or an object of one key, as a case of a variant or an enum.

use serde::de::value::StrDeserializer;
use serde::de::{
    DeserializeSeed, Deserializer as _, EnumAccess, IntoDeserializer as _, VariantAccess, Visitor,
};
use serde_json::Value;

use super::read::Reader;
use super::{JsonError, type_of};
use crate::contract::json::name::{Wit, find, list, unknown};

/// A case and its payload.
pub(super) struct Case {
    name: &'static str,
    carries: Option<Value>,
}

impl Case {
    pub(super) fn of(value: Value, cases: &'static [&'static str]) -> Result<Self, JsonError> {
        let (name, carries) = match value {
            Value::String(name) => (name, None),
            Value::Object(object) if object.len() > 1 => {
                return Err(JsonError::new(format!(
                    "expected an object with one key, which names the variant; found {} keys",
                    object.len()
                )));
            }
            Value::Object(object) => match object.into_iter().next() {
                Some((name, value)) => (name, Some(value)),
                None => return Err(no_case("an empty object", cases)),
            },
            other => return Err(no_case(type_of(&other), cases)),
        };
        let Some(known) = find(&name, cases) else {
            return Err(match carries {
                Some(_) => JsonError::unknown_name("variant", &name, cases),
                None => JsonError::new(unknown("variant", &name, cases)),
            });
        };
        Ok(Self {
            name: known,
            carries,
        })
    }

    fn value(self) -> Result<(Wit, Reader), JsonError> {
        let name = Wit(self.name);
        match self.carries {
            Some(value) => Ok((name, Reader(value))),
            None => Err(JsonError::new(format!(
                "the variant `{name}` carries a value: write {{\"{name}\": …}}"
            ))),
        }
    }
}

fn no_case(found: &str, cases: &'static [&'static str]) -> JsonError {
    JsonError::new(format!(
        "expected one of the variants {}; found {found}",
        list(cases)
    ))
}

impl<'de> EnumAccess<'de> for Case {
    type Error = JsonError;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self), JsonError> {
        let reader: StrDeserializer<'_, JsonError> = self.name.into_deserializer();
        Ok((seed.deserialize(reader)?, self))
    }
}

impl<'de> VariantAccess<'de> for Case {
    type Error = JsonError;

    fn unit_variant(self) -> Result<(), JsonError> {
        let name = Wit(self.name);
        match self.carries {
            None => Ok(()),
            Some(_) => Err(JsonError::new(format!(
                "the variant `{name}` carries no value: write \"{name}\""
            ))),
        }
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, JsonError> {
        let (name, reader) = self.value()?;
        seed.deserialize(reader).map_err(|e| e.under(name))
    }

    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, JsonError> {
        let (name, reader) = self.value()?;
        reader
            .deserialize_tuple(len, visitor)
            .map_err(|e| e.under(name))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, JsonError> {
        let (name, reader) = self.value()?;
        reader
            .deserialize_struct("", fields, visitor)
            .map_err(|e| e.under(name))
    }
}
