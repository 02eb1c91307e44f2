//! The events of the command itself. The others are the agent's.

use portcullis_agent::{ApprovalRequest, PendingCall, SuspendReason};
use schemars::JsonSchema;
use serde::Serialize;

use crate::activity::RunRecord;
use crate::run::armed::Armed;

/// An event of the command.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(
    tag = "event",
    rename_all = "kebab-case",
    rename_all_fields = "kebab-case"
)]
pub enum FrontEvent<'a> {
    /// The first line: which hooks are armed, and which tools may run.
    HooksArmed(&'a Armed),
    /// A hook ran.
    HookRun {
        /// The session.
        session_id: &'a str,
        /// The time, in milliseconds since the Unix epoch.
        at_ms: u64,
        /// Whether it ran before, in a process that died.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        #[schemars(default)]
        replayed: bool,
        /// The run, in the same form as everywhere else.
        #[serde(flatten)]
        run: &'a RunRecord<'a>,
    },
    /// A hook asks. The answer is a request `approval` with this id.
    ApprovalAsked {
        /// The id of the question.
        id: &'a str,
        /// The question.
        #[serde(flatten)]
        request: &'a ApprovalRequest,
    },
    /// A turn is suspended. It continues here once every call has its answer: from requests `approval` and
    /// `tool-result`, or recorded by `portcullis approvals`.
    TurnWaits {
        /// The checkpoint, which `portcullis approvals` and `portcullis resume` take.
        checkpoint: &'a str,
        /// The reason for the suspension.
        reason: SuspendReason,
        /// The calls that wait.
        pending: &'a [PendingCall],
    },
    /// The interrupted turn is finished now. Earlier events have `replayed`.
    TurnFinishing {
        /// The user's message that began the turn.
        text: &'a str,
    },
    /// The suspended turn is not continued here.
    TurnNotContinued {
        /// The reason, in words.
        reason: &'a str,
    },
    /// A user's message was not sent, because the turn before it waits. Send it again once that turn has ended.
    InputNotSent {
        /// The message.
        text: &'a str,
    },
    /// A request `steer` is queued. The event `steered` says when the turn has read it.
    SteeringQueued {
        /// The text.
        text: &'a str,
    },
    /// A turn ended before it read these texts. The next turn reads them.
    SteeringLeft {
        /// The texts.
        texts: &'a [String],
    },
    /// A line of the input was refused. It changed nothing.
    BadRequest {
        /// The line, counted from 1.
        line: u64,
        /// The reason, in words.
        error: &'a str,
    },
}
