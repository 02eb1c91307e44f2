//! The purpose of a hook's call. What hooks share is divided by it.

use crate::contract::HookRole;

/// What a hook is called for. Places and turn budgets are divided by it, so that what observers use
/// never keeps a guard from running, and what hooks use that the operator has not named never keeps one
/// from running that the operator has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// To decide something, or to be loaded.
    Deciding,
    /// To decide something, by a hook that the operator has not named.
    Capped,
    /// To observe what was decided.
    Observing,
}

impl Purpose {
    /// What hooks of a role are called for, capped or not.
    pub(crate) fn of(role: HookRole, capped: bool) -> Self {
        match role {
            HookRole::Observe => Self::Observing,
            HookRole::Gate | HookRole::Transform if capped => Self::Capped,
            HookRole::Gate | HookRole::Transform => Self::Deciding,
        }
    }

    /// Whether it may take the half of places and memory that is kept for the operator's guards.
    pub(crate) fn is_guarding(self) -> bool {
        self == Self::Deciding
    }
}
