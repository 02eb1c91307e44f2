//! Requests from JavaScript, read from JSON in one pass.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use napi::Result;
use portcullis::trace::CallTrace;
use portcullis_bridge::{AnswerRequest, CallContext, CallRequest, has_own_keys, trace_of_carrier};
use serde::de::{DeserializeOwned, DeserializeSeed, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

use crate::error::failed;
use crate::keys::kebab;

/// Reads the request of a call, and the trace that the call is part of.
pub(crate) fn call(text: &str) -> Result<(CallRequest, Option<Arc<CallTrace>>)> {
    let Call {
        point,
        context,
        input,
        views,
        trace,
    } = read(text)?;
    let request = CallRequest {
        point,
        context: CallContext::new(context.session_id, context.agent)
            .turn(context.turn)
            .step(context.step),
        input: input.0,
        views: views.0,
    };
    Ok((request, trace.as_ref().and_then(trace_of_carrier)))
}

/// Reads the answer to a question.
pub(crate) fn answer(text: &str) -> Result<AnswerRequest> {
    let Contract(value) = read(text)?;
    serde_json::from_value(value).map_err(|error| failed("RequestError", &error))
}

fn read<T: DeserializeOwned>(text: &str) -> Result<T> {
    serde_json::from_str(text).map_err(|error| failed("RequestError", &error))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Call {
    point: String,
    context: Context,
    input: Contract,
    views: Contract,
    trace: Option<BTreeMap<String, String>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Context {
    session_id: String,
    agent: String,
    turn: u32,
    step: u32,
}

/// A value with the contract's names.
struct Contract(Value);

impl<'de> Deserialize<'de> for Contract {
    fn deserialize<D: Deserializer<'de>>(json: D) -> std::result::Result<Self, D::Error> {
        Renamed.deserialize(json).map(Self)
    }
}

/// A deserializer that renames the contract's keys.
#[derive(Clone, Copy)]
struct Renamed;

impl<'de> DeserializeSeed<'de> for Renamed {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> std::result::Result<Value, D::Error> {
        json.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Renamed {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_bool<E>(self, value: bool) -> std::result::Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> std::result::Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> std::result::Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> std::result::Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E>(self, value: &str) -> std::result::Result<Value, E> {
        Ok(value.into())
    }

    fn visit_unit<E>(self) -> std::result::Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> std::result::Result<Value, A::Error> {
        let mut array = Vec::new();
        while let Some(item) = items.next_element_seed(self)? {
            array.push(item);
        }
        Ok(Value::Array(array))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> std::result::Result<Value, A::Error> {
        let mut map = Map::new();
        while let Some(Key(key)) = entries.next_key()? {
            let value = match has_own_keys(&key) {
                true => entries.next_value()?,
                false => entries.next_value_seed(self)?,
            };
            map.insert(key, value);
        }
        Ok(Value::Object(map))
    }
}

/// A key with the contract's name.
struct Key(String);

impl<'de> Deserialize<'de> for Key {
    fn deserialize<D: Deserializer<'de>>(json: D) -> std::result::Result<Self, D::Error> {
        struct Text;
        impl Visitor<'_> for Text {
            type Value = Key;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a key")
            }

            fn visit_str<E>(self, key: &str) -> std::result::Result<Key, E> {
                Ok(Key(kebab(key)))
            }
        }
        json.deserialize_str(Text)
    }
}
