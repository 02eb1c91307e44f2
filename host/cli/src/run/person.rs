//! A person who talks with the agent, or a pipe with a turn on each line.

use std::future::pending;
use std::io::{self, IsTerminal as _};
use std::sync::Arc;

use futures::future::BoxFuture;
use portcullis::approval::ApprovalDecision;
use portcullis_agent::ApprovalRequest;

use super::front::{Front, Phase, Said};
use super::protocol::Request;
use crate::approval::TerminalApprover;
use crate::input::Lines;

/// A person. What is typed at a terminal during a turn is for that turn; a line of a pipe is a turn of its
/// own.
pub struct Person {
    lines: Arc<Lines>,
    approver: TerminalApprover,
    line: u64,
    /// Whether lines are read while a turn runs.
    steers: bool,
}

impl Person {
    /// A person who types these lines. `converses`: each is a turn, and nothing else reads them.
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
            let text = self.lines.next().await?;
            self.line += 1;
            let request = match phase {
                Phase::Idle => Request::Input { text },
                _ => Request::Steer { text },
            };
            Some(Said {
                line: self.line,
                request: Ok(request),
            })
        })
    }

    fn ask<'a>(
        &'a mut self,
        request: &'a ApprovalRequest,
    ) -> BoxFuture<'a, Option<ApprovalDecision>> {
        Box::pin(async move { Some(self.approver.decide(request).await) })
    }
}
