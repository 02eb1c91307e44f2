//! The consequences that an audited answer would have had.

use serde::{Deserialize, Serialize};

use crate::model::hook::HookId;
use crate::model::points::{FailureRule, PointId};
use crate::model::verdict::Change;

/// The consequences that the answer of a hook in audit mode would have had.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Would {
    /// The effect on the operation.
    pub effect: Effect,
    /// The hook's own text, without secrets: its reason to stop the turn, or its question.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<Box<str>>,
    /// The answer in place of the operation, as JSON; only if the session keeps values.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<Box<str>>,
    /// The change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub change: Option<Box<Change>>,
    /// The later deciding hooks that would not have run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_run: Vec<HookId>,
}

/// The effect that an answer would have had.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Effect {
    /// The operation would have been refused.
    Refused,
    /// The operation would have been refused, or the turn would have failed, because the hook
    /// failed.
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

    /// Returns the effect's name in JSON.
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

    /// Returns the effect with this name; `None` if there is none.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|effect| effect.name() == name)
    }

    /// Returns whether the later deciding hooks would not have run.
    pub const fn ends_the_chain(self) -> bool {
        matches!(
            self,
            Self::Refused | Self::Failed | Self::Answered | Self::Stopped
        )
    }

    /// Returns the consequence at a point, in words.
    pub const fn at(self, point: PointId) -> &'static str {
        let consequences = Consequences::of(point);
        match self {
            Self::Refused => consequences.refused,
            Self::Failed => match point.info().failure {
                // A response is not used if a guard could not see its pieces.
                FailureRule::Refuses if matches!(point, PointId::LlmDelta) => consequences.failed(),
                FailureRule::Refuses => consequences.refused,
                FailureRule::NeverFatal => "nothing would have followed",
                FailureRule::Fails => consequences.failed(),
            },
            Self::Answered => consequences.answered,
            Self::Stopped => "the turn would have been stopped",
            Self::Asked => "a person would have been asked",
            Self::Changed => "the value would have been changed",
        }
    }

    /// Returns whether the effect fails the agent's turn at a point. If not, it ends only a
    /// tool call, an update or a compaction.
    pub const fn fails_turn(self, point: PointId) -> bool {
        let consequences = Consequences::of(point);
        match self {
            Self::Refused => consequences.refusal_fails_turn,
            Self::Failed => match point.info().failure {
                FailureRule::Refuses => {
                    consequences.refusal_fails_turn || matches!(point, PointId::LlmDelta)
                }
                FailureRule::NeverFatal => false,
                FailureRule::Fails => consequences.failure_fails_turn,
            },
            Self::Answered | Self::Stopped | Self::Asked | Self::Changed => false,
        }
    }

    /// Returns whether the effect fails a call at a point, such as a model call or a tool call. The
    /// turn can fail with the call.
    pub const fn fails_call(self, point: PointId) -> bool {
        match self {
            Self::Failed => {
                matches!(point.info().failure, FailureRule::Fails)
                    && Consequences::of(point).failure_fails_call
            }
            Self::Refused | Self::Answered | Self::Stopped | Self::Asked | Self::Changed => false,
        }
    }
}

/// The consequences of answers and failures at a point.
struct Consequences {
    /// The consequence of a refusal, in words.
    refused: &'static str,
    refusal_fails_turn: bool,
    /// The consequence of an answer in place of the operation, in words.
    answered: &'static str,
    /// Whether a failure that is not a refusal fails a call, and not only the turn.
    failure_fails_call: bool,
    failure_fails_turn: bool,
}

impl Consequences {
    /// The consequences at a point without refusals and answers. A failure fails the turn.
    const TURN: Self = Self {
        refused: "the operation would have been refused",
        refusal_fails_turn: false,
        answered: "the hook's answer would have taken the place of the operation",
        failure_fails_call: false,
        failure_fails_turn: true,
    };
    /// Like `TURN`, for a point whose operation is a call.
    const CALL: Self = Self {
        failure_fails_call: true,
        ..Self::TURN
    };

