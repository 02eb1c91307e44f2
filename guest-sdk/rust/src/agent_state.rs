//! A view of what tools, hooks and the embedder keep in the agent's state.

use crate::imports::agent_state;

/// The value at a key, as JSON text.
pub fn get(key: &str) -> Option<String> {
    agent_state::get(key)
}

/// The current change, as the text of a JSON object: for each key that changed `[before, after]`, `null` where there
/// is none.
pub fn diff() -> String {
    agent_state::diff()
}

/// The hook that made the current change; nothing if a tool made it.
pub fn changed_by() -> Option<String> {
    agent_state::changed_by()
}
