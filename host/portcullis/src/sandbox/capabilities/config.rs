//! `wasi:config/store`: the hook's own `config` table in `hooks.toml`.
//!
//! Each key of the table is a key; strings are unchanged, all other values are JSON text. The empty
//! key returns the whole table as one JSON object, for typed configuration. Whole numbers are
//! written without a fraction.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Map, Number, Value};
use wasmtime::component::HasSelf;

use super::{Capability, InstanceContext, InstanceState};
use crate::contract::bindings::wasi::config::store::{self, Error, Host};

/// A hook's configuration.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Config(Arc<Table>);

#[derive(Debug, PartialEq, Eq)]
struct Table {
    whole: String,
    entries: BTreeMap<String, String>,
}

impl Default for Table {
    fn default() -> Self {
        Self {
            whole: "{}".into(),
            entries: BTreeMap::new(),
        }
    }
}

impl Config {
    pub(crate) fn new(values: &Map<String, Value>) -> Self {
        let values = normalized_table(values);
        let entries = values
            .iter()
            .map(|(key, value)| {
                let text = match value {
                    Value::String(text) => text.clone(),
                    other => other.to_string(),
                };
                (key.clone(), text)
            })
            .collect();
        let whole = Value::Object(values).to_string();
        Self(Arc::new(Table { whole, entries }))
    }
}

impl Config {
    /// Returns the whole table, as JSON text.
    pub(crate) fn whole(&self) -> &str {
        &self.0.whole
    }
}

/// The limit up to which an `f64` represents every whole number.
const EXACT: f64 = 9_007_199_254_740_992.0;

fn normalized_table(table: &Map<String, Value>) -> Map<String, Value> {
    let entries = table.iter();
    entries
        .map(|(key, value)| (key.clone(), normalized(value)))
        .collect()
}

/// Returns the value with whole numbers written without a fraction. JSON Schema accepts `5.0` as an
/// integer; typed JSON readers do not.
fn normalized(value: &Value) -> Value {
    match value {
        Value::Number(number) if number.is_f64() => match number.as_f64() {
            Some(whole) if whole.fract() == 0.0 && whole.abs() <= EXACT => {
                Value::Number(Number::from(whole as i64))
            }
            _ => value.clone(),
        },
        Value::Array(items) => items.iter().map(normalized).collect(),
        Value::Object(table) => Value::Object(normalized_table(table)),
        other => other.clone(),
    }
}

impl Host for Config {
    fn get(&mut self, key: String) -> wasmtime::Result<Result<Option<String>, Error>> {
        let value = match key.as_str() {
            "" => Some(&self.0.whole),
            key => self.0.entries.get(key),
        };
        Ok(Ok(value.cloned()))
    }

    fn get_all(&mut self) -> wasmtime::Result<Result<Vec<(String, String)>, Error>> {
        let all = self.0.entries.iter();
        Ok(Ok(all.map(|(k, v)| (k.clone(), v.clone())).collect()))
    }
}

impl InstanceState for Config {
    fn new(cx: &InstanceContext<'_>) -> Self {
        cx.setup.config.clone()
    }
}

pub(crate) const CAPABILITY: Capability = Capability::new(
    &["wasi:config/store"],
    "read its own configuration",
    |linker, _| {
        store::add_to_linker::<_, HasSelf<Config>>(linker, |store| {
            &mut store.called().capabilities.config
        })
    },
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_have_no_fraction() {
        let table = json(r#"{"a": 5.0, "b": [2.5, {"c": -3.0}], "d": 1e300, "e": "5.0", "f": 7}"#);
        let mut config = Config::new(&table);
        let mut get = |key: &str| {
            config
                .get(key.to_owned())
                .expect("a host")
                .expect("a value")
        };
        let whole = get("").expect("the table");
        let expected = r#"{"a": 5, "b": [2.5, {"c": -3}], "d": 1e300, "e": "5.0", "f": 7}"#;
        assert_eq!(json(&whole), json(expected));
        assert_eq!(get("a").as_deref(), Some("5"));
    }

    fn json(text: &str) -> Map<String, Value> {
        serde_json::from_str(text).expect("JSON")
    }
}
