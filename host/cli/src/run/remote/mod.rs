//! Turns that workers run: they are sent to a Restate server, and their events are shown as they
//! arrive.

mod shown;
mod turn;

use std::collections::{BTreeMap, VecDeque};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Context as _;
use portcullis::trace::TraceContext;
use portcullis_agent::{CheckpointStore as _, NewSession, Suspension};
use portcullis_agent_file::{AgentFile, Continues, Restate};
use portcullis_restate::{Client, Outcome, ResumeRequest, TurnRequest};
use portcullis_store::Store;
use url::Url;

use self::shown::Shown;
use self::turn::{Ended, away};
use super::Plan;
use super::args::Verbosity;
use super::chat::SUSPENDED;
use super::chat::turn::NO_TURN;
use super::chat::waiting::{Recorded, answer, recorded};
use super::front::{Front, Heard, Phase, Said};
use super::person::Person;
use super::poll::Poll;
use super::protocol::{Program, Request};
use super::view::write_continuing;
use crate::approval::TerminalApprover;
use crate::input::Lines;
use crate::terminal::signals::{Signal, Signals};

/// The reason why a chat command shows nothing.
const NO_COMMANDS: &str =
    "the workers have the hooks; for suspended turns, see `portcullis approvals list`";

/// A session whose turns workers run.
struct Remote {
    client: Client,
    store: Store,
    session: String,
    shown: Shown,
    front: Box<dyn Front>,
    signals: Signals,
    /// Whether a program drives the session.
    is_driven: bool,
    /// Whether a suspended turn is continued here, once its answers are known.
    waits: bool,
    /// Inputs of later turns.
    inputs: VecDeque<String>,
    /// Whether more inputs may come.
    more_inputs: bool,
    /// Whether more requests may come.
    more_requests: bool,
    /// The signal that ended the session.
    stopped: Option<Signal>,
}

/// The request that is sent.
enum Sent {
    Turn(TurnRequest),
    Resume(ResumeRequest),
}

impl Sent {
    fn turn(text: String) -> Self {
        Self::Turn(TurnRequest {
            id: NewSession::default().id,
            text,
            trace: TraceContext::of_environment(),
        })
    }

    fn id(&self) -> &str {
        match self {
            Self::Turn(request) => &request.id,
            Self::Resume(request) => &request.id,
        }
    }
}

/// Refuses options that have no effect here, since workers run the turns.
pub fn check(plan: &Plan) -> anyhow::Result<()> {
    if !plan.of_workers.is_empty() {
        anyhow::bail!(
            "workers run the turns of this agent, and {} would change nothing here; leave it out, and give it to \
             `portcullis worker`, or write it into the workers' agent.toml",
            plan.of_workers.join(", ")
        );
    }
    if plan.is_traced {
        anyhow::bail!(
            "workers run the hooks of this agent, and --trace shows nothing here; leave it out, and see `portcullis \
             explain` once the turn has ended"
        );
    }
    if plan.finishes.is_some() {
        anyhow::bail!(
            "on Restate, workers finish the turns that were interrupted; leave out --finish"
        );
    }
    Ok(())
}

/// Sends the turns of a run, one after another.
pub async fn run(
    plan: Plan,
    file: &AgentFile,
    restate: &Restate,
    store: Option<Store>,
) -> anyhow::Result<ExitCode> {
    let store = store.context("there is no store; set `stores.url` to the one of the workers")?;
    let url: Url = restate.url.parse().context("`restate.url`")?;
    let (session, first) = begins(&plan, file, &store).await?;
    let is_driven = plan.is_driven();
    let converses = plan.begin.message.is_none() && (is_driven || first.is_none());
    let lines = Arc::new(Lines::default());
    let front: Box<dyn Front> = match is_driven {
        true => Box::new(Program::new(lines)),
        false => {
            let person = TerminalApprover::new(lines.clone());
            Box::new(Person::new(lines, person, converses))
        }
    };
    let mut signals = Signals::default();
    if plan.continues && !plan.json && plan.verbosity != Verbosity::Quiet {
        write_continuing(&session)?;
    }
    // A turn may be with the server before the first wait for a signal.
    signals.listen();
    let mut remote = Remote {
        client: Client::new(url, &file.name),
        store,
        session,
        shown: Shown::new(plan.json, plan.verbosity, plan.again),
        front,
        signals,
        is_driven,
        waits: plan.wait || is_driven,
        inputs: plan.begin.message.into_iter().collect(),
        more_inputs: converses,
        more_requests: converses,
        stopped: None,
    };
    remote.session(first).await
}

/// Begins a run's session. Returns it with the first request.
async fn begins(
    plan: &Plan,
    file: &AgentFile,
    store: &Store,
) -> anyhow::Result<(String, Option<Sent>)> {
    if let Some((checkpoint, resolutions)) = plan.begin.resumed.clone() {
        let session = store.checkpoints().get(&checkpoint).await?.session;
        let resume = Sent::Resume(ResumeRequest {
            id: NewSession::default().id,
            checkpoint,
            resolutions,
        });
        return Ok((session, Some(resume)));
    }
    let session = match plan.continues() {
        Continues::Session(id) => id,
        Continues::Latest => {
            let dir = file.working_dir.canonicalize()?.display().to_string();
            let sessions = store.sessions();
            let latest = sessions.latest(&file.name, &dir, file.user.as_deref());
            latest.await?.context(
                "there is no session of this agent and user in this directory to continue; start one without --continue",
            )?
        }
        _ => NewSession::default().id,
    };
    Ok((session, None))
}

