//! Claiming a checkpoint, so that its turn is resumed once.
//!
//! Until the turn begins, a claim that fails or is dropped releases its checkpoint, which then waits
//! as before. Once the turn has begun, the checkpoint is discarded: a turn that fails, is cancelled or
//! is dropped is over, and one that is suspended again has a new checkpoint. A sub-agent's turn is
//! part of its parent's, so that a dropped claim always discards its checkpoint. Only the death of the
//! process, or a drop outside of a runtime, leaves a checkpoint claimed. A durable session finishes its turn
//! from the record then. Another one does not resume it automatically, because tools may have run: a person finds it with
//! [`CheckpointStore::claimed`] and releases or discards it.

use std::collections::BTreeMap;
use std::sync::Arc;

use tokio::sync::oneshot;

use super::Snapshot;
use crate::checkpoint::{Checkpoint, CheckpointError, CheckpointId, CheckpointStore, Resolution};
use crate::exchange::{NewSession, ResumeError};
use crate::session::state::SessionState;
use crate::shared::Shared;

/// A claimed checkpoint.
pub(crate) struct Claim {
    agent: Arc<Shared>,
    store: Arc<dyn CheckpointStore>,
    id: CheckpointId,
    on_drop: OnDrop,
}

/// What to do with the checkpoint when its claim is dropped.
#[derive(Clone, Copy, PartialEq, Eq)]
enum OnDrop {
    /// Release it: its turn has not begun.
    Release,
    /// Discard it: its turn has begun, or its parent's has, and the drop cancels it.
    Discard,
    /// Nothing: it was released or discarded before.
    Nothing,
}

/// What is known of a process that claimed the checkpoint before.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    Unknown,
    IsDead,
}

impl Claim {
    /// Claims a checkpoint and reads it. One that does not fit is released. What is recorded of its
    /// calls is added to the resolutions, and no to the others if the time for answers is over.
    pub(crate) async fn take(
        agent: &Arc<Shared>,
        new: &NewSession,
        parents: &[Arc<Shared>],
        id: CheckpointId,
        resolutions: &mut BTreeMap<String, Resolution>,
    ) -> Result<(Self, Snapshot), ResumeError> {
        let store = new.checkpoints.clone().ok_or(ResumeError::NoStore)?;
        if new.cancel.is_cancelled() {
            return Err(ResumeError::Cancelled);
        }
        // In a task of its own: if this future is dropped meanwhile, the task drops the claim.
        let (sender, claimed) = oneshot::channel();
        let (before, on_drop) = match parents.is_empty() {
            true => (Before::Unknown, OnDrop::Release),
            // A child's checkpoint is claimed only after its parent's. The process that claimed both
            // before is dead, because the parent's was released since.
            false => (Before::IsDead, OnDrop::Discard),
        };
        let claiming = claim(agent.clone(), store, id, before, on_drop);
        let claims = agent.endings.spawn(async {
            drop(sender.send(claiming.await));
        });
        claims.map_err(|_| {
            let why = "there is no Tokio runtime here; resume the turn inside of one";
            CheckpointError::Store(why.into())
        })?;
        let claimed = claimed.await;
        let (claim, checkpoint) =
            claimed.map_err(|_| CheckpointError::Store("the runtime was stopped".into()))??;
        let answers = checkpoint.info.answers(resolutions);
        let snapshot = answers.map_err(ResumeError::from).and_then(|answers| {
            *resolutions = answers;
            read(checkpoint, agent, parents, resolutions)
        });
        match snapshot {
            Ok(snapshot) => Ok((claim, snapshot)),
            Err(error) => {
                claim.release().await?;
                Err(error)
            }
        }
    }

    /// Claims the checkpoint again of a turn that was interrupted after it was resumed. The process that claimed it
    /// had the session open, which is claimed here.
    pub(crate) async fn retake(
        session: &SessionState,
        id: CheckpointId,
        resolutions: &BTreeMap<String, Resolution>,
    ) -> Result<(Self, Snapshot), ResumeError> {
        let store = session.checkpoints.clone().ok_or(ResumeError::NoStore)?;
        let shared = &session.shared;
        let taken = claim(shared.clone(), store, id, Before::IsDead, OnDrop::Release).await;
        let (claim, checkpoint) = taken?;
        let snapshot = read(checkpoint, shared, &[], resolutions)?;
        Ok((claim, snapshot))
    }

    pub(crate) fn id(&self) -> &CheckpointId {
        &self.id
    }

    /// From here on the turn runs: the checkpoint does not wait again.
    pub(crate) fn begin(&mut self) {
        self.on_drop = OnDrop::Discard;
    }

    /// Releases the checkpoint: its turn cannot be resumed here.
    pub(crate) async fn release(mut self) -> Result<(), CheckpointError> {
        self.on_drop = OnDrop::Nothing;
        self.store.release(&self.id).await
    }

    /// Discards the checkpoint: its turn was resumed.
    pub(crate) async fn discard(mut self) {
        self.on_drop = OnDrop::Nothing;
        discard(&*self.store, &self.id).await;
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        let on_drop = self.on_drop;
        if on_drop == OnDrop::Nothing {
            return;
        }
        let (store, id) = (self.store.clone(), self.id.clone());
        let ends = self.agent.endings.spawn(async move {
            match on_drop {
                OnDrop::Release => {
                    if let Err(error) = store.release(&id).await {
                        tracing::warn!(checkpoint = %id, "the checkpoint stays claimed: {error}");
                    }
                }
                _ => discard(&*store, &id).await,
            }
        });
        if let Err(error) = ends {
            tracing::warn!(checkpoint = %self.id, "the checkpoint stays claimed: {error}");
        }
    }
}

async fn claim(
    agent: Arc<Shared>,
    store: Arc<dyn CheckpointStore>,
    id: CheckpointId,
    before: Before,
    on_drop: OnDrop,
) -> Result<(Claim, Checkpoint), CheckpointError> {
    let checkpoint = match store.claim(&id).await {
        Err(CheckpointError::AlreadyClaimed { .. }) if before == Before::IsDead => {
            store.release(&id).await?;
            store.claim(&id).await?
        }
        claimed => claimed?,
    };
    let claim = Claim {
        agent,
        store,
        id,
        on_drop,
    };
    Ok((claim, checkpoint))
}

/// Discards a checkpoint that is not needed any more.
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
    if snapshot.depth != parents.len() {
        return Err(ResumeError::OfSubagent { checkpoint });
    }
    snapshot
        .check(resolutions)
        .map_err(ResumeError::Resolutions)?;
    Ok(snapshot)
}
