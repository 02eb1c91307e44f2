//! `[memory]`: what the agent remembers over sessions.

use std::sync::Arc;

use portcullis_agent::{MemoryConfig, RecallMemory};
use portcullis_store::Store;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What the agent remembers over sessions: past turns, in the store. Without this table it remembers
/// nothing.
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
    /// Those in its working directory.
    #[default]
    Directory,
    /// Those of all agents of its name in the store, in whatever directory.
    Agent,
}

impl Memory {
    /// The memory of an agent in a directory.
    pub(crate) fn of(&self, store: &Store, working_dir: &str) -> RecallMemory {
        let turns = store.past_turns().in_directory(working_dir);
        let turns = match self.scope {
            MemoryScope::Directory => turns,
            MemoryScope::Agent => turns.of_all_directories(),
        };
        RecallMemory::new(Arc::new(turns), self.limits.clone())
    }
}
