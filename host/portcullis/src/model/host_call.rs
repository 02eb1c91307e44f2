//! What a hook calls of the host.

use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::contract::json::size;
use crate::model::hook::HookId;

/// A hook's call of an import that has returned. Secrets are replaced by their names. Of its arguments, and of what it
/// returned, about 16 KiB each are here: longer texts and lists are cut, and say how much is missing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct HostCall {
    /// The hook.
    pub hook: HookId,
    /// The interface, without its version: `portcullis:hooks/state`.
    pub interface: String,
    /// The function.
    pub function: String,
    /// The arguments: a JSON list. Those of WASI's functions are an object of texts, by name, in which lists are
    /// left out.
    pub arguments: Value,
    /// What it returned, null for nothing; or the error that ends the hook's call. What a function of WASI
    /// returned is a text.
    pub returned: Result<Value, String>,
    /// When it was called. Not part of the JSON.
    #[serde(skip, default = "Instant::now")]
    pub began: Instant,
    /// How long it took.
    pub took: Duration,
    /// The fuel that the hook's call had used when it was called, its instance's start included. `None` if
    /// it is not known.
    pub fuel: Option<u64>,
}

impl HostCall {
    /// What it takes in memory, about, in bytes.
    pub(crate) fn size(&self) -> usize {
        let returned = match &self.returned {
            Ok(value) => size(value),
            Err(error) => error.len(),
        };
        let names = self.interface.len() + self.function.len();
        size_of::<Self>() + names + size(&self.arguments) + returned
    }
}
