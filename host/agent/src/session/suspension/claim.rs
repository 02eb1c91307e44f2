//! Claiming a checkpoint, so that its turn is resumed once.
//!
//! Until the turn begins, a claim that fails or is dropped releases its checkpoint, which then
//! waits as before. Once the turn has begun, the checkpoint is discarded: a turn that fails, is
//! cancelled or is dropped is over, and a turn that is suspended again has a new checkpoint.
//!
//! A sub-agent's turn is part of its parent's turn, which may be run again from its own checkpoint
//! and then needs the sub-agent's. The sub-agent's checkpoint therefore stays claimed until the
//! outermost agent's turn ends, which discards it.
//!
//! A checkpoint also stays claimed if the process dies, if the claim is dropped outside of a
//! runtime, and if the turn is interrupted. A durable session finishes such a turn from its record,
//! and claims the checkpoint again. It is not resumed automatically in another way, because tools
//! may have run: a person finds it with [`CheckpointStore::claimed`] and releases or discards it.

use std::collections::BTreeMap;
use std::sync::Arc;

use tokio::sync::oneshot;

use super::{Snapshot, discard_all};
use crate::checkpoint::{Checkpoint, CheckpointError, CheckpointId, CheckpointStore, Resolution};
use crate::exchange::{NewSession, ResumeError};
use crate::session::state::SessionState;
use crate::shared::{ResumedChildren, Shared};

/// A claimed checkpoint.
pub(crate) struct Claim {
    agent: Arc<Shared>,
    store: Arc<dyn CheckpointStore>,
    id: CheckpointId,
    /// Whether the turn is a sub-agent's: the outermost agent's turn discards the checkpoint.
    of_subagent: bool,
    /// The checkpoints of the sub-agents that the turn waits for.
    children: Vec<CheckpointId>,
    /// The checkpoints that sub-agents, at any depth, are resumed from in the turn.
    resumed: ResumedChildren,
    on_drop: OnDrop,
}

/// The action on the checkpoint when its claim is dropped.
#[derive(Clone, Copy, PartialEq, Eq)]
enum OnDrop {
    /// Release the checkpoint, because its turn has not begun.
    Release,
    /// Discard the checkpoint and its sub-agents' checkpoints, because its turn has begun and the
    /// drop cancels it.
    Discard,
    /// No action: the checkpoint was released or discarded before, or stays claimed.
    Nothing,
}

/// The state of a process that claimed the checkpoint before.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    Unknown,
    IsDead,
}

