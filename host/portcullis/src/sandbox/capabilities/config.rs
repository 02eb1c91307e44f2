//! `wasi:config/store`: the hook's own `config` table in `hooks.toml`.
//!
//! Each key of the table is a key; strings stand as they are, everything else as JSON text. The
//! empty key gives the whole table as one JSON object, for typed configuration.

use std::collections::BTreeMap;
use std::sync::Arc;

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
    pub(crate) fn new(values: &serde_json::Map<String, serde_json::Value>) -> Self {
        let entries = values
            .iter()
            .map(|(key, value)| {
                let text = match value {
                    serde_json::Value::String(text) => text.clone(),
                    other => other.to_string(),
                };
                (key.clone(), text)
            })
            .collect();
        let whole = serde_json::Value::Object(values.clone()).to_string();
        Self(Arc::new(Table { whole, entries }))
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

pub(super) const CAPABILITY: Capability = Capability::new(
    &["wasi:config/store"],
    "read its own configuration",
    |linker, _| {
        store::add_to_linker::<_, HasSelf<Config>>(linker, |store| {
            &mut store.called().capabilities.config
        })
    },
);
