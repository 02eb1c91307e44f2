//! The inputs of turns.

use tokio_util::sync::CancellationToken;

use super::Chat;
use super::turn::NO_TURN;
use crate::run::front::{Heard, Phase, Said};
use crate::run::protocol::Request;
use crate::terminal::signals::Signal;

impl Chat {
    /// Returns the next turn's input; `None` if there is none, or a signal ended the session.
    /// Events in the meantime, such as reloaded hooks, are shown.
    pub(super) async fn next_input(
        &mut self,
        session: &CancellationToken,
    ) -> anyhow::Result<Option<String>> {
        if let Some(input) = self.state.inputs.pop_front() {
            return Ok(Some(input));
        }
        loop {
            let is_looking_up = !self.state.looked_up.is_empty();
            if !self.state.more_inputs && !is_looking_up {
                return Ok(None);
            }
            tokio::select! {
                // A command is answered before the next line is read.
                said = self.front.next(Phase::Idle), if !is_looking_up => {
                    let Some(Said { line, heard }) = said else { return Ok(None) };
                    let why = match heard {
                        Heard::Request(Request::Input { text }) => match self.input(text) {
                            Some(input) => return Ok(Some(input)),
                            None => String::new(),
                        },
                        Heard::Request(Request::End) => return Ok(None),
                        Heard::Request(Request::Steer { .. } | Request::Cancel) => NO_TURN.into(),
                        Heard::Request(Request::Approval { id, .. }) => {
                            format!("no question `{id}` is open")
                        }
                        Heard::Request(Request::ToolResult { call_id, .. }) => {
                            format!("no call `{call_id}` waits")
                        }
                        Heard::Command(command) => {
                            self.command(command)?;
                            String::new()
                        }
                        Heard::Interrupt => {
                            self.state.stopped = Some(Signal::Interrupt);
                            return Ok(None);
                        }
                        Heard::Wrong(why) => why,
                    };
                    if !why.is_empty() {
                        self.view.bad_request(line, &why)?;
                    }
                }
                Some(Ok(text)) = self.state.looked_up.join_next() => self.view.told(&text)?,
                signal = self.state.signals.next() => {
                    self.front.leave();
                    if signal == Signal::Terminate {
                        session.cancel();
                    }
                    self.state.stopped = Some(signal);
                    return Ok(None);
                }
                Some(emitted) = self.events.next() => {
                    self.view.event(&emitted)?;
                    self.drain()?;
                }
            }
        }
    }

    /// Returns a turn's input. An empty text means input that is left from the previous turn.
    fn input(&self, text: String) -> Option<String> {
        if !text.trim().is_empty() {
            return Some(text);
        }
        let left: Vec<String> = self.state.steering.take().into();
        (!left.is_empty()).then(|| left.join("\n"))
    }
}
