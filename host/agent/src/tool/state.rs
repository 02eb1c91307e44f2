//! The agent's state as a running tool sees it.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use portcullis::AgentState;
use serde_json::Value;

/// The agent's state as a running tool sees it: as it was when the tool was started, with the tool's
/// own changes over it. They are taken over when its result is committed, in the order the model
/// asked for the tools, so that tools that run side by side do not see each other: of two that set
/// one key, the later in that order counts. Those of a tool that fails with a
/// [`ToolError`](crate::ToolError), panics or is stopped are not taken over. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct ToolState {
    base: Arc<AgentState>,
    changes: Arc<Mutex<BTreeMap<String, Option<Value>>>>,
}

impl ToolState {
    /// A state that nothing has changed.
    pub fn new(base: Arc<AgentState>) -> Self {
        Self {
            base,
            changes: Arc::default(),
        }
    }

    /// The value at a key.
    pub fn get(&self, key: &str) -> Option<Value> {
        match self.lock().get(key) {
            Some(changed) => changed.clone(),
            None => self.base.values.get(key).cloned(),
        }
    }

    /// Puts a value at a key.
    pub fn set(&self, key: impl Into<String>, value: impl Into<Value>) {
        self.lock().insert(key.into(), Some(value.into()));
    }

    /// Takes a key away.
    pub fn remove(&self, key: impl Into<String>) {
        self.lock().insert(key.into(), None);
    }

    /// What has changed, by key; nothing is a key that was taken away.
    pub fn changes(&self) -> Vec<(String, Option<Value>)> {
        let changes = self.lock().clone();
        changes.into_iter().collect()
    }

    // A panic elsewhere leaves the map whole.
    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, Option<Value>>> {
        self.changes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
