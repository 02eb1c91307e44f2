//! The state of a session that is kept from event to event.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The state of a session that is kept from event to event, since agents state no turn and cannot
/// refuse a session or a sub-agent at its start. It is stored as the session's memo.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub struct Progress {
    /// The turn, counted from 1; 0 before the first.
    pub turn: u32,
    /// The step of the turn, counted from 1.
    pub step: u32,
    /// How often hooks have kept the turn going.
    pub kept_going: u32,
    /// Why the session was refused at its start: its prompts and tools are then refused too.
    pub session_refused: Option<String>,
    /// Why sub-agents were refused at their start, by id: their tools are then refused too.
    pub agents_refused: BTreeMap<String, String>,
}

impl Progress {
    /// Reads what was remembered; null is a session that begins.
    ///
    /// # Errors
    ///
    /// It was not written by [`Progress::to_json`].
    pub fn read(memo: Value) -> Result<Self, serde_json::Error> {
        match memo {
            Value::Null => Ok(Self::default()),
            memo => serde_json::from_value(memo),
        }
    }

    /// To be remembered.
    pub fn to_json(&self) -> Value {
        // Its keys are texts and its values numbers and texts.
        serde_json::to_value(self).unwrap_or_default()
    }

    pub(crate) fn next_turn(&mut self) {
        self.turn = self.turn.saturating_add(1);
        self.step = 1;
        self.kept_going = 0;
    }

    pub(crate) fn next_step(&mut self) {
        self.step = self.step.saturating_add(1);
    }
}
