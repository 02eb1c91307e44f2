//! A turn while a worker runs it.

use std::time::Duration;

use portcullis_restate::{Outcome, Repeats};
use tokio::time::sleep;

use super::{NO_COMMANDS, Remote, Sent};
use crate::run::front::{Heard, Phase};
use crate::run::protocol::Request;
use crate::terminal::signals::Signal;

/// How often the store is asked for events.
const LOOK: Duration = Duration::from_millis(100);

/// Why a request to a running turn is refused.
const NO_STEERING: &str =
    "a turn on Restate is told nothing while it runs; send an `input`, which is the next turn";

/// What is known of a turn that runs.
#[derive(Default)]
struct Running {
    repeats: Repeats,
    /// The last event that was read.
    last: i64,
    /// Whether it is to be cancelled, and whether it is.
    cancel: bool,
    cancelled: bool,
}

impl Remote {
    /// Sends a turn, and shows its events until its outcome is known. None if a signal ended the session before.
    pub(super) async fn turn(&mut self, sent: &Sent) -> anyhow::Result<Option<Outcome>> {
        let (client, session) = (self.client.clone(), self.session.clone());
        let mut is_away = false;
        let mut away = |why: &str| {
            if !std::mem::replace(&mut is_away, true) {
                tracing::warn!("the Restate server does not answer ({why}); the turn waits for it");
            }
        };
        let outcome = async {
            match sent {
                Sent::Turn(request) => client.turn(&session, request, &mut away).await,
                Sent::Resume(request) => client.resume(&session, request, &mut away).await,
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
                        // It may not have begun before.
                        running.cancelled = self.store.turns().cancel(&self.session).await?;
                    }
                }
                signal = self.signals.next() => {
                    if signal == Signal::Terminate || running.cancel {
                        self.stopped = Some(signal);
                        return Ok(None);
                    }
                    running.cancel = true;
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
        if !running.cancel {
            self.signals.forget_interrupts();
        }
        self.events(sent.id(), &mut running).await?;
        self.shown.turn_ended(&outcome)?;
        Ok(Some(outcome))
    }

    /// Does what was said while the turn runs. The error says in words why it is refused.
    fn during(&mut self, heard: Heard, running: &mut Running) -> Result<(), String> {
        match heard {
            Heard::Request(Request::Steer { .. }) if self.is_driven => Err(NO_STEERING.into()),
            // What a person types is not lost.
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
