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
use crate::checkpoint::{Checkpoint, CheckpointId, CheckpointStore};
use crate::error::ResumeError;
use crate::suspension::Resolution;

/// A checkpoint whose turn goes on here.
pub(super) struct Claim {
    store: Arc<dyn CheckpointStore>,
    id: CheckpointId,
    is_open: bool,
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
        let claimed = store.claim(&id).await?;
        match read(claimed, agent, parents, resolutions) {
            Ok(snapshot) => {
                let is_open = true;
                Ok((Self { store, id, is_open }, snapshot))
            }
            Err(error) => {
                store.release(&id).await?;
                Err(error)
            }
        }
    }

    pub(super) fn id(&self) -> &CheckpointId {
        &self.id
    }

    /// The turn has gone on: the checkpoint is used up.
    pub(super) async fn used(mut self) {
        self.is_open = false;
        discard(&*self.store, &self.id).await;
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        if !self.is_open {
            return;
        }
        // Whoever drops the future of a resumed turn cancels the turn.
        let (store, id) = (self.store.clone(), self.id.clone());
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(async move { discard(&*store, &id).await });
        }
    }
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
