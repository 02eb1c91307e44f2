//! Reporting reloads of hooks to subscribers.

use std::sync::Arc;

use portcullis::Hooks;
use portcullis::reload::{Listening, Reload};

use crate::events::{AgentEvent, EventSender, Position};
use crate::shared::Subagent;
use crate::sink::load_error_texts;

/// The session id in events about the hooks of all sessions.
const SESSION: &str = "hooks";

/// Reports reloads of the hooks of an agent and its sub-agents, whose events are sent to the same
/// subscribers. Ends when the return value is dropped.
pub(super) fn report(
    hooks: &Hooks,
    subagents: impl Iterator<Item = Arc<dyn Subagent>>,
    events: &EventSender,
) -> Vec<Listening> {
    let mut all = vec![hooks.clone()];
    let mut agents: Vec<Arc<dyn Subagent>> = subagents.collect();
    while let Some(agent) = agents.pop() {
        let hooks = &agent.shared().context.hooks;
        // Agents that load their hooks from one directory reload them once.
        if !all.iter().any(|other| other.are_loaded_with(hooks)) {
            all.push(hooks.clone());
        }
        agents.extend(agent.shared().subagents.values().cloned());
    }
    let listen = |hooks: &Hooks| {
        let events = events.clone();
        let position = Position::session(SESSION);
        hooks.on_reload(move |reload| {
            for event in AgentEvent::of_reload(reload) {
                events.emit_at(&position, || event);
            }
        })
    };
    all.iter().map(listen).collect()
}

impl AgentEvent {
    /// Returns the events of a reload: the changes that took effect, then the changes that did not.
    pub fn of_reload(reload: &Reload) -> Vec<Self> {
        match reload {
            Reload::Unchanged => Vec::new(),
            Reload::Refused(errors) => vec![Self::HooksNotReloaded {
                all: true,
                kept: Vec::new(),
                errors: load_error_texts(&errors.0),
            }],
            Reload::Done(done) => {
                let refused = !done.errors.is_empty();
                let nothing = done.changes.is_empty() && !done.settings;
                let reloaded = (!(refused && nothing)).then(|| Self::HooksReloaded {
                    changes: done.changes.clone(),
                    settings: done.settings,
                });
                let refused = refused.then(|| Self::HooksNotReloaded {
                    all: false,
                    kept: done.kept.clone(),
                    errors: load_error_texts(&done.errors),
                });
                reloaded.into_iter().chain(refused).collect()
            }
        }
    }
}
