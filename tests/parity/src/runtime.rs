//! What a runtime is to its tests.

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
    /// The name of its agents.
    fn agent(&self) -> &str {
        "agent"
    }

    /// Of the moments at which a process may die, each how many is tried where time counts: 1 is all of them.
    fn every(&self) -> usize {
        1
    }

    /// How many processes of one turn may die.
    fn deaths_of_a_turn(&self) -> usize {
        usize::MAX
    }

    /// Starts a process that serves the session of this world with this agent, after the one before it has died or
    /// was stopped. `new` has the approver and all else that is not the runtime's.
    ///
    /// Around each effect that is done here, and not taken from the record, the process asks its mortality; see
    /// [`Mortality::begun`]. If its turns are recorded, it stops in order once it is asked to, as on SIGTERM:
    /// [`Mortality::parked`].
    async fn start(
        &self,
        world: &World,
        agent: Agent,
        new: NewSession,
        mortality: Mortality,
    ) -> Box<dyn Process>;

    /// Cancels the turn of the world's session, which runs or was interrupted, as an operator does from another
    /// process. Does nothing if only the process itself can cancel its turn.
    async fn cancel(&self, world: &World);
}

/// A process that serves a session. Nothing of it continues once it has [died](Left::Died), and it is dropped then.
#[async_trait]
pub trait Process: Send {
    /// Finishes the turn that a dead process left; or else runs one with this input.
    async fn turn(&mut self, input: &str) -> Left;

    /// Resumes the turn that [was suspended](End::Suspended). Says why if it is refused.
    async fn resume(
        &mut self,
        checkpoint: &str,
        resolutions: BTreeMap<String, Resolution>,
    ) -> Result<Left, String>;

    /// Waits until the time of a suspended turn is over, in which somebody might have answered. What is not answered is
    /// answered with no, and the turn continues.
    async fn expire(&mut self, checkpoint: &str) -> Left;

    /// Cancels the turn that runs now, or else the next one, from within this process.
    fn cancel(&self) -> Box<dyn FnOnce() + Send>;

    /// Ends the process without an error.
    async fn stop(self: Box<Self>);
}

/// What a process left.
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
    /// How.
    pub end: End,
    /// The messages of the session.
    pub conversation: Vec<Message>,
    /// The agent's state.
    pub state: Map<String, Value>,
    /// What the model calls of the session used.
    pub usage: Usage,
}

/// What a session without a model call used.
pub const NO_USAGE: Usage = Usage {
    input_tokens: 0,
    output_tokens: 0,
    cache_read_tokens: 0,
    cache_write_tokens: 0,
};

/// How a turn ended.
#[derive(Debug)]
pub enum End {
    /// It came to its end.
    Done,
    /// It waits for people.
    Suspended {
        /// What [`Process::resume`] takes.
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
    /// How the turn ended.
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

    /// The turn came to its end.
    ///
    /// # Panics
    ///
    /// It did not.
    pub fn done(self) -> Ended {
        let ended = self.ended();
        assert!(matches!(ended.end, End::Done), "{ended:#?}");
        ended
    }

    /// The checkpoint of the turn, which waits.
    ///
    /// # Panics
    ///
    /// It does not wait.
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
