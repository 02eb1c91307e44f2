//! A value, or `false` for no value.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, de};

/// A value, or `false` for none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Switch<T> {
    /// The value.
    On(T),
    /// None.
    Off,
}

impl<T> Switch<T> {
    /// Returns the value, if there is one.
    pub fn on(self) -> Option<T> {
        match self {
            Self::On(value) => Some(value),
            Self::Off => None,
        }
    }
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "a value, or false for none")]
enum Either<T> {
    Bool(bool),
    Value(T),
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Switch<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match Either::deserialize(deserializer)? {
            Either::Value(value) => Ok(Self::On(value)),
            Either::Bool(false) => Ok(Self::Off),
            Either::Bool(true) => Err(de::Error::custom("give a value, or false for none")),
        }
    }
}

impl<T: JsonSchema> JsonSchema for Switch<T> {
    fn schema_name() -> Cow<'static, str> {
        format!("{}_or_false", T::schema_name()).into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let value = generator.subschema_for::<T>();
        json_schema!({ "anyOf": [value, { "const": false }] })
    }
}
