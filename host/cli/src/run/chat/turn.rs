//! The chat while a turn runs.

use portcullis::approval::ApprovalDecision;
use tokio_util::sync::CancellationToken;

use super::Chat;
use crate::approval::Pending;
use crate::run::front::{Heard, Phase, Said};
use crate::run::protocol::Request;
use crate::terminal::signals::Signal;

/// The reason for refusing a request to a turn.
pub const NO_TURN: &str = "no turn runs; send an `input`";

impl Chat {
    /// Shows events, puts questions and serves requests until something has ended: a turn, or without
    /// one the session's opening. Ctrl-C cancels it, the second one the session, and SIGTERM parks the session.
    pub(super) async fn watch<T>(
        &mut self,
        running: impl Future<Output = T>,
        turn: Option<&CancellationToken>,
        session: &CancellationToken,
    ) -> anyhow::Result<T> {
        let cancel = turn.unwrap_or(session);
        tokio::pin!(running);
        let ended = loop {
            tokio::select! {
                biased;
                Some(emitted) = self.events.next() => self.view.event(&emitted)?,
                signal = self.state.signals.next() => self.signalled(signal, cancel, session),
                Some(pending) = self.questions.recv() => self.ask(pending, cancel, session).await?,
                said = self.front.next(Phase::Running), if self.state.more_requests => match said {
                    Some(Said { heard: Heard::Interrupt, .. }) => {
                        self.signalled(Signal::Interrupt, cancel, session);
                    }
                    Some(said) => self.serve(said, turn)?,
                    None => {
                        (self.state.more_inputs, self.state.more_requests) = (false, false);
                        self.state.open.clear();
                    }
                },
                Some(Ok(text)) = self.state.looked_up.join_next() => self.view.told(&text)?,
                ended = &mut running => break ended,
            }
        };
        self.state.open.clear();
        if !cancel.is_cancelled() {
            self.state.signals.forget_interrupts();
        }
        self.drain()?;
        Ok(ended)
    }

    fn signalled(
        &mut self,
        signal: Signal,
        cancel: &CancellationToken,
        session: &CancellationToken,
    ) {
        match signal {
            Signal::Interrupt if !cancel.is_cancelled() => {
                cancel.cancel();
                return;
            }
            Signal::Interrupt => session.cancel(),
            Signal::Terminate => self.state.park.cancel(),
        }
        self.state.stopped.get_or_insert(signal);
    }

    /// Asks a question. An answer that comes as a request is served later.
    async fn ask(
        &mut self,
        (request, reply): Pending,
        cancel: &CancellationToken,
        session: &CancellationToken,
    ) -> anyhow::Result<()> {
        self.state.asked += 1;
        let id = format!("question-{}", self.state.asked);
        self.view.asking(&id, &request)?;
        let asked = tokio::select! {
            decision = self.front.ask(&request) => Ok(decision),
            signal = self.state.signals.next() => Err(signal),
        };
        let decision = match asked {
            Ok(decision) => decision,
            Err(signal) => {
                self.signalled(signal, cancel, session);
                Some(ApprovalDecision::Unanswered(
                    "the turn was cancelled".into(),
                ))
            }
        };
        match decision {
            // A cancelled turn does not wait for an answer.
            Some(decision) => drop(reply.send(decision)),
            None if self.state.more_requests => drop(self.state.open.insert(id, reply)),
            // No one can answer.
            None => {}
        }
        Ok(())
    }

    fn serve(&mut self, said: Said, turn: Option<&CancellationToken>) -> anyhow::Result<()> {
        let why = match said.heard {
            Heard::Request(Request::Steer { .. } | Request::Cancel) if turn.is_none() => {
                NO_TURN.into()
            }
            Heard::Request(Request::Steer { text }) if text.trim().is_empty() => return Ok(()),
            Heard::Request(Request::Steer { text }) => {
                self.state.steering.say(&*text);
                return self.view.steering_queued(&text);
            }
            Heard::Request(Request::Input { .. }) if !self.state.more_inputs => {
                "an `end` came before this `input`".into()
            }
            Heard::Request(Request::Input { text }) => {
                self.state.inputs.push_back(text);
                return Ok(());
            }
            Heard::Request(Request::Approval { id, decision }) => match self.state.open.remove(&id)
            {
                Some(reply) => {
                    // A cancelled turn does not wait for an answer.
                    let _ = reply.send(decision);
                    return Ok(());
                }
                None => format!("no question `{id}` is open"),
            },
            Heard::Request(Request::ToolResult { call_id, .. }) => {
                format!("no call `{call_id}` waits")
            }
            Heard::Request(Request::Cancel) => {
                if let Some(turn) = turn {
                    turn.cancel();
                }
                return Ok(());
            }
            Heard::Request(Request::End) => {
                self.state.more_inputs = false;
                return Ok(());
            }
            Heard::Command(command) => return self.command(command),
            // The turn is cancelled where it is watched.
            Heard::Interrupt => return Ok(()),
            Heard::Wrong(why) => why,
        };
        self.view.bad_request(said.line, &why)
    }
}
