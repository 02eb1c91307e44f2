//! Resuming a suspended turn.

use std::collections::BTreeMap;

use portcullis::points::TurnResumed;
use portcullis::points::turn_resumed::Resumption;

use crate::basics::units::millis;
use crate::checkpoint::{CheckpointId, Resolution};
use crate::events::AgentEvent;
use crate::exchange::TurnError;
use crate::session::state::SessionState;
use crate::session::step::{self, StepsEnd};
use crate::session::suspension::Restored;
use crate::session::tools;

/// A suspended turn to resume.
pub(crate) struct Resumed {
    pub(crate) checkpoint: CheckpointId,
    pub(crate) restored: Restored,
    pub(crate) resolutions: BTreeMap<String, Resolution>,
}

pub(super) async fn resume(
    session: &mut SessionState,
    resumed: Resumed,
) -> Result<StepsEnd, TurnError> {
    let Resumed {
        checkpoint,
        restored: Restored {
            mut waiting,
            waited,
            ..
        },
        resolutions,
    } = resumed;
    session.emit(|| AgentEvent::TurnResumed {
        checkpoint: checkpoint.to_string(),
    });
    if session.hooks.serves::<TurnResumed>() {
        let facts = Resumption {
            checkpoint: checkpoint.to_string(),
            resolved: waiting.tools.waiting().map(|w| w.call.id.clone()).collect(),
            waited_ms: millis(waited),
            steps: session.position.step,
        };
        session.notify::<TurnResumed>(facts, |_| {}).await?;
    }
    tools::resume(session, &mut waiting.tools, resolutions).await;
    step::resume(session, waiting).await
}
