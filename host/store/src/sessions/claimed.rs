//! The claim of a session, until its caller has it.

use tokio::runtime::Handle;

use super::admin;
use crate::database::Database;
use crate::error::StoreError;
use crate::store::{OpenSessions, patiently};

/// A session that was claimed. Dropped, it is closed, unless it was [kept](Self::keep): if the future that
/// opens a session is dropped, the store's thread claims it nevertheless.
pub(super) struct Claimed(Option<Box<Claim>>);

struct Claim {
    id: String,
    host: i64,
    database: Database,
    open: OpenSessions,
    /// The store's own, where the session is closed.
    runtime: Handle,
}

impl Claimed {
    /// Call it on the store's thread.
    pub(super) fn new(id: String, host: i64, database: Database, open: OpenSessions) -> Self {
        Self(Some(Box::new(Claim {
            id,
            host,
            database,
            open,
            runtime: Handle::current(),
        })))
    }

    /// The session stays open until it is closed.
    pub(super) fn keep(mut self) {
        self.0 = None;
    }
}

impl Drop for Claimed {
    fn drop(&mut self) {
        let Some(claim) = self.0.take() else {
            return;
        };
        let runtime = claim.runtime.clone();
        runtime.spawn(async move {
            let closed = close(&claim.database, &claim.open, &claim.id, claim.host);
            if let Err(error) = closed.await {
                tracing::warn!(session = claim.id, "the session stays claimed: {error}");
            }
        });
    }
}

/// Closes a session that this host has open. If it fails, the database says that this host has it, which may open it again.
pub(super) async fn close(
    database: &Database,
    open: &OpenSessions,
    id: &str,
    host: i64,
) -> Result<(), StoreError> {
    let closed = patiently(move || give_back(database, id, host)).await;
    open.lock().remove(id);
    closed
}

async fn give_back(database: &Database, id: &str, host: i64) -> Result<(), StoreError> {
    let mut transaction = database.write().await?;
    admin::forget_unused(&mut transaction, id, host).await?;
    let sql = "UPDATE sessions SET host = NULL, claimed_ms = NULL WHERE id = $1 AND host = $2";
    let close = sqlx::query(sql).bind(id).bind(host);
    close.execute(&mut *transaction).await?;
    Ok(transaction.commit().await?)
}
