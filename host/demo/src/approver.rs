//! The scripted person.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use futures::future::BoxFuture;
use portcullis::approval::{ApprovalDecision, Approver, Question};

/// A person who answers questions by the script, and denies other questions.
pub struct ScriptedPerson(Mutex<VecDeque<ApprovalDecision>>);

impl ScriptedPerson {
    /// Returns the person of the demo: notes may be written, drafts may not be deleted.
    pub fn new() -> Self {
        Self(Mutex::new(VecDeque::from([
            ApprovalDecision::Approve,
            ApprovalDecision::Deny("keep the drafts until Friday".into()),
        ])))
    }
}

impl Approver for ScriptedPerson {
    fn ask<'a>(&'a self, _: Question<'a>) -> BoxFuture<'a, ApprovalDecision> {
        let mut answers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let says = answers.pop_front().unwrap_or_else(|| {
            ApprovalDecision::Deny("the script has no answer to this question".into())
        });
        Box::pin(std::future::ready(says))
    }
}
