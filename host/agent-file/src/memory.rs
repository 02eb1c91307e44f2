//! `[memory]`: what the agent remembers over sessions.

use std::sync::Arc;

use portcullis_agent::{MemoryConfig, RecallMemory};
use portcullis_store::Store;
use schemars::JsonSchema;
use serde::Deserialize;

/// What the agent remembers over sessions: past turns, in the store. Without this table it remembers
/// nothing.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case")]
pub struct Memory {
    /// How much is kept and recalled.
    pub limits: MemoryConfig,
}

impl Memory {
    pub(crate) fn of(&self, store: &Store) -> RecallMemory {
        RecallMemory::new(Arc::new(store.past_turns()), self.limits.clone())
    }
}
