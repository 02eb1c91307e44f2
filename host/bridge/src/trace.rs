//! The traces of callers.

use std::collections::BTreeMap;
use std::sync::Arc;

use portcullis::trace::{CallTrace, TraceContext};

/// Returns the trace of a call from the fields that OpenTelemetry's propagators write:
/// `traceparent`, `tracestate` and `baggage`. `None` if `traceparent` is missing or not valid. The
/// trace does not record runs.
pub fn trace_of_carrier(carrier: &BTreeMap<String, String>) -> Option<Arc<CallTrace>> {
    let get = |name: &str| carrier.get(name).map(String::as_str);
    let parent = get("traceparent")?;
    let context = TraceContext::from_headers(parent, get("tracestate"), get("baggage")).ok()?;
    Some(Arc::new(CallTrace::passed_on(context)))
}
