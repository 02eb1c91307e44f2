//! Who talks with the agent: a person, or a program.

use futures::future::BoxFuture;
use portcullis::approval::ApprovalDecision;
use portcullis_agent::ApprovalRequest;

use super::command::Command;
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

/// What was said, and the line it was on, counted from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Said {
    /// The line.
    pub line: u64,
    /// What was said.
    pub heard: Heard,
}

/// What a line says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Heard {
    /// A request to the session.
    Request(Request),
    /// A command of a person to the chat.
    Command(Command),
    /// Ctrl-C of a person at the prompt.
    Interrupt,
    /// Nothing that is understood, because of this.
    Wrong(String),
}

impl From<Result<Request, String>> for Heard {
    fn from(read: Result<Request, String>) -> Self {
        match read {
            Ok(request) => Self::Request(request),
            Err(why) => Self::Wrong(why),
        }
    }
}

/// Who talks with the agent.
pub trait Front: Send {
    /// The next request; `None` if there are no more. Dropping the future loses none.
    fn next(&mut self, phase: Phase) -> BoxFuture<'_, Option<Said>>;

    /// Ends what a person may still be typing.
    fn leave(&mut self) {}

    /// Puts a question. `None`: the answer comes as a request.
    fn ask<'a>(
        &'a mut self,
        request: &'a ApprovalRequest,
    ) -> BoxFuture<'a, Option<ApprovalDecision>>;
}
