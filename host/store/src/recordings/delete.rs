//! Deleting the recorded calls of sessions.

use sqlx::{Any, Transaction};

use super::files::{self, Locked};
use crate::database::Kind;
use crate::error::StoreError;

/// Takes the lock for deleting recorded calls. Take it before any row is locked, because its holder
/// may wait for rows.
pub(crate) async fn lock(
    transaction: &mut Transaction<'static, Any>,
    kind: Kind,
) -> Result<Locked, StoreError> {
    files::lock_alone(transaction, kind).await
}

/// Deletes the recorded calls of a session, and returns their number. Call [`forget_unused`] after
/// the last deletion.
pub(crate) async fn of_session(
    transaction: &mut Transaction<'static, Any>,
    _: &Locked,
    session: &str,
) -> Result<u64, StoreError> {
    let sql = "DELETE FROM recordings WHERE session = $1 RETURNING calls";
    let delete = sqlx::query_as::<_, (i64,)>(sql).bind(session);
    Ok(sum(&delete.fetch_all(&mut **transaction).await?))
}

/// Deletes the blocks of recorded calls of sessions that are not saved, if their last call began
/// before `oldest`. Returns the number of calls. Call [`forget_unused`] after the last deletion.
pub(crate) async fn unsaved(
    transaction: &mut Transaction<'static, Any>,
    _: &Locked,
    oldest: i64,
) -> Result<u64, StoreError> {
    let sql = "DELETE FROM recordings WHERE last_ms < $1 AND session IS NOT NULL
               AND NOT EXISTS (SELECT 1 FROM sessions WHERE sessions.id = recordings.session)
               RETURNING calls";
    let delete = sqlx::query_as::<_, (i64,)>(sql).bind(oldest);
    Ok(sum(&delete.fetch_all(&mut **transaction).await?))
}

/// Deletes the file contents that only deleted calls named.
pub(crate) async fn forget_unused(
    transaction: &mut Transaction<'static, Any>,
    locked: &Locked,
) -> Result<(), StoreError> {
    files::delete_unused(transaction, locked).await
}

fn sum(rows: &[(i64,)]) -> u64 {
    rows.iter().map(|(calls,)| calls.unsigned_abs()).sum()
}
