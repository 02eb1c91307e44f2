//! The inputs of turns.

use tokio_util::sync::CancellationToken;

use super::Chat;
use super::turn::NO_TURN;
use crate::run::front::{Heard, Phase, Said};
use crate::run::protocol::Request;
use crate::terminal::signals::Signal;

impl Chat {
    /// The next turn's input; `None` if there is none, or a signal ended the session. Events in the
    /// meantime, such as reloaded hooks, are shown.
    pub(super) async fn next_input(
        &mut self,
        session: &CancellationToken,
    ) -> anyhow::Result<Option<String>> {
        if let Some(input) = self.state.inputs.pop_front() {
            return Ok(Some(input));
        }
        if !self.state.more_inputs {
            return Ok(None);
        }
        self.view.prompt()?;
        loop {
            tokio::select! {
                said = self.front.next(Phase::Idle) => {
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
                            self.command(command).await?;
                            String::new()
                        }
                        Heard::Wrong(why) => why,
                    };
                    if !why.is_empty() {
                        self.view.bad_request(line, &why)?;
                    }
                    self.view.prompt()?;
                }
                signal = self.state.signals.next() => {
                    if signal == Signal::Terminate {
                        session.cancel();
                    }
                    self.state.stopped = Some(signal);
                    return Ok(None);
                }
                Some(emitted) = self.events.next() => {
                    self.view.event(&emitted)?;
                    self.drain()?;
                    self.view.prompt()?;
                }
            }
        }
    }

    /// A turn's input. An empty one stands for what is left over from the turn before.
    fn input(&self, text: String) -> Option<String> {
        if !text.trim().is_empty() {
            return Some(text);
        }
        let left: Vec<String> = self.state.steering.take().into();
        (!left.is_empty()).then(|| left.join("\n"))
    }
}
