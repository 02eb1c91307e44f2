//! A front end for a person, or for a pipe with a turn on each line.

use std::future::pending;
use std::io::{self, IsTerminal as _};
use std::sync::Arc;

use futures::future::BoxFuture;
use portcullis::approval::ApprovalDecision;
use portcullis_agent::ApprovalRequest;

use super::command;
use super::front::{Front, Heard, Phase, Said};
use super::protocol::Request;
use crate::approval::TerminalApprover;
use crate::input::{Lines, Typed};

/// A person. At a terminal, a command such as `/help` is for the chat, and other input during a
/// turn is for that turn. A line of a pipe is a turn of its own.
pub struct Person {
    lines: Arc<Lines>,
    approver: TerminalApprover,
    line: u64,
    /// Whether lines are read while a turn runs.
    steers: bool,
}

impl Person {
    /// Creates a person who types these lines. `converses` is whether each line is a turn, and
    /// nothing else reads the lines.
    pub fn new(lines: Arc<Lines>, approver: TerminalApprover, converses: bool) -> Self {
        Self {
            lines,
            approver,
            line: 0,
            steers: converses && io::stdin().is_terminal(),
        }
    }
}

impl Front for Person {
    fn next(&mut self, phase: Phase) -> BoxFuture<'_, Option<Said>> {
        Box::pin(async move {
            let is_read = match phase {
                Phase::Idle => true,
                Phase::Running => self.steers,
                Phase::Waiting => false,
            };
            if !is_read {
                pending::<()>().await;
            }
            let typed = match phase {
                Phase::Idle => self.lines.at_prompt().await?,
                _ => Typed::Text(self.lines.next().await?),
            };
            self.line += 1;
            let line = self.line;
            let text = match typed {
                Typed::Text(text) => text,
                Typed::Interrupt => {
                    let heard = Heard::Interrupt;
                    return Some(Said { line, heard });
                }
            };
            let command = match self.steers {
                true => command::read(&text),
                false => None,
            };
            let heard = match (command, phase) {
                (Some(heard), _) => heard,
                (None, Phase::Idle) => Heard::Request(Request::Input { text }),
                (None, _) => Heard::Request(Request::Steer { text }),
            };
            Some(Said { line, heard })
        })
    }

    fn leave(&mut self) {
        self.lines.release();
    }

    fn ask<'a>(
        &'a mut self,
        request: &'a ApprovalRequest,
    ) -> BoxFuture<'a, Option<ApprovalDecision>> {
        Box::pin(async move { Some(self.approver.decide(request).await) })
    }
}
