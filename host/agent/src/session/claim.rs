//! Taking a checkpoint, so that its turn goes on once.
//!
//! A claimed checkpoint is released as long as nothing of its turn was done, and discarded once the
//! turn has gone on, however it ended: failed, cancelled or dropped, a turn is over, and one that is
//! suspended again has a checkpoint of its own. Only the death of the process leaves one claimed.
//! Nothing resumes it by itself then, since tools may have run: a person finds it with
//! [`CheckpointStore::claimed`] and releases or discards it.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::NewSession;
use super::snapshot::Snapshot;
use crate::agent::Shared;
use crate::checkpoint::{Checkpoint, CheckpointError, CheckpointId, CheckpointStore};
use crate::error::ResumeError;
use crate::suspension::Resolution;

/// A checkpoint that was taken.
pub(super) struct Claim {
    store: Arc<dyn CheckpointStore>,
    id: CheckpointId,
    dropped: Dropped,
}

/// What becomes of a checkpoint whose claim is dropped: the future that held it is not wanted any
/// more.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Dropped {
    /// Its turn has not begun to go on: it waits again.
    Released,
    /// Its turn is cancelled by that.
    Discarded,
    /// That is done already.
    Left,
}

impl Claim {
    /// Takes a checkpoint and reads it. One that does not fit is put back.
    pub(super) async fn take(
        agent: &Shared,
        new: &NewSession,
        parents: &[Arc<Shared>],
        id: CheckpointId,
        resolutions: &BTreeMap<String, Resolution>,
    ) -> Result<(Self, Snapshot), ResumeError> {
        let store = new.checkpoints.clone().ok_or(ResumeError::NoStore)?;
        if new.cancel.is_cancelled() {
            return Err(ResumeError::Cancelled);
        }
        // In a task of its own: if nobody waits for it any more, the claim is dropped with it.
        let claiming = tokio::spawn(claim(store, id, !parents.is_empty()));
        let claimed = claiming.await;
        let (mut claim, checkpoint) =
            claimed.map_err(|e| CheckpointError::Store(e.to_string()))??;
        match read(checkpoint, agent, parents, resolutions) {
            Ok(snapshot) => {
                claim.dropped = Dropped::Discarded;
                Ok((claim, snapshot))
            }
            Err(error) => {
                claim.dropped = Dropped::Left;
                claim.store.release(&claim.id).await?;
                Err(error)
            }
        }
    }

    pub(super) fn id(&self) -> &CheckpointId {
        &self.id
    }

    /// The turn cannot go on here: the checkpoint waits as before.
    pub(super) async fn put_back(mut self) -> Result<(), CheckpointError> {
        self.dropped = Dropped::Left;
        self.store.release(&self.id).await
    }

    /// The turn has gone on: the checkpoint is used up.
    pub(super) async fn used(mut self) {
        self.dropped = Dropped::Left;
        discard(&*self.store, &self.id).await;
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        let dropped = self.dropped;
        let (store, id) = (self.store.clone(), self.id.clone());
        if dropped == Dropped::Left {
            return;
        }
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(async move {
                match dropped {
                    Dropped::Released => {
                        if let Err(error) = store.release(&id).await {
                            tracing::warn!(checkpoint = %id, "it stays claimed: {error}");
                        }
                    }
                    _ => discard(&*store, &id).await,
                }
            });
        }
    }
}

async fn claim(
    store: Arc<dyn CheckpointStore>,
    id: CheckpointId,
    of_child: bool,
) -> Result<(Claim, Checkpoint), CheckpointError> {
    let checkpoint = match store.claim(&id).await {
        // Only who holds the parent's checkpoint takes the child's. Whoever held both before is
        // dead: the parent's was released since.
        Err(CheckpointError::AlreadyClaimed { .. }) if of_child => {
            store.release(&id).await?;
            store.claim(&id).await?
        }
        claimed => claimed?,
    };
    let dropped = Dropped::Released;
    Ok((Claim { store, id, dropped }, checkpoint))
}

/// Discards a checkpoint that nobody needs any more.
pub(super) async fn discard(store: &dyn CheckpointStore, id: &CheckpointId) {
    if let Err(error) = store.discard(id).await {
        tracing::warn!(checkpoint = %id, "a used checkpoint stays in the store: {error}");
    }
}

fn read(
    claimed: Checkpoint,
    agent: &Shared,
    parents: &[Arc<Shared>],
    resolutions: &BTreeMap<String, Resolution>,
) -> Result<Snapshot, ResumeError> {
    let checkpoint = claimed.info.id;
    let here = &agent.context.config.name;
    if claimed.info.agent != *here {
        return Err(ResumeError::OtherAgent {
            checkpoint,
            agent: claimed.info.agent,
            here: here.clone(),
        });
    }
    let snapshot = match Snapshot::read(claimed.data) {
        Ok(snapshot) => snapshot,
        Err(cause) => return Err(ResumeError::Unreadable { checkpoint, cause }),
    };
    if snapshot.depth() != parents.len() {
        return Err(ResumeError::OfSubagent { checkpoint });
    }
    snapshot
        .check(resolutions)
        .map_err(ResumeError::Resolutions)?;
    Ok(snapshot)
}
