//! Settings for recorded calls: their content, their encryption and their retention.

use std::num::{NonZeroU32, NonZeroU64, NonZeroUsize};

use schemars::JsonSchema;
use serde::Deserialize;

use crate::model::recording::CallRecording;

const CALL_BYTES: NonZeroUsize = NonZeroUsize::new(256 << 10).expect("not zero");
const DIRECTORY_BYTES: NonZeroUsize = NonZeroUsize::new(1 << 20).expect("not zero");
const KEEP_BYTES: NonZeroU64 = NonZeroU64::new(1 << 30).expect("not zero");

/// Settings for recorded calls: their content, their encryption and their retention.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case")]
pub struct RecordingTable {
    /// Regular expressions. Matches in the texts of a call are replaced by `[redacted]` before they
    /// are written.
    #[schemars(extend("x-if-left-out" = "none"))]
    pub redact: Vec<String>,
    /// Public age keys, such as `age1…`. Calls are encrypted before they are written, and each
    /// key's owner can read them: see `--identity` of `portcullis replay`.
    #[schemars(extend("x-if-left-out" = "calls are not encrypted"))]
    pub recipients: Vec<String>,
    /// The most bytes of a call, as text. For a larger call, only the outcome is kept.
    pub call_bytes: NonZeroUsize,
    /// Whether the files in granted directories are kept too, as each call found them. Without
    /// them, calls of hooks with such grants are counted but not replayed.
    pub directories: bool,
    /// The most bytes of the files in a hook's directories. If there are more, the hook's calls are
    /// counted but not replayed.
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
    /// Returns the parts of calls that are recorded.
    pub fn calls(&self) -> CallRecording {
        match self.directories {
            true => CallRecording::WithDirectories(self.directory_bytes),
            false => CallRecording::Calls,
        }
    }
}
