//! Answers to the calls of a suspended turn: each call is answered once and in time.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{CheckpointError, CheckpointInfo, NO_ANSWER, Resolution};
use crate::basics::units::now_ms;

/// A person or program that answers waiting calls.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answerer {
    /// The name, as shown to others.
    pub who: String,
    /// Whether the answers of others are replaced.
    pub replaces: bool,
}

impl Answerer {
    /// Creates an answerer that replaces no answers.
    pub fn new(who: impl Into<String>) -> Self {
        let who = who.into();
        Self {
            who,
            replaces: false,
        }
    }
}

/// The answerer of a call, and the time of the answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct AnsweredBy {
    /// The name.
    pub who: String,
    /// The time of the answer, in milliseconds since the Unix epoch.
    pub at_ms: u64,
}

impl CheckpointInfo {
    /// Returns whether the time for answers is over. Calls without an answer are then denied when
    /// the turn is resumed.
    pub fn is_over(&self) -> bool {
        self.until_ms.is_some_and(|until_ms| until_ms <= now_ms())
    }

    /// Adds answers. A store calls this on facts that it has locked, and saves the result.
    ///
    /// # Errors
    ///
    /// An answer does not fit, a call already has an answer that must not be replaced, or the time
    /// is over. Then no answer is added.
    pub fn answer(
        &mut self,
        resolutions: BTreeMap<String, Resolution>,
        by: &Answerer,
    ) -> Result<(), CheckpointError> {
        self.check(&resolutions)?;
        self.check_time()?;
        let has_answer = |call: &&String| self.resolutions.contains_key(*call);
        if let Some(call) = resolutions.keys().find(has_answer)
            && !by.replaces
        {
            return Err(self.answered_before(call));
        }
        let at_ms = now_ms();
        for (call, resolution) in resolutions {
            let who = by.who.clone();
            self.answered
                .insert(call.clone(), AnsweredBy { who, at_ms });
            self.resolutions.insert(call, resolution);
        }
        Ok(())
    }

    /// Returns the answers that the turn is resumed with: the given answers, the recorded answers,
    /// and, if the time is over, a denial of the other calls.
    pub(crate) fn answers(
        &self,
        given: &BTreeMap<String, Resolution>,
    ) -> Result<BTreeMap<String, Resolution>, CheckpointError> {
        let mut answers = self.resolutions.clone();
        if self.is_over() {
            answers.extend(self.answered_with_no(NO_ANSWER));
        }
        for (call, resolution) in given {
            match answers.get(call) {
                Some(known) if known == resolution => {}
                Some(_) if self.resolutions.contains_key(call) => {
                    return Err(self.answered_before(call));
                }
                Some(_) => self.check_time()?,
                None => drop(answers.insert(call.clone(), resolution.clone())),
            }
        }
        Ok(answers)
    }

    fn check_time(&self) -> Result<(), CheckpointError> {
        match self.until_ms.filter(|_| self.is_over()) {
            Some(until_ms) => Err(CheckpointError::Late {
                id: self.id.clone(),
                until_ms,
            }),
            None => Ok(()),
        }
    }

    fn answered_before(&self, call: &str) -> CheckpointError {
        CheckpointError::Answered {
            id: self.id.clone(),
            call: call.to_owned(),
            by: self.answered.get(call).cloned(),
        }
    }
}
