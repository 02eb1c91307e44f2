//! An agent's memory across sessions.
//!
//! The memory returns context before a turn's steps, and observes the turn after them (AgentHook's
//! `pre_turn_context` and `post_turn_observe`). It observes the turn before the `post-turn` hooks
//! run, so text that only those hooks redact is stored unredacted. Redact text that must not be
//! stored at `post-llm-call`.

mod none;
mod recall;

use async_trait::async_trait;
use portcullis::contract::ContentPart;
use serde::{Deserialize, Serialize};

pub use none::NoMemory;
pub use recall::{MemoryConfig, PastTurn, PastTurns, RecallMemory};

/// The turn that a memory receives.
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

/// A failure of the memory. The turn continues without it.
#[derive(Debug, Serialize, Deserialize, thiserror::Error)]
#[error("the memory failed: {0}")]
pub struct MemoryError(pub String);

/// An agent's memory.
#[async_trait]
pub trait Memory: Send + Sync {
    /// Returns text for the model that is relevant to this turn. The text is added before the
    /// input, as a message of role `user`, because it is data and not instructions.
    ///
    /// # Errors
    ///
    /// The memory could not be searched.
    async fn pre_turn_context(
        &self,
        turn: MemoryTurn<'_>,
        input: &[ContentPart],
    ) -> Result<Option<String>, MemoryError>;

    /// Observes a turn that has an output.
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
