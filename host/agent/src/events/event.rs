//! What can be told.

use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use portcullis::contract::Usage;
use portcullis::points::PointId;
use portcullis::{Cause, HookChange, HookRun, Kept};
use serde::Serialize;

use crate::prompt::SectionCut;
use crate::workspace::WorkspaceEvent;

/// An event with its place and time.
#[derive(Debug, Clone, Serialize)]
pub struct Emitted {
    /// The session.
    pub session_id: Arc<str>,
    /// The turn, counted from 1; 0 outside of any turn.
    pub turn: u32,
    /// The step within the turn, counted from 1; 0 outside of any step.
    pub step: u32,
    /// The tool call that a hook run is about, if it is about one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub call_id: Option<String>,
    /// When, in milliseconds since the Unix epoch.
    pub at_ms: u64,
    /// What happened.
    #[serde(flatten)]
    pub event: AgentEvent,
}

impl Emitted {
    /// An event that happens now.
    pub fn new(session_id: Arc<str>, turn: u32, step: u32, event: AgentEvent) -> Self {
        let since_epoch = SystemTime::now().duration_since(UNIX_EPOCH);
        Self {
            session_id,
            turn,
            step,
            call_id: None,
            at_ms: since_epoch.map_or(0, |d| u64::try_from(d.as_millis()).unwrap_or(u64::MAX)),
            event,
        }
    }
}

