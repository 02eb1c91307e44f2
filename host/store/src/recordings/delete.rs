//! Deleting the recorded calls of sessions.

use sqlx::{Any, Transaction};

use super::files;
use crate::database::Kind;
use crate::error::StoreError;

/// Deletes the recorded calls of a session. Returns how many there were.
pub(crate) async fn of_session(
    transaction: &mut Transaction<'static, Any>,
    kind: Kind,
    session: &str,
) -> Result<u64, StoreError> {
    let sql = "DELETE FROM recordings WHERE session = $1 RETURNING calls";
    let delete = sqlx::query_as::<_, (i64,)>(sql).bind(session);
    let deleted = sum(&delete.fetch_all(&mut **transaction).await?);
    if deleted > 0 {
        files::delete_unused(transaction, kind).await?;
    }
    Ok(deleted)
}

/// Deletes the recorded calls of sessions that are not saved, the last of which began before `oldest`, in blocks. Returns
/// how many there were.
pub(crate) async fn unsaved(
    transaction: &mut Transaction<'static, Any>,
    kind: Kind,
    oldest: i64,
) -> Result<u64, StoreError> {
    let sql = "DELETE FROM recordings WHERE last_ms < $1 AND session IS NOT NULL
               AND NOT EXISTS (SELECT 1 FROM sessions WHERE sessions.id = recordings.session)
               RETURNING calls";
    let delete = sqlx::query_as::<_, (i64,)>(sql).bind(oldest);
    let deleted = sum(&delete.fetch_all(&mut **transaction).await?);
    if deleted > 0 {
        files::delete_unused(transaction, kind).await?;
    }
    Ok(deleted)
}

fn sum(rows: &[(i64,)]) -> u64 {
    rows.iter().map(|(calls,)| calls.unsigned_abs()).sum()
}
