//! Who talks with the agent: a person, or a program.

use futures::future::BoxFuture;
use portcullis::approval::ApprovalDecision;
use portcullis_agent::ApprovalRequest;

use super::protocol::Request;

/// What the session does while the front end is listened to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// It waits for the next input.
    Idle,
    /// A turn runs.
    Running,
    /// A turn is suspended, and is continued here once its answers are known.
    Waiting,
}

/// A request, and the line it was on, counted from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Said {
    /// The line.
    pub line: u64,
    /// The request, or why the line is none.
    pub request: Result<Request, String>,
}

/// Who talks with the agent.
pub trait Front: Send {
    /// The next request; `None` if there are no more. Dropping the future loses none.
    fn next(&mut self, phase: Phase) -> BoxFuture<'_, Option<Said>>;

    /// Puts a question. `None`: the answer comes as a request.
    fn ask<'a>(
        &'a mut self,
        request: &'a ApprovalRequest,
    ) -> BoxFuture<'a, Option<ApprovalDecision>>;
}