/// What happened. In JSON, `event` names the variant.
#[derive(Debug, Clone, Serialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum AgentEvent {
    /// A session began; no hook refused it.
    SessionStarted {
        /// The provider that is called first.
        provider: String,
        /// The model that is called first.
        model: String,
        /// The tools the model is offered.
        tools: Vec<String>,
    },
    /// A session ended; emitted after the `session-end` hooks ran.
    SessionEnded {
        /// Why.
        reason: SessionEndReason,
        /// How many turns it had.
        turns: u32,
        /// What all its model calls used.
        usage: Usage,
    },
    /// A turn began; no hook refused it.
    TurnStarted,
    /// A step began; no hook refused or stopped it.
    StepStarted,
    /// A step ended, its tools included; emitted before the `post-step` hooks.
    StepEnded {
        /// How many tools the model asked for.
        tool_calls: usize,
    },
    /// Something the user said in the middle of a turn was taken up.
    Steered {
        /// Where in the loop.
        checkpoint: SteeringCheckpoint,
        /// What they said.
        text: String,
    },
    /// A hook ends the turn in good order.
    Stopping {
        /// The hook.
        by: String,
        /// A stable code, such as `steps-limit`.
        code: String,
        /// Why, in words.
        message: String,
    },
    /// A hook keeps the turn going.
    KeptGoing {
        /// The hook.
        by: String,
        /// How often the turn was kept going.
        times: u32,
    },
    /// A turn waits for something from outside; emitted before the `turn-suspended` hooks.
    TurnSuspended {
        /// The checkpoint it can be resumed from.
        checkpoint: String,
        /// What it waits for.
        reason: String,
        /// The ids of the calls that wait.
        pending: Vec<String>,
    },
    /// A suspended turn goes on; emitted before the `turn-resumed` hooks.
    TurnResumed {
        /// The checkpoint.
        checkpoint: String,
    },
    /// A message was added to the conversation; emitted before the `message-added` hooks.
    MessageAdded {
        /// Where it is.
        index: usize,
        /// Who wrote it.
        role: &'static str,
    },
    /// A tool changed the agent's state; emitted before the `state-changed` hooks.
    StateChanged {
        /// The tool.
        tool: String,
        /// The keys that changed.
        keys: Vec<String>,
    },
    /// A piece of the model's text is held back.
    DeltaWithheld {
        /// The hook.
        by: String,
    },
    /// A running tool's update is held back.
    ToolUpdateWithheld {
        /// The hook.
        by: String,
        /// The id of the call.
        call_id: String,
    },
    /// A sub-agent was started.
    SubagentStarted {
        /// The id of the call that asks for it.
        call_id: String,
        /// Its name.
        agent: String,
        /// Its session, whose events come in the same stream.
        session: String,
    },
    /// A sub-agent is done.
    SubagentFinished {
        /// The id of the call that asked for it.
        call_id: String,
        /// Its name.
        agent: String,
        /// Whether it failed.
        is_error: bool,
    },
    /// The conversation is being compacted: the `pre-compaction` hooks agreed.
    CompactionStarted {
        /// How many messages are to go.
        removing: usize,
    },
    /// A turn gave an output; emitted before the `post-turn` hooks that look on.
    TurnEnded {
        /// The text of the output.
        text: String,
        /// Where the output is from.
        origin: TurnOrigin,
        /// How many steps it took.
        steps: u32,
        /// What its model calls used.
        usage: Usage,
        /// How long it took, in milliseconds.
        elapsed_ms: u64,
    },
    /// A turn failed, and no hook recovered it.
    TurnFailed {
        /// Why, in words.
        error: String,
        /// Whether it was cancelled.
        cancelled: bool,
        /// How long it took, in milliseconds.
        elapsed_ms: u64,
    },
    /// The `pre-llm-call` hooks agreed; the provider is being called.
    LlmCallStarted {
        /// The provider.
        provider: String,
        /// The model.
        model: String,
        /// Which attempt, counted from 1.
        attempt: u32,
        /// How many messages are sent.
        messages: usize,
        /// What for.
        purpose: CallPurpose,
    },
    /// There is a response, before any `post-llm-call` hook saw it.
    LlmCallFinished {
        /// The provider.
        provider: String,
        /// The model.
        model: String,
        /// Which attempt, counted from 1.
        attempt: u32,
        /// What it used.
        usage: Usage,
        /// Why the model stopped.
        stop: String,
        /// How many tools it asks for.
        tool_calls: usize,
        /// The hook that answered in the model's place, if one did.
        answered_by: Option<String>,
        /// How long it took, in milliseconds.
        elapsed_ms: u64,
    },
    /// A provider failed; emitted before any `llm-error` hook.
    LlmCallFailed {
        /// The provider.
        provider: String,
        /// The model.
        model: String,
        /// Which attempt, counted from 1.
        attempt: u32,
        /// What went wrong, in words.
        error: String,
        /// How long it took, in milliseconds.
        elapsed_ms: u64,
    },
    /// What is done about a failed call.
    Retry {
        /// What.
        action: RetryAction,
        /// The hook that decided; nothing if the agent's own rules did.
        by: Option<String>,
    },
    /// A piece of the model's text, as it comes (see [`Deltas`](crate::Deltas)).
    TextDelta {
        /// The piece.
        text: String,
    },
    /// A piece of the model's reasoning, as it comes (see [`Deltas`](crate::Deltas)).
    ThinkingDelta {
        /// The piece.
        text: String,
    },
    /// Policy and `pre-tool-call` hooks agreed; the tool is being run.
    ToolStarted {
        /// The id of the call.
        call_id: String,
        /// The tool.
        name: String,
        /// The arguments it is run with.
        arguments: String,
    },
    /// A running tool tells how far it is.
    ToolProgress {
        /// The id of the call.
        call_id: String,
        /// The tool.
        name: String,
        /// What it tells.
        text: String,
    },
    /// A tool call is done, whatever became of it.
    ToolFinished {
        /// The id of the call.
        call_id: String,
        /// The tool.
        name: String,
        /// Whether the model is told of a failure.
        is_error: bool,
        /// Whether the tool ran.
        ran: bool,
        /// What the model is given.
        content: String,
        /// How long the tool ran, in milliseconds.
        elapsed_ms: u64,
    },
    /// Messages gave way to a summary.
    Compacted {
        /// How many messages were removed.
        removed: usize,
        /// How many there are now.
        messages: usize,
        /// The estimate before, in tokens.
        tokens_before: u64,
        /// The estimate after, in tokens.
        tokens_after: u64,
    },
    /// The conversation is over its limit and stays as it is.
    CompactionSkipped {
        /// Why, in words.
        reason: String,
    },
    /// The memory failed; the turn goes on without it.
    MemoryFailed {
        /// Why, in words.
        error: String,
    },
    /// Something happened to a workspace; emitted before the `workspace-*` hooks.
    Workspace {
        /// What.
        workspace: WorkspaceEvent,
    },
    /// The sections that hooks contributed were made one text.
    PromptCompiled {
        /// How many sections are in it.
        sections: usize,
        /// How many tokens it has.
        tokens: u64,
        /// What had to go.
        cuts: Vec<SectionCut>,
    },
    /// There is no plan of what to recall but the fallback.
    PreflightFailed {
        /// Why, in words.
        error: String,
    },
    /// A tool that a hook contributed is not offered.
    ToolLeftOut {
        /// The hook.
        hook: String,
        /// The tool.
        name: String,
        /// Why, in words.
        reason: String,
    },
    /// A hook made a remark.
    Note {
        /// The hook.
        hook: String,
        /// What sort of remark.
        code: String,
        /// What it says.
        data: serde_json::Value,
    },
    /// A hook left a job behind; it is going to be done.
    JobQueued {
        /// The hook.
        hook: String,
        /// The job's name.
        name: String,
    },
    /// A job has ended.
    JobDone {
        /// The hook that left it.
        hook: String,
        /// The job's name.
        name: String,
        /// Why it was not done, if it was not.
        error: Option<String>,
        /// How long it ran, in milliseconds.
        elapsed_ms: u64,
    },
    /// A job is not going to be done.
    JobSkipped {
        /// The hook that left it.
        hook: String,
        /// The job's name.
        name: String,
        /// Why, in words.
        reason: String,
    },
    /// A hook ran.
    HookRun {
        /// The record.
        run: HookRun,
    },
    /// A hook that may refuse or change things did not do its work.
    GuardDidNotRun {
        /// The hook.
        hook: String,
        /// The point.
        point: PointId,
        /// The code of the cause.
        cause: Cause,
        /// Whether the operation was refused for it. If not, it went on unguarded.
        refused: bool,
    },
    /// A component failed too often in a row: it is not called for a while, and fails at once.
    HookQuarantined {
        /// The hook.
        hook: String,
        /// The code of the last cause.
        cause: Cause,
        /// How often it failed in a row, over all sessions.
        failures: u32,
    },
    /// A component in quarantine was tried again, and is well.
    HookReleased {
        /// The hook.
        hook: String,
    },
    /// The hooks were loaded again, and these are in effect: for a session, from its next call of a
    /// chain on. Neither a hook nor a setting is named where only what did not load does so again.
    HooksReloaded {
        /// The hooks that are different, by id.
        changes: Vec<HookChange>,
        /// Whether the settings are.
        settings: bool,
    },
    /// The hooks were loaded again, and something of them is not in effect.
    HooksNotReloaded {
        /// Whether nothing is: all hooks run as they did.
        all: bool,
        /// The hooks that go on as they were loaded since their files do not load.
        kept: Vec<Kept>,
        /// What is wrong, in words.
        errors: Vec<String>,
    },
    /// A hook emitted an event of its own.
    HookEmitted {
        /// The hook.
        hook: String,
        /// The event's name.
        name: String,
        /// Its data.
        data: serde_json::Value,
    },
}

