//! Sessions in lists.

use portcullis_agent::CheckpointId;
use serde::Serialize;
use serde_json::Value;
use sqlx::Row as _;
use sqlx::any::AnyRow;

use crate::database::Database;
use crate::error::StoreError;

/// A session in the store.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct SessionRow {
    /// Its id.
    pub id: String,
    /// The agent.
    pub agent: String,
    /// The user.
    pub user: Option<String>,
    /// The working directory.
    pub working_dir: Option<String>,
    /// The time at which it was first opened, in milliseconds since the Unix epoch.
    pub created_ms: u64,
    /// The time at which it was last used, in milliseconds since the Unix epoch: its last turn ended
    /// or was suspended, or, for a durable agent, began.
    pub updated_ms: u64,
    /// The number of turns.
    pub turns: u64,
    /// The number of messages in the conversation.
    pub messages: u64,
    /// The size of its data, in bytes.
    pub bytes: u64,
    /// The process that has it open.
    pub open_in: Option<Holder>,
    /// The start of its unfinished turn, in milliseconds since the Unix epoch. The turn runs if the
    /// session is open, and was interrupted otherwise. Only for turns of durable agents.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn_since_ms: Option<u64>,
    /// The engine that runs this turn, such as `restate`, whichever process has the session open.
    /// `None` if the process that began the turn runs it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn_engine: Option<String>,
    /// Its suspended turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suspended: Option<SuspendedTurn>,
    /// The conversation, the agent's state and the usage. Left out of lists.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data: Option<Value>,
}

impl SessionRow {
    /// Returns whether its turn was interrupted, and no engine will finish it.
    pub fn is_interrupted(&self) -> bool {
        self.open_in.is_none() && self.turn_since_ms.is_some() && self.turn_engine.is_none()
    }
}

/// A suspended turn of a session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct SuspendedTurn {
    /// Its newest checkpoint.
    pub checkpoint: CheckpointId,
    /// The time of the suspension, in milliseconds since the Unix epoch.
    pub since_ms: u64,
    /// Whether a process has resumed the turn, which has not ended. The process may be dead.
    pub claimed: bool,
}

/// A process that has a session open.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Holder {
    /// The process.
    pub pid: u64,
    /// Its machine.
    pub machine: String,
    /// The time at which it opened the session, in milliseconds since the Unix epoch.
    pub since_ms: u64,
}

/// The result of releasing a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Released {
    /// The session does not exist.
    Unknown,
    /// No process had it open.
    WasFree,
    /// This process had it open; `None` if the store no longer knows the process.
    From(Option<Holder>),
}

/// The numbers of rows that were deleted with a session.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Deleted {
    /// Sessions.
    pub sessions: u64,
    /// Turns that the memory kept.
    pub memories: u64,
    /// Suspended turns.
    pub checkpoints: u64,
    /// Interrupted turns.
    pub turns: u64,
    /// Background jobs.
    pub jobs: u64,
    /// Hook runs in the journal.
    pub hook_runs: u64,
    /// Values in the private state of hooks.
    pub hook_state: u64,
    /// Recorded calls of hooks.
    pub recorded_calls: u64,
}

/// Selects the columns of [`read`] except `data`. A turn that is saved is not unfinished, even if
/// its record or its claimed checkpoint exists: its process died before it removed them.
macro_rules! select {
    ($data:literal, $rest:literal) => {
        concat!(
            "SELECT sessions.id, sessions.agent, sessions.person, sessions.working_dir,
                    sessions.created_ms, sessions.updated_ms, sessions.turns, sessions.messages,
                    sessions.bytes, sessions.claimed_ms, hosts.pid, hosts.machine,
                    turns.began_ms AS turn_ms, turns.engine AS turn_engine,
                    suspended.id AS checkpoint, suspended.saved_ms AS suspended_ms,
                    suspended.claimed_ms AS resumed_ms, ",
            $data,
            " AS data FROM sessions LEFT JOIN hosts ON hosts.id = sessions.host
              LEFT JOIN turns ON turns.session = sessions.id AND turns.turn > sessions.turns
              LEFT JOIN checkpoints AS suspended ON suspended.id = (
                  SELECT newest.id FROM checkpoints AS newest
                  WHERE newest.root = sessions.id AND newest.of_subagent = 0
                    AND (newest.claimed_ms IS NULL OR newest.turn > sessions.turns)
                  ORDER BY newest.saved_ms DESC, newest.seq DESC LIMIT 1) ",
            $rest
        )
    };
}
pub(super) use select;

pub(super) fn read(row: &AnyRow) -> Result<SessionRow, StoreError> {
    let number = |column: &str| {
        let number: Option<i64> = row.try_get(column)?;
        Ok::<_, StoreError>(number.unwrap_or_default().unsigned_abs())
    };
    let pid: Option<i64> = row.try_get("pid")?;
    let open_in = match pid {
        Some(pid) => Some(Holder {
            pid: pid.unsigned_abs(),
            machine: row.try_get("machine")?,
            since_ms: number("claimed_ms")?,
        }),
        None => None,
    };
    let checkpoint: Option<String> = row.try_get("checkpoint")?;
    let suspended = match checkpoint.map(|id| id.parse()).transpose() {
        Ok(None) => None,
        Ok(Some(checkpoint)) => Some(SuspendedTurn {
            checkpoint,
            since_ms: number("suspended_ms")?,
            claimed: row.try_get::<Option<i64>, _>("resumed_ms")?.is_some(),
        }),
        Err(error) => return Err(StoreError::Database(format!("{error}"))),
    };
    let (id, data): (String, String) = (row.try_get("id")?, row.try_get("data")?);
    let data: Value = serde_json::from_str(&data).map_err(|e| {
        StoreError::Database(format!(
            "session `{id}` is damaged: {e}; restore its store from a backup, or delete it"
        ))
    })?;
    Ok(SessionRow {
        id,
        agent: row.try_get("agent")?,
        user: row.try_get("person")?,
        working_dir: row.try_get("working_dir")?,
        created_ms: number("created_ms")?,
        updated_ms: number("updated_ms")?,
        turns: number("turns")?,
        messages: number("messages")?,
        bytes: number("bytes")?,
        open_in,
        turn_since_ms: row
            .try_get::<Option<i64>, _>("turn_ms")?
            .map(i64::unsigned_abs),
        turn_engine: row.try_get("turn_engine")?,
        suspended,
        data: Some(data).filter(|data| !data.is_null()),
    })
}

/// Returns the holder of a session with a storable id, if it is open.
pub(super) async fn holder(database: &Database, id: &str) -> Result<Option<Holder>, StoreError> {
    let sql = select!("'null'", "WHERE sessions.id = $1");
    let row = sqlx::query(sql)
        .bind(id.to_owned())
        .fetch_optional(database.pool())
        .await?;
    let row = row.as_ref().map(read).transpose()?;
    Ok(row.and_then(|row| row.open_in))
}

/// Returns the text for a session that was open, and has no holder any more.
pub(super) fn just_released(id: &str) -> String {
    format!("session `{id}` was just released; try again")
}
