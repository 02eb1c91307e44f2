//! Queries for hook runs.

use portcullis::hooks::Mode;
use portcullis_agent::{FieldChange, RunEnd, RunRow, WouldHave};
use sqlx::any::AnyRow;
use sqlx::{AssertSqlSafe, Row as _};

use super::filter::RunFilter;
use super::run::JournalRun;
use crate::database::{Database, Kind, narrow, query};
use crate::error::StoreError;

/// The maximum number of hook names.
const MOST_NAMES: u32 = 1_000;

const COLUMNS: &str = "host, id, session, turn, step, point, hook, attempt, component, input,
    started_ms, state, ended_ms, outcome, latency_us, fuel, cause, message, contributions, before,
    after, fatal, mode, code, restarted, used, call_id, changes, memory, would, added";

/// Returns the runs that fit the filter, in its order.
pub(super) async fn runs(
    database: &Database,
    filter: &RunFilter,
) -> Result<Vec<JournalRun>, StoreError> {
    let (seqs, values) = filter.seqs(database.kind() == Kind::Postgres);
    let sql = format!(
        "SELECT {COLUMNS} FROM runs WHERE seq IN ({seqs}) ORDER BY {}",
        filter.order()
    );
    let select = query(AssertSqlSafe(sql), &values);
    let rows = select.fetch_all(database.pool()).await?;
    rows.iter().map(run).collect()
}

/// Returns the hooks that have runs, the most recent first.
pub(super) async fn hooks(database: &Database) -> Result<Vec<String>, StoreError> {
    // Runs of the kind 0 have not ended.
    let sql = format!(
        "SELECT hook, max(last_ms) AS last FROM (
             SELECT hook, (SELECT max(started_ms) FROM runs WHERE kind = run_kinds.id) AS last_ms FROM run_kinds
             UNION ALL SELECT hook, started_ms FROM runs WHERE kind = 0
         ) AS hooks WHERE last_ms IS NOT NULL GROUP BY hook ORDER BY last DESC, hook LIMIT {MOST_NAMES}"
    );
    let rows = sqlx::query(AssertSqlSafe(sql))
        .fetch_all(database.pool())
        .await?;
    rows.iter().map(|row| Ok(row.try_get(0)?)).collect()
}

/// Reads the grants that a run used.
pub(super) fn used(column: Option<String>) -> Result<Option<Vec<String>>, StoreError> {
    let used = column.map(|used| serde_json::from_str(&used)).transpose();
    used.map_err(|e| StoreError::Database(format!("the journal's `used` is damaged: {e}")))
}

/// Reads the effect that a run would have had.
pub(super) fn would(column: Option<String>) -> Result<Option<WouldHave>, StoreError> {
    let would = column.map(|would| serde_json::from_str(&would)).transpose();
    would.map_err(|e| StoreError::Database(format!("the journal's `would` is damaged: {e}")))
}

/// Reads a run's changes or contributions, field by field.
fn fields(row: &AnyRow, column: &str) -> Result<Option<Vec<FieldChange>>, StoreError> {
    let text: Option<String> = row.try_get(column)?;
    let fields = text.map(|text| serde_json::from_str(&text)).transpose();
    fields.map_err(|e| StoreError::Database(format!("the journal's `{column}` is damaged: {e}")))
}

fn run(row: &AnyRow) -> Result<JournalRun, StoreError> {
    let damaged = |column: &str, error: &dyn std::error::Error| {
        StoreError::Database(format!("the journal's `{column}` is damaged: {error}"))
    };
    let unsigned = |column: &str| {
        let value: Option<i64> = row.try_get(column)?;
        Ok::<_, StoreError>(value.map(i64::unsigned_abs))
    };
    let number = |column: &str| {
        let value: i64 = row.try_get(column)?;
        Ok::<_, StoreError>(narrow(value))
    };
    let state: String = row.try_get("state")?;
    let mode: Option<String> = row.try_get("mode")?;
    let mode = mode.map(|name| {
        let unknown = || {
            StoreError::Database(format!(
                "the journal's `mode` is damaged: there is no mode `{name}`"
            ))
        };
        Mode::from_name(&name).ok_or_else(unknown)
    });
    let contributions: String = row.try_get("contributions")?;
    Ok(JournalRun {
        host: row.try_get("host")?,
        row: RunRow {
            id: row.try_get("id")?,
            session: row.try_get("session")?,
            turn: number("turn")?,
            step: number("step")?,
            point: row.try_get("point")?,
            hook: row.try_get("hook")?,
            attempt: number("attempt")?,
            component: row.try_get("component")?,
            input: row.try_get("input")?,
            started_ms: row.try_get::<i64, _>("started_ms")?.unsigned_abs(),
            call_id: row.try_get("call_id")?,
        },
        ended_ms: unsigned("ended_ms")?,
        end: RunEnd {
            state: state.parse().map_err(|e| damaged("state", &e))?,
            outcome: row.try_get("outcome")?,
            latency_us: unsigned("latency_us")?,
            fuel: unsigned("fuel")?,
            memory: unsigned("memory")?,
            cause: row.try_get("cause")?,
            message: row.try_get("message")?,
            contributions: serde_json::from_str(&contributions)
                .map_err(|e| damaged("contributions", &e))?,
            before: row.try_get("before")?,
            after: row.try_get("after")?,
            fatal: row.try_get::<i64, _>("fatal")? != 0,
            mode: mode.transpose()?,
            code: row.try_get("code")?,
            restarted: row.try_get::<i64, _>("restarted")? != 0,
            used: used(row.try_get("used")?)?,
            would: would(row.try_get("would")?)?,
            changes: fields(row, "changes")?,
            added: fields(row, "added")?,
        },
    })
}
