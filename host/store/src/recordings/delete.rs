//! Deleting the recorded calls of sessions.

use sqlx::{Any, Transaction};

use crate::error::StoreError;

/// Deletes the recorded calls of a session. Returns how many there were.
pub(crate) async fn of_session(
    transaction: &mut Transaction<'static, Any>,
    session: &str,
) -> Result<u64, StoreError> {
    let sql = "DELETE FROM recordings WHERE session = $1 RETURNING calls";
    let delete = sqlx::query_as::<_, (i64,)>(sql).bind(session);
    Ok(sum(delete.fetch_all(&mut **transaction).await?))
}

/// Deletes the recorded calls of sessions that are not saved, the last of which began before `oldest`, in blocks. Returns
/// how many there were.
pub(crate) async fn unsaved(
    transaction: &mut Transaction<'static, Any>,
    oldest: i64,
) -> Result<u64, StoreError> {
    let sql = "DELETE FROM recordings WHERE last_ms < $1 AND session IS NOT NULL
               AND NOT EXISTS (SELECT 1 FROM sessions WHERE sessions.id = recordings.session)
               RETURNING calls";
    let delete = sqlx::query_as::<_, (i64,)>(sql).bind(oldest);
    Ok(sum(delete.fetch_all(&mut **transaction).await?))
}

fn sum(rows: Vec<(i64,)>) -> u64 {
    rows.into_iter().map(|(calls,)| calls.unsigned_abs()).sum()
}
