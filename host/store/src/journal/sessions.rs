//! The journal's summary of each session.

use std::collections::BTreeMap;

use portcullis::hooks::Mode;
use portcullis_agent::{EventRow, JournalEvent, RunState};
use serde::Serialize;
use sqlx::any::AnyRow;
use sqlx::{AssertSqlSafe, Row as _};

use super::columns::End;
use super::record::At;
use crate::database::{Database, narrow, query, signed, storable};
use crate::error::StoreError;
use crate::sql::{Value, without_nul};
use crate::writing::Transaction;

/// The journal's summary of a session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct JournalSession {
    /// The session.
    pub session: String,
    /// The agent; `None` if only hook runs were recorded.
    pub agent: Option<String>,
    /// The session of the agent above, if it is a sub-agent's.
    pub parent: Option<String>,
    /// The time of the first record, in milliseconds since the Unix epoch.
    pub began_ms: u64,
    /// The time of the last record, in milliseconds since the Unix epoch.
    pub active_ms: u64,
    /// Grows when a record of the session is written.
    pub revision: u64,
    /// The outcome of the session's last turn; `None` if no turn is recorded.
    pub state: Option<TurnOutcome>,
    /// The number of the session's last turn.
    pub turn: u32,
    /// The number of hook calls.
    pub runs: u64,
    /// The number of refusals that counted.
    pub refusals: u64,
    /// The number of runs in audit mode that would have refused.
    pub would_refuse: u64,
    /// The number of runs that changed a value.
    pub changes: u64,
    /// The number of runs that failed, reached their deadline or were lost.
    pub failures: u64,
}

/// The outcome of a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum TurnOutcome {
    /// It runs.
    Running,
    /// It is suspended.
    Waiting,
    /// It ended with an output.
    Ended,
    /// It failed.
    Failed,
    /// It was cancelled.
    Cancelled,
    /// Its process died.
    Interrupted,
}

impl TurnOutcome {
    /// All outcomes.
    pub const ALL: [Self; 6] = [
        Self::Running,
        Self::Waiting,
        Self::Ended,
        Self::Failed,
        Self::Cancelled,
        Self::Interrupted,
    ];

    /// Returns the name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Waiting => "waiting",
            Self::Ended => "ended",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
            Self::Interrupted => "interrupted",
        }
    }

    /// Returns the outcome with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|outcome| outcome.name() == name)
    }

    fn after(event: &JournalEvent) -> Option<Self> {
        match event {
            JournalEvent::TurnBegan { .. }
            | JournalEvent::TurnResumed
            | JournalEvent::TurnContinued => Some(Self::Running),
            JournalEvent::TurnSuspended { .. } => Some(Self::Waiting),
            JournalEvent::TurnEnded { .. } => Some(Self::Ended),
            JournalEvent::TurnFailed {
                cancelled: true, ..
            } => Some(Self::Cancelled),
            JournalEvent::TurnFailed { .. } => Some(Self::Failed),
            _ => None,
        }
    }
}

/// Selects the sessions that fit all its fields, the most recently active first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionFilter {
    /// The id of the only session. Default: any.
    pub session: Option<String>,
    /// A text in the session's id or its agent's name, without regard to case. Default: any.
    pub text: Option<String>,
    /// The outcomes of the last turn. Default: any.
    pub states: Vec<TurnOutcome>,
    /// Whether sessions of sub-agents are left out. Default: yes.
    pub top: bool,
    /// The maximum number of sessions. Default: 200.
    pub limit: u32,
}

impl Default for SessionFilter {
    fn default() -> Self {
        Self {
            session: None,
            text: None,
            states: Vec::new(),
            top: true,
            limit: 200,
        }
    }
}

/// The facts about a session in the records of a transaction.
#[derive(Default)]
struct Change {
    agent: Option<String>,
    parent: Option<String>,
    first_ms: u64,
    last_ms: u64,
    state: Option<TurnOutcome>,
    turn: u32,
    runs: u32,
    refusals: u32,
    would_refuse: u32,
    changes: u32,
    failures: u32,
}

/// The facts about sessions in the records of a transaction.
#[derive(Default)]
pub(super) struct Changes<'a>(BTreeMap<&'a str, Change>);

impl<'a> Changes<'a> {
    fn at(&mut self, session: &'a str, turn: u32, at_ms: u64) -> &mut Change {
        let change = self.0.entry(session).or_default();
        change.turn = change.turn.max(turn);
        change.last_ms = change.last_ms.max(at_ms);
        if change.first_ms == 0 || at_ms < change.first_ms {
            change.first_ms = at_ms;
        }
        change
    }

    pub(super) fn began(&mut self, at: At<'a>) {
        self.at(at.session, at.turn, at.started_us / 1_000);
    }

    /// Counts the end of a run. Does nothing if the run is not over.
    pub(super) fn ended(&mut self, at: At<'a>, end: Option<End<'_>>) {
        let Some(End { ended, at_ms, .. }) = end.filter(|end| end.ended.is_over()) else {
            return;
        };
        let change = self.at(at.session, at.turn, at_ms);
        let end = ended.counted();
        let refuses = end.fatal || end.outcome == Some("reject");
        change.runs += u32::from(end.state != RunState::Skipped);
        let counts = end.mode != Some(Mode::Audit);
        change.refusals += u32::from(refuses && counts);
        change.would_refuse += u32::from(refuses && !counts);
        change.changes += u32::from(end.changed);
        change.failures += u32::from(matches!(end.state, RunState::Failed | RunState::TimedOut));
    }

