//! What a hook answered and used.

use std::collections::{BTreeMap, BTreeSet};

use portcullis_agent::RunState;
use sqlx::Row as _;

use super::read;
use crate::database::{Database, signed};
use crate::error::StoreError;

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
    // Those of the kind 0 have not ended.
    let sql = "SELECT DISTINCT point, outcome, state, used FROM runs
        WHERE kind IN (SELECT 0 UNION ALL SELECT id FROM run_kinds WHERE hook = $1)
            AND hook = $1 AND started_ms >= $2 AND state <> 'skipped'";
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
