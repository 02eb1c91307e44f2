//! Turns that workers run: sent to a Restate server, with their events as they come.

use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context as _, bail};
use portcullis_agent::{CheckpointStore as _, NewSession};
use portcullis_agent_file::{AgentFile, Continues, Restate};
use portcullis_restate::{Client, Outcome, Repeats, ResumeRequest, TurnRequest};
use portcullis_store::Store;
use serde_json::Value;
use tokio::time::sleep;
use url::Url;

use super::chat::SUSPENDED;
use super::{Plan, suspended};
use crate::input::Lines;
use crate::terminal::format::{print_line, print_text, printable};
use crate::terminal::signals::{Signal, Signals};
use crate::terminal::style::{DIM, ERROR, NOTE};
use crate::terminal::{Out, Printable, json, text};

/// How often the store is asked for events.
const LOOK: Duration = Duration::from_millis(100);

/// The most columns of a tool's arguments.
const QUOTED: usize = 90;

/// A session whose turns workers run.
struct Remote {
    client: Client,
    store: Store,
    session: String,
    json: bool,
    quiet: bool,
    signals: Signals,
    /// The signal that ended it.
    stopped: Option<Signal>,
    /// Whether text of the turn was shown as it arrived.
    shown: bool,
    /// Whether a line of text has not ended.
    within_line: bool,
}

/// What is sent.
enum Sent {
    Turn(TurnRequest),
    Resume(ResumeRequest),
}

