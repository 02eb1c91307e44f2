//! The front end that talks with the agent: a person, or a program.

use futures::future::BoxFuture;
use portcullis::approval::ApprovalDecision;
use portcullis_agent::ApprovalRequest;

use super::command::Command;
use super::protocol::Request;

/// The state of the session while it listens to the front end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// The session waits for the next input.
    Idle,
    /// A turn runs.
    Running,
    /// A turn is suspended, and is continued here once its answers are known.
    Waiting,
}

/// An input line: its number, counted from 1, and its meaning.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Said {
    /// The line.
    pub line: u64,
    /// The line's meaning.
    pub heard: Heard,
}

/// The meaning of an input line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Heard {
    /// A request to the session.
    Request(Request),
    /// A person's command to the chat.
    Command(Command),
    /// A person's Ctrl-C at the prompt.
    Interrupt,
    /// An invalid line, with the reason.
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

/// A front end: a person or a program that talks with the agent.
pub trait Front: Send {
    /// Returns the next request; `None` if there are no more. Dropping the future loses none.
    fn next(&mut self, phase: Phase) -> BoxFuture<'_, Option<Said>>;

    /// Ends the line that a person may still be typing.
    fn leave(&mut self) {}

    /// Asks a question. Returns `None` if the answer comes as a request.
    fn ask<'a>(
        &'a mut self,
        request: &'a ApprovalRequest,
    ) -> BoxFuture<'a, Option<ApprovalDecision>>;
}