impl Remote {
    /// Sends turns until there is no more input, a turn stays suspended, or a signal ends the session.
    async fn session(&mut self, first: Option<Sent>) -> anyhow::Result<ExitCode> {
        let mut next = first;
        let (mut failed, mut is_suspended) = (false, false);
        while self.stopped.is_none() {
            let sent = match next.take() {
                Some(sent) => sent,
                None => match self.input().await? {
                    Some(text) => Sent::turn(text),
                    None => break,
                },
            };
            let outcome = match self.turn(&sent).await? {
                Ended::Outcome(outcome) => outcome,
                Ended::Left(signal) => return Ok(ExitCode::from(signal.exit_code())),
            };
            match outcome {
                Outcome::Done { .. } => {}
                Outcome::Failed { .. } => failed = true,
                Outcome::Suspended {
                    checkpoint,
                    reason,
                    pending,
                    until_ms,
                } => {
                    let suspension = Suspension {
                        checkpoint,
                        reason,
                        pending,
                        until_ms,
                    };
                    if !self.answers(&suspension).await? {
                        is_suspended = true;
                        break;
                    }
                    next = Some(Sent::Resume(ResumeRequest {
                        id: NewSession::default().id,
                        checkpoint: suspension.checkpoint,
                        resolutions: BTreeMap::new(),
                    }));
                }
            }
        }
        match is_suspended {
            true => {
                for text in std::mem::take(&mut self.inputs) {
                    self.shown.not_sent(&text)?;
                }
            }
            false => self.close().await?,
        }
        Ok(match self.stopped {
            Some(signal) => ExitCode::from(signal.exit_code()),
            None if is_suspended => ExitCode::from(SUSPENDED),
            None if failed => ExitCode::FAILURE,
            None => ExitCode::SUCCESS,
        })
    }

    /// Ends the session. A signal ends the wait for a server that is away.
    async fn close(&mut self) -> anyhow::Result<()> {
        let closing = self.client.close(&self.session, away());
        tokio::select! {
            closed = closing => drop(closed?),
            signal = self.signals.next() => self.stopped = Some(signal),
        }
        Ok(())
    }

    /// Returns the next input.
    async fn input(&mut self) -> anyhow::Result<Option<String>> {
        loop {
            if let Some(text) = self.inputs.pop_front() {
                return Ok(Some(text));
            }
            if !self.more_inputs {
                return Ok(None);
            }
            tokio::select! {
                said = self.front.next(Phase::Idle) => match said {
                    Some(Said { heard: Heard::Interrupt, .. }) => {
                        self.stopped = Some(Signal::Interrupt);
                        return Ok(None);
                    }
                    Some(said) => {
                        let line = said.line;
                        if let Err(why) = self.idle(said.heard) {
                            self.shown.bad_request(line, &why)?;
                        }
                    }
                    None => (self.more_inputs, self.more_requests) = (false, false),
                },
                signal = self.signals.next() => {
                    self.stopped = Some(signal);
                    return Ok(None);
                }
            }
        }
    }

    /// Handles input while no turn runs. The error says why the input is refused.
    fn idle(&mut self, heard: Heard) -> Result<(), String> {
        match heard {
            Heard::Request(Request::Input { text }) => {
                if self.is_driven || !text.trim().is_empty() {
                    self.inputs.push_back(text);
                }
                Ok(())
            }
            Heard::Request(Request::End) => {
                self.more_inputs = false;
                Ok(())
            }
            Heard::Request(Request::Steer { .. } | Request::Cancel) => Err(NO_TURN.into()),
            Heard::Request(Request::Approval { id, .. }) => {
                Err(format!("no question `{id}` is open"))
            }
            Heard::Request(Request::ToolResult { call_id, .. }) => {
                Err(format!("no call `{call_id}` waits"))
            }
            Heard::Command(_) => Err(NO_COMMANDS.into()),
            Heard::Interrupt => Ok(()),
            Heard::Wrong(why) => Err(why),
        }
    }

    /// Waits until every call has its answer in the store. Returns false if the turn stays suspended, or another
    /// process continues it. Once the time for answers is over, the server continues the turn.
    async fn answers(&mut self, suspension: &Suspension) -> anyhow::Result<bool> {
        // The program sent `end` while the turn ran, so the session does not wait, although later
        // requests could still be read.
        let has_ended = self.is_driven && !self.more_inputs;
        if !self.waits || has_ended {
            return Ok(false);
        }
        self.shown.waiting(suspension)?;
        let store = self.store.checkpoints();
        let mut poll = Poll::default();
        loop {
            tokio::select! {
                () = poll.next() => match recorded(&store, suspension).await? {
                    Recorded::All => return Ok(true),
                    Recorded::Some | Recorded::Over => {}
                    Recorded::Gone(why) => {
                        self.shown.not_waiting(why)?;
                        return Ok(false);
                    }
                },
                signal = self.signals.next() => {
                    self.stopped = Some(signal);
                    return Ok(false);
                }
                said = self.front.next(Phase::Waiting) => match said {
                    Some(Said { heard: Heard::Request(Request::End), .. }) | None => return Ok(false),
                    Some(said) => {
                        let line = said.line;
                        let answered = answer(&store, said, suspension, &mut self.inputs);
                        if let Err(why) = answered.await {
                            self.shown.bad_request(line, &why)?;
                        }
                        poll = Poll::default();
                    }
                },
            }
        }
    }
}
