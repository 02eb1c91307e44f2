//! Showing a session.

use std::sync::Arc;

use portcullis::contract::ContentPart;
use portcullis_agent::{ApprovalRequest, Emitted, Suspension, TurnEnd, TurnError};

use super::armed::Armed;
use crate::terminal::Printable;

/// Shows what happens in a session.
pub trait View {
    /// The session is about to begin.
    fn opening(&mut self, armed: &Armed) -> anyhow::Result<()>;

    /// The turn that a dead process began with this is about to be finished.
    fn finishing(&mut self, said: &[ContentPart]) -> anyhow::Result<()>;

    /// Something happened.
    fn event(&mut self, emitted: &Arc<Emitted>) -> anyhow::Result<()>;

    /// A hook's question is about to be put. The id is for the answer.
    fn asking(&mut self, id: &str, request: &ApprovalRequest) -> anyhow::Result<()>;

    /// A text for the running turn is queued. The turn reads it at its next checkpoint.
    fn steering_queued(&mut self, text: &str) -> anyhow::Result<()>;

    /// The turn ended before it read these texts. They are kept for the next turn.
    fn steering_left(&mut self, texts: &[String]) -> anyhow::Result<()>;

    /// The suspended turn is continued here once the answers are given.
    fn waiting(&mut self, suspension: &Suspension) -> anyhow::Result<()>;

    /// The suspended turn is not continued here, because of this.
    fn not_waiting(&mut self, why: &str) -> anyhow::Result<()>;

    /// A line of the input was refused. It changed nothing.
    fn bad_request(&mut self, line: u64, why: &str) -> anyhow::Result<()>;

    /// What a person asked the chat for.
    fn told(&mut self, _: &Printable) -> anyhow::Result<()> {
        Ok(())
    }

    /// A turn ended.
    fn turn_ended(&mut self, ended: &Result<TurnEnd, TurnError>) -> anyhow::Result<()>;
}

/// The text of what a user said.
pub fn text_of(said: &[ContentPart]) -> String {
    let texts = said.iter().filter_map(|part| match part {
        ContentPart::Text(text) => Some(text.as_str()),
        _ => None,
    });
    texts.collect::<Vec<_>>().join("\n")
}
