//! Leaving a turn that waits for something from outside.
//!
//! The checkpoint holds all that the turn needs: the conversation, the calls of the step as far as
//! they have come, the prompt, the agent's state, what hooks remember. It is claimed by whoever
//! resumes it, so that it goes on once.

use std::sync::Arc;

use portcullis::contract::ContentPart;
use portcullis::points::TurnSuspended;
use portcullis::points::turn_suspended::{self, Suspension as SuspensionFacts};
use serde::{Deserialize, Serialize};

use super::running::Running;
use super::snapshot::{Snapshot, pending_calls};
use super::step::StepFacts;
use super::tools::{StepTools, Wants};
use crate::checkpoint::{CheckpointId, CheckpointStore, NewCheckpoint};
use crate::error::TurnError;
use crate::events::AgentEvent;
use crate::suspension::{PendingCall, SuspendReason, Suspension};

/// A step that waits for something from outside.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Waiting {
    pub(super) tools: StepTools,
    pub(super) facts: StepFacts,
}

impl Running {
    /// Keeps a checkpoint and tells of it.
    pub(super) async fn suspend(
        &mut self,
        waiting: Waiting,
        said: &Arc<Vec<ContentPart>>,
    ) -> Result<Suspension, TurnError> {
        let Some(store) = self.checkpoints.clone() else {
            return Err(TurnError::Suspend(
                "there is no place for checkpoints".into(),
            ));
        };
        let pending: Vec<PendingCall> = waiting.tools.waiting().flat_map(pending_calls).collect();
        let ids: Vec<String> = waiting.tools.waiting().map(|w| w.call.id.clone()).collect();
        let reason = waiting
            .tools
            .waiting()
            .next()
            .map_or(SuspendReason::Human, |waiting| reason(&waiting.wants));
        let partial = waiting.tools.is_partial();
        let snapshot = self.snapshot(waiting, said);
        let checkpoint = match self.keep(&*store, &snapshot, reason, &pending).await {
            Ok(checkpoint) => checkpoint,
            Err(error) => {
                self.steering.put_back(snapshot.steering);
                return Err(error);
            }
        };
        self.emit(|| AgentEvent::TurnSuspended {
            checkpoint: checkpoint.to_string(),
            reason: reason.name().to_owned(),
            pending: ids.clone(),
        });
        if self.hooks.serves::<TurnSuspended>() {
            let facts = SuspensionFacts {
                reason: match reason {
                    SuspendReason::Human => turn_suspended::SuspendReason::Human,
                    SuspendReason::ClientTool => turn_suspended::SuspendReason::ClientTool,
                    SuspendReason::Children => turn_suspended::SuspendReason::Children,
                },
                checkpoint: checkpoint.to_string(),
                pending: ids,
                partial,
                steps: self.place.step,
            };
            let conversation = self.conversation.clone();
            self.hear::<TurnSuspended>(facts, |views| views.conversation = conversation)
                .await?;
        }
        Ok(Suspension {
            checkpoint,
            reason,
            pending,
        })
    }

    /// Keeps a checkpoint.
    async fn keep(
        &self,
        store: &dyn CheckpointStore,
        snapshot: &Snapshot,
        reason: SuspendReason,
        pending: &[PendingCall],
    ) -> Result<CheckpointId, TurnError> {
        let data = serde_json::to_value(snapshot)
            .map_err(|e| TurnError::Suspend(format!("the turn cannot be written down: {e}")))?;
        let new = NewCheckpoint {
            session: self.id().to_owned(),
            agent: self.place.agent().to_owned(),
            turn: self.place.turn,
            reason: reason.name().to_owned(),
            pending: pending.iter().map(|call| call.call_id.clone()).collect(),
            data,
        };
        // From here on the turn may go on elsewhere, so it must not go on here.
        self.set_left(true);
        store.save(new).await.map_err(|error| {
            self.set_left(false);
            TurnError::Suspend(error.to_string())
        })
    }
}

fn reason(wants: &Wants) -> SuspendReason {
    match wants {
        Wants::Decision(_) => SuspendReason::Human,
        Wants::Result => SuspendReason::ClientTool,
        Wants::Child { .. } => SuspendReason::Children,
    }
}