/// Sends the turns of a run, one after another.
pub async fn run(
    plan: Plan,
    file: &AgentFile,
    restate: &Restate,
    store: Option<Store>,
) -> anyhow::Result<ExitCode> {
    if plan.wait || plan.is_driven() && plan.begin.resumed.is_none() {
        bail!(
            "a session on Restate takes a message at a time: without --wait, and with --json only with a message; \
             continue it with --session"
        );
    }
    if plan.finishes.is_some() {
        bail!("on Restate, workers finish the turns that were interrupted; leave out --finish");
    }
    let store = store.context("there is no store; set `stores.url` to the one of the workers")?;
    let url: Url = restate.url.parse().context("`restate.url`")?;
    let mut session = match plan.continues() {
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
    let mut first = None;
    if let Some((checkpoint, resolutions)) = plan.begin.resumed.clone() {
        session = store.checkpoints().get(&checkpoint).await?.session;
        first = Some(Sent::Resume(ResumeRequest {
            id: NewSession::default().id,
            checkpoint,
            resolutions,
        }));
    }
    let mut signals = Signals::default();
    // A turn may be with the server before the first wait for a signal.
    signals.listen();
    let mut remote = Remote {
        client: Client::new(url, &file.name),
        store,
        session,
        json: plan.json,
        quiet: plan.verbosity == super::args::Verbosity::Quiet,
        signals,
        stopped: None,
        shown: false,
        within_line: false,
    };
    let converses = plan.begin.message.is_none() && first.is_none();
    let mut message = plan.begin.message.clone();
    let lines = Lines::default();
    let mut failed = false;
    loop {
        let sent = match (first.take(), message.take()) {
            (Some(sent), kept) => {
                message = kept;
                sent
            }
            (None, Some(text)) => remote.said(text),
            // The next line is read once the turn has ended, so what is not sent stays where it comes from.
            (None, None) if converses => match remote.line(&lines).await {
                Some(line) if line.trim().is_empty() => continue,
                Some(line) => remote.said(line),
                None => break,
            },
            (None, None) => break,
        };
        match remote.turn(&sent).await? {
            Ended::Outcome(Outcome::Done { .. }) => {}
            Ended::Outcome(Outcome::Suspended { .. }) => return Ok(ExitCode::from(SUSPENDED)),
            Ended::Outcome(Outcome::Failed { .. }) => failed = true,
            Ended::Left(signal) => return Ok(ExitCode::from(signal.exit_code())),
        }
    }
    remote.close().await?;
    Ok(match remote.stopped {
        Some(signal) => ExitCode::from(signal.exit_code()),
        None if failed => ExitCode::FAILURE,
        None => ExitCode::SUCCESS,
    })
}

/// How the wait for a turn ended.
enum Ended {
    Outcome(Outcome),
    /// By this signal. The turn stays with the server.
    Left(Signal),
}

impl Remote {
    fn said(&self, text: String) -> Sent {
        Sent::Turn(TurnRequest {
            id: NewSession::default().id,
            text,
        })
    }

    /// The next line of input; `None` if there is none, or a signal comes before.
    async fn line(&mut self, lines: &Lines) -> Option<String> {
        tokio::select! {
            line = lines.next() => line,
            signal = self.signals.next() => {
                self.stopped = Some(signal);
                None
            }
        }
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

    /// Sends a turn, and shows its events until its outcome is known. Ctrl-C cancels it. Once more, or SIGTERM, leaves it to
    /// the server.
    async fn turn(&mut self, sent: &Sent) -> anyhow::Result<Ended> {
        (self.shown, self.within_line) = (false, false);
        let (client, session) = (self.client.clone(), self.session.clone());
        let request = match sent {
            Sent::Turn(request) => request.id.clone(),
            Sent::Resume(request) => request.id.clone(),
        };
        let outcome = async {
            match sent {
                Sent::Turn(request) => client.turn(&session, request, away()).await,
                Sent::Resume(request) => client.resume(&session, request, away()).await,
            }
        };
        tokio::pin!(outcome);
        let (mut repeats, mut last) = (Repeats::default(), 0);
        let mut is_cancelled = false;
        let outcome = loop {
            tokio::select! {
                outcome = &mut outcome => break outcome?,
                () = sleep(LOOK) => self.events(&request, &mut repeats, &mut last).await?,
                signal = self.signals.next() => {
                    if signal == Signal::Terminate || std::mem::replace(&mut is_cancelled, true) {
                        self.end_line()?;
                        return Ok(Ended::Left(signal));
                    }
                    self.cancel().await?;
                }
            }
        };
        self.events(&request, &mut repeats, &mut last).await?;
        self.ended(&outcome)?;
        Ok(Ended::Outcome(outcome))
    }

    /// Cancels the turn that runs.
    async fn cancel(&mut self) -> anyhow::Result<()> {
        let what = match self.store.turns().cancel(&self.session).await {
            Ok(true) => "the turn is being cancelled".to_owned(),
            Ok(false) => {
                "no worker has the turn yet; Ctrl-C once more leaves it to the server".to_owned()
            }
            Err(error) => format!(
                "the turn is not cancelled: {error}; Ctrl-C once more leaves it to the server"
            ),
        };
        self.end_line()?;
        let what = Printable::line(what);
        print_line!(Out::stderr(), "{NOTE}note:{NOTE:#} {}", what)?;
        Ok(())
    }

    async fn events(
        &mut self,
        request: &str,
        repeats: &mut Repeats,
        last: &mut i64,
    ) -> anyhow::Result<()> {
        for event in self.store.feed().after(request, *last).await? {
            *last = event.id;
            let Some((value, continues)) = repeats.next(&event) else {
                continue;
            };
            if continues && !self.json {
                self.end_line()?;
                print_line!(
                    Out::stderr(),
                    "{NOTE}note:{NOTE:#} another worker continues the turn"
                )?;
            }
            self.show(value, &event)?;
        }
        Ok(())
    }

    fn show(
        &mut self,
        mut value: Value,
        event: &portcullis_store::FeedEvent,
    ) -> anyhow::Result<()> {
        if self.json {
            if let Some(object) = value.as_object_mut() {
                object.insert("attempt".into(), event.attempt.into());
                object.insert("number".into(), event.number.into());
            }
            return json::line(&value);
        }
        let word = |key: &str| value.get(key).and_then(Value::as_str).unwrap_or_default();
        match word("event") {
            "text-delta" => {
                (self.shown, self.within_line) = (true, true);
                let mut out = Out::stdout();
                print_text!(out, "{}", Printable::prose(word("text")))?;
                out.flush()?;
            }
            "tool-started" if !self.quiet => {
                self.end_line()?;
                let arguments = text::cut(&Printable::line(word("arguments")), QUOTED);
                let name = Printable::line(word("name"));
                print_line!(Out::stderr(), "{DIM}  → {} {}{DIM:#}", name, arguments)?;
            }
            _ => {}
        }
        Ok(())
    }

    fn ended(&mut self, outcome: &Outcome) -> anyhow::Result<()> {
        self.end_line()?;
        if self.json {
            return json::line(&serde_json::json!({
                "event": "outcome", "session-id": self.session, "outcome": outcome
            }));
        }
        match outcome {
            Outcome::Done { text } => {
                if !self.shown && !text.is_empty() {
                    print_line!(Out::stdout(), "{}", Printable::prose(text))?;
                }
            }
            Outcome::Suspended {
                checkpoint,
                reason,
                pending,
                ..
            } => suspended::write(&portcullis_agent::Suspension {
                checkpoint: checkpoint.clone(),
                reason: *reason,
                pending: pending.clone(),
            })?,
            Outcome::Failed { error, .. } => {
                let error = printable!("{}", Printable::line(error));
                print_line!(Out::stderr(), "{ERROR}the turn failed:{ERROR:#} {}", error)?;
            }
        }
        Ok(())
    }

    fn end_line(&mut self) -> anyhow::Result<()> {
        if std::mem::take(&mut self.within_line) {
            print_line!(Out::stdout())?;
        }
        Ok(())
    }
}

/// Says once that the server is away.
fn away() -> impl FnMut(&str) + Send {
    let mut is_away = false;
    move |why| {
        if !std::mem::replace(&mut is_away, true) {
            tracing::warn!("the Restate server does not answer ({why}); it is waited for");
        }
    }
}
