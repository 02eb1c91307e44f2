//! The store of turns that have not ended.

use async_trait::async_trait;
use serde_json::Value;

use super::Place;

/// A turn that begins.
#[derive(Debug, Clone, PartialEq)]
pub struct NewTurn {
    /// The unique id of its run.
    pub id: String,
    /// The session.
    pub session: String,
    /// The agent.
    pub agent: String,
    /// The turn, counted from 1.
    pub turn: u32,
    /// The time at which it began, in milliseconds since the Unix epoch.
    pub began_ms: u64,
    /// The data that the turn began with.
    pub data: Value,
}

/// The value of an effect.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordedEffect {
    /// The effect.
    pub place: Place,
    /// Its value, as JSON text.
    pub value: String,
}

/// A turn that has begun and not ended, with its recorded effects.
#[derive(Debug, Clone, PartialEq)]
pub struct UnfinishedTurn {
    /// The turn.
    pub turn: NewTurn,
    /// Its effects, in any order.
    pub effects: Vec<RecordedEffect>,
    /// The number of times that it was begun, or read to be continued, including the current one.
    pub attempt: u32,
}

/// The error that a turn cannot be recorded or found.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TurnStoreError {
    /// The turn does not exist any more.
    #[error(
        "the turn `{0}` is not there any more: it was cancelled, or its session was released, and is open elsewhere"
    )]
    Gone(String),
    /// The store failed.
    #[error("the store of unfinished turns failed: {0}")]
    Failed(String),
}

/// A store of turns that have not ended. Only the process that has a session open writes its turn.
#[async_trait]
pub trait TurnStore: Send + Sync {
    /// Adds a turn. Replaces an unfinished turn of the session.
    ///
    /// # Errors
    ///
    /// The store failed.
    async fn begin(&self, turn: NewTurn) -> Result<(), TurnStoreError>;

    /// Adds the value of an effect to the turn with this id. The value is durable when this
    /// returns.
    ///
    /// # Errors
    ///
    /// The store failed, or the turn is [`Gone`](TurnStoreError::Gone).
    async fn record(&self, id: &str, effect: RecordedEffect) -> Result<(), TurnStoreError>;

    /// Returns whether a turn exists. Removing it cancels it: the process that runs it calls this
    /// function regularly.
    ///
    /// # Errors
    ///
    /// The store failed.
    async fn is_there(&self, id: &str) -> Result<bool, TurnStoreError>;

    /// Returns the unfinished turn of a session, to continue it.
    ///
    /// # Errors
    ///
    /// The store failed.
    async fn unfinished(&self, session: &str) -> Result<Option<UnfinishedTurn>, TurnStoreError>;

    /// Removes a turn that has ended, and its effects.
    ///
    /// # Errors
    ///
    /// The store failed.
    async fn end(&self, id: &str) -> Result<(), TurnStoreError>;
}
