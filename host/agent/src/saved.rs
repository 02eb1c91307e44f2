//! Sessions that are saved, so that they outlive their process.
//!
//! A session is claimed when it is opened, so that two processes never add to one conversation. The
//! session is saved at the end of each turn.

use async_trait::async_trait;
use serde_json::Value;

use crate::basics::units::seconds_since;

/// The saved form of a session.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SavedSession {
    /// Its id.
    pub id: String,
    /// The agent.
    pub agent: String,
    /// The user.
    pub user: Option<String>,
    /// The working directory.
    pub working_dir: Option<String>,
    /// The number of turns, including failed ones.
    pub turns: u32,
    /// The number of messages in the conversation.
    pub messages: u32,
    /// The conversation, the agent's state and the usage; null before the first turn has ended.
    pub data: Value,
}

/// The reason that a session cannot be opened or saved.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SavedSessionError {
    /// The session is open in another process.
    #[error(
        "session `{id}` is open in process {pid} on {machine}, which opened it {} s ago; end it \
         there, or release it with `portcullis sessions release {id}`", seconds_since(*since_ms)
    )]
    Held {
        /// The session.
        id: String,
        /// The process.
        pid: u64,
        /// Its machine.
        machine: String,
        /// The time at which it was opened, in milliseconds since the Unix epoch.
        since_ms: u64,
    },
    /// The session is another agent's.
    #[error("session `{id}` is of agent `{agent}`, and this is `{here}`; open it with that agent")]
    OtherAgent {
        /// The session.
        id: String,
        /// The agent of the session.
        agent: String,
        /// The agent that opened it.
        here: String,
    },
    /// The session is another user's.
    #[error(
        "session `{id}` is of {}, and this is {}; open it as that user, or begin another session",
        shown(user.as_deref()), shown(here.as_deref())
    )]
    OtherUser {
        /// The session.
        id: String,
        /// The user of the session.
        user: Option<String>,
        /// The user that opened it.
        here: Option<String>,
    },
    /// The data of the session cannot be read.
    #[error("session `{id}` is damaged: {cause}; restore its store from a backup, or delete it")]
    Damaged {
        /// The session.
        id: String,
        /// The error text.
        cause: String,
    },
    /// The session was released or deleted while this process had it open.
    #[error("session `{id}` is not this process's any more: it was released or deleted")]
    Lost {
        /// The session.
        id: String,
    },
    /// The store failed.
    #[error("the store of sessions failed: {0}")]
    Store(String),
}

fn shown(user: Option<&str>) -> String {
    user.map_or_else(|| "no user".into(), |user| format!("user `{user}`"))
}

/// A store of sessions.
#[async_trait]
pub trait SessionStore: Send + Sync {
    /// Claims a session, and returns its saved form. An unknown session is added, with the agent,
    /// the user and the directory of `session`.
    ///
    /// If the future is dropped, the caller neither has the session nor closes it: a claim that was
    /// made meanwhile must be released.
    ///
    /// # Errors
    ///
    /// The session is open in another process, another agent's or another user's, or the store
    /// failed.
    async fn open(&self, session: SavedSession) -> Result<SavedSession, SavedSessionError>;

    /// Saves a session that this process has claimed. The session is durable when this returns.
    ///
    /// # Errors
    ///
    /// This process has not claimed the session, or the store failed.
    async fn save(&self, session: SavedSession) -> Result<(), SavedSessionError>;

    /// Releases a session that this process has claimed. A session without a turn and without saved
    /// data is removed.
    ///
    /// # Errors
    ///
    /// The store failed.
    async fn close(&self, id: &str) -> Result<(), SavedSessionError>;
}
