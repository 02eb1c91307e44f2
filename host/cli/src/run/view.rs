//! Showing a session.

use std::io;
use std::sync::Arc;

use portcullis::contract::ContentPart;
use portcullis_agent::{ApprovalRequest, Emitted, Suspension, TurnEnd, TurnError};

use super::armed::Armed;
use crate::terminal::format::print_line;
use crate::terminal::style::DIM;
use crate::terminal::{Out, Printable};

/// Shows the events of a session.
pub trait View {
    /// Shows the start of the session.
    fn opening(&mut self, armed: &Armed) -> anyhow::Result<()>;

    /// Shows that this session, the last one, is continued.
    fn continuing(&mut self, _session: &str) -> anyhow::Result<()> {
        Ok(())
    }

    /// Shows that a turn of a dead process, which began with this message, is finished next.
    fn finishing(&mut self, said: &[ContentPart]) -> anyhow::Result<()>;

    /// Shows an event.
    fn event(&mut self, emitted: &Arc<Emitted>) -> anyhow::Result<()>;

    /// Shows a hook's question. The id is for the answer.
    fn asking(&mut self, id: &str, request: &ApprovalRequest) -> anyhow::Result<()>;

    /// Shows that a text for the running turn is queued. The turn reads it at its next checkpoint.
    fn steering_queued(&mut self, text: &str) -> anyhow::Result<()>;

    /// Shows that the turn ended before it read these texts. They are kept for the next turn.
    fn steering_left(&mut self, texts: &[String]) -> anyhow::Result<()>;

    /// Shows that the suspended turn is continued here once the answers are given.
    fn waiting(&mut self, suspension: &Suspension) -> anyhow::Result<()>;

    /// Shows why the suspended turn is not continued here.
    fn not_waiting(&mut self, why: &str) -> anyhow::Result<()>;

    /// Shows that a user's message was not sent, because the turn before it waits.
    fn not_sent(&mut self, text: &str) -> anyhow::Result<()>;

    /// Shows that an input line was refused. It changed nothing.
    fn bad_request(&mut self, line: u64, why: &str) -> anyhow::Result<()>;

    /// Shows the output of a chat command.
    fn told(&mut self, _: &Printable) -> anyhow::Result<()> {
        Ok(())
    }

    /// Shows the end of a turn.
    fn turn_ended(&mut self, ended: &Result<TurnEnd, TurnError>) -> anyhow::Result<()>;
}

/// Writes that the last session is continued, with its id.
pub fn write_continuing(session: &str) -> io::Result<()> {
    print_line!(Out::stderr(), "{DIM}continuing session {}{DIM:#}", session)
}

/// Returns the text of a user's message.
pub fn text_of(said: &[ContentPart]) -> String {
    let texts = said.iter().filter_map(|part| match part {
        ContentPart::Text(text) => Some(text.as_str()),
        _ => None,
    });
    texts.collect::<Vec<_>>().join("\n")
}
