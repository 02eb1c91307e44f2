//! Totals for each hook, and what it answered.

use std::collections::{BTreeMap, BTreeSet};

use portcullis_agent::RunState;
use serde::Serialize;
use sqlx::Row as _;

use super::read;
use crate::database::{Database, signed};
use crate::error::StoreError;

/// The totals of one hook. Latencies are those of runs in which the hook answered or failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct HookSummary {
    /// The hook.
    pub hook: String,
    /// The number of its runs, including those that have not ended.
    pub runs: u64,
    /// The number of runs that failed or reached their deadline.
    pub failures: u64,
    /// The number of runs that were skipped because the chain ended earlier.
    pub skipped: u64,
    /// The number of runs that were lost because the host died.
    pub lost: u64,
    /// The latency that half of the runs did not exceed, in microseconds.
    pub p50_us: Option<u64>,
    /// The latency that 99 of 100 runs did not exceed, in microseconds.
    pub p99_us: Option<u64>,
}

/// The summary of every hook, by name. Calls of the model are part of the runs that make them. The
/// percentiles are latencies that occurred (nearest rank).
pub(super) async fn summary(database: &Database) -> Result<Vec<HookSummary>, StoreError> {
    let sql = "WITH ranked AS (
        SELECT hook, latency_us,
               row_number() OVER (PARTITION BY hook ORDER BY latency_us) AS place,
               count(*) OVER (PARTITION BY hook) AS total
        FROM runs WHERE point <> 'model'
            AND state IN ('completed', 'not-applied', 'failed', 'timed-out')
     ), latencies AS (
        SELECT hook,
               min(latency_us) FILTER (WHERE place * 100 >= total * 50) AS p50_us,
               min(latency_us) FILTER (WHERE place * 100 >= total * 99) AS p99_us
        FROM ranked GROUP BY hook
     )
     SELECT runs.hook,
            count(*) FILTER (WHERE state <> 'skipped'),
            count(*) FILTER (WHERE state IN ('failed', 'timed-out')),
            count(*) FILTER (WHERE state = 'skipped'),
            count(*) FILTER (WHERE state = 'lost'),
            latencies.p50_us, latencies.p99_us
     FROM runs LEFT JOIN latencies ON latencies.hook = runs.hook
     WHERE point <> 'model'
     GROUP BY runs.hook, latencies.p50_us, latencies.p99_us ORDER BY runs.hook";
    let rows = sqlx::query(sql).fetch_all(database.pool()).await?;
    let summaries = rows.iter().map(|row| {
        let count =
            |index: usize| Ok::<_, StoreError>(row.try_get::<i64, _>(index)?.unsigned_abs());
        let latency = |index: usize| {
            let us: Option<i64> = row.try_get(index)?;
            Ok::<_, StoreError>(us.map(i64::unsigned_abs))
        };
        Ok(HookSummary {
            hook: row.try_get(0)?,
            runs: count(1)?,
            failures: count(2)?,
            skipped: count(3)?,
            lost: count(4)?,
            p50_us: latency(5)?,
            p99_us: latency(6)?,
        })
    });
    summaries.collect()
}

/// What a hook did in its runs since a time.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct HookActivity {
    /// The points at which it ran, each with the outcomes that it had there.
    pub outcomes: BTreeMap<String, BTreeSet<String>>,
    /// The grants that it used, as `hooks.toml` has them. `None` if that is not known of all its calls: an earlier version
    /// did not record them.
    pub used: Option<BTreeSet<String>>,
}

/// What a hook did in its runs since a time. Runs that were skipped are none.
pub(super) async fn activity(
    database: &Database,
    hook: &str,
    since_ms: u64,
) -> Result<HookActivity, StoreError> {
    let sql = "SELECT DISTINCT point, outcome, state, used FROM runs
        WHERE hook = $1 AND started_ms >= $2 AND state <> 'skipped'";
    let select = sqlx::query(sql).bind(hook).bind(signed(since_ms));
    let mut activity = HookActivity {
        used: Some(BTreeSet::new()),
        ..HookActivity::default()
    };
    for row in select.fetch_all(database.pool()).await? {
        let outcomes = activity.outcomes.entry(row.try_get(0)?).or_default();
        outcomes.extend(row.try_get::<Option<String>, _>(1)?);
        let state: String = row.try_get(2)?;
        match read::used(row.try_get(3)?)? {
            Some(used) => activity
                .used
                .iter_mut()
                .for_each(|all| all.extend(used.iter().cloned())),
            None if state.parse().is_ok_and(RunState::has_called) => activity.used = None,
            None => {}
        }
    }
    Ok(activity)
}
