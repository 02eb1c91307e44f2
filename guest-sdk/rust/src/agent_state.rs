//! A view of the agent's state: a JSON object that tools, hooks and the embedder write.

use crate::imports::agent_state;

/// Returns the value at a key, as JSON text.
pub fn get(key: &str) -> Option<String> {
    agent_state::get(key)
}

/// Returns the current change, as the text of a JSON object: for each changed key `[before, after]`, with `null` for no
/// value.
pub fn diff() -> String {
    agent_state::diff()
}

/// Returns the hook that made the current change; none if a tool made it.
pub fn changed_by() -> Option<String> {
    agent_state::changed_by()
}
