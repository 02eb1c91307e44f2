//! The interface between the loop and the runtime that makes turns survive their process.
//!
//! An effect is an action of a turn that depends on more than the turn itself: the hooks of a
//! point, a model call, a tool, an answer of the policy or the memory, steering by the user, a new
//! id, a wait. The loop does each effect through a `Scope`. Without a runtime, a scope only does
//! the work. With a runtime, it records the value of each effect at its place, and a turn that runs
//! again with the same record takes the values from the record until the record ends.
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

/// The position and name of an effect in a turn. Both are the same whenever the turn is run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The effect's number in the turn, from 0. Effects of a parallel tool call or a sub-agent are
    /// numbered separately, after the number of the call: `7.2`.
    pub path: String,
    /// The effect's name, such as `decide pre-turn` or `tool write_file`.
    pub name: String,
}

/// Does the effects of one turn, and records their values.
pub trait Effects: Send + Sync {
    /// Returns the id of the turn's run, which is the same in all processes that run the turn, and
    /// unique to the turn. The id and an effect's path form the key by which a repeated tool run
    /// finds its first run.
    fn run_id(&self) -> &str;

    /// Returns the recorded value of an effect, as JSON text. Without a recorded value, does the
    /// work and records its value before anything that depends on it happens. Work that was done
    /// but not recorded is done again.
    fn run<'a>(
        &'a self,
        place: Place,
        work: BoxFuture<'a, String>,
    ) -> BoxFuture<'a, Result<String, EffectsError>>;

    /// Waits until the turn cannot continue here for a reason outside of its effects, such as a
    /// cancel by another process. The running effect is then dropped. By default it never returns.
    fn stopped(&self) -> BoxFuture<'_, EffectsError> {
        std::future::pending().boxed()
    }

    /// Returns the number of times that the turn was begun or continued, including the current one;
    /// 1 if the runtime does not know.
    fn attempt(&self) -> u32 {
        1
    }

    /// Returns whether recorded values remain, so that the current work was already done in another
    /// process. A runtime that cannot know returns `false`.
    fn is_replaying(&self) -> bool;

    /// Returns the first recorded effect that the turn has not taken, of those whose path begins
    /// with `_prefix`. If the turn ends before that effect, the turn is not the recorded one. A
    /// runtime that cannot know returns `None`, which is the default.
    fn first_left(&self, _prefix: &str) -> Option<Place> {
        None
    }
}

/// The reason that a turn cannot continue here. Its record is not changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EffectsError {
    /// The record does not match the agent's current hooks, tools or settings.
    #[error(
        "at effect {path} it was recorded to do `{recorded}`, and does `{now}` now: its hooks, tools or \
         settings have changed since; finish it with those it began with, or discard it"
    )]
    Changed {
        /// The effect.
        path: String,
        /// The recorded name.
        recorded: String,
        /// The current name.
        now: String,
    },
    /// A recorded value cannot be read.
    #[error("the record of effect {path} (`{name}`) cannot be read: {cause}; discard the turn")]
    Unreadable {
        /// The effect.
        path: String,
        /// The effect's name.
        name: String,
        /// The error text.
        cause: String,
    },
    /// A recorded value does not fit the current agent.
    #[error(
        "the record of effect {path} does not fit the agent any more: {cause}; discard the turn"
    )]
    Unfit {
        /// The effect.
        path: String,
        /// The cause.
        cause: String,
    },
    /// The process was asked to stop: see [`NewSession::park`](crate::NewSession::park).
    #[error("its process was asked to stop; it is finished when its session is next opened")]
    Parked,
    /// The checkpoint that the turn was resumed from cannot be read.
    #[error("the checkpoint that it was resumed from cannot be used: {0}")]
    Checkpoint(String),
    /// The turn is done, but its session could not be saved.
    #[error("its session cannot be saved: {0}; it is finished when its session is next opened")]
    Unsaved(String),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] TurnStoreError),
}
