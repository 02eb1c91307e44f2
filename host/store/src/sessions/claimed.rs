//! The claim of a session, until its caller receives it.

use tokio::runtime::Handle;

use super::admin;
use crate::database::Database;
use crate::error::StoreError;
use crate::store::{OpenSessions, patiently};

/// A claimed session. Dropping it closes the session, unless it was [kept](Self::keep). The store's
/// thread claims a session even if the future that opens it is dropped.
pub(super) struct Claimed(Option<Box<Claim>>);

struct Claim {
    id: String,
    host: i64,
    database: Database,
    open: OpenSessions,
    /// The store's runtime, which closes the session.
    runtime: Handle,
}

impl Claimed {
    /// Creates a claim. Call it on the store's thread.
    pub(super) fn new(id: String, host: i64, database: Database, open: OpenSessions) -> Self {
        Self(Some(Box::new(Claim {
            id,
            host,
            database,
            open,
            runtime: Handle::current(),
        })))
    }

    /// Keeps the session open until it is closed.
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

/// Closes a session that this host has open. If closing fails, the session stays claimed by this
/// host, which can open it again.
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
