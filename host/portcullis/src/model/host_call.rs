//! What a hook calls of the host.

use std::time::{Duration, Instant};

use serde::Serialize;
use serde_json::Value;

use crate::model::hook::HookId;

/// A hook's call of an import that has returned. Secrets are replaced by their names.
#[derive(Debug, Clone, PartialEq, Serialize)]
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
    #[serde(skip)]
    pub began: Instant,
    /// How long it took.
    pub took: Duration,
    /// The fuel that the hook's call had used when it was called, its instance's start included. `None` if
    /// it is not known.
    pub fuel: Option<u64>,
}
