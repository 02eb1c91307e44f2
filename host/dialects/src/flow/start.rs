//! Refused starts. Agents continue in spite of a refused start, so the prompts and tools that
//! follow are refused too.

use super::Flow;
use crate::event::Event;
use crate::events::Family;
use crate::progress::Progress;
use crate::text;

pub(super) const SESSION: &str = "The session was refused at its start";
pub(super) const SUBAGENT: &str = "The sub-agent was refused at its start, and so are its tools";

/// The reason for the refusal of a start that is not decided yet, with advice.
pub(crate) const UNDECIDED: &str =
    "it was not decided; run `portcullis hooks check`, and then start it again";

/// The session or the sub-agent that an event starts.
enum Started<'a> {
    Session,
    Subagent(&'a str),
}

impl<'a> Started<'a> {
    fn by(event: &'a Event) -> Option<Self> {
        match event.family() {
            Family::SessionStart if !continues(event) => Some(Self::Session),
            Family::SubagentStart => event.optional("agent_id").map(Self::Subagent),
            _ => None,
        }
    }
}

/// Returns whether an event starts a session or a sub-agent.
pub fn starts(event: &Event) -> bool {
    Started::by(event).is_some()
}

/// Records that the session or the sub-agent that an event starts was refused without a hook's decision. Returns
/// `false` if the event starts neither.
pub(crate) fn refuse_start(event: &Event, progress: &mut Progress, why: &str) -> bool {
    match Started::by(event) {
        Some(Started::Session) => {
            progress.session_refused = Some(text::undecided(SESSION, why));
        }
        Some(Started::Subagent(agent)) => {
            let text = text::undecided(SUBAGENT, why);
            progress.agents_refused.insert(agent.to_owned(), text);
        }
        None => return false,
    }
    true
}

/// Returns whether an event continues a session after a compaction.
pub(super) fn continues(event: &Event) -> bool {
    event.optional("source") == Some("compact")
}

impl<C> Flow<'_, C> {
    /// Returns why the event's session or sub-agent was refused at its start, if it was.
    pub(super) fn refused_before(&self) -> Option<String> {
        let session = self.progress.session_refused.clone();
        session.or_else(|| {
            let agent = self.event.optional("agent_id")?;
            self.progress.agents_refused.get(agent).cloned()
        })
    }
}
