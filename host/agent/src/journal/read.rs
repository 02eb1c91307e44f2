//! Queries for hook runs.

use rusqlite::types::ToSql;
use rusqlite::{Connection, Row};

use super::run::{JournalRun, RunRow, RunState};

/// Selects the hook runs that fit all its fields.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunFilter {
    /// Of this session. Default: any.
    pub session: Option<String>,
    /// Of this hook. Default: any.
    pub hook: Option<String>,
    /// At this point. Default: any.
    pub point: Option<String>,
    /// In this state. Default: any.
    pub state: Option<RunState>,
    /// In this turn of its session. Default: any.
    pub turn: Option<u32>,
    /// The most runs. Default: 1,000.
    pub limit: u32,
    /// Whether the newest runs come first, and are the ones within the limit. Default: the oldest.
    pub newest_first: bool,
}

impl Default for RunFilter {
    fn default() -> Self {
        Self {
            session: None,
            hook: None,
            point: None,
            state: None,
            turn: None,
            limit: 1_000,
            newest_first: false,
        }
    }
}

const COLUMNS: &str = "host, id, session, turn, step, point, hook, attempt, component, input,
    started_ms, state, ended_ms, outcome, latency_us, fuel, cause, message, contributions, before,
    after, fatal";

/// The runs that fit the filter, in the order they were written.
pub(super) fn runs(
    connection: &Connection,
    filter: &RunFilter,
) -> rusqlite::Result<Vec<JournalRun>> {
    let state = filter.state.map(RunState::code);
    let wanted: [(&str, Option<&dyn ToSql>); 5] = [
        ("session", filter.session.as_ref().map(|v| v as &dyn ToSql)),
        ("hook", filter.hook.as_ref().map(|v| v as &dyn ToSql)),
        ("point", filter.point.as_ref().map(|v| v as &dyn ToSql)),
        ("state", state.as_ref().map(|v| v as &dyn ToSql)),
        ("turn", filter.turn.as_ref().map(|v| v as &dyn ToSql)),
    ];
    let mut sql = format!("SELECT {COLUMNS} FROM runs WHERE TRUE");
    let mut values: Vec<&dyn ToSql> = Vec::new();
    for (column, value) in wanted {
        if let Some(value) = value {
            sql += &format!(" AND {column} = ?");
            values.push(value);
        }
    }
    let order = if filter.newest_first { "DESC" } else { "ASC" };
    sql += &format!(" ORDER BY seq {order} LIMIT ?");
    values.push(&filter.limit);
    connection
        .prepare_cached(&sql)?
        .query_map(values.as_slice(), run)?
        .collect()
}

/// The runs of a host that have not ended.
pub(super) fn open_of(connection: &Connection, host: i64) -> rusqlite::Result<Vec<JournalRun>> {
    connection
        .prepare(&format!(
            "SELECT {COLUMNS} FROM runs
             WHERE host = ? AND state IN ('started', 'backgrounded') ORDER BY seq"
        ))?
        .query_map([host], run)?
        .collect()
}

fn run(row: &Row<'_>) -> rusqlite::Result<JournalRun> {
    Ok(JournalRun {
        host: row.get("host")?,
        row: RunRow {
            id: row.get("id")?,
            session: row.get("session")?,
            turn: row.get("turn")?,
            step: row.get("step")?,
            point: row.get("point")?,
            hook: row.get("hook")?,
            attempt: row.get("attempt")?,
            component: row.get("component")?,
            input: row.get("input")?,
            started_ms: row.get::<_, i64>("started_ms")?.unsigned_abs(),
        },
        state: parsed(row, "state", |text| text.parse())?,
        ended_ms: unsigned(row, "ended_ms")?,
        outcome: row.get("outcome")?,
        latency_us: unsigned(row, "latency_us")?,
        fuel: unsigned(row, "fuel")?,
        cause: row.get("cause")?,
        message: row.get("message")?,
        contributions: parsed(row, "contributions", |text| serde_json::from_str(text))?,
        before: row.get("before")?,
        after: row.get("after")?,
        fatal: row.get("fatal")?,
    })
}

fn unsigned(row: &Row<'_>, column: &str) -> rusqlite::Result<Option<u64>> {
    Ok(row.get::<_, Option<i64>>(column)?.map(i64::unsigned_abs))
}

fn parsed<T, E: std::error::Error + Send + Sync + 'static>(
    row: &Row<'_>,
    column: &str,
    parse: impl FnOnce(&str) -> Result<T, E>,
) -> rusqlite::Result<T> {
    parse(&row.get::<_, String>(column)?).map_err(|e| {
        let index = row.as_ref().column_index(column).unwrap_or_default();
        rusqlite::Error::FromSqlConversionFailure(index, rusqlite::types::Type::Text, Box::new(e))
    })
}
