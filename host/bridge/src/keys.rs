//! Which keys of the JSON are the agent's own.

/// Whether the object under a key has keys of the agent's own: the view `agent-state`, and a hook's `state-edits`.
/// All other keys are names of the contract, which a package for another language may write in the
/// language's way.
pub fn has_own_keys(key: &str) -> bool {
    matches!(key, "agent-state" | "state-edits")
}
