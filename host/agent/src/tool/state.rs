//! The agent's state as a running tool sees it.

use std::collections::BTreeMap;
use std::sync::Arc;

use parking_lot::Mutex;
use portcullis::session::AgentState;
use serde_json::Value;

/// The agent's state as a running tool sees it: the state when the tool started, with the tool's
/// own changes. The changes are applied when the tool's result is committed, in the order the model
/// asked for the tools, so tools that run in parallel do not see each other's changes. If two tools
/// set one key, the later one in that order counts. The changes of a tool that fails with a
/// [`ToolError`](crate::ToolError), panics or is stopped are dropped. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct ToolState {
    base: Arc<AgentState>,
    changes: Arc<Mutex<BTreeMap<String, Option<Value>>>>,
}

impl ToolState {
    /// Creates a state without changes.
    pub fn new(base: Arc<AgentState>) -> Self {
        Self {
            base,
            changes: Arc::default(),
        }
    }

    /// Returns the value at a key.
    pub fn get(&self, key: &str) -> Option<Value> {
        match self.changes.lock().get(key) {
            Some(changed) => changed.clone(),
            None => self.base.values.get(key).cloned(),
        }
    }

    /// Sets the value at a key.
    pub fn set(&self, key: impl Into<String>, value: impl Into<Value>) {
        self.changes.lock().insert(key.into(), Some(value.into()));
    }

    /// Removes a key.
    pub fn remove(&self, key: impl Into<String>) {
        self.changes.lock().insert(key.into(), None);
    }

    /// Returns the changes, by key. `None` is a removed key.
    pub fn changes(&self) -> Vec<(String, Option<Value>)> {
        let changes = self.changes.lock().clone();
        changes.into_iter().collect()
    }
}
