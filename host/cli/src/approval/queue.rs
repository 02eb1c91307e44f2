//! Queued questions: each is asked once all earlier events have been shown.

use futures::future::BoxFuture;
use portcullis::approval::{ApprovalDecision, Approver, Question};
use portcullis_agent::ApprovalRequest;
use tokio::sync::{mpsc, oneshot};

/// A question, and the channel for the answer.
pub type Pending = (ApprovalRequest, oneshot::Sender<ApprovalDecision>);

/// An approver that queues questions.
pub struct Queue(mpsc::UnboundedSender<Pending>);

impl Queue {
    /// Returns a queue and its receiver.
    pub fn new() -> (Self, mpsc::UnboundedReceiver<Pending>) {
        let (send, receive) = mpsc::unbounded_channel();
        (Self(send), receive)
    }
}

impl Approver for Queue {
    fn ask<'a>(&'a self, question: Question<'a>) -> BoxFuture<'a, ApprovalDecision> {
        Box::pin(async move {
            let (reply, answer) = oneshot::channel();
            let nobody =
                || ApprovalDecision::Unanswered("there is no longer anybody to ask".into());
            if self.0.send((question.into(), reply)).is_err() {
                return nobody();
            }
            answer.await.unwrap_or_else(|_| nobody())
        })
    }
}
