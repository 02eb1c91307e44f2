//! The conversation: turns one after another, with their events as they arrive.

mod commands;
mod finish;
mod input;
pub mod jobs;
pub mod turn;
pub mod waiting;

use std::collections::{BTreeMap, VecDeque};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Context as _;
use portcullis::approval::ApprovalDecision;
use portcullis_agent::{
    Agent, AgentSession, CheckpointId, CheckpointStore, EventReceiver, NewSession, Resolution,
    SessionError, Steering, Suspension, TurnEnd, TurnError,
};
use portcullis_agent_file::LoadedHooks;
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use super::front::Front;
use super::view::View;
use crate::approval::Pending;
use crate::terminal::Printable;
use crate::terminal::signals::{Signal, Signals};

/// The exit code of a suspended turn.
pub(super) const SUSPENDED: u8 = 3;

/// The session's beginning.
#[derive(Debug, Default)]
pub struct Begin {
    /// The suspended turn that is resumed first.
    pub resumed: Option<(CheckpointId, BTreeMap<String, Resolution>)>,
    /// The next turn.
    pub message: Option<String>,
}

/// The conversation.
pub struct Chat {
    /// The agent's events.
    pub events: EventReceiver,
    /// The hooks' questions.
    pub questions: mpsc::UnboundedReceiver<Pending>,
    /// The hooks of the agent.
    pub hooks: LoadedHooks,
    /// The view that shows the session.
    pub view: Box<dyn View>,
    /// The front end that talks with the agent.
    pub front: Box<dyn Front>,
    /// The store of suspended turns.
    pub store: Option<Arc<dyn CheckpointStore>>,
    /// Whether a suspended turn is continued here, once its answers are known.
    pub waits: bool,
    /// The state of the session.
    pub state: State,
}

/// The state of a running session.
#[derive(Default)]
pub struct State {
    signals: Signals,
    /// Inputs of later turns.
    inputs: VecDeque<String>,
    /// The user's messages to the running turn.
    steering: Steering,
    /// Parks the session.
    park: CancellationToken,
    /// The questions that wait for a request with the answer, by id.
    open: BTreeMap<String, oneshot::Sender<ApprovalDecision>>,
    /// The number of questions asked.
    asked: u64,
    /// Whether more inputs may come.
    more_inputs: bool,
    /// Whether more requests may come.
    more_requests: bool,
    /// The lookups of chat commands. A turn does not wait for them.
    looked_up: JoinSet<Printable>,
    /// Whether a turn failed.
    failed: bool,
    /// The signal that ended the session.
    stopped: Option<Signal>,
}

/// An open session.
struct Open {
    session: AgentSession,
    /// The suspension of its last turn, if that turn is suspended.
    waiting: Option<Suspension>,
}

impl Chat {
    /// Runs a session: the resumed turn if there is one, then the message if there is one, then, if
    /// it `converses`, a turn for every input.
    pub async fn session(
        &mut self,
        agent: &Agent,
        new: NewSession,
        begin: Begin,
        converses: bool,
    ) -> anyhow::Result<ExitCode> {
        self.state.steering = new.steering.clone();
        self.state.park = new.park.clone();
        self.state.inputs.extend(begin.message);
        (self.state.more_inputs, self.state.more_requests) = (converses, converses);
        let opened = match begin.resumed {
            Some((id, resolutions)) => self.resume(agent, &new, id, resolutions).await,
            None => self.open(agent, &new).await,
        };
        let mut open = match (opened, self.state.stopped) {
            (Err(_), Some(_)) => return Ok(self.exit_code(false)),
            (opened, _) => opened?,
        };
        let ended = self.turns(agent, &new, &mut open).await;
        let is_suspended = open.waiting.is_some();
        open.session.close().await;
        self.drain()?;
        ended?;
        if is_suspended {
            for text in std::mem::take(&mut self.state.inputs) {
                self.view.not_sent(&text)?;
            }
        }
        Ok(self.exit_code(is_suspended))
    }

