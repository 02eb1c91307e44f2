//! The `--approvals` option: the approver of the hooks' questions.

use std::path::Path;
use std::str::FromStr;

use portcullis_agent_file::{ApprovalCommand, ApprovalMode, Approvals};

use super::split::words;

/// The approver of the hooks' questions.
#[derive(Debug, Clone, PartialEq)]
pub struct ApprovalsArg(pub Approvals);

impl FromStr for ApprovalsArg {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mode = |mode| Ok(Self(Approvals::By(mode)));
        match (text, text.strip_prefix("command:")) {
            ("ask", _) => mode(ApprovalMode::Ask),
            ("defer", _) => mode(ApprovalMode::Defer),
            ("deny", _) => mode(ApprovalMode::Deny),
            (_, Some(line)) => {
                let command = words(line)?;
                if command.is_empty() {
                    return Err("there is no command after the `:`".into());
                }
                let mut approvals = Approvals::Command(ApprovalCommand {
                    command,
                    ..ApprovalCommand::default()
                });
                approvals.resolve(Path::new(""));
                Ok(Self(approvals))
            }
            _ => Err("write `ask`, `defer`, `deny` or `command:PROGRAM ARGS`".into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_answers_is_read_from_the_command_line() {
        let read = |text: &str| text.parse::<ApprovalsArg>().map(|arg| arg.0);
        assert_eq!(read("deny"), Ok(Approvals::By(ApprovalMode::Deny)));
        let Ok(Approvals::Command(table)) = read("command:decide 'a b'") else {
            panic!("no command");
        };
        assert_eq!(table.command, ["decide", "a b"]);
        let Ok(Approvals::Command(table)) = read("command:./decide") else {
            panic!("no command");
        };
        let here = Path::new(&table.command[0]);
        assert!(here.is_absolute() && here.ends_with("decide"), "{here:?}");
        for bad in ["", "yes", "command:", "command:'a"] {
            assert!(read(bad).is_err(), "{bad}");
        }
    }
}
