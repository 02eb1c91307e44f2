//! `[defaults.limits]` and `[hooks.ID.limits]`.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::model::limits::{HttpLimits, Limits as Values};
use crate::settings::check::{LONGEST_MS, MOST, MOST_BYTES, MOST_CALLS};
use crate::settings::http::MOST_HEADER_BYTES;

/// Limits are read as signed numbers, so that a negative one is told from a wrong type.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case")]
pub(in crate::settings) struct Limits {
    /// Units per call, about one for each instruction; `false` sets no limit.
    #[schemars(extend("default" = Values::default().fuel))]
    pub(in crate::settings) fuel: Option<Fuel>,
    /// Milliseconds of computing per call.
    #[schemars(range(min = 1, max = LONGEST_MS), extend("default" = Values::default().deadline.as_millis() as u64))]
    pub(in crate::settings) deadline_ms: Option<i64>,
    /// Milliseconds per call, waiting included.
    #[schemars(range(min = 1, max = LONGEST_MS), extend("default" = Values::default().wall.as_millis() as u64))]
    pub(in crate::settings) wall_ms: Option<i64>,
    /// Bytes over all memories of an instance.
    #[schemars(range(min = 1, max = MOST_BYTES), extend("default" = Values::default().memory_bytes))]
    pub(in crate::settings) memory_bytes: Option<i64>,
    /// Calls of imports per call.
    #[schemars(range(min = 1, max = MOST), extend("default" = Values::default().host_calls))]
    pub(in crate::settings) host_calls: Option<i64>,
    /// Elements over all tables of an instance.
    #[schemars(range(min = 1, max = MOST_BYTES), extend("default" = Values::default().table_elements))]
    pub(in crate::settings) table_elements: Option<i64>,
    /// Core instances, memories and tables, each.
    #[schemars(range(min = 1, max = MOST_BYTES), extend("default" = Values::default().instances))]
    pub(in crate::settings) instances: Option<i64>,
    /// Live resource handles.
    #[schemars(range(min = 1, max = MOST_BYTES), extend("default" = Values::default().handles))]
    pub(in crate::settings) handles: Option<i64>,
    /// Bytes from the hook to the host at once, as an answer or in one call of an import.
    #[schemars(range(min = 1, max = MOST_BYTES), extend("default" = Values::default().output_bytes))]
    pub(in crate::settings) output_bytes: Option<i64>,
    /// Bytes of log per call; more is cut off and marked.
    #[schemars(range(min = 1, max = MOST_BYTES), extend("default" = Values::default().log_bytes))]
    pub(in crate::settings) log_bytes: Option<i64>,
    /// Lines of log per call; more are dropped, which is logged once.
    #[schemars(range(min = 1, max = MOST_BYTES), extend("default" = Values::default().log_lines))]
    pub(in crate::settings) log_lines: Option<i64>,
    /// Bytes of events per call; more are dropped, which is logged once.
    #[schemars(range(min = 1, max = MOST_BYTES), extend("default" = Values::default().event_bytes))]
    pub(in crate::settings) event_bytes: Option<i64>,
    /// Contributions per call. A bundle counts as its tools.
    #[schemars(range(min = 1, max = MOST_BYTES), extend("default" = Values::default().contributions))]
    pub(in crate::settings) contributions: Option<i64>,
    /// Bytes of keys and values in a namespace of state.
    #[schemars(range(min = 1, max = MOST_BYTES), extend("default" = Values::default().state_bytes))]
    pub(in crate::settings) state_bytes: Option<i64>,
    /// Keys in a namespace of state.
    #[schemars(range(min = 1, max = MOST_BYTES), extend("default" = Values::default().state_keys))]
    pub(in crate::settings) state_keys: Option<i64>,
    /// Requests per call, refused ones included.
    #[schemars(range(min = 1, max = MOST_CALLS), extend("default" = HttpLimits::default().requests))]
    pub(in crate::settings) http_requests: Option<i64>,
    /// Requests at once; one more is an error to the hook.
    #[schemars(range(min = 1, max = MOST_CALLS), extend("default" = HttpLimits::default().concurrent))]
    pub(in crate::settings) http_concurrent: Option<i64>,
    /// Bytes sent per call, headers included.
    #[schemars(range(min = 1, max = MOST_BYTES), extend("default" = HttpLimits::default().request_bytes))]
    pub(in crate::settings) http_request_bytes: Option<i64>,
    /// Bytes received per call, headers included.
    #[schemars(range(min = 1, max = MOST_BYTES), extend("default" = HttpLimits::default().response_bytes))]
    pub(in crate::settings) http_response_bytes: Option<i64>,
    /// Bytes of headers of a request or a response; more is an error to the hook.
    #[schemars(range(min = 1, max = MOST_HEADER_BYTES), extend("default" = HttpLimits::default().header_bytes))]
    pub(in crate::settings) http_header_bytes: Option<i64>,
    /// Milliseconds to connect, including DNS and TLS; more is an error to the hook, as with
    /// the next three.
    #[schemars(range(min = 1, max = LONGEST_MS), extend("default" = HttpLimits::default().connect.as_millis() as u64))]
    pub(in crate::settings) http_connect_ms: Option<i64>,
    /// Milliseconds from then until the response begins.
    #[schemars(range(min = 1, max = LONGEST_MS), extend("default" = HttpLimits::default().first_byte.as_millis() as u64))]
    pub(in crate::settings) http_first_byte_ms: Option<i64>,
    /// Milliseconds between two chunks of a response.
    #[schemars(range(min = 1, max = LONGEST_MS), extend("default" = HttpLimits::default().between_bytes.as_millis() as u64))]
    pub(in crate::settings) http_between_bytes_ms: Option<i64>,
    /// Milliseconds of a request in all.
    #[schemars(range(min = 1, max = LONGEST_MS), extend("default" = HttpLimits::default().total.as_millis() as u64))]
    pub(in crate::settings) http_total_ms: Option<i64>,
}

#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "a number of units, or false to count none")]
pub(in crate::settings) enum Fuel {
    Units(#[schemars(range(min = 1, max = MOST))] i64),
    Counted(#[schemars(extend("const" = false))] bool),
}
