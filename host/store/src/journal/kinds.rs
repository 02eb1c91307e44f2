//! The kinds of ended runs: rows that many runs share, by which lists find them.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};

use super::record::{At, Counted};
use crate::error::StoreError;
use crate::sql::without_nul;
use crate::writing::Transaction;

/// The values by which runs are found.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct RunKind<'a> {
    hook: Cow<'a, str>,
    point: Cow<'a, str>,
    state: &'static str,
    outcome: Cow<'a, str>,
    cause: Cow<'a, str>,
}

/// The ids of kinds.
pub(super) type Kinds = HashMap<RunKind<'static>, i64>;

impl<'a> RunKind<'a> {
    /// The kind of a run that has ended.
    pub(super) fn new(at: At<'a>, end: Counted<'a>) -> Self {
        Self {
            hook: without_nul(at.hook),
            point: at.point.into(),
            state: end.state.code(),
            outcome: end.outcome.unwrap_or_default().into(),
            cause: end.cause.unwrap_or_default().into(),
        }
    }

    /// The same, which borrows nothing.
    fn into_owned(self) -> RunKind<'static> {
        let owned = |text: Cow<'_, str>| Cow::Owned(text.into_owned());
        RunKind {
            hook: owned(self.hook),
            point: owned(self.point),
            state: self.state,
            outcome: owned(self.outcome),
            cause: owned(self.cause),
        }
    }
}

/// The ids of kinds. Those that the database does not have yet are added.
pub(super) async fn ids(
    transaction: &mut Transaction<'_>,
    // In order, since other processes may add the same, and wait for these.
    kinds: BTreeSet<RunKind<'_>>,
) -> Result<Kinds, StoreError> {
    let mut ids = HashMap::new();
    for kind in kinds {
        let sql = "INSERT INTO run_kinds (hook, point, state, outcome, cause)
                   VALUES ($1, $2, $3, $4, $5)
                   ON CONFLICT (hook, point, state, outcome, cause) DO UPDATE SET hook = excluded.hook
                   RETURNING id";
        let values = [
            (&*kind.hook).into(),
            (&*kind.point).into(),
            kind.state.into(),
            (&*kind.outcome).into(),
            (&*kind.cause).into(),
        ];
        let id = transaction.number(sql, &values).await?;
        ids.insert(kind.into_owned(), id);
    }
    Ok(ids)
}
