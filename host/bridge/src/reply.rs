//! The hooks' decision, as JSON.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The hooks' decision about a call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct CallReply {
    /// The decision.
    pub decision: Decision,
    /// The parts that hooks may change at the point, as the hooks left them, in the contract's JSON
    /// form; null if there are none. The arguments of a tool call are the text of a JSON object.
    pub payload: Value,
    /// The hooks' contributions.
    pub contributions: Contributions,
    /// Every hook of the chain, in the order they ran.
    pub runs: Vec<Run>,
}

/// The chain's decision.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(
    tag = "kind",
    rename_all = "kebab-case",
    rename_all_fields = "kebab-case"
)]
pub enum Decision {
    /// The operation goes ahead as it is.
    Continue,
    /// The operation goes ahead with [`CallReply::payload`].
    Transform {
        /// The hooks that changed it, in order. A person's change is that of the hook that asked.
        by: Vec<String>,
    },
    /// A hook refused.
    Reject {
        /// The hook.
        by: String,
        /// Its refusal.
        rejection: HookRejection,
    },
    /// A hook gave the result in place of the operation.
    Answer {
        /// The hook.
        by: String,
        /// The result, in the contract's JSON form.
        value: Value,
    },
    /// A hook ends the turn without an error.
    Stop {
        /// The hook.
        by: String,
        /// Why, in the contract's JSON form: `kind` and `message`.
        signal: Value,
    },
    /// A person must decide first.
    Pending {
        /// The id to answer under: a number below 2^53 that no other question has, also after the
        /// session was closed and opened again.
        id: u64,
        /// The questions, the first of which is answered first.
        questions: Vec<PendingQuestion>,
    },
    /// A hook that fails closed failed, so the operation does not go ahead.
    Failed {
        /// The hook.
        by: String,
        /// The code of the cause.
        cause: String,
        /// The error message.
        message: String,
    },
}

impl Decision {
    /// Whether the operation goes ahead.
    pub const fn passed(&self) -> bool {
        matches!(self, Self::Continue | Self::Transform { .. })
    }

    /// Its name, as in `kind` of its JSON.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Continue => "continue",
            Self::Transform { .. } => "transform",
            Self::Reject { .. } => "reject",
            Self::Answer { .. } => "answer",
            Self::Stop { .. } => "stop",
            Self::Pending { .. } => "pending",
            Self::Failed { .. } => "failed",
        }
    }
}

/// A hook's refusal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct HookRejection {
    /// A short, stable code for programs.
    pub code: String,
    /// The reason, for the model and the person. It is the hook's text: escape it before it is shown.
    pub reason: String,
    /// Details, for a person who investigates the refusal.
    pub details: Option<String>,
}

/// A hook's question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct PendingQuestion {
    /// The hook.
    pub by: String,
    /// The question. It is the hook's text: escape it before it is shown.
    pub question: String,
    /// Details that the person should know to answer the question.
    pub details: Option<String>,
}

/// The hooks' contributions to the turn.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct Contributions {
    /// The view `prompt` after the call: what it had before, and what hooks added. Null at points where
    /// nothing of it changed.
    pub prompt: Value,
    /// Audit notes, each `{"by": …, "value": {"note": …}}`, and background jobs, each
    /// `{"by": …, "value": {"job": …}}`, and changes of the agent's state, each
    /// `{"by": …, "value": {"state-edits": {"KEY": …}}}`, where null removes a key. The bridge runs no
    /// jobs and keeps no agent's state: the caller applies the changes.
    pub side_outputs: Vec<Value>,
}

impl CallReply {
    /// The background jobs that hooks queued, which the caller runs or drops.
    pub fn jobs(&self) -> impl Iterator<Item = Job<'_>> {
        self.contributions.side_outputs.iter().filter_map(|output| {
            let job = output.get("value")?.get("job")?;
            Some(Job {
                by: output.get("by").and_then(Value::as_str)?,
                name: job.get("name").and_then(Value::as_str)?,
                input: job.get("input").and_then(Value::as_str)?,
            })
        })
    }
}

/// A background job that a hook queued.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Job<'a> {
    /// The hook.
    pub by: &'a str,
    /// The handler.
    pub name: &'a str,
    /// Its input: JSON as text.
    pub input: &'a str,
}

/// One hook's run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct Run {
    /// The hook.
    pub hook: String,
    /// How it went.
    #[serde(flatten)]
    pub result: RunResult,
    /// Whether its answer only was recorded, as in audit mode.
    pub audit: bool,
    /// Whether it changed the payload.
    pub changed: bool,
    /// How long it took, in microseconds.
    pub latency_us: u64,
    /// The fuel that it used; null if fuel is not counted.
    pub fuel: Option<u64>,
}

/// How a run went.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(
    tag = "status",
    rename_all = "kebab-case",
    rename_all_fields = "kebab-case"
)]
pub enum RunResult {
    /// The hook answered.
    Completed {
        /// The name of its outcome.
        outcome: String,
    },
    /// The hook failed.
    Failed {
        /// The code of the cause.
        cause: String,
        /// The error message.
        message: String,
        /// Whether the operation was refused for it.
        refused: bool,
    },
    /// The hook answered, and its answer was not applied: a hook before it had replaced the value.
    NotApplied,
    /// The chain ended before its turn came.
    Skipped,
    /// It runs detached.
    Backgrounded,
}
