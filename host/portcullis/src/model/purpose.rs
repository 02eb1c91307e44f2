//! What a hook is called for, by which what hooks share is divided.

use crate::contract::HookRole;

/// What a hook is called for. Places and turn budgets are divided by it, so that what observers use
/// never keeps a guard from running.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// To decide something, or to be loaded.
    Deciding,
    /// To observe what was decided.
    Observing,
}

impl Purpose {
    /// What hooks of a role are called for.
    pub(crate) fn of(role: HookRole) -> Self {
        match role {
            HookRole::Gate | HookRole::Transform => Self::Deciding,
            HookRole::Observe => Self::Observing,
        }
    }
}
