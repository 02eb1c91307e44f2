//! Telling subscribers of hooks that were loaded again.

use portcullis::{Hooks, Listening, LoadError, Reload, printable};

use super::Agent;
use crate::events::{AgentEvent, Emitted, EventSender};

/// The session that events about all of them name.
const SESSION: &str = "hooks";

/// Tells subscribers when an agent's hooks are loaded again, or those of its sub-agents, whose events
/// go where its own go. Ends when what this gives is dropped.
pub(super) fn tell<'a>(
    hooks: &Hooks,
    subagents: impl Iterator<Item = &'a Agent>,
    events: &EventSender,
) -> Vec<Listening> {
    let mut all = vec![hooks.clone()];
    let mut agents: Vec<&Agent> = subagents.collect();
    while let Some(agent) = agents.pop() {
        let hooks = &agent.context().hooks;
        // Agents may have their hooks from one directory, which is loaded again once for all.
        if !all.iter().any(|other| other.are_loaded_with(hooks)) {
            all.push(hooks.clone());
        }
        agents.extend(agent.shared.subagents.values());
    }
    let tell = |hooks: &Hooks| {
        let events = events.clone();
        hooks.on_reload(move |reload| {
            for event in told(reload) {
                events.emit(|| Emitted::new(SESSION.into(), 0, 0, event));
            }
        })
    };
    all.iter().map(tell).collect()
}

/// What there is to tell: what is in effect first, then what is not.
fn told(reload: &Reload) -> Vec<AgentEvent> {
    match reload {
        Reload::Unchanged => Vec::new(),
        Reload::Refused(errors) => vec![AgentEvent::HooksNotReloaded {
            all: true,
            kept: Vec::new(),
            errors: texts(&errors.0),
        }],
        Reload::Done(done) => {
            let refused = !done.errors.is_empty();
            let nothing = done.changes.is_empty() && !done.settings;
            let reloaded = (!(refused && nothing)).then(|| AgentEvent::HooksReloaded {
                changes: done.changes.clone(),
                settings: done.settings,
            });
            let refused = refused.then(|| AgentEvent::HooksNotReloaded {
                all: false,
                kept: done.kept.clone(),
                errors: texts(&done.errors),
            });
            reloaded.into_iter().chain(refused).collect()
        }
    }
}

/// Errors, as they may be shown.
pub(crate) fn texts(errors: &[LoadError]) -> Vec<String> {
    let texts = errors.iter().map(ToString::to_string);
    texts.map(|text| printable(&text)).collect()
}
