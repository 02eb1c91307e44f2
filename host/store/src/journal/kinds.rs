//! What runs that have ended have in common.

use std::collections::{BTreeSet, HashMap};

use portcullis_agent::{RunEnd, RunRow};
use sqlx::{Any, Row as _, Transaction};

use crate::database::storable;
use crate::error::StoreError;

/// What runs are found by.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct RunKind {
    hook: String,
    point: String,
    state: &'static str,
    outcome: String,
    cause: String,
}

impl RunKind {
    /// The kind of a run that has ended.
    pub(super) fn new(at: &At, end: &RunEnd) -> Self {
        Self {
            hook: storable(&at.hook),
            point: at.point.clone(),
            state: end.state.code(),
            outcome: end.outcome.clone().unwrap_or_default(),
            cause: end.cause.clone().unwrap_or_default(),
        }
    }
}

/// The session, the hook and the point of a run.
#[derive(Debug, Clone)]
pub(super) struct At {
    pub(super) session: String,
    hook: String,
    point: String,
}

impl At {
    pub(super) fn of(row: &RunRow) -> Self {
        Self {
            session: row.session.clone(),
            hook: row.hook.clone(),
            point: row.point.clone(),
        }
    }
}

/// The ids of kinds. Those that the database does not have yet are added.
pub(super) async fn ids(
    transaction: &mut Transaction<'static, Any>,
    // In order, since other processes may add the same, and wait for these.
    kinds: BTreeSet<RunKind>,
) -> Result<HashMap<RunKind, i64>, StoreError> {
    let mut ids = HashMap::new();
    for kind in kinds {
        let sql = "INSERT INTO run_kinds (hook, point, state, outcome, cause)
                   VALUES ($1, $2, $3, $4, $5)
                   ON CONFLICT (hook, point, state, outcome, cause) DO UPDATE SET hook = excluded.hook
                   RETURNING id";
        let insert = sqlx::query(sql)
            .bind(&kind.hook)
            .bind(&kind.point)
            .bind(kind.state)
            .bind(&kind.outcome)
            .bind(&kind.cause);
        let id = insert.fetch_one(&mut **transaction).await?.try_get(0)?;
        ids.insert(kind, id);
    }
    Ok(ids)
}
