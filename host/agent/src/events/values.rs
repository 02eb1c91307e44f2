//! Values in events: reasons, purposes and origins.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Why a session ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
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

/// The purpose of a model call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum CallPurpose {
    /// A step of a turn.
    Step,
    /// The summary of a compaction.
    Compaction,
}

/// The source of a turn's output.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
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
    /// The turn's output at the time a hook stopped it.
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
        /// The error text.
        error: String,
    },
}

/// The checkpoint at which the agent reads user messages sent during a turn (phi-core's six
/// checkpoints).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SteeringCheckpoint {
    /// After the `pre-step` hooks, before the model is called.
    BeforeStep,
    /// After the `post-step` hooks.
    AfterStep,
    /// Between two tool calls that run one after another.
    BetweenTools,
    /// Between two batches of tool calls.
    BetweenBatches,
    /// After all tool calls, if they run in parallel.
    AfterTools,
    /// At the top of the loop, before the `pre-step` hooks run.
    LoopEntry,
}

/// The action after a failed model call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
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
