//! A hook run in the journal.

use portcullis_agent::{RunEnd, RunRow};
use serde::Serialize;

/// A hook run in the journal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct JournalRun {
    /// The host that ran it: one opening of the journal by one process.
    pub host: i64,
    /// The facts about it when it started.
    #[serde(flatten)]
    pub row: RunRow,
    /// When its end was recorded, in milliseconds since the Unix epoch; for a lost run, when it was
    /// found. `None` if it has not ended.
    pub ended_ms: Option<u64>,
    /// Its state, and what is known of its end.
    #[serde(flatten)]
    pub end: RunEnd,
}
