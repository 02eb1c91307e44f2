//! A call of a hook, step by step.

use portcullis::trace::TraceEvent;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::case::Difference;

/// A call of a hook, step by step.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Trace {
    /// What happened, in order.
    pub events: Vec<TraceEvent>,
    /// What the hook answered, by the keys of `[expect]`.
    pub verdict: Map<String, Value>,
    /// What the answer changed, field by field: what was before as `expected`, and what is now as `got`.
    pub changes: Vec<Difference>,
}
