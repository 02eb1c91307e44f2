//! The seam between the loop and what makes its turns survive their process.
//!
//! Whatever a turn does that depends on more than the turn itself is an effect: the hooks of a point, a
//! model call, a tool, what the policy and the memory say, what the user says meanwhile, a new id, a
//! wait. The loop does each of them through a `Scope`. Without a runtime a scope does the work and nothing
//! else. With one, the value of each effect is recorded at its place, and a turn that is run again with
//! the same record takes the values from there until the record ends.
//!
//! [`Local`] is the runtime for one machine: it records in a [`TurnStore`]. Another runtime implements
//! [`Effects`].

mod local;
mod scope;
mod turns;
mod within;

use futures::FutureExt as _;
use futures::future::BoxFuture;

pub use self::local::Local;
pub(crate) use self::scope::{Recorded, Scope, next_number};
pub use self::turns::{NewTurn, RecordedEffect, TurnStore, TurnStoreError, UnfinishedTurn};
pub use self::within::Within;

/// Where in a turn an effect is, and what it is. Both are the same whenever the turn is run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// Its number in the turn, from 0; those of a parallel tool call and of a sub-agent are counted by
    /// themselves, behind the number of the call: `7.2`.
    pub path: String,
    /// What it is, such as `decide pre-turn` or `tool write_file`.
    pub name: String,
}

/// Does the effects of one turn, and records their values.
pub trait Effects: Send + Sync {
    /// Identifies the run of the turn: the same in all processes that it takes, and of no other turn. With
    /// the path of an effect it is the key under which a tool that is run twice finds its first run.
    fn run_id(&self) -> &str;

    /// Gives the recorded value of an effect, as JSON text; or else does the work and records its value, before anything
    /// that depends on it happens. Work that was done and not recorded is done again.
    fn run<'a>(
        &'a self,
        place: Place,
        work: BoxFuture<'a, String>,
    ) -> BoxFuture<'a, Result<String, EffectsError>>;

    /// Waits until the turn cannot continue here, for a reason that no effect meets, such as a cancel by another
    /// process. The effect that runs is dropped then. By default it never returns.
    fn stopped(&self) -> BoxFuture<'_, EffectsError> {
        std::future::pending().boxed()
    }

    /// How often the turn was begun or continued, this time included; 1 if the runtime does not know.
    fn attempt(&self) -> u32 {
        1
    }

    /// Whether a recorded value is still to come: what happens now has happened before, in another process.
    /// A runtime that cannot know says no.
    fn is_replaying(&self) -> bool;
}

/// Why a turn cannot continue here. It stays as it is recorded.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EffectsError {
    /// The record is not of this agent as it is now.
    #[error(
        "at effect {path} it was recorded to do `{recorded}`, and does `{now}` now: its hooks, tools or \
         settings have changed since; finish it with those it began with, or discard it"
    )]
    Changed {
        /// The effect.
        path: String,
        /// What it was.
        recorded: String,
        /// What it would be.
        now: String,
    },
    /// A recorded value cannot be read.
    #[error("the record of effect {path} (`{name}`) cannot be read: {cause}; discard the turn")]
    Unreadable {
        /// The effect.
        path: String,
        /// What it is.
        name: String,
        /// What is wrong with it.
        cause: String,
    },
    /// A recorded value does not fit what is there now.
    #[error(
        "the record of effect {path} does not fit the agent any more: {cause}; discard the turn"
    )]
    Unfit {
        /// The effect.
        path: String,
        /// Why.
        cause: String,
    },
    /// Its process was asked to stop: see [`NewSession::park`](crate::NewSession::park).
    #[error("its process was asked to stop; it is finished when its session is next opened")]
    Parked,
    /// The checkpoint that it was resumed from cannot be read.
    #[error("the checkpoint that it was resumed from cannot be used: {0}")]
    Checkpoint(String),
    /// The turn is done, and its session could not be saved.
    #[error("its session cannot be saved: {0}; it is finished when its session is next opened")]
    Unsaved(String),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] TurnStoreError),
}
