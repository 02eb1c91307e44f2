//! A turn while a worker runs it.

use std::time::Duration;

use portcullis_restate::{Outcome, Repeats};
use tokio::time::sleep;

use super::{NO_COMMANDS, Remote, Sent};
use crate::run::front::{Heard, Phase};
use crate::run::protocol::Request;
use crate::terminal::signals::Signal;

/// The interval for polling the store for events.
const LOOK: Duration = Duration::from_millis(100);

/// The reason for refusing a request to a running turn.
const NO_STEERING: &str =
    "a turn on Restate is told nothing while it runs; send an `input`, which is the next turn";

/// The end of the wait for a turn.
pub(super) enum Ended {
    Outcome(Outcome),
    /// This signal ended the wait. The turn stays with the server.
    Left(Signal),
}

/// The known state of a running turn.
#[derive(Default)]
struct Running {
    repeats: Repeats,
    /// The last event that was read.
    last: i64,
    /// Whether the turn is to be cancelled, and then whether it has been.
    cancel: bool,
    cancelled: bool,
}

impl Remote {
    /// Sends a turn, and shows its events until its outcome is known. Ctrl-C cancels it. A second
    /// Ctrl-C, or SIGTERM, leaves it to the server.
    pub(super) async fn turn(&mut self, sent: &Sent) -> anyhow::Result<Ended> {
        let (client, session) = (self.client.clone(), self.session.clone());
        let outcome = async {
            match sent {
                Sent::Turn(request) => client.turn(&session, request, away()).await,
                Sent::Resume(request) => client.resume(&session, request, away()).await,
            }
        };
        tokio::pin!(outcome);
        self.shown.turn_begins();
        let mut running = Running::default();
        let outcome = loop {
            tokio::select! {
                outcome = &mut outcome => break outcome?,
                () = sleep(LOOK) => {
                    self.events(sent.id(), &mut running).await?;
                    if running.cancel && !running.cancelled {
                        // The turn had not begun when it was cancelled.
                        running.cancelled = self.store.turns().cancel(&self.session).await?;
                    }
                }
                signal = self.signals.next() => {
                    if signal == Signal::Terminate || running.cancel {
                        self.shown.note(None)?;
                        return Ok(Ended::Left(signal));
                    }
                    self.cancel(&mut running).await?;
                }
                said = self.front.next(Phase::Running), if self.more_requests => match said {
                    Some(said) => {
                        let line = said.line;
                        if let Err(why) = self.during(said.heard, &mut running) {
                            self.shown.bad_request(line, &why)?;
                        }
                    }
                    None => (self.more_inputs, self.more_requests) = (false, false),
                },
            }
        };
        self.events(sent.id(), &mut running).await?;
        self.shown.turn_ended(&outcome)?;
        Ok(Ended::Outcome(outcome))
    }

    /// Cancels the turn that runs.
    async fn cancel(&mut self, running: &mut Running) -> anyhow::Result<()> {
        running.cancel = true;
        let what = match self.store.turns().cancel(&self.session).await {
            Ok(true) => {
                running.cancelled = true;
                "the turn is being cancelled".to_owned()
            }
            Ok(false) => {
                "no worker has the turn yet; Ctrl-C once more leaves it to the server".to_owned()
            }
            Err(error) => format!(
                "the turn is not cancelled: {error}; Ctrl-C once more leaves it to the server"
            ),
        };
        self.shown.note(Some(&what))
    }

    /// Handles input while the turn runs. The error says why the input is refused.
    fn during(&mut self, heard: Heard, running: &mut Running) -> Result<(), String> {
        match heard {
            Heard::Request(Request::Steer { .. }) if self.is_driven => Err(NO_STEERING.into()),
            // A person's line is kept for the next turn.
            Heard::Request(Request::Steer { text }) => {
                if !text.trim().is_empty() {
                    self.inputs.push_back(text);
                }
                Ok(())
            }
            Heard::Request(Request::Input { .. }) if !self.more_inputs => {
                Err("an `end` came before this `input`".into())
            }
            Heard::Request(Request::Cancel) | Heard::Interrupt => {
                running.cancel = true;
                Ok(())
            }
            Heard::Command(_) => Err(NO_COMMANDS.into()),
            other => self.idle(other),
        }
    }

    async fn events(&mut self, request: &str, running: &mut Running) -> anyhow::Result<()> {
        for event in self.store.feed().after(request, running.last).await? {
            running.last = event.id;
            if let Some((value, continues)) = running.repeats.next(&event) {
                self.shown.event(value, continues, &event)?;
            }
        }
        Ok(())
    }
}

/// Returns a function that reports once that the server is unreachable.
pub(super) fn away() -> impl FnMut(&str) + Send {
    let mut is_away = false;
    move |why| {
        if !std::mem::replace(&mut is_away, true) {
            tracing::warn!("the Restate server does not answer ({why}); it is waited for");
        }
    }
}
