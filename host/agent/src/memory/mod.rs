//! What an agent remembers from one session to the next.
//!
//! The memory is asked before a turn's steps and told after them (seed 000:
//! `pre_turn_context`, `post_turn_observe`). It is told before the `post-turn` hooks run, so what
//! only those redact is remembered as it was; redact at `post-llm-call` what must not be kept.

mod none;
mod recall;
mod sqlite;

use async_trait::async_trait;
use portcullis::contract::ContentPart;

pub use none::NoMemory;
pub use sqlite::{SqliteMemory, SqliteMemoryConfig};

/// The turn a memory is asked about.
#[derive(Debug, Clone, Copy)]
pub struct MemoryTurn<'a> {
    /// The agent.
    pub agent: &'a str,
    /// The user, as the embedder names them.
    pub user: Option<&'a str>,
    /// The session.
    pub session_id: &'a str,
    /// The turn, counted from 1.
    pub turn: u32,
}

/// A memory that could not do its work. The turn goes on without it.
#[derive(Debug, thiserror::Error)]
#[error("the memory failed: {0}")]
pub struct MemoryError(pub String);

/// What an agent remembers.
#[async_trait]
pub trait Memory: Send + Sync {
    /// What is worth knowing for this turn, as text for the model. It is put before what the user
    /// says, as a message of the role `user`: what is remembered is data, not instructions.
    ///
    /// # Errors
    ///
    /// The memory could not be searched.
    async fn pre_turn_context(
        &self,
        turn: MemoryTurn<'_>,
        input: &[ContentPart],
    ) -> Result<Option<String>, MemoryError>;

    /// Takes note of a turn that gave an output.
    ///
    /// # Errors
    ///
    /// The turn could not be kept.
    async fn post_turn_observe(
        &self,
        turn: MemoryTurn<'_>,
        input: &[ContentPart],
        output: &[ContentPart],
    ) -> Result<(), MemoryError>;
}
