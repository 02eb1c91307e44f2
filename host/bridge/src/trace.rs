//! The traces of callers.

use std::collections::BTreeMap;
use std::sync::Arc;

use portcullis::trace::{CallTrace, TraceContext};

/// The trace that a call is part of, of what OpenTelemetry's propagators write: `traceparent`, `tracestate` and `baggage`.
/// `None` if there is no `traceparent`, or none that is valid. Its runs are not recorded here.
pub fn trace_of_carrier(carrier: &BTreeMap<String, String>) -> Option<Arc<CallTrace>> {
    let get = |name: &str| carrier.get(name).map(String::as_str);
    let parent = get("traceparent")?;
    let context = TraceContext::from_headers(parent, get("tracestate"), get("baggage")).ok()?;
    Some(Arc::new(CallTrace::passed_on(context)))
}
