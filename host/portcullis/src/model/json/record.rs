//! An object as a record: its keys are the record's own names.

use serde::de::value::StrDeserializer;
use serde::de::{DeserializeSeed, IntoDeserializer as _, MapAccess};
use serde_json::{Map, Value, map};

use super::JsonError;
use super::read::Reader;
use crate::contract::json::name::{Wit, find};

/// The fields of a record.
pub(super) struct Record {
    left: map::IntoIter,
    fields: &'static [&'static str],
    value: Option<(&'static str, Value)>,
}

impl Record {
    pub(super) fn new(object: Map<String, Value>, fields: &'static [&'static str]) -> Self {
        Self {
            left: object.into_iter(),
            fields,
            value: None,
        }
    }
}

impl<'de> MapAccess<'de> for Record {
    type Error = JsonError;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, JsonError> {
        let Some((key, value)) = self.left.next() else {
            return Ok(None);
        };
        let field = find(&key, self.fields)
            .ok_or_else(|| JsonError::unknown_name("key", &key, self.fields))?;
        self.value = Some((field, value));
        let reader: StrDeserializer<'_, JsonError> = field.into_deserializer();
        seed.deserialize(reader).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, JsonError> {
        let (field, value) = self.value.take().unwrap_or_default();
        seed.deserialize(Reader(value))
            .map_err(|e| e.under(Wit(field)))
    }
}
