//! The lines about tools and sub-agents while a turn runs.

use std::io;

use super::agents::Agents;
use crate::terminal::format::print_line;
use crate::terminal::style::{DIM, REFUSED};
use crate::terminal::{Out, Printable, text};

/// The most columns of a tool's arguments or of a sub-agent's output.
const QUOTED: usize = 90;

/// A call of a tool or a sub-agent that has its result.
pub struct Finished<'a> {
    /// The session of the call.
    pub session: &'a str,
    /// The id of the call.
    pub call_id: &'a str,
    /// The tool.
    pub name: &'a str,
    /// Whether it ran.
    pub ran: bool,
    /// Whether the result is an error.
    pub is_error: bool,
    /// The result, as the model gets it.
    pub content: &'a str,
}

/// Writes that a tool runs.
pub fn started(agents: &Agents, session: &str, name: &str, arguments: &str) -> io::Result<()> {
    let arguments = crate::activity::arguments(arguments);
    let arguments = text::cut(&Printable::line(&arguments), QUOTED);
    let label = agents.label(session);
    print_line!(
        Out::stderr(),
        "{DIM}  → {}{} {}{DIM:#}",
        label,
        name,
        arguments
    )
}

/// Writes that a sub-agent runs.
pub fn subagent_started(agents: &Agents, session: &str, name: &str) -> io::Result<()> {
    let label = agents.label(session);
    print_line!(
        Out::stderr(),
        "{DIM}  → {}{} (sub-agent){DIM:#}",
        label,
        name
    )
}

/// Writes that a call was refused or failed, and, unless it is `quiet`, that a hook answered it or that a
/// sub-agent has ended.
pub fn finished(agents: &Agents, call: &Finished<'_>, quiet: bool) -> io::Result<()> {
    let label = agents.label(call.session);
    let mut lines = call.content.lines().map(str::trim);
    let first = lines.find(|line| !line.is_empty()).unwrap_or_default();
    if call.is_error && call.ran {
        let first = match first {
            "" => "it failed without a message",
            first => first,
        };
        print_line!(
            Out::stderr(),
            "{REFUSED}  ✗ {}{}:{REFUSED:#} {}",
            label,
            call.name,
            Printable::line(first)
        )
    } else if call.is_error {
        print_line!(
            Out::stderr(),
            "{REFUSED}  ✗ {}{}{REFUSED:#} {DIM}{}{DIM:#}",
            label,
            call.name,
            Printable::line(call.content)
        )
    } else if !quiet && !call.ran {
        let said = text::cut(&Printable::line(first), QUOTED);
        print_line!(
            Out::stderr(),
            "{DIM}  ← {}{} (answered by a hook) {}{DIM:#}",
            label,
            call.name,
            said
        )
    } else if !quiet && agents.is_subagent(call.session, call.call_id) {
        let said = text::cut(&Printable::line(first), QUOTED);
        print_line!(
            Out::stderr(),
            "{DIM}  ← {}{} {}{DIM:#}",
            label,
            call.name,
            said
        )
    } else {
        Ok(())
    }
}
