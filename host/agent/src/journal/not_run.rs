//! Why a tool call did not run.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The reason that a tool call did not run. It contains no text of a hook, a model or a person, so
/// a journal that keeps no values contains it too.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum NotRun {
    /// A hook refused the call, or the hook's question was denied or not answered.
    HookRefused,
    /// A hook that fails closed failed.
    HookFailed,
    /// A hook answered in its place.
    HookAnswered,
    /// The hook that offers the tool did not answer.
    HookUnanswered,
    /// The policy forbids it.
    PolicyDenied,
    /// No tool of that name was offered.
    NotOffered,
    /// The arguments are invalid.
    InvalidArguments,
    /// The sub-agent would be deeper than the limit allows.
    TooDeep,
    /// It has to wait, and the session has no checkpoints.
    CannotWait,
    /// The call waited, and its answer does not fit.
    CannotResume,
    /// It may have run: its process died while it ran, and it was not run again.
    NotRepeated,
    /// The user spoke before the call began.
    Steered,
    /// The turn ended before the call began.
    TurnEnded,
    /// The turn failed before the call's result was kept.
    TurnFailed,
    /// A reason of a later version.
    #[serde(other)]
    Unknown,
}

impl NotRun {
    /// The same in words.
    pub const fn words(self) -> &'static str {
        match self {
            Self::HookRefused => {
                "a hook refused it, or its question was answered with no, or not at all"
            }
            Self::HookFailed => "a hook that fails closed failed",
            Self::HookAnswered => "a hook answered in its place",
            Self::HookUnanswered => "the hook that offers it did not answer",
            Self::PolicyDenied => "the policy forbids it",
            Self::NotOffered => "no tool of that name was offered",
            Self::InvalidArguments => "its arguments are invalid",
            Self::TooDeep => "sub-agents may not be that deep",
            Self::CannotWait => "it has to wait, and the session has no checkpoints",
            Self::CannotResume => "it waited, and what it waited for does not fit",
            Self::NotRepeated => "its process died while it ran, and it was not run again",
            Self::Steered => "the user spoke before the call began",
            Self::TurnEnded => "the turn ended before the call began",
            Self::TurnFailed => "the turn failed before the result of the call was kept",
            Self::Unknown => "the reason is one of a later version",
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_page_has_every_reason() {
        let page = include_str!("../../../../docs/operator/explain.md");
        let schema = serde_json::to_value(schemars::schema_for!(NotRun)).unwrap();
        for reason in schema["oneOf"].as_array().unwrap() {
            let name = reason["const"].as_str().unwrap();
            let reason: NotRun = serde_json::from_value(json!(name)).unwrap();
            let row = format!("| `{name}` | {} |", reason.words());
            assert!(page.contains(&row), "no `{row}`");
        }
    }

    #[test]
    fn a_reason_of_a_later_version_is_unknown() {
        let read = |name: &str| serde_json::from_value::<NotRun>(json!(name)).unwrap();
        assert_eq!(read("policy-denied"), NotRun::PolicyDenied);
        assert_eq!(read("bad-weather"), NotRun::Unknown);
    }
}
