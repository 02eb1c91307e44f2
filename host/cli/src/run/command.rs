//! Chat commands, such as `/help`.

use super::front::Heard;
use super::protocol::Request;
use crate::unknown::no_such;

/// A command that shows something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Command {
    /// `/help`: the commands.
    Help,
    /// `/hooks`: the hooks that are armed now.
    Hooks,
    /// `/approvals`: the suspended turns that wait for answers.
    Approvals,
}

/// The names, and their descriptions.
pub const NAMES: [(&str, &str); 4] = [
    ("/help", "shows this"),
    ("/hooks", "shows the hooks, as they are now"),
    (
        "/approvals",
        "shows the suspended turns, which wait for answers",
    ),
    ("/quit", "ends the session; so does Ctrl-D"),
];

/// Reads a person's line. Returns `None` if the line is for the agent. A command is a slash and one
/// word of letters. A path is not a command, and neither is a line that begins with a space.
pub fn read(line: &str) -> Option<Heard> {
    let word = line.strip_prefix('/')?.trim_end();
    if word.is_empty() || !word.chars().all(|c| c.is_ascii_alphabetic()) {
        return None;
    }
    Some(match word {
        "help" => Heard::Command(Command::Help),
        "hooks" => Heard::Command(Command::Hooks),
        "approvals" => Heard::Command(Command::Approvals),
        "quit" => Heard::Request(Request::End),
        _ => {
            let names = NAMES.map(|(name, _)| name);
            Heard::Wrong(no_such("command", &format!("/{word}"), &names))
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_told_from_what_is_for_the_agent() {
        for (line, expected) in [
            ("/help", Some(Heard::Command(Command::Help))),
            ("/hooks ", Some(Heard::Command(Command::Hooks))),
            ("/quit", Some(Heard::Request(Request::End))),
            (
                "/hlp",
                Some(Heard::Wrong(
                    "there is no command `/hlp`; did you mean `/help`?".into(),
                )),
            ),
            ("/etc/hosts", None),
            ("/help me", None),
            (" /help", None),
            ("/", None),
            ("help", None),
        ] {
            assert_eq!(read(line), expected, "{line}");
        }
        for (name, _) in NAMES {
            assert!(
                !matches!(read(name), None | Some(Heard::Wrong(_))),
                "{name}"
            );
        }
    }
}
