//! The tool calls of one response: policy → pre-tool-call → execute → post-tool-call, each.
//!
//! The calls are taken in batches, of a size that the strategy says. Every call of a batch is
//! admitted in the order the model asked; then those that run do so side by side; then each is
//! settled and committed, again in order: the hooks that decide at post-tool-call → state-changed →
//! the message → message-added → the hooks that look on at post-tool-call (seed 004).
//!
//! A call that makes no sense (a tool that was not offered, arguments that break its schema) is
//! answered at once: neither the policy nor a hook is asked about it. A sub-agent is a call with
//! other points: pre-subagent and post-subagent.

mod admit;
mod execute;
mod progress;
mod settle;
mod state;

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use futures::future::join_all;
use portcullis::contract::{AskRequest, ToolCall};
use portcullis::{HookId, ToolCatalog};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use self::execute::Ran;
use super::refusal;
use super::running::Running;
use crate::config::ToolStrategy;
use crate::error::TurnError;
use crate::events::SteeringCheckpoint;
use crate::policy::ExecutionGrant;
use crate::tool::ToolOutput;

pub(super) use self::settle::ChildResult;

/// The tool calls of a step, as far as they have come.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct StepTools {
    /// The batch in hand.
    pub(super) batch: Vec<Slot>,
    /// What is not begun.
    pub(super) rest: VecDeque<ToolCall>,
    /// The tools that were offered.
    offered: Vec<String>,
    #[serde(skip)]
    catalog: Arc<ToolCatalog>,
}

/// A call of the batch in hand.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) enum Slot {
    /// It has its result, which is not committed.
    Done(Box<Executed>),
    /// It waits for something from outside.
    Waiting(Box<WaitingCall>),
}

/// A call that waits for something from outside.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct WaitingCall {
    pub(super) call: ToolCall,
    /// The arguments as the hooks left them.
    pub(super) arguments: String,
    pub(super) grant: ExecutionGrant,
    pub(super) wants: Wants,
}

/// What a waiting call waits for.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) enum Wants {
    /// A person's decision on hooks' questions, the first first.
    Decision(Vec<OpenQuestion>),
    /// Its result: the client runs the tool.
    Result,
    /// A sub-agent, suspended itself.
    Child {
        /// Its checkpoint.
        checkpoint: String,
        /// What its calls wait for.
        pending: Vec<crate::suspension::PendingCall>,
    },
}

/// A hook's question that nobody has answered.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct OpenQuestion {
    pub(super) hook: String,
    pub(super) request: AskRequest,
}

/// A call with its result.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Executed {
    pub(super) call: ToolCall,
    pub(super) arguments: String,
    pub(super) output: ToolOutput,
    /// Whether a tool, or a hook in its place, gave the result: then the post points fire for it.
    pub(super) settled_by_hooks: bool,
    pub(super) ran: bool,
    pub(super) elapsed: Duration,
    /// What the tool wants to have changed in the agent's state: nothing takes a key away.
    pub(super) changes: Vec<(String, Option<Value>)>,
    /// What a sub-agent was, where the call was one.
    pub(super) child: Option<ChildResult>,
}

/// How the tool calls of a step end.
pub(super) enum ToolsEnd {
    /// All are committed.
    Done,
    /// A tool whose result is the turn's output ran.
    Finished { tool: String, output: String },
    /// Some wait for something from outside.
    Suspended(StepTools),
}

/// A call that nothing speaks against.
pub(super) struct Admitted {
    pub(super) call: ToolCall,
    /// The arguments as the hooks left them; of a sub-agent its task.
    pub(super) arguments: Arc<str>,
    pub(super) todo: Todo,
}

/// What is left to do for an admitted call.
pub(super) enum Todo {
    /// The tool is to run.
    Run(ExecutionGrant),
    /// The sub-agent is to run.
    Subagent(ExecutionGrant),
    /// A hook has given the sub-agent's result already.
    GivenChild(ToolOutput),
    /// A hook has given the result already.
    Given(ToolOutput),
    /// The hook that offers the tool has not answered, and nobody else can run it.
    Unanswered(HookId),
    /// It waits for something from outside.
    Wait(ExecutionGrant, Wants),
}

impl StepTools {
    pub(super) fn new(calls: Vec<ToolCall>, offered: &Arc<ToolCatalog>) -> Self {
        Self {
            batch: Vec::new(),
            rest: calls.into(),
            offered: offered.names().map(str::to_owned).collect(),
            catalog: offered.clone(),
        }
    }

