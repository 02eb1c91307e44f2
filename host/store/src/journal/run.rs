//! A hook run in the journal.

use portcullis_agent::{RunRow, RunState};
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
    /// Its state.
    pub state: RunState,
    /// When its end was recorded, in milliseconds since the Unix epoch; for a lost run, when it was
    /// found. `None` if it has not ended.
    pub ended_ms: Option<u64>,
    /// See [`RunEnd::outcome`](portcullis_agent::RunEnd::outcome).
    pub outcome: Option<String>,
    /// See [`RunEnd::latency_us`](portcullis_agent::RunEnd::latency_us); `None` if no end was recorded.
    pub latency_us: Option<u64>,
    /// See [`RunEnd::fuel`](portcullis_agent::RunEnd::fuel).
    pub fuel: Option<u64>,
    /// See [`RunEnd::cause`](portcullis_agent::RunEnd::cause).
    pub cause: Option<String>,
    /// See [`RunEnd::message`](portcullis_agent::RunEnd::message).
    pub message: Option<String>,
    /// See [`RunEnd::contributions`](portcullis_agent::RunEnd::contributions).
    pub contributions: Vec<String>,
    /// See [`RunEnd::before`](portcullis_agent::RunEnd::before).
    pub before: Option<String>,
    /// See [`RunEnd::after`](portcullis_agent::RunEnd::after).
    pub after: Option<String>,
    /// See [`RunEnd::fatal`](portcullis_agent::RunEnd::fatal).
    pub fatal: bool,
}
