//! The store of turns that have not ended.

use async_trait::async_trait;
use serde_json::Value;

use super::Place;

/// A turn that begins.
#[derive(Debug, Clone, PartialEq)]
pub struct NewTurn {
    /// Identifies its run: no other turn has the id.
    pub id: String,
    /// The session.
    pub session: String,
    /// The agent.
    pub agent: String,
    /// The turn, counted from 1.
    pub turn: u32,
    /// When it began, in milliseconds since the Unix epoch.
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

/// A turn that has begun and not ended, with the effects that are recorded of it.
#[derive(Debug, Clone, PartialEq)]
pub struct UnfinishedTurn {
    /// The turn.
    pub turn: NewTurn,
    /// Its effects, in any order.
    pub effects: Vec<RecordedEffect>,
    /// How often it was begun, or looked for to be continued, this time included.
    pub attempt: u32,
}

/// A turn cannot be recorded, or not be found.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TurnStoreError {
    /// The turn of this id is not there.
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
    /// Adds a turn. It takes the place of an unfinished one of the session.
    ///
    /// # Errors
    ///
    /// The store failed.
    async fn begin(&self, turn: NewTurn) -> Result<(), TurnStoreError>;

    /// Adds the value of an effect to a turn, which is identified by its id. It is durable when this
    /// returns.
    ///
    /// # Errors
    ///
    /// The store failed, or the turn is [`Gone`](TurnStoreError::Gone).
    async fn record(&self, id: &str, effect: RecordedEffect) -> Result<(), TurnStoreError>;

    /// Whether a turn is there. Who removes it cancels it: the process that runs it asks from time to time.
    ///
    /// # Errors
    ///
    /// The store failed.
    async fn is_there(&self, id: &str) -> Result<bool, TurnStoreError>;

    /// The unfinished turn of a session, to continue it.
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
