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
    /// The time at which its end was recorded, in milliseconds since the Unix epoch; for a lost
    /// run, the time at which it was found. `None` if the run has not ended.
    pub ended_ms: Option<u64>,
    /// Its state, and the known facts of its end.
    #[serde(flatten)]
    pub end: RunEnd,
}
