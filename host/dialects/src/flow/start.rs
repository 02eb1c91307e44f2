//! Starts that are refused: agents continue in spite of it, so what follows is refused too.

use super::Flow;
use crate::event::Event;
use crate::events::Family;
use crate::progress::Progress;
use crate::text;

pub(super) const SESSION: &str = "The session was refused at its start";
pub(super) const SUBAGENT: &str = "The sub-agent was refused at its start, and so are its tools";

/// Records that what the event starts was refused for this reason: no hook has decided. `false` if it starts nothing.
pub(crate) fn refuse_start(event: &Event, progress: &mut Progress, why: &str) -> bool {
    match (event.family(), event.optional("agent_id")) {
        (Family::SessionStart, _) if !continues(event) => {
            progress.session_refused = Some(text::undecided(SESSION, why));
            true
        }
        (Family::SubagentStart, Some(agent)) => {
            let text = text::undecided(SUBAGENT, why);
            progress.agents_refused.insert(agent.to_owned(), text);
            true
        }
        _ => false,
    }
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
