//! Jobs in lists.

use serde::Serialize;
use sqlx::Row as _;
use sqlx::any::AnyRow;

use crate::error::StoreError;

/// The state of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum JobState {
    /// A process runs it.
    Running,
    /// Its process ended before it did. It runs again at the next start of its agent.
    Waiting,
    /// It has ended.
    Done,
    /// It failed, or was abandoned.
    Failed,
}

/// A job in the store.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct JobRow {
    /// Its number.
    pub id: i64,
    /// The agent.
    pub agent: String,
    /// The directory the agent works in.
    pub working_dir: String,
    /// The name of its handler.
    pub name: String,
    /// The hook that queued it.
    pub hook: String,
    /// The hook's session.
    pub session: String,
    /// The time at which it was queued, in milliseconds since the Unix epoch.
    pub queued_ms: u64,
    /// The time at which it ended, in milliseconds since the Unix epoch.
    pub ended_ms: Option<u64>,
    /// The number of attempts.
    pub attempt: u64,
    /// The state.
    pub state: JobState,
    /// The reason for a failure.
    pub error: Option<String>,
}

/// The columns of [`read`].
pub(super) const SELECT: &str = "SELECT id, agent, working_dir, name, hook, session, queued_ms,
                                        ended_ms, attempt, host, error
                                 FROM jobs ORDER BY id DESC";

pub(super) fn read(row: &AnyRow) -> Result<JobRow, StoreError> {
    let number = |column: &str| Ok::<_, StoreError>(row.try_get::<i64, _>(column)?.unsigned_abs());
    let ended_ms: Option<i64> = row.try_get("ended_ms")?;
    let host: Option<i64> = row.try_get("host")?;
    let error: Option<String> = row.try_get("error")?;
    let state = match (ended_ms, host, &error) {
        (Some(_), _, Some(_)) => JobState::Failed,
        (Some(_), _, None) => JobState::Done,
        (None, Some(_), _) => JobState::Running,
        (None, None, _) => JobState::Waiting,
    };
    Ok(JobRow {
        id: row.try_get("id")?,
        agent: row.try_get("agent")?,
        working_dir: row.try_get("working_dir")?,
        name: row.try_get("name")?,
        hook: row.try_get("hook")?,
        session: row.try_get("session")?,
        queued_ms: number("queued_ms")?,
        ended_ms: ended_ms.map(i64::unsigned_abs),
        attempt: number("attempt")?,
        state,
        error,
    })
}
