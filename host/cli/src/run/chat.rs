//! The conversation: turns one after another, their events shown as they come.

use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Context as _;
use portcullis::approval::ApprovalDecision;
use portcullis_agent::{Agent, AgentSession, EventReceiver, NewSession, TurnEnd, TurnError};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::resume::Resumed;
use super::view::View;
use crate::approval::{Asking, Pending, TerminalApprover};
use crate::input::Lines;
use crate::terminal::interrupts::Interrupts;

/// The exit code of a suspended turn.
const SUSPENDED: u8 = 3;

/// How the turns of a session ended: the worst of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Ended {
    Done,
    Failed,
    Suspended,
}

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
    /// A session: the resumed turn if there is one, the message if there is one, else a turn for every
    /// line, until there are no more. After a resumed turn, lines are not read.
    pub async fn session(
        &mut self,
        agent: &Agent,
        new: NewSession,
        resumed: Option<Resumed>,
        message: Option<String>,
    ) -> anyhow::Result<ExitCode> {
        let converses = resumed.is_none();
        let (mut session, mut ended) = match resumed {
            Some((checkpoint, resolutions)) => {
                let cancel = new.cancel.clone();
                let resume = agent.resume(checkpoint, resolutions, new);
                let (session, turn) = self.watch(resume, &cancel).await??;
                (session, self.ended(&turn)?)
            }
            None => {
                let session = agent.session(new).await;
                self.drain()?;
                (session.context("the session did not start")?, Ended::Done)
            }
        };
        let conversation = match message {
            _ if ended == Ended::Suspended => Ok(ended),
            Some(message) => self.once(&mut session, &message).await,
            None if converses => self.converse(&mut session).await,
            None => Ok(ended),
        };
        session.close().await;
        self.drain()?;
        ended = ended.max(conversation?);
        Ok(match ended {
            Ended::Done => ExitCode::SUCCESS,
            Ended::Failed => ExitCode::FAILURE,
            Ended::Suspended => ExitCode::from(SUSPENDED),
        })
    }

    /// One turn.
    async fn once(&mut self, session: &mut AgentSession, message: &str) -> anyhow::Result<Ended> {
        let message = match message {
            "-" => self.whole_input().await?,
            message => message.to_owned(),
        };
        self.turn(session, &message).await
    }

    /// A turn for every line, until there are no more or one is suspended.
    async fn converse(&mut self, session: &mut AgentSession) -> anyhow::Result<Ended> {
        let mut ended = Ended::Done;
        while ended != Ended::Suspended {
            self.view.prompt()?;
            match self.line().await? {
                Some(line) if line.trim().is_empty() => {}
                Some(line) => ended = ended.max(self.turn(session, &line).await?),
                None => break,
            }
        }
        Ok(ended)
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

    /// Runs a turn; Ctrl-C cancels it.
    async fn turn(&mut self, session: &mut AgentSession, message: &str) -> anyhow::Result<Ended> {
        let cancel = CancellationToken::new();
        let turn = session.turn_until(message, cancel.clone());
        let ended = self.watch(turn, &cancel).await?;
        self.ended(&ended)
    }

    /// Shows events and asks questions until something has ended; Ctrl-C cancels it.
    async fn watch<T>(
        &mut self,
        running: impl Future<Output = T>,
        cancel: &CancellationToken,
    ) -> anyhow::Result<T> {
        tokio::pin!(running);
        let ended = loop {
            tokio::select! {
                biased;
                Some(emitted) = self.events.next() => self.view.event(&emitted)?,
                () = self.interrupts.next() => cancel.cancel(),
                Some((asking, reply)) = self.questions.recv() => {
                    let decision = self.decision(&asking, cancel).await?;
                    // A cancelled turn does not wait for an answer.
                    let _ = reply.send(decision);
                }
                ended = &mut running => break ended,
            }
        };
        self.interrupts.forget();
        self.drain()?;
        Ok(ended)
    }

    /// Shows how a turn ended.
    fn ended(&mut self, ended: &Result<TurnEnd, TurnError>) -> anyhow::Result<Ended> {
        self.view.turn_ended(ended)?;
        Ok(match ended {
            Ok(TurnEnd::Done(_)) => Ended::Done,
            Ok(TurnEnd::Suspended(_)) => Ended::Suspended,
            Err(_) => Ended::Failed,
        })
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
