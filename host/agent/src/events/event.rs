//! The events.

use portcullis::contract::Usage;
use portcullis::points::PointId;
use portcullis::points::llm_error::ProviderErrorKind;
use portcullis::points::turn_error::ErrorKind;
use portcullis::reload::{HookChange, StaleHook};
use portcullis::verdict::{Cause, HookRun};
use schemars::JsonSchema;
use serde::Serialize;

use super::values::{CallPurpose, RetryAction, SessionEndReason, SteeringCheckpoint, TurnOrigin};
use crate::journal::{NotRun, RepeatDecision};
use crate::prompt::SectionCut;
use crate::workspace::WorkspaceEvent;

/// A value of another crate, whose schema is an object.
type Object = serde_json::Map<String, serde_json::Value>;

/// An event of an agent. In JSON, `event` names the variant.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(
    tag = "event",
    rename_all = "kebab-case",
    rename_all_fields = "kebab-case"
)]
#[non_exhaustive]
pub enum AgentEvent {
    /// A session was opened; no hook refused it.
    SessionStarted {
        /// The provider that is called first.
        provider: String,
        /// The model that is called first.
        model: String,
        /// The tools that the model is offered.
        tools: Vec<String>,
    },
    /// A session ended; emitted after the `session-end` hooks ran.
    SessionEnded {
        /// Why.
        reason: SessionEndReason,
        /// The number of its turns.
        turns: u32,
        /// The tokens of all its model calls.
        #[serde(serialize_with = "portcullis::json::serialize")]
        #[schemars(with = "Object")]
        usage: Usage,
    },
    /// A turn started; no hook refused it.
    TurnStarted,
    /// A step started; no hook refused or stopped it.
    StepStarted,
    /// A step and its tool calls ended; emitted before the `post-step` hooks run.
    StepEnded {
        /// The number of tools the model called.
        tool_calls: usize,
    },
    /// The agent read a user message sent during the turn.
    Steered {
        /// The checkpoint of the loop.
        checkpoint: SteeringCheckpoint,
        /// The user's text.
        text: String,
    },
    /// A hook stops the turn.
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
        /// How many times this turn was kept going.
        times: u32,
    },
    /// A turn was suspended; emitted before the `turn-suspended` hooks run.
    TurnSuspended {
        /// The checkpoint it can be resumed from.
        checkpoint: String,
        /// The reason for the suspension.
        reason: String,
        /// The ids of the calls that wait.
        pending: Vec<String>,
    },
    /// A suspended turn was resumed; emitted before the `turn-resumed` hooks run.
    TurnResumed {
        /// The checkpoint.
        checkpoint: String,
    },
    /// An interrupted or suspended turn continues with other hooks than it began with. The earlier
    /// hooks' decisions count.
    HooksDiffer {
        /// The hooks that it began without.
        added: Vec<String>,
        /// The hooks whose component or authority has changed.
        changed: Vec<String>,
        /// The hooks that are not there any more.
        removed: Vec<String>,
    },
    /// A message was added to the conversation; emitted before the `message-added` hooks run.
    MessageAdded {
        /// Its index in the conversation.
        index: usize,
        /// Its role.
        role: &'static str,
    },
    /// A tool or a hook changed the agent's state; emitted before the `state-changed` hooks run.
    StateChanged {
        /// The tool, if a tool changed it.
        #[serde(skip_serializing_if = "Option::is_none")]
        tool: Option<String>,
        /// The hook, if a hook changed it.
        #[serde(skip_serializing_if = "Option::is_none")]
        hook: Option<String>,
        /// The keys that changed.
        keys: Vec<String>,
    },
    /// A hook withheld a piece of the model's text.
    DeltaWithheld {
        /// The hook.
        by: String,
    },
    /// A hook withheld a running tool's update.
    ToolUpdateWithheld {
        /// The hook.
        by: String,
        /// The id of the call.
        call_id: String,
    },
    /// A sub-agent was started.
    SubagentStarted {
        /// The id of the tool call that starts it.
        call_id: String,
        /// Its name.
        agent: String,
        /// Its session, whose events are in the same stream.
        session: String,
    },
    /// A sub-agent ended.
    SubagentFinished {
        /// The id of the tool call that started it.
        call_id: String,
        /// Its name.
        agent: String,
        /// Whether it failed.
        is_error: bool,
    },
    /// The conversation is being compacted: the `pre-compaction` hooks agreed.
    CompactionStarted {
        /// The number of messages to be removed.
        removing: usize,
    },
    /// A turn ended with an output; emitted before the observing `post-turn` hooks run.
    TurnEnded {
        /// The text of the output.
        text: String,
        /// The source of the output.
        origin: TurnOrigin,
        /// The number of its steps.
        steps: u32,
        /// The tokens of its model calls.
        #[serde(serialize_with = "portcullis::json::serialize")]
        #[schemars(with = "Object")]
        usage: Usage,
        /// How long it took, in milliseconds.
        elapsed_ms: u64,
    },
    /// A turn failed, and no hook recovered it.
    TurnFailed {
        /// Why, in words.
        error: String,
        /// The kind of failure, as `turn-error` hooks get it; none if it was cancelled or interrupted.
        #[serde(serialize_with = "portcullis::json::serialize")]
        #[schemars(with = "Option<String>")]
        kind: Option<ErrorKind>,
        /// Whether it was cancelled.
        cancelled: bool,
        /// How long it took, in milliseconds.
        elapsed_ms: u64,
    },
    /// The `pre-llm-call` hooks agreed; the provider is called now.
    LlmCallStarted {
        /// The provider.
        provider: String,
        /// The model.
        model: String,
        /// The attempt, counted from 1.
        attempt: u32,
        /// The number of messages sent.
        messages: usize,
        /// The purpose of the call.
        purpose: CallPurpose,
    },
    /// The model's response arrived; emitted before the `post-llm-call` hooks run.
    LlmCallFinished {
        /// The provider.
        provider: String,
        /// The model.
        model: String,
        /// The attempt, counted from 1.
        attempt: u32,
        /// Its tokens.
        #[serde(serialize_with = "portcullis::json::serialize")]
        #[schemars(with = "Object")]
        usage: Usage,
        /// Why the model stopped.
        stop: String,
        /// The number of tools it calls.
        tool_calls: usize,
        /// The hook that answered in the model's place, if one did.
        answered_by: Option<String>,
        /// How long it took, in milliseconds.
        elapsed_ms: u64,
    },
    /// A provider failed; emitted before the `llm-error` hooks run.
    LlmCallFailed {
        /// The provider.
        provider: String,
        /// The model.
        model: String,
        /// The attempt, counted from 1.
        attempt: u32,
        /// The error text.
        error: String,
        /// The kind of failure, as `llm-error` hooks get it.
        #[serde(serialize_with = "portcullis::json::serialize")]
        #[schemars(with = "String")]
        kind: ProviderErrorKind,
        /// How long it took, in milliseconds.
        elapsed_ms: u64,
    },
    /// A decision on a failed model call.
    Retry {
        /// The action.
        action: RetryAction,
        /// The hook that decided; none if the configuration did.
        by: Option<String>,
    },
    /// A piece of the model's text as it arrives (see [`Deltas`](crate::Deltas)).
    TextDelta {
        /// The piece.
        text: String,
    },
    /// A piece of the model's reasoning as it arrives (see [`Deltas`](crate::Deltas)).
    ThinkingDelta {
        /// The piece.
        text: String,
    },
    /// The policy and the `pre-tool-call` hooks agreed; the tool runs now.
    ToolStarted {
        /// The id of the call.
        call_id: String,
        /// The tool.
        name: String,
        /// The arguments it is run with.
        arguments: String,
    },
    /// A tool may have run when its process died, and it was decided whether it runs again.
    ToolRepeatDecided {
        /// The id of the call.
        call_id: String,
        /// The tool.
        name: String,
        /// The decision.
        decision: RepeatDecision,
    },
    /// A running tool reported its progress.
    ToolProgress {
        /// The id of the call.
        call_id: String,
        /// The tool.
        name: String,
        /// The report.
        text: String,
    },
    /// A tool call has its result.
    ToolFinished {
        /// The id of the call.
        call_id: String,
        /// The tool.
        name: String,
        /// Whether the result is an error.
        is_error: bool,
        /// Whether the tool ran.
        ran: bool,
        /// Why it did not, if it did not.
        #[serde(skip_serializing_if = "Option::is_none")]
        not_run: Option<NotRun>,
        /// The result, as the model gets it.
        content: String,
        /// How long the tool ran, in milliseconds.
        elapsed_ms: u64,
    },
    /// Messages were replaced by a summary.
    Compacted {
        /// The number of messages removed.
        removed: usize,
        /// The number of messages now.
        messages: usize,
        /// The estimated tokens before.
        tokens_before: u64,
        /// The estimated tokens after.
        tokens_after: u64,
    },
    /// The conversation is over its limit and was not compacted.
    CompactionSkipped {
        /// Why, in words.
        reason: String,
    },
    /// The memory failed; the turn continues without it.
    MemoryFailed {
        /// Why, in words.
        error: String,
    },
    /// Something happened to a workspace; emitted before the `workspace-*` hooks run.
    Workspace {
        /// The action.
        workspace: WorkspaceEvent,
    },
    /// The sections that hooks contributed were compiled into one text.
    PromptCompiled {
        /// The number of sections in it.
        sections: usize,
        /// Its tokens.
        tokens: u64,
        /// The sections that were cut or dropped.
        cuts: Vec<SectionCut>,
    },
    /// The preflight failed; the fallback plan is used.
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
    /// A hook left a note.
    Note {
        /// The hook.
        hook: String,
        /// The kind of note.
        code: String,
        /// Its data.
        data: serde_json::Value,
    },
    /// A hook queued a job, or a job whose process ended is queued again.
    JobQueued {
        /// The hook.
        hook: String,
        /// The job's name.
        name: String,
        /// Which attempt it will be, counted from 1.
        attempt: u32,
    },
    /// A job ended.
    JobDone {
        /// The hook that queued it.
        hook: String,
        /// The job's name.
        name: String,
        /// Which attempt it was, counted from 1: more if a process ended before the job did.
        attempt: u32,
        /// Why it failed, if it did.
        error: Option<String>,
        /// How long it ran, in milliseconds.
        elapsed_ms: u64,
    },
    /// A job was not started.
    JobSkipped {
        /// The hook that queued it.
        hook: String,
        /// The job's name.
        name: String,
        /// Why, in words.
        reason: String,
    },
    /// A hook ran.
    HookRun {
        /// The record.
        #[schemars(with = "Object")]
        run: HookRun,
    },
    /// A hook that may refuse or change things did not run to its end.
    GuardDidNotRun {
        /// The hook.
        hook: String,
        /// The point.
        #[schemars(with = "String")]
        point: PointId,
        /// The code of the cause.
        #[schemars(with = "String")]
        cause: Cause,
        /// Whether the operation was refused because of it. If not, it continued unguarded.
        refused: bool,
    },
    /// An alert fires, or is resolved. It is of no session.
    AlertChanged {
        /// The alert's name.
        alert: String,
        /// Whether it fires; otherwise it is resolved.
        firing: bool,
        /// The hook, if the alert is of one.
        hook: Option<String>,
        /// The measurement, in a sentence.
        message: String,
    },
    /// A component failed too often in a row. It is not called for a while; its hooks fail at once.
    HookQuarantined {
        /// The hook.
        hook: String,
        /// The code of the last cause.
        #[schemars(with = "String")]
        cause: Cause,
        /// How many times it failed in a row, over all sessions.
        failures: u32,
    },
    /// A quarantined component was tried again and succeeded.
    HookReleased {
        /// The hook.
        hook: String,
    },
    /// The hooks were reloaded. A session uses them from its next call of a chain on. No hook and no
    /// setting is named if the reload only fixed what did not load before.
    HooksReloaded {
        /// The hooks that changed, by id.
        #[schemars(with = "Vec<Object>")]
        changes: Vec<HookChange>,
        /// Whether the settings changed.
        settings: bool,
    },
    /// A reload was rejected, or a part of it.
    HooksNotReloaded {
        /// Whether all of it was rejected: all hooks run as before.
        all: bool,
        /// The hooks that run as before because their files do not load.
        #[schemars(with = "Vec<Object>")]
        kept: Vec<StaleHook>,
        /// The errors, in words.
        errors: Vec<String>,
    },
    /// A hook asked the agent's model.
    HookModelCall {
        /// The hook.
        hook: String,
        /// The provider.
        provider: String,
        /// The model.
        model: String,
        /// Its tokens; `None` if it failed.
        #[serde(serialize_with = "portcullis::json::serialize")]
        #[schemars(with = "Option<Object>")]
        usage: Option<Usage>,
        /// Why it failed, in words.
        error: Option<String>,
        /// How long it took, in milliseconds.
        elapsed_ms: u64,
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
