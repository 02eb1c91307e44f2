//! A hook's calls of the host.

use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::contract::json::size;
use crate::model::hook::HookId;

/// A completed call of an import by a hook. Secrets are replaced by their names. The arguments and
/// the result are limited to about 16 KiB each: longer texts and lists are cut, with a note of the
/// missing amount.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct HostCall {
    /// The hook.
    pub hook: HookId,
    /// The interface, without its version: `portcullis:hooks/state`.
    pub interface: String,
    /// The function.
    pub function: String,
    /// The arguments: a JSON list. For WASI functions, an object of texts by name, without lists.
    pub arguments: Value,
    /// The result, null if there is none; or the error that ends the hook's call. The result of a
    /// WASI function is a text.
    pub returned: Result<Value, String>,
    /// The time of the call. Not part of the JSON.
    #[serde(skip, default = "Instant::now")]
    pub began: Instant,
    /// The duration of the call.
    pub took: Duration,
    /// The fuel that the hook's call had used when this call began, the start of its instance
    /// included. `None` if it is not known.
    pub fuel: Option<u64>,
}

impl HostCall {
    /// Returns the approximate size in memory, in bytes.
    pub(crate) fn size(&self) -> usize {
        let returned = match &self.returned {
            Ok(value) => size(value),
            Err(error) => error.len(),
        };
        let names = self.interface.len() + self.function.len();
        size_of::<Self>() + names + size(&self.arguments) + returned
    }
}
