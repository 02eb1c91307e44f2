//! Old feeds of sessions that were never saved.

use crate::database::{Database, now_ms, signed};
use crate::error::StoreError;

/// The time after which the events of a session that was never saved are deleted, in milliseconds.
const KEPT_MS: u64 = 86_400_000;

/// Deletes the events of sessions that are not saved, and whose last attempt at a turn began before a time.
pub(crate) const UNSAVED: &str =
    "DELETE FROM feed WHERE session IN (SELECT session FROM feed AS begun WHERE number = 0
         AND NOT EXISTS (SELECT 1 FROM sessions WHERE sessions.id = begun.session)
         GROUP BY session HAVING MAX(at_ms) < $1 AND MAX(at_ms) > 0)";

/// Deletes the feeds that are too old.
pub(crate) async fn delete(database: &Database) -> Result<(), StoreError> {
    let before = signed(now_ms().saturating_sub(KEPT_MS));
    let delete = sqlx::query(UNSAVED).bind(before);
    delete.execute(database.pool()).await?;
    Ok(())
}
