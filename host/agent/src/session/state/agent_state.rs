//! The agent's state.

use std::sync::Arc;

use parking_lot::Mutex;
use portcullis::session::AgentState;
use serde_json::{Map, Value, json};

/// Changes of the agent's state. `None` is a removed key.
pub(crate) type StateChanges = Vec<(String, Option<Value>)>;

/// The agent's state. Hooks may change it while other parts of the session use it.
pub(crate) struct SharedState(Mutex<Arc<AgentState>>);

impl SharedState {
    pub(crate) fn new(values: Map<String, Value>) -> Self {
        let state = Self(Mutex::default());
        state.set(values);
        state
    }

    /// Returns the current state, without a diff.
    pub(crate) fn get(&self) -> Arc<AgentState> {
        self.0.lock().clone()
    }

    pub(crate) fn values(&self) -> Map<String, Value> {
        self.get().values.clone()
    }

    pub(crate) fn set(&self, values: Map<String, Value>) {
        *self.0.lock() = Arc::new(AgentState {
            values,
            ..AgentState::default()
        });
    }

    /// Makes these changes. Returns the state with the diff; `None` if nothing changed.
    pub(crate) fn change(&self, changes: StateChanges) -> Option<AgentState> {
        let mut state = self.0.lock();
        let mut values = state.values.clone();
        let mut diff = Map::new();
        for (key, value) in changes {
            let before = values.get(&key).cloned();
            if before == value {
                continue;
            }
            diff.insert(key.clone(), json!([before, value]));
            match value {
                Some(value) => values.insert(key, value),
                None => values.remove(&key),
            };
        }
        if diff.is_empty() {
            return None;
        }
        *state = Arc::new(AgentState {
            values: values.clone(),
            ..AgentState::default()
        });
        Some(AgentState {
            values,
            diff,
            changed_by: None,
        })
    }
}