    /// Finds the tools that were offered among those there are.
    pub(super) fn find_offered(&mut self, all: &ToolCatalog) {
        let known = |name: &String| all.get(name).is_some();
        let names: Vec<String> = self.offered.iter().filter(|n| known(n)).cloned().collect();
        self.catalog = all.only(&names).map(Arc::new).unwrap_or_default();
    }

    /// The tools that were offered.
    pub(super) fn offered(&self) -> &Arc<ToolCatalog> {
        &self.catalog
    }

    /// The calls that wait.
    pub(super) fn waiting(&self) -> impl Iterator<Item = &WaitingCall> {
        self.batch.iter().filter_map(|slot| match slot {
            Slot::Waiting(waiting) => Some(&**waiting),
            Slot::Done(_) => None,
        })
    }

    /// Whether a call of the batch is done.
    pub(super) fn is_partial(&self) -> bool {
        self.batch.iter().any(|slot| matches!(slot, Slot::Done(_)))
    }
}

impl Running {
    /// Runs the tool calls of one response and commits their results in the order of the calls.
    pub(super) async fn run_tools(&mut self, mut tools: StepTools) -> Result<ToolsEnd, TurnError> {
        let strategy = self.shared.context.config.tool_strategy;
        loop {
            if tools.batch.is_empty() {
                let size = strategy.batch(tools.rest.len()).min(tools.rest.len());
                let calls: Vec<ToolCall> = tools.rest.drain(..size).collect();
                if calls.is_empty() {
                    return Ok(ToolsEnd::Done);
                }
                tools.batch = self.run_batch(calls, &tools.catalog).await;
            }
            if tools.waiting().next().is_some() {
                return Ok(ToolsEnd::Suspended(tools));
            }
            let mut finished = None;
            for slot in std::mem::take(&mut tools.batch) {
                let Slot::Done(executed) = slot else { continue };
                let committed = self.settle(*executed, &tools.catalog).await?;
                finished = finished.or(committed);
            }
            if let Some((tool, output)) = finished {
                self.give_up_rest(&mut tools, "the turn was finished before its turn came")
                    .await?;
                return Ok(ToolsEnd::Finished { tool, output });
            }
            if self.steering.is_waiting() {
                // The results come first: a model that asked for tools is owed them.
                self.give_up_rest(&mut tools, "the user spoke before its turn came")
                    .await?;
                self.steer(checkpoint(strategy)).await?;
                return Ok(ToolsEnd::Done);
            }
        }
    }

    /// Admits the calls of a batch in order, then runs those that are to run side by side.
    async fn run_batch(&mut self, calls: Vec<ToolCall>, offered: &Arc<ToolCatalog>) -> Vec<Slot> {
        let mut admitted = Vec::with_capacity(calls.len());
        for call in calls {
            admitted.push(self.admit(call, offered).await);
        }
        let running = admitted.into_iter().map(|admitted| async {
            match admitted {
                Ok(admitted) => self.execute(admitted).await,
                Err(told) => Slot::Done(Box::new(told)),
            }
        });
        join_all(running).await
    }

    /// Answers the calls that are not begun.
    async fn give_up_rest(&mut self, tools: &mut StepTools, why: &str) -> Result<(), TurnError> {
        for call in tools.rest.drain(..).collect::<Vec<_>>() {
            let told = Executed::told(call, refusal::senseless(why));
            self.settle(told, &tools.catalog).await?;
        }
        Ok(())
    }
}

fn checkpoint(strategy: ToolStrategy) -> SteeringCheckpoint {
    match strategy {
        ToolStrategy::Sequential => SteeringCheckpoint::BetweenTools,
        ToolStrategy::Batched(_) => SteeringCheckpoint::BetweenBatches,
        ToolStrategy::Parallel => SteeringCheckpoint::AfterTools,
    }
}

impl Executed {
    /// A call that did not run: this is what the model is told.
    pub(super) fn told(call: ToolCall, output: ToolOutput) -> Self {
        Self {
            call,
            arguments: String::new(),
            output,
            settled_by_hooks: false,
            ran: false,
            elapsed: Duration::ZERO,
            changes: Vec::new(),
            child: None,
        }
    }

    /// A call that something gave a result for.
    fn gave(call: ToolCall, arguments: String, ran: Ran) -> Self {
        Self {
            call,
            arguments,
            output: ran.output,
            settled_by_hooks: true,
            ran: true,
            elapsed: ran.elapsed,
            changes: ran.changes,
            child: None,
        }
    }
}
