//! Suspending a turn that waits for a decision or a result from outside.
//!
//! The checkpoint holds all that the turn needs: the conversation, the calls of the step, the
//! prompt, the agent's state, what hooks remember. It is claimed before the turn is resumed, so a
//! turn is resumed once.

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
use crate::checkpoint::{CheckpointId, CheckpointStore, NewCheckpoint, PendingCall};
use crate::events::AgentEvent;
use crate::exchange::{SuspendReason, Suspension, TurnError};

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
    let Some(store) = session.checkpoints.clone() else {
        return Err(TurnError::CannotSuspend(
            "there is no store for checkpoints".into(),
        ));
    };
    // The checkpoint does not hold what the store has.
    let flushed = session.hooks.flush_state().await;
    flushed.map_err(|error| TurnError::CannotSuspend(error.to_string()))?;
    let pending = snapshot::pending_calls(&waiting.tools);
    let ids: Vec<String> = waiting.tools.waiting().map(|w| w.call.id.clone()).collect();
    let first = waiting.tools.waiting().next();
    let reason = first.map_or(SuspendReason::Human, |waiting| reason(&waiting.wants));
    let partial = waiting.tools.is_partial();
    let snapshot = Snapshot::take(session, waiting, said);
    let checkpoint = match save(session, &*store, &snapshot, reason, &pending).await {
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
    })
}

async fn save(
    session: &SessionState,
    store: &dyn CheckpointStore,
    snapshot: &Snapshot,
    reason: SuspendReason,
    pending: &[PendingCall],
) -> Result<CheckpointId, TurnError> {
    let data = serde_json::to_value(snapshot)
        .map_err(|e| TurnError::CannotSuspend(format!("its checkpoint cannot be written: {e}")))?;
    let new = NewCheckpoint {
        session: session.id().to_owned(),
        agent: session.agent().to_owned(),
        turn: session.position.turn,
        reason: reason.name().to_owned(),
        pending: pending.to_vec(),
        of_subagent: snapshot.depth > 0,
        data,
    };
    session.suspended.set(true);
    store.save(new).await.map_err(|error| {
        session.suspended.set(false);
        TurnError::CannotSuspend(error.to_string())
    })
}

/// Discards the checkpoints of suspended sub-agents whose parent's turn is over.
pub(crate) async fn discard_children(session: &mut SessionState) {
    let mut children = session.take_waiting_children();
    let Some(store) = &session.checkpoints else {
        return;
    };
    while let Some(child) = children.pop() {
        // One that was resumed has discarded its own.
        let Ok(claimed) = store.claim(&child).await else {
            continue;
        };
        if let Ok(snapshot) = Snapshot::read(claimed.data) {
            children.extend(snapshot.children());
        }
        claim::discard(&**store, &child).await;
    }
}

fn reason(waiting_for: &WaitingFor) -> SuspendReason {
    match waiting_for {
        WaitingFor::Decision(_) => SuspendReason::Human,
        WaitingFor::Result => SuspendReason::ClientTool,
        WaitingFor::Child { .. } => SuspendReason::Children,
    }
}
