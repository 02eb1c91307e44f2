//! A call of a hook, step by step.

use portcullis::trace::TraceEvent;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::case::Difference;

/// A call of a hook, step by step.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Trace {
    /// The events, in order.
    pub events: Vec<TraceEvent>,
    /// The hook's answer, by the keys of `[expect]`.
    pub verdict: Map<String, Value>,
    /// The answer's changes, field by field: the old value as `expected`, and the new one as `got`.
    pub changes: Vec<Difference>,
}
