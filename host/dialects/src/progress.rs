//! The state of a session between events.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The state of a session between events. Agents do not number turns, and cannot refuse a session
/// or a sub-agent at its start. The state is stored as the session's memo.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub struct Progress {
    /// The turn, counted from 1; 0 before the first.
    pub turn: u32,
    /// The step of the turn, counted from 1.
    pub step: u32,
    /// The number of times that hooks have kept the turn going.
    pub kept_going: u32,
    /// The reason why the session was refused at its start: its prompts and tools are then refused
    /// too.
    pub session_refused: Option<String>,
    /// The reasons why sub-agents were refused at their start, by id: their tools are then refused
    /// too.
    pub agents_refused: BTreeMap<String, String>,
}

impl Progress {
    /// Reads the progress from a session's memo. The memo of a new session is null.
    ///
    /// # Errors
    ///
    /// The memo was not written by [`Progress::to_json`].
    pub fn read(memo: Value) -> Result<Self, serde_json::Error> {
        match memo {
            Value::Null => Ok(Self::default()),
            memo => serde_json::from_value(memo),
        }
    }

    /// Returns the progress as the session's memo.
    pub fn to_json(&self) -> Value {
        // The keys are strings, and the values are numbers and strings, so this does not fail.
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