    const fn of(point: PointId) -> Self {
        // There is no `_` arm, so a new point must be given its consequences here.
        match point {
            PointId::SessionStart => Self {
                refused: "the session would not have been opened",
                ..Self::TURN
            },
            PointId::PreTurn => Self {
                refused: "the turn would have been refused",
                refusal_fails_turn: true,
                answered: "the turn would have ended with the hook's answer, without the model",
                ..Self::TURN
            },
            PointId::PostTurn => Self {
                refused: "the output would have been withheld, and the turn failed",
                refusal_fails_turn: true,
                ..Self::TURN
            },
            PointId::TurnError => Self {
                answered: "the turn would have succeeded with the hook's output",
                // A turn that fires `turn-error` has failed before.
                failure_fails_turn: false,
                ..Self::TURN
            },
            PointId::PreStep => Self {
                refused: "the turn would have failed",
                refusal_fails_turn: true,
                ..Self::TURN
            },
            PointId::PreLlmCall => Self {
                refused: "the model would not have been called, and the step failed",
                refusal_fails_turn: true,
                answered: "the model would not have been called, and the hook's answer used",
                ..Self::TURN
            },
            PointId::LlmDelta => Self {
                refused: "the piece would have been withheld",
                ..Self::TURN
            },
            PointId::PostLlmCall => Self {
                refused: "the model's response would have been refused, and the step failed",
                refusal_fails_turn: true,
                ..Self::TURN
            },
            PointId::LlmError => Self {
                answered: "the hook would have decided what to do about the failed model call",
                ..Self::CALL
            },
            PointId::PreToolCall => Self {
                refused: "the tool would not have run, and the model would have been told why",
                answered: "the tool would not have run, and the hook's result been used",
                ..Self::TURN
            },
            PointId::ToolUpdate => Self {
                refused: "the update would have been withheld",
                ..Self::TURN
            },
            PointId::PostToolCall => Self {
                refused: "the tool's output would have been withheld from the model",
                ..Self::TURN
            },
            PointId::StateChanged => Self::CALL,
            PointId::PreSubagent => Self {
                refused: "the sub-agent would not have been started",
                answered: "the sub-agent would not have been started, and the hook's result been used",
                ..Self::TURN
            },
            PointId::ToolUpdateSent | PointId::PostSubagent => Self {
                failure_fails_turn: false,
                ..Self::CALL
            },
            PointId::PreCompaction => Self {
                refused: "the conversation would not have been compacted",
                ..Self::TURN
            },
            PointId::TurnStopping => Self {
                answered: "the turn would have continued",
                ..Self::TURN
            },
            PointId::SessionEnd
            | PointId::TurnSuspended
            | PointId::TurnResumed
            | PointId::PromptPolicy
            | PointId::PromptContext
            | PointId::PromptRecall
            | PointId::PromptTools
            | PointId::PromptCompile
            | PointId::PostStep
            | PointId::MessageAdded
            | PointId::PostCompaction
            | PointId::WorkspaceOpened
            | PointId::WorkspaceClosed
            | PointId::WorkspaceEvicted
            | PointId::WorkspaceEvictionRetried
            | PointId::WorkspaceSnapshotted => Self::TURN,
        }
    }

    /// Returns the consequence of a failure that is not a refusal, in words.
    const fn failed(&self) -> &'static str {
        match self.failure_fails_call {
            true => "the call would have failed",
            false => "the turn would have failed",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::points::OutcomeKind;

    #[test]
    fn a_point_that_refuses_or_answers_has_words_for_it() {
        for point in PointId::ALL {
            let outcomes = point.info().outcomes;
            let consequences = Consequences::of(*point);
            assert_eq!(
                outcomes.contains(&OutcomeKind::Reject),
                consequences.refused != Consequences::TURN.refused,
                "{point}"
            );
            let answers = [OutcomeKind::Answer, OutcomeKind::KeepGoing];
            if answers.iter().any(|answer| outcomes.contains(answer)) {
                assert_ne!(
                    consequences.answered,
                    Consequences::TURN.answered,
                    "{point}"
                );
            }
        }
    }

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
