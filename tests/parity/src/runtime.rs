//! The interface of a runtime for its tests.

use std::collections::BTreeMap;

use async_trait::async_trait;
use portcullis::contract::{Message, Usage};
use portcullis_agent::{Agent, EffectsError, NewSession, Resolution};
use serde_json::{Map, Value};

use crate::mortality::Mortality;
use crate::world::World;

/// A runtime under test.
#[async_trait]
pub trait Runtime: Send + Sync {
    /// Returns the name of its agents.
    fn agent(&self) -> &str {
        "agent"
    }

    /// Returns the interval between the tried moments at which a process may die, where time
    /// counts: 1 tries all of them.
    fn every(&self) -> usize {
        1
    }

    /// Returns the number of processes of one turn that may die.
    fn deaths_of_a_turn(&self) -> usize {
        usize::MAX
    }

    /// Starts a process that serves the session of this world with this agent, after the previous
    /// one has died or was stopped. `new` has the approver and all other settings that are not the
    /// runtime's.
    ///
    /// The process asks its mortality around each effect that is performed here, and not taken from
    /// the record; see [`Mortality::begun`]. If its turns are recorded, it stops in order once it
    /// is asked to, as on SIGTERM: [`Mortality::parked`].
    async fn start(
        &self,
        world: &World,
        agent: Agent,
        new: NewSession,
        mortality: Mortality,
    ) -> Box<dyn Process>;

    /// Cancels the running or interrupted turn of the world's session, as an operator does from
    /// another process. Does nothing if only the process itself can cancel its turn.
    async fn cancel(&self, world: &World);
}

/// A process that serves a session. Once it has [died](Left::Died), no part of it continues, and it
/// is dropped.
#[async_trait]
pub trait Process: Send {
    /// Finishes the turn that a dead process left, or else runs one with this input.
    async fn turn(&mut self, input: &str) -> Left;

    /// Resumes the turn that [was suspended](End::Suspended). Returns the reason if it is refused.
    async fn resume(
        &mut self,
        checkpoint: &str,
        resolutions: BTreeMap<String, Resolution>,
    ) -> Result<Left, String>;

    /// Waits until the time for answers to a suspended turn is over. Open questions are answered
    /// with no, and the turn continues.
    async fn expire(&mut self, checkpoint: &str) -> Left;

    /// Cancels the turn that runs now, or else the next one, from within this process.
    fn cancel(&self) -> Box<dyn FnOnce() + Send>;

    /// Ends the process without an error.
    async fn stop(self: Box<Self>);
}

/// The result of a process.
#[derive(Debug)]
pub enum Left {
    /// It died.
    Died,
    /// It was asked to stop, and left its turn to the next process.
    Parked,
    /// Its turn ended.
    Ended(Box<Ended>),
}

/// A turn that ended.
#[derive(Debug)]
pub struct Ended {
    /// The end of the turn.
    pub end: End,
    /// The messages of the session.
    pub conversation: Vec<Message>,
    /// The agent's state.
    pub state: Map<String, Value>,
    /// The usage of the session's model calls.
    pub usage: Usage,
}

/// The usage of a session without a model call.
pub const NO_USAGE: Usage = Usage {
    input_tokens: 0,
    output_tokens: 0,
    cache_read_tokens: 0,
    cache_write_tokens: 0,
};

/// The end of a turn.
#[derive(Debug)]
pub enum End {
    /// It completed.
    Done,
    /// It waits for people.
    Suspended {
        /// The argument of [`Process::resume`].
        checkpoint: String,
    },
    /// It was cancelled.
    Cancelled,
    /// It cannot continue here.
    Interrupted(EffectsError),
    /// It failed.
    Failed(String),
}

impl Left {
    /// Returns the ended turn.
    ///
    /// # Panics
    ///
    /// The process died, or was asked to stop.
    pub fn ended(self) -> Ended {
        match self {
            Self::Ended(ended) => *ended,
            Self::Died => panic!("the process died"),
            Self::Parked => panic!("the process was asked to stop"),
        }
    }

    /// Returns the ended turn, which must have completed.
    ///
    /// # Panics
    ///
    /// The turn did not complete.
    pub fn done(self) -> Ended {
        let ended = self.ended();
        assert!(matches!(ended.end, End::Done), "{ended:#?}");
        ended
    }

    /// Returns the checkpoint of the turn, which waits.
    ///
    /// # Panics
    ///
    /// The turn does not wait.
    pub fn suspended(self) -> String {
        match self.ended() {
            Ended {
                end: End::Suspended { checkpoint },
                ..
            } => checkpoint,
            other => panic!("it is not suspended: {other:#?}"),
        }
    }
}