    pub(super) fn event(&mut self, row: &'a EventRow) {
        let change = self.at(&row.session, row.turn, row.at_ms);
        if let JournalEvent::SessionOpened { agent, parent, .. } = &row.event {
            change.agent = Some(agent.clone());
            change.parent.clone_from(parent);
        }
        if let Some(state) = TurnOutcome::after(&row.event) {
            change.state = Some(state);
        }
    }

    /// Writes the changes in the order of their sessions, since other processes may write the same
    /// sessions. The host of a session is the host of its last turn. Other hosts also write records
    /// of a session, such as a person's answer.
    pub(super) async fn write(
        self,
        transaction: &mut Transaction<'_>,
        host: i64,
    ) -> Result<(), StoreError> {
        for (session, change) in self.0 {
            let sql = "INSERT INTO journal_sessions AS old
                           (session, agent, parent, host, began_ms, active_ms, revision, state, turn,
                            runs, refusals, changes, failures, would_refuse)
                       VALUES ($1, $2, $3, $4, $5, $6, 1, $7, $8, $9, $10, $11, $12, $13)
                       ON CONFLICT (session) DO UPDATE SET
                           agent = coalesce(excluded.agent, old.agent),
                           parent = coalesce(excluded.parent, old.parent),
                           host = CASE excluded.state WHEN '' THEN old.host ELSE excluded.host END,
                           active_ms = CASE WHEN excluded.active_ms > old.active_ms
                                            THEN excluded.active_ms ELSE old.active_ms END,
                           revision = old.revision + 1,
                           state = CASE excluded.state WHEN '' THEN old.state ELSE excluded.state END,
                           turn = CASE WHEN excluded.turn > old.turn THEN excluded.turn ELSE old.turn END,
                           runs = old.runs + excluded.runs,
                           refusals = old.refusals + excluded.refusals,
                           changes = old.changes + excluded.changes,
                           failures = old.failures + excluded.failures,
                           would_refuse = old.would_refuse + excluded.would_refuse";
            let values = [
                without_nul(session).into(),
                change.agent.as_deref().map(without_nul).into(),
                change.parent.as_deref().map(without_nul).into(),
                host.into(),
                signed(change.first_ms).into(),
                signed(change.last_ms).into(),
                change
                    .state
                    .map(TurnOutcome::name)
                    .unwrap_or_default()
                    .into(),
                change.turn.into(),
                change.runs.into(),
                change.refusals.into(),
                change.changes.into(),
                change.failures.into(),
                change.would_refuse.into(),
            ];
            transaction.execute(sql, &values).await?;
        }
        Ok(())
    }
}

/// Returns the sessions that fit the filter.
pub(super) async fn sessions(
    database: &Database,
    filter: &SessionFilter,
) -> Result<Vec<JournalSession>, StoreError> {
    let mut sql = "SELECT session, agent, parent, began_ms, active_ms, revision, state, turn, runs,
                          refusals, changes, failures, would_refuse
                   FROM journal_sessions WHERE 1 = 1"
        .to_owned();
    let mut values: Vec<Value<'_>> = Vec::new();
    if filter.top {
        sql += " AND parent IS NULL";
    }
    if let Some(session) = &filter.session {
        values.push(storable(session).into());
        sql += &format!(" AND session = ${}", values.len());
    }
    if !filter.states.is_empty() {
        let names = filter
            .states
            .iter()
            .map(|state| format!("'{}'", state.name()));
        sql += &format!(" AND state IN ({})", names.collect::<Vec<_>>().join(", "));
    }
    if let Some(text) = &filter.text {
        let mut pattern = storable(&text.to_lowercase());
        for special in ["!", "%", "_"] {
            pattern = pattern.replace(special, &format!("!{special}"));
        }
        values.push(format!("%{pattern}%").into());
        let place = values.len();
        sql += &format!(
            " AND (lower(session) LIKE ${place} ESCAPE '!' OR lower(coalesce(agent, '')) LIKE ${place} ESCAPE '!')"
        );
    }
    sql += &format!(" ORDER BY active_ms DESC, session LIMIT {}", filter.limit);
    let select = query(AssertSqlSafe(sql), &values);
    let rows = select.fetch_all(database.pool()).await?;
    rows.iter().map(read).collect()
}

/// Returns the sum of the revisions of a session and its sub-agents' sessions.
pub(super) async fn revision(database: &Database, session: &str) -> Result<u64, StoreError> {
    let sql = "WITH RECURSIVE below (session) AS (
                   SELECT CAST($1 AS TEXT)
                   UNION SELECT journal_sessions.session FROM journal_sessions, below
                         WHERE journal_sessions.parent = below.session
               ) SELECT CAST(coalesce(sum(revision), 0) AS BIGINT) FROM journal_sessions
                 WHERE session IN (SELECT session FROM below)";
    let select = sqlx::query(sql).bind(storable(session));
    let sum: i64 = select.fetch_one(database.pool()).await?.try_get(0)?;
    Ok(sum.unsigned_abs())
}

fn read(row: &AnyRow) -> Result<JournalSession, StoreError> {
    let number = |column: &str| {
        let number: i64 = row.try_get(column)?;
        Ok::<_, StoreError>(number.unsigned_abs())
    };
    let state: String = row.try_get("state")?;
    Ok(JournalSession {
        session: row.try_get("session")?,
        agent: row.try_get("agent")?,
        parent: row.try_get("parent")?,
        began_ms: number("began_ms")?,
        active_ms: number("active_ms")?,
        revision: number("revision")?,
        state: TurnOutcome::from_name(&state),
        turn: narrow(row.try_get("turn")?),
        runs: number("runs")?,
        refusals: number("refusals")?,
        would_refuse: number("would_refuse")?,
        changes: number("changes")?,
        failures: number("failures")?,
    })
}
