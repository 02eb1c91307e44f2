//! What would have followed an answer that had no effect.

use serde::{Deserialize, Serialize};

use crate::model::hook::HookId;
use crate::model::points::{FailureRule, PointId};
use crate::model::verdict::Change;

/// What would have followed if the answer of a hook in audit mode had counted.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Would {
    /// What would have happened.
    pub effect: Effect,
    /// What the hook said of it, without secrets: why it would have stopped the turn, or what it would have asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<Box<str>>,
    /// What it would have answered in place of the operation, as JSON; only where the session keeps values.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<Box<str>>,
    /// What it would have changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub change: Option<Box<Change>>,
    /// The deciding hooks behind it that would not have run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_run: Vec<HookId>,
}

/// What an answer would have had as its effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Effect {
    /// The operation would have been refused.
    Refused,
    /// The operation would have been refused, or the turn would have failed, because the hook failed.
    Failed,
    /// The hook's answer would have taken the place of the operation.
    Answered,
    /// The turn would have been stopped.
    Stopped,
    /// A person would have been asked.
    Asked,
    /// The value would have been changed.
    Changed,
}

impl Would {
    pub(crate) fn of(effect: Effect) -> Self {
        Self {
            effect,
            message: None,
            answer: None,
            change: None,
            not_run: Vec::new(),
        }
    }
}

impl Effect {
    /// All effects.
    pub const ALL: [Self; 6] = [
        Self::Refused,
        Self::Failed,
        Self::Answered,
        Self::Stopped,
        Self::Asked,
        Self::Changed,
    ];

    /// Its name in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Refused => "refused",
            Self::Failed => "failed",
            Self::Answered => "answered",
            Self::Stopped => "stopped",
            Self::Asked => "asked",
            Self::Changed => "changed",
        }
    }

    /// The effect of a name; `None` if there is none.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|effect| effect.name() == name)
    }

    /// Whether the deciding hooks behind it would not have run.
    pub const fn ends_the_chain(self) -> bool {
        matches!(
            self,
            Self::Refused | Self::Failed | Self::Answered | Self::Stopped
        )
    }

    /// What would have followed at a point, in words.
    pub const fn at(self, point: PointId) -> &'static str {
        match self {
            Self::Refused => refused(point),
            Self::Failed => match point.info().failure {
                // A response is not used if a guard could not see its pieces.
                FailureRule::Refuses if matches!(point, PointId::LlmDelta) => failed(point),
                FailureRule::Refuses => refused(point),
                FailureRule::NeverFatal => "nothing would have followed",
                FailureRule::Fails => failed(point),
            },
            Self::Answered => match point {
                PointId::PreTurn => {
                    "the turn would have ended with the hook's answer, without the model"
                }
                PointId::PreLlmCall => {
                    "the model would not have been called, and the hook's answer used"
                }
                PointId::PreToolCall => {
                    "the tool would not have run, and the hook's result been used"
                }
                PointId::PreSubagent => {
                    "the sub-agent would not have been started, and the hook's result been used"
                }
                PointId::TurnError => "the turn would have succeeded with the hook's output",
                PointId::LlmError => {
                    "the hook would have decided what to do about the failed model call"
                }
                PointId::TurnStopping => "the turn would have continued",
                _ => "the hook's answer would have taken the place of the operation",
            },
            Self::Stopped => "the turn would have been stopped",
            Self::Asked => "a person would have been asked",
            Self::Changed => "the value would have been changed",
        }
    }

    /// Whether the agent's turn fails because of it at a point. What it does elsewhere ends less: a tool call, an update,
    /// a compaction.
    pub const fn fails_turn(self, point: PointId) -> bool {
        match self {
            Self::Refused => matches!(
                point,
                PointId::PreTurn
                    | PointId::PostTurn
                    | PointId::PreStep
                    | PointId::PreLlmCall
                    | PointId::PostLlmCall
            ),
            Self::Failed => match point.info().failure {
                FailureRule::Refuses => {
                    Self::Refused.fails_turn(point) || matches!(point, PointId::LlmDelta)
                }
                FailureRule::NeverFatal => false,
                // A turn that fires `turn-error` has failed before.
                FailureRule::Fails => !matches!(
                    point,
                    PointId::TurnError | PointId::ToolUpdateSent | PointId::PostSubagent
                ),
            },
            Self::Answered | Self::Stopped | Self::Asked | Self::Changed => false,
        }
    }
}

const fn refused(point: PointId) -> &'static str {
    match point {
        PointId::SessionStart => "the session would not have been opened",
        PointId::PreTurn => "the turn would have been refused",
        PointId::PostTurn => "the output would have been withheld, and the turn failed",
        PointId::PreStep => "the turn would have failed",
        PointId::PreLlmCall => "the model would not have been called, and the step failed",
        PointId::PostLlmCall => "the model's response would have been refused, and the step failed",
        PointId::LlmDelta => "the piece would have been withheld",
        PointId::PreToolCall => "the tool would not have run, and the model been told why",
        PointId::PostToolCall => "the tool's output would have been withheld from the model",
        PointId::ToolUpdate => "the update would have been withheld",
        PointId::PreSubagent => "the sub-agent would not have been started",
        PointId::PreCompaction => "the conversation would not have been compacted",
        _ => "the operation would have been refused",
    }
}

const fn failed(point: PointId) -> &'static str {
    match point {
        PointId::LlmError
        | PointId::ToolUpdateSent
        | PointId::StateChanged
        | PointId::PostSubagent => "the call would have failed",
        _ => "the turn would have failed",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failing(effect: Effect) -> Vec<&'static str> {
        let points = PointId::ALL.iter().copied();
        let failing = points.filter(|point| effect.fails_turn(*point));
        failing.map(PointId::name).collect()
    }

    #[test]
    fn a_refusal_fails_the_turn_only_where_the_turn_needs_what_is_refused() {
        assert_eq!(
            failing(Effect::Refused),
            [
                "pre-turn",
                "post-turn",
                "pre-step",
                "pre-llm-call",
                "post-llm-call",
            ]
        );
        assert_eq!(
            failing(Effect::Failed),
            [
                "pre-turn",
                "post-turn",
                "prompt-policy",
                "prompt-context",
                "prompt-recall",
                "prompt-tools",
                "prompt-compile",
                "pre-step",
                "post-step",
                "pre-llm-call",
                "llm-delta",
                "post-llm-call",
                "llm-error",
                "state-changed",
                "message-added",
                "turn-stopping",
            ]
        );
        assert_eq!(failing(Effect::Stopped), Vec::<&str>::new());
    }
}
