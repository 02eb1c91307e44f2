//! Suspending a turn that waits for a decision or a result from outside.
//!
//! The checkpoint contains the turn's data: the conversation, the calls of the step, the prompt,
//! the agent's state, the hooks' state. It is claimed before the turn is resumed, so a turn is
//! resumed once.

mod claim;
mod snapshot;

use std::sync::Arc;

use portcullis::contract::ContentPart;
use portcullis::points::TurnSuspended;
use portcullis::points::turn_suspended::{self, Suspension as SuspensionFacts};
use serde::{Deserialize, Serialize};

pub(crate) use self::claim::Claim;
pub(crate) use self::snapshot::{Restored, Snapshot};
use super::state::{SessionState, StepFacts};
use super::tools::{StepTools, WaitingFor};
use crate::checkpoint::{
    CheckpointError, CheckpointId, CheckpointInfo, CheckpointStore, NewCheckpoint, PendingCall,
};
use crate::events::AgentEvent;
use crate::exchange::{SessionError, SuspendReason, Suspension, TurnError};

/// A step that waits for a decision or a result from outside.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct WaitingStep {
    pub(crate) tools: StepTools,
    pub(crate) facts: StepFacts,
}

/// Saves a checkpoint and fires `turn-suspended`.
pub(crate) async fn suspend(
    session: &mut SessionState,
    waiting: WaitingStep,
    said: &Arc<Vec<ContentPart>>,
) -> Result<Suspension, TurnError> {
    let Some(store) = session.checkpoints().cloned() else {
        return Err(TurnError::CannotSuspend(
            "there is no store for checkpoints".into(),
        ));
    };
    // The checkpoint does not contain state that is in the store.
    let flushed = session.hooks.flush_state().await;
    flushed.map_err(|error| TurnError::CannotSuspend(error.to_string()))?;
    let pending = snapshot::pending_calls(&waiting.tools);
    let ids: Vec<String> = waiting.tools.waiting().map(|w| w.call.id.clone()).collect();
    let first = waiting.tools.waiting().next();
    let reason = first.map_or(SuspendReason::Human, |waiting| reason(&waiting.wants));
    let partial = waiting.tools.is_partial();
    let snapshot = Snapshot::take(session, waiting, said);
    let until_ms = session.answers_until();
    let checkpoint = match save(session, &*store, &snapshot, reason, &pending, until_ms).await {
        Ok(checkpoint) => checkpoint,
        Err(error) => {
            session.steering.put_back(snapshot.steering);
            return Err(error);
        }
    };
    session.emit(|| AgentEvent::TurnSuspended {
        checkpoint: checkpoint.to_string(),
        reason: reason.name().to_owned(),
        pending: ids.clone(),
    });
    if session.hooks.serves::<TurnSuspended>() {
        let facts = SuspensionFacts {
            reason: match reason {
                SuspendReason::Human => turn_suspended::SuspendReason::Human,
                SuspendReason::ClientTool => turn_suspended::SuspendReason::ClientTool,
                SuspendReason::Children => turn_suspended::SuspendReason::Children,
            },
            checkpoint: checkpoint.to_string(),
            pending: ids,
            partial,
            steps: session.position.step,
        };
        session.notify::<TurnSuspended>(facts, |_| {}).await?;
    }
    Ok(Suspension {
        checkpoint,
        reason,
        pending,
        until_ms,
    })
}

async fn save(
    session: &SessionState,
    store: &dyn CheckpointStore,
    snapshot: &Snapshot,
    reason: SuspendReason,
    pending: &[PendingCall],
    until_ms: Option<u64>,
) -> Result<CheckpointId, TurnError> {
    let data = serde_json::to_value(snapshot)
        .map_err(|e| TurnError::CannotSuspend(format!("its checkpoint cannot be written: {e}")))?;
    let new = NewCheckpoint {
        session: session.id().to_owned(),
        root_session: session.ancestry.root.to_string(),
        agent: session.agent().to_owned(),
        turn: session.position.turn,
        reason: reason.name().to_owned(),
        pending: pending.to_vec(),
        of_subagent: snapshot.depth > 0,
        until_ms,
        data,
    };
    session.suspended.set(true);
    store.save(new).await.map_err(|error| {
        session.suspended.set(false);
        TurnError::CannotSuspend(error.to_string())
    })
}

