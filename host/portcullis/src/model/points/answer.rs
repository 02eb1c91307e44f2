//! The answers that a hook may import, for all points.

use serde::{Deserialize, Serialize};

use crate::contract::{ContributionKind, HookRole};

/// A function of the interfaces `POINT-answer`. A hook can give only the answers that it imports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AnswerKind {
    /// Refuse the operation.
    Reject,
    /// Have a person decide.
    Ask,
    /// End the turn without an error.
    Stop,
    /// Change the value.
    Transform,
    /// Change the value, so that later hooks cannot.
    Replace,
    /// Skip the operation and give its result.
    Answer,
    /// Continue a turn that would end.
    KeepGoing,
    /// Repeat a failed model call.
    Retry,
    /// Send a failed model call to another provider.
    SwitchProvider,
    /// Fail the step of a failed model call.
    GiveUp,
    /// Add a domain's policy.
    AddPolicy,
    /// Add an item of context.
    AddContext,
    /// Add a section of the prompt.
    AddSection,
    /// Add tools.
    AddTools,
    /// Add an audit note.
    AddNote,
    /// Queue a background job.
    AddJob,
}

impl AnswerKind {
    /// All answers.
    pub const ALL: [Self; 16] = [
        Self::Reject,
        Self::Ask,
        Self::Stop,
        Self::Transform,
        Self::Replace,
        Self::Answer,
        Self::KeepGoing,
        Self::Retry,
        Self::SwitchProvider,
        Self::GiveUp,
        Self::AddPolicy,
        Self::AddContext,
        Self::AddSection,
        Self::AddTools,
        Self::AddNote,
        Self::AddJob,
    ];

    /// Returns the name in WIT and in `hooks.toml`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Reject => "reject",
            Self::Ask => "ask",
            Self::Stop => "stop",
            Self::Transform => "transform",
            Self::Replace => "replace",
            Self::Answer => "answer",
            Self::KeepGoing => "keep-going",
            Self::Retry => "retry",
            Self::SwitchProvider => "switch-provider",
            Self::GiveUp => "give-up",
            Self::AddPolicy => "add-policy",
            Self::AddContext => "add-context",
            Self::AddSection => "add-section",
            Self::AddTools => "add-tools",
            Self::AddNote => "add-note",
            Self::AddJob => "add-job",
        }
    }

    /// Returns the answer with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Returns the kind of contribution, if the answer is one. Its grant is then
    /// `grants.contribute`.
    pub const fn contribution(self) -> Option<ContributionKind> {
        match self {
            Self::AddPolicy => Some(ContributionKind::Policy),
            Self::AddContext => Some(ContributionKind::Context),
            Self::AddSection => Some(ContributionKind::Section),
            Self::AddTools => Some(ContributionKind::Tools),
            Self::AddNote => Some(ContributionKind::Note),
            Self::AddJob => Some(ContributionKind::Job),
            _ => None,
        }
    }

    /// Returns the least role that may give the answer.
    pub const fn role(self) -> HookRole {
        match self {
            Self::AddNote | Self::AddJob => HookRole::Observe,
            Self::Reject | Self::Ask | Self::Stop => HookRole::Gate,
            _ => HookRole::Transform,
        }
    }

    /// Returns the role of a hook that may give these answers: the strongest that one of them
    /// needs.
    pub fn role_of(answers: &[Self]) -> HookRole {
        strongest(answers.iter().map(|answer| answer.role()))
    }
}

/// Returns the strongest of the given roles, or observe if there are none.
pub(crate) fn strongest(roles: impl IntoIterator<Item = HookRole>) -> HookRole {
    let roles = roles.into_iter();
    roles.fold(HookRole::Observe, |held, role| match (held, role) {
        (HookRole::Transform, _) | (_, HookRole::Transform) => HookRole::Transform,
        (HookRole::Gate, _) | (_, HookRole::Gate) => HookRole::Gate,
        (HookRole::Observe, HookRole::Observe) => HookRole::Observe,
    })
}

impl std::fmt::Display for AnswerKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_role_is_the_strongest_that_an_answer_needs() {
        use AnswerKind::{AddJob, AddNote, Reject, Transform};
        assert_eq!(AnswerKind::role_of(&[]), HookRole::Observe);
        assert_eq!(AnswerKind::role_of(&[AddNote, AddJob]), HookRole::Observe);
        assert_eq!(AnswerKind::role_of(&[AddNote, Reject]), HookRole::Gate);
        assert_eq!(
            AnswerKind::role_of(&[Reject, Transform]),
            HookRole::Transform
        );
    }
}