    /// Runs turns until there is no more input, a turn stays suspended, or a signal ends the session.
    async fn turns(
        &mut self,
        agent: &Agent,
        new: &NewSession,
        open: &mut Open,
    ) -> anyhow::Result<()> {
        while self.state.stopped.is_none() {
            if let Some(suspension) = open.waiting.clone() {
                if !self.answers(&suspension).await? {
                    return Ok(());
                }
                *open = self
                    .resume(agent, new, suspension.checkpoint, BTreeMap::new())
                    .await?;
                continue;
            }
            let Some(input) = self.next_input(&new.cancel).await? else {
                return Ok(());
            };
            let cancel = CancellationToken::new();
            let turn = open.session.turn_until(input, cancel.clone());
            let ended = self.watch(turn, Some(&cancel), &new.cancel).await?;
            open.waiting = self.turn_ended(ended)?;
        }
        Ok(())
    }

    async fn open(&mut self, agent: &Agent, new: &NewSession) -> anyhow::Result<Open> {
        let session = agent.session(new.clone());
        let session = self.watch(session, None, &new.cancel).await?;
        if let Err(SessionError::Suspended { checkpoint, .. }) = &session
            && self.is_over(checkpoint).await?
        {
            let id = checkpoint.clone();
            return self.resume(agent, new, id, BTreeMap::new()).await;
        }
        let mut session = session.context("the session did not start")?;
        let mut waiting = None;
        if let Some(said) = session.unfinished() {
            self.view.finishing(&said)?;
            let cancel = CancellationToken::new();
            let turn = session.finish_turn(cancel.clone());
            if let Some(ended) = self.watch(turn, Some(&cancel), &new.cancel).await? {
                waiting = self.turn_ended(ended)?;
            }
        }
        Ok(Open { session, waiting })
    }

    /// Returns whether the time for the answers of a suspended turn is over.
    async fn is_over(&self, checkpoint: &CheckpointId) -> anyhow::Result<bool> {
        Ok(match &self.store {
            Some(store) => store.get(checkpoint).await?.is_over(),
            None => false,
        })
    }

    async fn resume(
        &mut self,
        agent: &Agent,
        new: &NewSession,
        checkpoint: CheckpointId,
        resolutions: BTreeMap<String, Resolution>,
    ) -> anyhow::Result<Open> {
        let cancel = CancellationToken::new();
        let resumed = agent.resume_until(checkpoint, resolutions, new.clone(), cancel.clone());
        let (session, ended) = self.watch(resumed, Some(&cancel), &new.cancel).await??;
        let waiting = self.turn_ended(ended)?;
        Ok(Open { session, waiting })
    }

    /// Shows how a turn ended. Returns the suspension, if the turn is suspended.
    fn turn_ended(
        &mut self,
        ended: Result<TurnEnd, TurnError>,
    ) -> anyhow::Result<Option<Suspension>> {
        self.view.turn_ended(&ended)?;
        let left = self.state.steering.unread();
        if !left.is_empty() {
            self.view.steering_left(&left)?;
        }
        self.state.failed |= ended.is_err();
        Ok(match ended {
            Ok(TurnEnd::Suspended(suspension)) => Some(suspension),
            _ => None,
        })
    }

    /// Shows the events that have not been shown yet.
    pub fn drain(&mut self) -> anyhow::Result<()> {
        while let Some(emitted) = self.events.try_next() {
            self.view.event(&emitted)?;
        }
        Ok(())
    }

    fn exit_code(&self, is_suspended: bool) -> ExitCode {
        match self.state.stopped {
            Some(signal) => ExitCode::from(signal.exit_code()),
            None if is_suspended => ExitCode::from(SUSPENDED),
            None if self.state.failed => ExitCode::FAILURE,
            None => ExitCode::SUCCESS,
        }
    }
}