impl Claim {
    /// Claims a checkpoint and reads it. A checkpoint that does not fit is released. Recorded
    /// answers are added to the resolutions, and the other calls are denied if the time for answers
    /// is over.
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
        // In a separate task: if this future is dropped meanwhile, the task drops the claim.
        let (sender, claimed) = oneshot::channel();
        let of_subagent = !parents.is_empty();
        let (before, on_drop) = match of_subagent {
            false => (Before::Unknown, OnDrop::Release),
            // A child's checkpoint is claimed only after its parent's. The process that claimed both
            // before is dead, because the parent's was released or claimed again since.
            true => (Before::IsDead, OnDrop::Nothing),
        };
        let claiming = claim(agent.clone(), store, id, of_subagent, before, on_drop);
        let claims = agent.endings.spawn(async {
            drop(sender.send(claiming.await));
        });
        claims.map_err(|_| {
            let why = "there is no Tokio runtime here; resume the turn inside of one";
            CheckpointError::Store(why.into())
        })?;
        let claimed = claimed.await;
        let (mut claim, checkpoint) =
            claimed.map_err(|_| CheckpointError::Store("the runtime was stopped".into()))??;
        let answers = checkpoint.info.answers(resolutions);
        let snapshot = answers.map_err(ResumeError::from).and_then(|answers| {
            *resolutions = answers;
            let snapshot = read(checkpoint, agent, parents, resolutions)?;
            if !of_subagent {
                snapshot.check_user(new.user.as_deref())?;
                snapshot.check_tools(claim.id(), &agent.catalog, resolutions)?;
            }
            Ok(snapshot)
        });
        match snapshot {
            Ok(snapshot) => {
                claim.children = snapshot.children();
                Ok((claim, snapshot))
            }
            Err(error) => {
                claim.release().await?;
                Err(error)
            }
        }
    }

    /// Claims the checkpoint of an interrupted turn again. The process that claimed it before had
    /// the session open, which this process has now claimed. The checkpoint does not wait again,
    /// because the turn has begun.
    pub(crate) async fn retake(
        session: &SessionState,
        id: CheckpointId,
        resolutions: &BTreeMap<String, Resolution>,
    ) -> Result<(Self, Snapshot), ResumeError> {
        let store = session.checkpoints.clone().ok_or(ResumeError::NoStore)?;
        let shared = &session.shared;
        let (before, on_drop) = (Before::IsDead, OnDrop::Nothing);
        let taken = claim(shared.clone(), store, id, false, before, on_drop).await;
        let (mut claim, checkpoint) = taken?;
        let snapshot = read(checkpoint, shared, &[], resolutions)?;
        claim.children = snapshot.children();
        Ok((claim, snapshot))
    }

    pub(crate) fn id(&self) -> &CheckpointId {
        &self.id
    }

    /// Marks the turn as running: the checkpoint does not wait again. `resumed` receives the
    /// checkpoints that sub-agents are resumed from.
    pub(crate) fn begin(&mut self, resumed: ResumedChildren) {
        if !self.of_subagent {
            self.on_drop = OnDrop::Discard;
            self.resumed = resumed;
        }
    }

    /// Releases the checkpoint: its turn cannot be resumed here.
    pub(crate) async fn release(mut self) -> Result<(), CheckpointError> {
        self.on_drop = OnDrop::Nothing;
        match self.of_subagent {
            true => Ok(()),
            false => self.store.release(&self.id).await,
        }
    }

    /// Leaves the checkpoint to the process that finishes the turn from its record.
    pub(crate) fn leave(mut self) {
        self.on_drop = OnDrop::Nothing;
    }

    /// Discards the checkpoint, because its turn has ended, or waits in a new one. The checkpoint
    /// of a sub-agent that still waits is kept.
    pub(crate) async fn end(mut self) {
        self.on_drop = OnDrop::Nothing;
        if self.of_subagent {
            return;
        }
        discard(&*self.store, &self.id).await;
        for resumed in self.resumed.take() {
            discard(&*self.store, &resumed).await;
        }
    }

    /// Discards the checkpoint and its sub-agents' checkpoints, because its turn failed.
    pub(crate) async fn discard(mut self) {
        self.on_drop = OnDrop::Nothing;
        if !self.of_subagent {
            let children = std::mem::take(&mut self.children);
            discard_family(&*self.store, &self.id, children).await;
        }
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        let on_drop = self.on_drop;
        if on_drop == OnDrop::Nothing {
            return;
        }
        let (store, id) = (self.store.clone(), self.id.clone());
        let children = std::mem::take(&mut self.children);
        let ends = self.agent.endings.spawn(async move {
            match on_drop {
                OnDrop::Release => {
                    if let Err(error) = store.release(&id).await {
                        tracing::warn!(checkpoint = %id, "the checkpoint stays claimed: {error}");
                    }
                }
                _ => discard_family(&*store, &id, children).await,
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
    of_subagent: bool,
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
        of_subagent,
        children: Vec::new(),
        resumed: ResumedChildren::default(),
        on_drop,
    };
    Ok((claim, checkpoint))
}

/// Discards a checkpoint that is claimed here, and the checkpoints of the sub-agents below.
async fn discard_family(
    store: &dyn CheckpointStore,
    id: &CheckpointId,
    children: Vec<CheckpointId>,
) {
    discard(store, id).await;
    discard_all(store, children).await;
}

/// Discards a checkpoint that is no longer needed.
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