/// Checks that no turn of a saved session is suspended, except the turn that was `resumed` from its
/// checkpoint and did not end: that one may wait again, because a person may have released it. Also
/// checks that no resumed turn is unfinished: the process that resumed it may be dead. Call it once
/// the session is claimed.
pub(crate) async fn check_none_waits(
    session: &SessionState,
    resumed: Option<&CheckpointId>,
) -> Result<(), SessionError> {
    let (Some(_), Some(store)) = (&session.sessions, &session.checkpoints) else {
        return Ok(());
    };
    let waiting = store.list(Some(session.id())).await;
    let waiting = waiting.map_err(SessionError::Checkpoints)?;
    let mut waiting = waiting.into_iter();
    if let Some(turn) = waiting.find(|turn| !turn.of_subagent && Some(&turn.id) != resumed) {
        return Err(SessionError::Suspended {
            id: turn.session,
            checkpoint: turn.id,
        });
    }
    // For a recorded turn, the record shows whether it has ended.
    if session.turns.is_some() {
        return Ok(());
    }
    let claimed = store.claimed(Some(session.id())).await;
    let claimed = claimed.map_err(SessionError::Checkpoints)?;
    // A saved turn has ended. Its process died before it discarded the checkpoint.
    let has_not_ended =
        |turn: &CheckpointInfo| !turn.of_subagent && turn.turn > session.position.turn;
    // The turn has reached its newest checkpoint.
    match claimed.into_iter().rfind(has_not_ended) {
        Some(CheckpointInfo {
            id: checkpoint,
            session: id,
            turn,
            claim: Some(by),
            ..
        }) => Err(SessionError::Claimed {
            id,
            checkpoint,
            turn,
            by: Box::new(by),
        }),
        _ => Ok(()),
    }
}

/// Discards a suspended turn, waiting or claimed, and its sub-agents' turns. A running turn must
/// not be discarded.
///
/// # Errors
///
/// The checkpoint is unknown, or the store failed.
pub async fn discard_suspended(
    store: &dyn CheckpointStore,
    checkpoint: &CheckpointId,
) -> Result<(), CheckpointError> {
    let children = claim_children(store, checkpoint).await?;
    store.discard(checkpoint).await?;
    discard_all(store, children).await;
    Ok(())
}

/// Discards the checkpoint that an unfinished turn was resumed from, and the checkpoints of its
/// sub-agents.
pub(crate) async fn discard_resumed(session: &SessionState, checkpoint: CheckpointId) {
    if let Some(store) = &session.checkpoints {
        discard_all(&**store, vec![checkpoint]).await;
    }
}

/// Discards the checkpoints of suspended sub-agents whose parent's turn is over.
pub(crate) async fn discard_children(session: &mut SessionState) {
    let children = session.take_waiting_children();
    if let Some(store) = &session.checkpoints {
        discard_all(&**store, children).await;
    }
}

/// Discards checkpoints, waiting or claimed, and the checkpoints of the sub-agents below.
async fn discard_all(store: &dyn CheckpointStore, mut checkpoints: Vec<CheckpointId>) {
    while let Some(checkpoint) = checkpoints.pop() {
        match claim_children(store, &checkpoint).await {
            Ok(children) => {
                checkpoints.extend(children);
                claim::discard(store, &checkpoint).await;
            }
            // The checkpoint was already discarded.
            Err(CheckpointError::Unknown(_)) => {}
            Err(error) => {
                tracing::warn!(%checkpoint, "a used checkpoint stays in the store: {error}")
            }
        }
    }
}

/// Claims a checkpoint, even if it is already claimed, and returns the checkpoints of the
/// sub-agents that it waits for.
async fn claim_children(
    store: &dyn CheckpointStore,
    checkpoint: &CheckpointId,
) -> Result<Vec<CheckpointId>, CheckpointError> {
    store.release(checkpoint).await?;
    match store.claim(checkpoint).await {
        Ok(claimed) => {
            let snapshot = Snapshot::read(claimed.data);
            Ok(snapshot.map_or_else(|_| Vec::new(), |snapshot| snapshot.children()))
        }
        // The checkpoint cannot be resumed anyway.
        Err(CheckpointError::Damaged { .. }) => Ok(Vec::new()),
        Err(error) => Err(error),
    }
}

fn reason(waiting_for: &WaitingFor) -> SuspendReason {
    match waiting_for {
        WaitingFor::Decision(_) => SuspendReason::Human,
        WaitingFor::Result => SuspendReason::ClientTool,
        WaitingFor::Child { .. } => SuspendReason::Children,
    }
}
