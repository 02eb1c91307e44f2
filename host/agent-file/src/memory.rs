//! `[memory]`: the agent's memory across sessions.

use std::sync::Arc;

use portcullis_agent::{MemoryConfig, RecallMemory};
use portcullis_store::Store;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The agent's memory across sessions: past turns, in the store. Without this table the agent
/// remembers nothing.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case")]
pub struct Memory {
    /// Which turns of its user the agent remembers: with `directory`, those in its working directory; with `agent`, those
    /// of all agents of its name in the store, in whatever directory.
    pub scope: MemoryScope,
    /// How much is kept and recalled.
    pub limits: MemoryConfig,
}

/// Which turns of its user an agent remembers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum MemoryScope {
    /// The user's turns in the agent's working directory.
    #[default]
    Directory,
    /// The user's turns with all agents of this name in the store, in any directory.
    Agent,
}

impl Memory {
    /// Returns the memory of an agent in a directory.
    pub(crate) fn of(&self, store: &Store, working_dir: &str) -> RecallMemory {
        let turns = store.past_turns().in_directory(working_dir);
        let turns = match self.scope {
            MemoryScope::Directory => turns,
            MemoryScope::Agent => turns.of_all_directories(),
        };
        RecallMemory::new(Arc::new(turns), self.limits.clone())
    }
}
