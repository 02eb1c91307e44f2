//! Starts that are refused: agents continue in spite of it, so what follows is refused too.

use super::Flow;
use crate::event::Event;
use crate::events::Family;
use crate::progress::Progress;
use crate::text;

pub(super) const SESSION: &str = "The session was refused at its start";
pub(super) const SUBAGENT: &str = "The sub-agent was refused at its start, and so are its tools";

/// Why what starts is refused until it is decided, with what to do if it never was.
pub(crate) const UNDECIDED: &str =
    "it was not decided; run `portcullis hooks check`, and then start it again";

/// The thing that an event starts.
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

/// Whether an event starts a session or a sub-agent.
pub fn starts(event: &Event) -> bool {
    Started::by(event).is_some()
}

/// Records that what the event starts was refused for this reason: no hook has decided. `false` if it starts nothing.
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

/// Whether this event continues a session after a compaction, instead of starting one.
pub(super) fn continues(event: &Event) -> bool {
    event.optional("source") == Some("compact")
}

impl<C> Flow<'_, C> {
    /// Why the session, or the sub-agent whose event it is, was refused at its start.
    pub(super) fn refused_before(&self) -> Option<String> {
        let session = self.progress.session_refused.clone();
        session.or_else(|| {
            let agent = self.event.optional("agent_id")?;
            self.progress.agents_refused.get(agent).cloned()
        })
    }
}
