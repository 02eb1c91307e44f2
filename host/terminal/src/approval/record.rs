//! Recording the questions that were asked, to show them later.

use std::sync::{Arc, Mutex, PoisonError};

use futures::future::BoxFuture;
use portcullis::approval::{ApprovalDecision, Approver, Question};

/// A question and its answer.
#[derive(Debug, Clone)]
pub struct Asked {
    /// The question.
    pub question: String,
    /// The value that would go ahead.
    pub value: String,
    /// The reason of a denial.
    pub reason: Option<String>,
}

/// An approver that records its questions.
#[derive(Clone)]
pub struct Recorded {
    approver: Arc<dyn Approver>,
    asked: Arc<Mutex<Vec<Asked>>>,
}

impl Recorded {
    /// Creates an approver that records the questions to another approver.
    pub fn new(approver: Arc<dyn Approver>) -> Self {
        Self {
            approver,
            asked: Arc::default(),
        }
    }

    /// Takes the questions since the last call.
    pub fn take(&self) -> Vec<Asked> {
        std::mem::take(&mut *self.asked.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Approver for Recorded {
    fn ask<'a>(&'a self, question: Question<'a>) -> BoxFuture<'a, ApprovalDecision> {
        Box::pin(async move {
            let decision = self.approver.ask(question).await;
            let asked = Asked {
                question: question.request.question.clone(),
                value: question.value.to_owned(),
                reason: match &decision {
                    ApprovalDecision::Deny(reason) | ApprovalDecision::Unanswered(reason) => {
                        Some(reason.clone())
                    }
                    _ => None,
                },
            };
            self.asked
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .push(asked);
            decision
        })
    }
}
