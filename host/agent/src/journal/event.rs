//! Agent actions between hook runs.

use portcullis::points::PointId;
use portcullis::verdict::{Approval, PersonAnswer};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::changes::{FieldChange, field_changes};
use super::{HookAuthority, NotRun, RepeatDecision};

/// An agent action, with its position and time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct EventRow {
    /// Its id, unique within the host among events and runs: see [`next_run_id`](crate::next_run_id).
    pub id: i64,
    /// The session.
    pub session: String,
    /// The turn, counted from 1; 0 outside of turns.
    pub turn: u32,
    /// The step, counted from 1; 0 outside of steps.
    pub step: u32,
    /// When, in milliseconds since the Unix epoch.
    pub at_ms: u64,
    /// The event.
    pub event: JournalEvent,
}

/// An agent action. Texts of people, models and tools are `None` unless the journal keeps values
/// ([`RunRecorder::keeps_values`](crate::RunRecorder::keeps_values)).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(
    tag = "event",
    rename_all = "kebab-case",
    rename_all_fields = "kebab-case"
)]
#[non_exhaustive]
pub enum JournalEvent {
    /// A session was opened; its hooks run next.
    SessionOpened {
        /// The agent.
        agent: String,
        /// The session of the agent above, if it is a sub-agent's.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        parent: Option<String>,
        /// Its hooks.
        hooks: Vec<HookAuthority>,
    },
    /// A session ended.
    SessionEnded {
        /// Why: `closed`, `rejected`, `cancelled` or `failed`.
        reason: String,
    },
    /// A turn began; its hooks run next.
    TurnBegan {
        /// The user's input, before hooks change it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        input: Option<String>,
    },
    /// A turn ended with an output.
    TurnEnded {
        /// Where the output is from, as [`TurnOrigin`](crate::TurnOrigin) in JSON.
        origin: Value,
        /// The tokens sent to models.
        input_tokens: u64,
        /// The tokens that models wrote.
        output_tokens: u64,
        /// How long it took, in milliseconds.
        elapsed_ms: u64,
        /// The output.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        output: Option<String>,
    },
    /// A turn failed.
    TurnFailed {
        /// Why, in words.
        error: String,
        /// Whether it was cancelled.
        cancelled: bool,
        /// How long it took, in milliseconds.
        elapsed_ms: u64,
    },
    /// A turn was suspended.
    TurnSuspended {
        /// The name of the [`SuspendReason`](crate::SuspendReason).
        reason: String,
    },
    /// A suspended turn was resumed.
    TurnResumed,
    /// A durable turn continues, whose process died.
    TurnContinued,
    /// A model call ended.
    ModelCalled {
        /// The provider.
        provider: String,
        /// The model.
        model: String,
        /// The attempt, counted from 1.
        attempt: u32,
        /// The tokens sent.
        #[serde(default)]
        input_tokens: u64,
        /// The tokens written.
        #[serde(default)]
        output_tokens: u64,
        /// How many tools it asks for.
        #[serde(default)]
        tool_calls: usize,
        /// The hook that answered in the model's place, if one did.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        answered_by: Option<String>,
        /// Why it failed, if it failed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        error: Option<String>,
        /// How long it took, in milliseconds.
        elapsed_ms: u64,
    },
    /// Something is done about a failed model call.
    Retry {
        /// The action: a [`RetryAction`](crate::RetryAction) in JSON.
        action: Value,
        /// The hook that decided; `None` if the configuration did.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        by: Option<String>,
    },
    /// A hook asked about a tool call, and the agent's client puts the question. If the call then runs, its result follows.
    ToolAsked {
        /// The id of the call.
        call_id: String,
        /// The tool.
        name: String,
    },
    /// A tool runs.
    ToolStarted {
        /// The id of the call.
        call_id: String,
        /// The tool.
        name: String,
        /// The arguments.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        arguments: Option<String>,
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
        /// Why it did not, if it did not. Earlier versions did not record it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        not_run: Option<NotRun>,
        /// How long it ran, in milliseconds.
        elapsed_ms: u64,
        /// The result, as the model gets it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        result: Option<String>,
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
    /// A person decided on a hook's question. An answer that another process took is an [`Answered`](Self::Answered), and is
    /// recorded here too if it changed the value.
    Decided {
        /// The hook.
        hook: String,
        /// The point.
        point: String,
        /// The tool call, if the question is about one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        call_id: Option<String>,
        /// The decision.
        #[schemars(with = "String")]
        approval: Approval,
        /// The digest of the value that the person changed, if the person changed it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        before: Option<String>,
        /// The digest of the new value. Earlier versions recorded neither.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        after: Option<String>,
        /// The fields that the person changed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        changes: Option<Vec<FieldChange>>,
    },
    /// A person answered a call of a suspended turn.
    Answered {
        /// The call that waited.
        call_id: String,
        /// The answerer, and where the answer was given.
        by: String,
        /// The answer: `approved`, `denied`, `changed` or `result`.
        answer: String,
    },
    /// A sub-agent was started.
    SubagentStarted {
        /// The id of the tool call that starts it.
        call_id: String,
        /// Its name.
        agent: String,
        /// Its session.
        session: String,
    },
    /// A hook stops the turn.
    Stopping {
        /// The hook.
        by: String,
        /// A stable code.
        code: String,
        /// Why, in words.
        message: String,
    },
    /// A hook keeps the turn going.
    KeptGoing {
        /// The hook.
        by: String,
    },
    /// Messages were replaced by a summary.
    Compacted {
        /// The number of messages removed.
        removed: usize,
        /// The estimated tokens before.
        tokens_before: u64,
        /// The estimated tokens after.
        tokens_after: u64,
    },
    /// The agent's state changed.
    StateChanged {
        /// The tool or the hook that changed it.
        by: String,
        /// The keys.
        keys: Vec<String>,
    },
    /// An event of a later version.
    #[serde(other)]
    Unknown,
}

impl JournalEvent {
    /// How a person answered a hook's question, in a call of this point, which is perhaps a tool call. The fields that the
    /// person changed are kept only if the journal keeps values.
    pub fn decided(
        answer: PersonAnswer,
        point: PointId,
        call_id: Option<&str>,
        keeps_values: bool,
    ) -> Self {
        let change = answer.change.as_deref();
        let values = change.and_then(|change| change.values.as_ref());
        Self::Decided {
            hook: answer.hook.to_string(),
            point: point.name().to_owned(),
            call_id: call_id.map(str::to_owned),
            approval: answer.approval,
            before: change.map(|change| change.before.to_string()),
            after: change.map(|change| change.after.to_string()),
            changes: values
                .filter(|_| keeps_values)
                .map(|(before, after)| field_changes(before, after)),
        }
    }
}
