//! The agents of a session: the main agent and its sub-agents, by their sessions.

use std::collections::BTreeMap;

use crate::terminal::Printable;
use crate::terminal::format::printable;

/// The agents whose events arrive in one stream during a turn.
#[derive(Debug, Default)]
pub struct Agents {
    /// The session of the main agent, once its turn has begun.
    main: Option<String>,
    /// The sub-agents, by their sessions.
    children: BTreeMap<String, Child>,
}

/// A sub-agent that was started in the turn.
#[derive(Debug)]
struct Child {
    /// The names of the sub-agent and of those above it.
    label: Printable,
    /// The session and the id of the call that started it.
    call: (String, String),
}

impl Agents {
    /// Notes a session in which a turn begins. The first one is that of the main agent.
    pub fn begin(&mut self, session: &str) {
        if self.main.is_none() && !self.children.contains_key(session) {
            self.main = Some(session.to_owned());
        }
    }

    /// Notes a sub-agent that is started by a call of a session.
    pub fn start(&mut self, session: &str, call_id: &str, child: &str, name: &str) {
        let label = printable!("{}{} › ", self.label(session), name);
        let call = (session.to_owned(), call_id.to_owned());
        self.children
            .insert(child.to_owned(), Child { label, call });
    }

    /// Forgets the turn's agents.
    pub fn turn_ended(&mut self) {
        *self = Self::default();
    }

    /// Returns whether the session is that of the main agent.
    pub fn is_main(&self, session: &str) -> bool {
        match &self.main {
            Some(main) => main == session,
            None => !self.children.contains_key(session),
        }
    }

    /// Returns the text before the names of a session's tools: none for the main agent.
    pub fn label(&self, session: &str) -> Printable {
        match self.children.get(session) {
            Some(child) => child.label.clone(),
            None if self.is_main(session) => Printable::default(),
            // It was started before it was suspended.
            None => "sub-agent › ".into(),
        }
    }

    /// Returns whether the call started a sub-agent.
    pub fn is_subagent(&self, session: &str, call_id: &str) -> bool {
        let mut calls = self.children.values().map(|child| &child.call);
        calls.any(|(of, id)| of == session && id == call_id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sub_agents_are_known_by_their_sessions() {
        let mut agents = Agents::default();
        assert!(agents.is_main("m"), "no turn has begun");
        agents.begin("m");
        agents.start("m", "c1", "h", "helper");
        agents.begin("h");
        agents.start("h", "c1", "i", "inner");
        assert!(agents.is_main("m") && !agents.is_main("h") && !agents.is_main("i"));
        let labels = ["m", "h", "i", "resumed"].map(|session| agents.label(session).to_string());
        assert_eq!(
            labels,
            ["", "helper › ", "helper › inner › ", "sub-agent › "]
        );
        assert!(agents.is_subagent("h", "c1") && !agents.is_subagent("i", "c1"));
        agents.turn_ended();
        assert!(agents.is_main("other"));
    }
}
