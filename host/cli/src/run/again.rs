//! The options of this command line that a command about its suspended turn must repeat.

use std::ffi::OsStr;

use clap::error::Error;
use clap::parser::ValueSource;
use clap::{ArgMatches, Args, Command, FromArgMatches};
use portcullis::text::sanitize_for_terminal;
use portcullis_agent::CheckpointId;
use portcullis_store::StoreUrl;

use super::Edits;
use crate::agent_file::AgentArg;

/// The options that name the place of a turn, in [`AgentArg`] and in `--store`.
const OF_PLACE: [&str; 2] = ["agent", "store"];

/// The options that define the agent, as they were given. This is not an option itself. It is the
/// first field, so that it reads the other fields' options before they are taken.
#[derive(Debug, Clone, Default)]
pub struct Again {
    /// Each option by its long name, with its words for a shell.
    options: Vec<(String, String)>,
}

impl Again {
    /// Returns the command that approves the turn's questions.
    pub fn approve(&self, id: &CheckpointId) -> String {
        self.command(&format!("portcullis approvals approve {id}"), |name| {
            OF_PLACE.contains(&name)
        })
    }

    /// Returns the command that resumes the turn.
    pub fn resume(&self, id: &CheckpointId) -> String {
        self.command(&format!("portcullis resume {id}"), |_| true)
    }

    fn command(&self, command: &str, needs: impl Fn(&str) -> bool) -> String {
        let needed = self.options.iter().filter(|(name, _)| needs(name));
        let words = std::iter::once(command).chain(needed.map(|(_, words)| words.as_str()));
        words.collect::<Vec<_>>().join(" ")
    }

    fn of(given: &ArgMatches) -> Self {
        let known = Edits::augment_args(AgentArg::augment_args(Command::new("")));
        let mut options = Vec::new();
        for option in known.get_arguments() {
            let id = option.get_id().as_str();
            let Some(name) = option.get_long() else {
                continue;
            };
            let is_given = given.ids().any(|given| given.as_str() == id)
                && given.value_source(id) == Some(ValueSource::CommandLine);
            if !is_given {
                continue;
            }
            let values = given.get_raw(id).into_iter().flatten();
            match option.get_action().takes_values() {
                true => options.extend(values.map(|value| (name.to_owned(), words(name, value)))),
                false => options.push((name.to_owned(), format!("--{name}"))),
            }
        }
        Self { options }
    }
}

/// Returns whether an option's value may hold a secret, which must not be in a log: a command, or
/// an address with a user.
fn may_hold_secret(name: &str, text: &str) -> bool {
    match name {
        "mcp" => true,
        "approvals" => text.starts_with("command:"),
        _ => text.contains("://") && text.contains(['@', '?']),
    }
}

/// Returns an option and its value, for a shell. A value that is secret, or that a terminal cannot
/// show, is `…`.
fn words(name: &str, value: &OsStr) -> String {
    let text = value.to_string_lossy();
    if name != "store" && may_hold_secret(name, &text) || sanitize_for_terminal(&text) != text {
        return format!("--{name} '…'");
    }
    // A URL's text leaves out the password, which must not be in a log.
    let text = match text.parse::<StoreUrl>() {
        Ok(url) if name == "store" && url.file().is_none() => url.to_string(),
        _ => text.into_owned(),
    };
    let quoted = match shlex::try_quote(&text) {
        Ok(quoted) => quoted.into_owned(),
        // No argument has a NUL.
        Err(_) => text.clone(),
    };
    match text.starts_with('-') {
        true => format!("--{name}={quoted}"),
        false => format!("--{name} {quoted}"),
    }
}

impl Args for Again {
    fn augment_args(command: Command) -> Command {
        command
    }

    fn augment_args_for_update(command: Command) -> Command {
        command
    }
}

impl FromArgMatches for Again {
    fn from_arg_matches(given: &ArgMatches) -> Result<Self, Error> {
        Ok(Self::of(given))
    }

    fn update_from_arg_matches(&mut self, given: &ArgMatches) -> Result<(), Error> {
        *self = Self::of(given);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::run::RunArgs;

    #[derive(Debug, Parser)]
    struct Line {
        #[command(flatten)]
        run: RunArgs,
    }

    #[test]
    fn the_options_that_make_the_agent_are_repeated_for_a_shell() {
        let id: CheckpointId = CheckpointId::new(0, [0; 16]);
        for (given, approve, resume) in [
            (&["Hi"][..], "", ""),
            (
                &[
                    "--provider",
                    "scripted:r.json",
                    "--allow",
                    "*_file",
                    "--allow=list_dir",
                    "--system=- be brief",
                    "--no-hooks",
                    "--json",
                    "--wait",
                    "--session",
                    "s",
                    "Hi",
                ],
                "",
                " --no-hooks --provider scripted:r.json --system='- be brief' --allow '*_file' --allow list_dir",
            ),
            (
                &[
                    "--agent",
                    "my agent.toml",
                    "--store",
                    "postgres://u:secret@h/d",
                ],
                " --agent 'my agent.toml' --store postgres://h/d",
                " --agent 'my agent.toml' --store postgres://h/d",
            ),
            (
                &[
                    "--otlp",
                    "http://u:secret@127.0.0.1:4318",
                    "--mcp",
                    "x=env TOKEN=secret server",
                    "--approvals",
                    "command:ask --token secret",
                    "--base-url",
                    "http://127.0.0.1:8080/v1",
                    "--system",
                    "a\nb",
                ],
                "",
                " --approvals '…' --base-url http://127.0.0.1:8080/v1 --system '…' --mcp '…' --otlp '…'",
            ),
        ] {
            let line = std::iter::once("run").chain(given.iter().copied());
            let again = Line::try_parse_from(line).unwrap().run.again;
            let expected = format!("portcullis approvals approve {id}{approve}");
            assert_eq!(again.approve(&id), expected);
            assert_eq!(again.resume(&id), format!("portcullis resume {id}{resume}"));
        }
    }
}
