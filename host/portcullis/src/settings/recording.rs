//! What is taken out of recorded calls, for whom they are encrypted, and how many are kept.

use std::num::{NonZeroU32, NonZeroU64, NonZeroUsize};

use schemars::JsonSchema;
use serde::Deserialize;

/// What is taken out of recorded calls, for whom they are encrypted, and how many are kept.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case")]
pub struct RecordingTable {
    /// Regular expressions. What one of them finds in a text of a call is replaced by `[redacted]` before it is written.
    #[schemars(extend("x-if-left-out" = "none"))]
    pub redact: Vec<String>,
    /// Public keys of age, such as `age1…`. Calls are encrypted before they are written, and each of the keys' owners can
    /// read them: see `--identity` of `portcullis replay`.
    #[schemars(extend("x-if-left-out" = "calls are not encrypted"))]
    pub recipients: Vec<String>,
    /// The most bytes of a call, as text. Of a larger one, only how it went is kept.
    #[schemars(extend("default" = 256 << 10))]
    pub call_bytes: Option<NonZeroUsize>,
    /// Days after which calls are deleted.
    #[schemars(extend("x-if-left-out" = "never"))]
    pub keep_days: Option<NonZeroU32>,
    /// The most bytes of all recorded calls. The oldest are deleted first.
    #[schemars(extend("default" = 1 << 30))]
    pub keep_bytes: Option<NonZeroU64>,
    /// The most recorded calls. The oldest are deleted first.
    #[schemars(extend("x-if-left-out" = "no limit"))]
    pub keep_calls: Option<NonZeroU64>,
}
