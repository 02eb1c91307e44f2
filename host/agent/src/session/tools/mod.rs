//! The tool calls of one response: policy → pre-tool-call → the tool → post-tool-call, for each.
//!
//! The calls run in batches, whose size the strategy sets. The calls of a batch are admitted in the
//! order the model asked for them; then those that run do so in parallel; then each is settled and
//! committed, in order again: the deciding hooks of post-tool-call → state-changed → the message →
//! message-added → the observing hooks of post-tool-call.
//!
//! An invalid call (a tool that was not offered, arguments that break its schema) is answered at
//! once: neither the policy nor a hook is asked about it. A sub-agent is a call with other points:
//! pre-subagent and post-subagent.

mod admit;
mod call;
mod dispatch;
mod progress;
mod replay;
mod resume;
mod settle;
mod subagent;

use std::collections::VecDeque;
use std::sync::Arc;

use futures::future::join_all;
use portcullis::contract::ToolCall;
use portcullis::tools::ToolCatalog;
use serde::{Deserialize, Serialize};

use self::call::{CallResult, Slot};
pub(crate) use self::call::{WaitingCall, WaitingFor};
pub(crate) use self::resume::resume;
pub(crate) use self::subagent::spec as subagent_spec;
use super::state::SessionState;
use crate::checkpoint::CheckpointId;
use crate::config::ToolStrategy;
use crate::events::SteeringCheckpoint;
use crate::exchange::TurnError;
use crate::journal::NotRun;
use crate::tool::refusal;

/// The tool calls of a step.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct StepTools {
    /// The current batch.
    batch: Vec<Slot>,
    /// The calls after it.
    rest: VecDeque<ToolCall>,
    /// The names of the tools that were offered.
    offered: Vec<String>,
    #[serde(skip)]
    catalog: Arc<ToolCatalog>,
}

/// How the tool calls of a step end.
pub(crate) enum ToolsEnd {
    /// All results are committed.
    Done,
    /// The result of a finish tool is the turn's output.
    Finished { tool: String, output: String },
    /// Some calls wait for a decision or a result from outside.
    Suspended(StepTools),
}

impl StepTools {
    pub(crate) fn new(calls: Vec<ToolCall>, offered: &Arc<ToolCatalog>) -> Self {
        Self {
            batch: Vec::new(),
            rest: calls.into(),
            offered: offered.names().map(str::to_owned).collect(),
            catalog: offered.clone(),
        }
    }

    /// Looks up the offered tools after a checkpoint was read.
    pub(crate) fn restore_catalog(&mut self, all: &ToolCatalog) {
        let known = |name: &String| all.get(name).is_some();
        let names: Vec<String> = self.offered.iter().filter(|n| known(n)).cloned().collect();
        self.catalog = all.only(&names).map(Arc::new).unwrap_or_default();
    }

    /// The tools that were offered.
    fn offered(&self) -> &Arc<ToolCatalog> {
        &self.catalog
    }

    /// The calls that wait.
    pub(crate) fn waiting(&self) -> impl Iterator<Item = &WaitingCall> {
        self.batch.iter().filter_map(|slot| match slot {
            Slot::Waiting(waiting) => Some(&**waiting),
            Slot::Done(_) => None,
        })
    }

    /// The checkpoints of the sub-agents that wait.
    pub(crate) fn children(&self) -> Vec<CheckpointId> {
        let of_child = |waiting: &WaitingCall| match &waiting.wants {
            WaitingFor::Child { checkpoint, .. } => Some(checkpoint.clone()),
            _ => None,
        };
        self.waiting().filter_map(of_child).collect()
    }

    /// Whether a call of the batch is done.
    pub(crate) fn is_partial(&self) -> bool {
        self.batch.iter().any(|slot| matches!(slot, Slot::Done(_)))
    }
}

/// Runs the tool calls of one response and commits their results in the order of the calls.
pub(crate) async fn run(
    session: &mut SessionState,
    mut tools: StepTools,
) -> Result<ToolsEnd, TurnError> {
    let strategy = session.shared.context.config.tool_strategy;
    loop {
        if tools.batch.is_empty() {
            let size = strategy.batch(tools.rest.len()).min(tools.rest.len());
            let calls: Vec<ToolCall> = tools.rest.drain(..size).collect();
            if calls.is_empty() {
                return Ok(ToolsEnd::Done);
            }
            tools.batch = run_batch(session, calls, &tools.catalog).await;
        }
        if tools.waiting().next().is_some() {
            return Ok(ToolsEnd::Suspended(tools));
        }
        let mut finished = None;
        for slot in std::mem::take(&mut tools.batch) {
            let Slot::Done(done) = slot else { continue };
            let committed = settle::settle(session, *done, &tools.catalog).await?;
            finished = finished.or(committed);
        }
        if let Some((tool, output)) = finished {
            skip_rest(session, &mut tools, NotRun::TurnEnded).await?;
            return Ok(ToolsEnd::Finished { tool, output });
        }
        // After the last call the step ends, which is a checkpoint itself.
        let between = strategy == ToolStrategy::Parallel || !tools.rest.is_empty();
        if between && session.is_steered().await {
            // First the results: every tool call needs one.
            skip_rest(session, &mut tools, NotRun::Steered).await?;
            session.steer(steering_checkpoint(strategy)).await?;
            return Ok(ToolsEnd::Done);
        }
    }
}

/// Admits the calls of a batch in order, then dispatches them in parallel.
async fn run_batch(
    session: &SessionState,
    calls: Vec<ToolCall>,
    offered: &Arc<ToolCatalog>,
) -> Vec<Slot> {
    let mut admitted = Vec::with_capacity(calls.len());
    for call in calls {
        let admitted_call = admit::admit(session, call, offered).await;
        admitted.push((admitted_call, session.effects.enter()));
    }
    let running = admitted.into_iter().map(|(admitted, effects)| async move {
        match admitted {
            Ok(admitted) => dispatch::dispatch(session, &effects, admitted).await,
            Err(refused) => refused.into(),
        }
    });
    join_all(running).await
}

/// Adds a result to each call that was not started, with the reason.
async fn skip_rest(
    session: &mut SessionState,
    tools: &mut StepTools,
    why: NotRun,
) -> Result<(), TurnError> {
    for call in std::mem::take(&mut tools.rest) {
        let refused = refusal::invalid_call(why.words());
        let skipped = CallResult::not_run(call, why, refused);
        settle::settle(session, skipped, &tools.catalog).await?;
    }
    Ok(())
}

/// Adds a result to each call that a failure left without one. Providers refuse a conversation in
/// which a call has no result.
pub(crate) async fn answer_open_calls(session: &mut SessionState) -> Result<(), TurnError> {
    for call in session.conversation.open_calls() {
        let unanswered = CallResult::not_run(call, NotRun::TurnFailed, refusal::no_result());
        settle::commit(session, unanswered).await?;
    }
    Ok(())
}

fn steering_checkpoint(strategy: ToolStrategy) -> SteeringCheckpoint {
    match strategy {
        ToolStrategy::Sequential => SteeringCheckpoint::BetweenTools,
        ToolStrategy::Batched(_) => SteeringCheckpoint::BetweenBatches,
        ToolStrategy::Parallel => SteeringCheckpoint::AfterTools,
    }
}
