//! What is kept of recorded calls, for whom they are encrypted, and how many are kept.

use std::num::{NonZeroU32, NonZeroU64, NonZeroUsize};

use schemars::JsonSchema;
use serde::Deserialize;

use crate::model::recording::CallRecording;

const CALL_BYTES: NonZeroUsize = NonZeroUsize::new(256 << 10).expect("not zero");
const DIRECTORY_BYTES: NonZeroUsize = NonZeroUsize::new(1 << 20).expect("not zero");
const KEEP_BYTES: NonZeroU64 = NonZeroU64::new(1 << 30).expect("not zero");

/// What is kept of recorded calls, for whom they are encrypted, and how many are kept.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case")]
pub struct RecordingTable {
    /// Regular expressions. What one of them finds in a text of a call is replaced by `[redacted]` before it is written.
    #[schemars(extend("x-if-left-out" = "none"))]
    pub redact: Vec<String>,
    /// Public keys of age, such as `age1…`. Calls are encrypted before they are written, and each of the keys' owners can
    /// read them: see `--identity` of `portcullis replay`.
    #[schemars(extend("x-if-left-out" = "calls are not encrypted"))]
    pub recipients: Vec<String>,
    /// The most bytes of a call, as text. Of a larger call, only the outcome is kept.
    pub call_bytes: NonZeroUsize,
    /// Whether the files in the directories that hooks are granted are kept too, as each call found them. Without them,
    /// calls of such hooks are counted, and not made again.
    pub directories: bool,
    /// The most bytes of the files in the directories of a hook. If there are more, its calls are counted, and not made
    /// again.
    pub directory_bytes: NonZeroUsize,
    /// Days after which calls are deleted.
    #[schemars(extend("x-if-left-out" = "never"))]
    pub keep_days: Option<NonZeroU32>,
    /// The most bytes of all recorded calls. The oldest are deleted first.
    pub keep_bytes: NonZeroU64,
    /// The most recorded calls. The oldest are deleted first.
    #[schemars(extend("x-if-left-out" = "no limit"))]
    pub keep_calls: Option<NonZeroU64>,
}

impl Default for RecordingTable {
    fn default() -> Self {
        Self {
            redact: Vec::new(),
            recipients: Vec::new(),
            call_bytes: CALL_BYTES,
            directories: false,
            directory_bytes: DIRECTORY_BYTES,
            keep_days: None,
            keep_bytes: KEEP_BYTES,
            keep_calls: None,
        }
    }
}

impl RecordingTable {
    /// What is recorded of calls.
    pub fn calls(&self) -> CallRecording {
        match self.directories {
            true => CallRecording::WithDirectories(self.directory_bytes),
            false => CallRecording::Calls,
        }
    }
}