/// Why a session ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum SessionEndReason {
    /// The embedder closed it.
    Closed,
    /// A hook refused it at its start.
    Rejected,
    /// It was cancelled, or dropped without being closed.
    Cancelled,
    /// Something failed.
    Failed,
}

/// What a model is called for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum CallPurpose {
    /// A step of a turn.
    Step,
    /// The summary of a compaction.
    Compaction,
}

/// Where a turn's output is from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "from", rename_all = "kebab-case")]
pub enum TurnOrigin {
    /// The model.
    Model,
    /// A `pre-turn` hook that answered in the model's place.
    Answered {
        /// The hook.
        by: String,
    },
    /// A tool whose result is the turn's output.
    Tool {
        /// The tool.
        name: String,
    },
    /// What was there when a hook ended the turn.
    Stopped {
        /// The hook.
        by: String,
        /// A stable code, such as `steps-limit`.
        code: String,
        /// Why, in words.
        message: String,
    },
    /// A `turn-error` hook that recovered a failed turn.
    Recovered {
        /// The hook.
        by: String,
        /// What had failed, in words.
        error: String,
    },
}

/// Where in the loop something the user said in the middle of a turn is taken up (seed 003's six
/// checkpoints).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum SteeringCheckpoint {
    /// After the `pre-step` hooks, before the model is called.
    BeforeStep,
    /// After the `post-step` hooks.
    AfterStep,
    /// Between two tool calls, where they are run one after another.
    BetweenTools,
    /// Between two batches of tool calls.
    BetweenBatches,
    /// After all tool calls, where they are run side by side.
    AfterTools,
    /// At the top of the loop, before the `pre-step` hooks.
    LoopEntry,
}

/// What is done about a failed model call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "do", rename_all = "kebab-case")]
pub enum RetryAction {
    /// The same provider is called again.
    Retry {
        /// After this many milliseconds.
        delay_ms: u64,
    },
    /// Another provider is called.
    SwitchProvider {
        /// The provider.
        provider: String,
        /// The model.
        model: String,
    },
    /// The call fails.
    GiveUp {
        /// Why, in words.
        reason: String,
    },
}
