//! The person of the script.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use futures::future::BoxFuture;
use portcullis::{Approver, PersonSays, Question};

/// Answers questions as the script says; what it does not foresee is denied.
pub struct ScriptedPerson(Mutex<VecDeque<PersonSays>>);

impl ScriptedPerson {
    /// The person of the demo: notes may be written, drafts may not be deleted.
    pub fn new() -> Self {
        Self(Mutex::new(VecDeque::from([
            PersonSays::Yes,
            PersonSays::No("keep the drafts until Friday".into()),
        ])))
    }
}

impl Approver for ScriptedPerson {
    fn ask<'a>(&'a self, _: Question<'a>) -> BoxFuture<'a, PersonSays> {
        let mut answers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let says = answers
            .pop_front()
            .unwrap_or_else(|| PersonSays::No("the script does not foresee this question".into()));
        Box::pin(std::future::ready(says))
    }
}
