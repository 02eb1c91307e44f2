//! The purpose of a hook call.

use crate::contract::HookRole;

/// The purpose of a hook call. Call slots and turn budgets are divided by purpose: use by observers
/// never keeps a guard from running, and use by hooks that the operator has not named never keeps a
/// named hook from running.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// A decision, or the loading of a hook.
    Deciding,
    /// A decision by a hook that the operator has not named.
    Capped,
    /// The observation of a decision.
    Observing,
}

impl Purpose {
    /// Returns the purpose of calls to hooks of a role, capped or not.
    pub(crate) fn of(role: HookRole, capped: bool) -> Self {
        match role {
            HookRole::Observe => Self::Observing,
            HookRole::Gate | HookRole::Transform if capped => Self::Capped,
            HookRole::Gate | HookRole::Transform => Self::Deciding,
        }
    }

    /// Returns whether the call may use the half of the call slots and memory that is reserved for
    /// the operator's guards.
    pub(crate) fn is_guarding(self) -> bool {
        self == Self::Deciding
    }
}
