//! The kinds of ended runs: rows that many runs share, and that lists are searched by.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};

use super::record::{At, Counted};
use crate::error::StoreError;
use crate::sql::without_nul;
use crate::writing::Transaction;

/// The values that runs are searched by.
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
    /// Returns the kind of a run that has ended.
    pub(super) fn new(at: At<'a>, end: Counted<'a>) -> Self {
        Self {
            hook: without_nul(at.hook),
            point: at.point.into(),
            state: end.state.code(),
            outcome: end.outcome.unwrap_or_default().into(),
            cause: end.cause.unwrap_or_default().into(),
        }
    }

    /// Returns the same kind without borrowed data.
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

/// Returns the ids of kinds. Adds the kinds that the database does not have.
pub(super) async fn ids(
    transaction: &mut Transaction<'_>,
    // Sorted, because other processes may add the same kinds, and could deadlock otherwise.
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
