//! How a turn ends.

use std::time::Duration;

use portcullis::contract::{ContentPart, StopReason, Usage};

use super::Suspension;
use crate::basics::text;
use crate::events::TurnOrigin;

/// How a turn ends if it does not fail.
#[derive(Debug, Clone, PartialEq)]
pub enum TurnEnd {
    /// It has an output.
    Done(TurnReport),
    /// It waits for a decision or a result from outside. Only in sessions with a store for
    /// checkpoints ([`NewSession::checkpoints`](crate::NewSession)).
    Suspended(Suspension),
}

impl TurnEnd {
    /// The report of a turn that has an output.
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
    /// Where the output is from.
    pub origin: TurnOrigin,
    /// How many steps the turn took; 0 if the model was not called.
    pub steps: u32,
    /// Why the last step stopped.
    pub stop: StopReason,
    /// The tokens of its model calls, including calls by compactions and sub-agents.
    pub usage: Usage,
    /// How long it took, without the time it was suspended.
    pub elapsed: Duration,
}

impl TurnReport {
    /// The text of the output.
    pub fn text(&self) -> String {
        text::joined(&self.output)
    }
}
