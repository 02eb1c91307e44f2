//! Deletes expired sessions at the start of the daemon and once a day.

use anyhow::Context as _;
use portcullis_store::{Deleted, Store, StoreError};

use crate::sessions::words;
use crate::store::{DAY, RetentionArgs};

/// Deletes the sessions of the store that are not kept, and again each day until the runtime ends.
pub async fn start(retention: RetentionArgs, store: Option<Store>) -> anyhow::Result<()> {
    if retention.keeps_all() {
        return Ok(());
    }
    let store = store.context(
        "--keep-days and --keep-bytes delete sessions of the store; leave out --no-store, or these options",
    )?;
    prune(retention, &store).await?;
    tokio::spawn(async move {
        loop {
            tokio::time::sleep(DAY).await;
            if let Err(error) = prune(retention, &store).await {
                tracing::error!("sessions that are not kept were not deleted: {error}");
            }
        }
    });
    Ok(())
}

async fn prune(retention: RetentionArgs, store: &Store) -> Result<(), StoreError> {
    let deleted = retention.prune(store).await?;
    if deleted != Deleted::default() {
        tracing::warn!(
            "by --keep-days and --keep-bytes, deleted {}",
            words(&deleted)
        );
    }
    Ok(())
}
