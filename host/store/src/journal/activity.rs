//! The answers of a hook, and its use of resources.

use std::collections::{BTreeMap, BTreeSet};

use portcullis::points::{OutcomeKind, PointId};
use portcullis_agent::{JournalEvent, RunState};
use sqlx::{AssertSqlSafe, Row as _};

use super::{events, read};
use crate::database::{Database, signed};
use crate::error::StoreError;

/// A hook's activity since a time.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct HookActivity {
    /// The points at which it ran, each with the outcomes that it had there.
    pub outcomes: BTreeMap<String, BTreeSet<String>>,
    /// The grants that it used, as in `hooks.toml`. `None` if some of its calls were recorded by an
    /// earlier version, which did not record grants.
    pub used: Option<BTreeSet<String>>,
    /// The results of the hook's requests about failed model calls, by the names of the answers. An
    /// agent gives up if it cannot do what the hook asked for.
    pub repairs: BTreeSet<String>,
}

/// Whether a run has contributions. Their kinds are among the used grants, unless an earlier
/// version recorded the run.
const CONTRIBUTED: &str = "CAST(CASE contributions WHEN '[]' THEN 0 ELSE 1 END AS BIGINT)";

/// Reads a hook's activity since a time. Skipped runs do not count.
pub(super) async fn activity(
    database: &Database,
    hook: &str,
    since_ms: u64,
) -> Result<HookActivity, StoreError> {
    // Runs of the kind 0 have not ended.
    let sql = format!(
        "SELECT DISTINCT point, outcome, state, used, {CONTRIBUTED} FROM runs
        WHERE kind IN (SELECT 0 UNION ALL SELECT id FROM run_kinds WHERE hook = $1)
            AND hook = $1 AND started_ms >= $2 AND state <> 'skipped'"
    );
    let select = sqlx::query(AssertSqlSafe(sql));
    let select = select.bind(hook).bind(signed(since_ms));
    let mut activity = HookActivity {
        used: Some(BTreeSet::new()),
        ..HookActivity::default()
    };
    for row in select.fetch_all(database.pool()).await? {
        let outcomes = activity.outcomes.entry(row.try_get(0)?).or_default();
        outcomes.extend(row.try_get::<Option<String>, _>(1)?);
        let state: String = row.try_get(2)?;
        let contributed = row.try_get::<i64, _>(4)? != 0;
        match read::used(row.try_get(3)?)? {
            Some(used) if contributed && !used.iter().any(|grant| is_contribution(grant)) => {
                activity.used = None;
            }
            Some(used) => activity
                .used
                .iter_mut()
                .for_each(|all| all.extend(used.iter().cloned())),
            None if state.parse().is_ok_and(RunState::has_called) => activity.used = None,
            None => {}
        }
    }
    if activity.answered(PointId::LlmError, OutcomeKind::Replace) {
        activity.repairs = repairs(database, hook, since_ms).await?;
    }
    Ok(activity)
}

impl HookActivity {
    /// Returns whether it had an outcome at a point.
    pub fn answered(&self, point: PointId, outcome: OutcomeKind) -> bool {
        let outcomes = self.outcomes.get(point.name());
        outcomes.is_some_and(|outcomes| outcomes.contains(outcome.name()))
    }
}

/// Returns whether a grant is used by a contribution, or by a change of the agent's state, which is
/// recorded as one.
fn is_contribution(grant: &str) -> bool {
    ["contribute = ", "agent-state-edit = "]
        .iter()
        .any(|key| grant.starts_with(key))
}

/// Reads the results of a hook's requests about failed model calls.
async fn repairs(
    database: &Database,
    hook: &str,
    since_ms: u64,
) -> Result<BTreeSet<String>, StoreError> {
    let sql = "SELECT DISTINCT data FROM events
        WHERE at_ms >= $2 AND data LIKE '%\"event\":\"retry\"%' AND session IN (
            SELECT session FROM runs WHERE started_ms >= $2 AND kind IN (
                SELECT id FROM run_kinds WHERE hook = $1 AND point = 'llm-error'))";
    let select = sqlx::query(sql).bind(hook).bind(signed(since_ms));
    let mut repairs = BTreeSet::new();
    for row in select.fetch_all(database.pool()).await? {
        if let JournalEvent::Retry {
            action,
            by: Some(by),
        } = events::event(&row.try_get::<String, _>(0)?)?
            && by == hook
        {
            repairs.extend(action["do"].as_str().map(str::to_owned));
        }
    }
    Ok(repairs)
}
