//! The end of a turn.

use std::time::Duration;

use portcullis::contract::{ContentPart, StopReason, Usage};

use super::Suspension;
use crate::basics::text;
use crate::events::TurnOrigin;

/// The end of a turn that does not fail.
#[derive(Debug, Clone, PartialEq)]
pub enum TurnEnd {
    /// The turn has an output.
    Done(TurnReport),
    /// The turn waits for a decision or a result from outside. Only in sessions with a store for
    /// checkpoints ([`NewSession::checkpoints`](crate::NewSession)).
    Suspended(Suspension),
}

impl TurnEnd {
    /// Returns the report of a turn that has an output.
    ///
    /// # Errors
    ///
    /// The suspension, if the turn is suspended.
    pub fn done(self) -> Result<TurnReport, Suspension> {
        match self {
            Self::Done(report) => Ok(report),
            Self::Suspended(suspension) => Err(suspension),
        }
    }
}

/// A turn that has an output.
#[derive(Debug, Clone, PartialEq)]
pub struct TurnReport {
    /// The turn's number in the session, counted from 1.
    pub turn: u32,
    /// The output: the last response of the model, or of a hook in its place, without reasoning.
    pub output: Vec<ContentPart>,
    /// The origin of the output.
    pub origin: TurnOrigin,
    /// The number of steps; 0 if the model was not called.
    pub steps: u32,
    /// The stop reason of the last step.
    pub stop: StopReason,
    /// The tokens of its model calls, including calls by compactions and sub-agents.
    pub usage: Usage,
    /// The duration, without the time it was suspended.
    pub elapsed: Duration,
}

impl TurnReport {
    /// Returns the text of the output.
    pub fn text(&self) -> String {
        text::joined(&self.output)
    }
}
