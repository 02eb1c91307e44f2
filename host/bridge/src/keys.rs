//! The JSON keys that are the agent's own.

/// Returns whether the keys of the object under this key are the agent's own. They are in the view
/// `agent-state` and in a hook's `state-edits`. All other keys are names of the contract, which a
/// package for another language may convert to that language's style.
pub fn has_own_keys(key: &str) -> bool {
    matches!(key, "agent-state" | "state-edits")
}
