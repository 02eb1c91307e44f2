//! The conversation: turns one after another, their events shown as they come.

use std::process::ExitCode;
use std::sync::Arc;

use portcullis::approval::ApprovalDecision;
use portcullis_agent::{AgentSession, EventReceiver};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::view::View;
use crate::approval::{Asking, Pending, TerminalApprover};
use crate::input::Lines;
use crate::terminal::interrupts::Interrupts;

/// The conversation.
pub struct Chat {
    /// The agent's events.
    pub events: EventReceiver,
    /// The user's lines.
    pub lines: Arc<Lines>,
    /// The hooks' questions.
    pub questions: mpsc::UnboundedReceiver<Pending>,
    /// The person who answers them.
    pub person: TerminalApprover,
    /// What shows the session.
    pub view: Box<dyn View>,
    /// The user's Ctrl-C.
    pub interrupts: Interrupts,
}

impl Chat {
    /// One turn.
    pub async fn once(
        &mut self,
        session: &mut AgentSession,
        message: &str,
    ) -> anyhow::Result<ExitCode> {
        let message = match message {
            "-" => self.whole_input().await?,
            message => message.to_owned(),
        };
        Ok(match self.turn(session, &message).await? {
            true => ExitCode::SUCCESS,
            false => ExitCode::FAILURE,
        })
    }

    /// A turn for every line, until there are no more.
    pub async fn converse(&mut self, session: &mut AgentSession) -> anyhow::Result<ExitCode> {
        let mut all_ok = true;
        loop {
            self.view.prompt()?;
            match self.line().await? {
                Some(line) if line.trim().is_empty() => {}
                Some(line) => all_ok &= self.turn(session, &line).await?,
                None => break,
            }
        }
        Ok(match all_ok {
            true => ExitCode::SUCCESS,
            false => ExitCode::FAILURE,
        })
    }

    /// The user's next line. Events in the meantime, such as reloaded hooks, are shown.
    async fn line(&mut self) -> anyhow::Result<Option<String>> {
        loop {
            tokio::select! {
                line = self.lines.next() => return Ok(line),
                () = self.interrupts.next() => return Ok(None),
                Some(emitted) = self.events.next() => {
                    self.view.event(&emitted)?;
                    self.drain()?;
                    self.view.prompt()?;
                }
            }
        }
    }

    /// Shows the events that have not been shown yet.
    pub fn drain(&mut self) -> anyhow::Result<()> {
        while let Some(emitted) = self.events.try_next() {
            self.view.event(&emitted)?;
        }
        Ok(())
    }

    /// Runs a turn; Ctrl-C cancels it. Returns whether it gave an output.
    async fn turn(&mut self, session: &mut AgentSession, message: &str) -> anyhow::Result<bool> {
        let cancel = CancellationToken::new();
        let turn = session.turn_until(message, cancel.clone());
        tokio::pin!(turn);
        let ended = loop {
            tokio::select! {
                biased;
                Some(emitted) = self.events.next() => self.view.event(&emitted)?,
                () = self.interrupts.next() => cancel.cancel(),
                Some((asking, reply)) = self.questions.recv() => {
                    let decision = self.decision(&asking, &cancel).await?;
                    // A cancelled turn does not wait for an answer.
                    let _ = reply.send(decision);
                }
                ended = &mut turn => break ended,
            }
        };
        self.interrupts.forget();
        self.drain()?;
        self.view.turn_ended(&ended)?;
        Ok(ended.is_ok())
    }

    async fn decision(
        &mut self,
        asking: &Asking,
        cancel: &CancellationToken,
    ) -> anyhow::Result<ApprovalDecision> {
        self.view.asking()?;
        Ok(tokio::select! {
            says = self.person.decide(asking) => says,
            () = self.interrupts.next() => {
                cancel.cancel();
                ApprovalDecision::Deny("the turn was cancelled".into())
            }
        })
    }

    async fn whole_input(&mut self) -> anyhow::Result<String> {
        let mut lines = Vec::new();
        loop {
            tokio::select! {
                line = self.lines.next() => match line {
                    Some(line) => lines.push(line),
                    None => return Ok(lines.join("\n")),
                },
                () = self.interrupts.next() => anyhow::bail!("interrupted"),
            }
        }
    }
}
