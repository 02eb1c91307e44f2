//! The operator's table.

use guards_common::rules::{self, Action, Actions, owned};
use portcullis_sdk::schemars::{self, JsonSchema};
use serde::Deserialize;

/// The operator's table.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
#[schemars(extend("examples" = [{
    "writable": ["/tmp", "/srv/build"],
    "rules": { "privilege": "refuse", "publish": "allow" },
}]))]
pub struct Config {
    /// The tools that run shell scripts; `*` stands for any text.
    pub tools: Vec<String>,
    /// Their arguments that are scripts, or lists of the words of one command.
    pub arguments: Vec<String>,
    /// Directories that may be written to, besides the tool's working directory.
    pub writable: Vec<String>,
    /// The actions on findings, by rule.
    #[schemars(schema_with = "rules::actions_schema::<Rule>")]
    pub rules: Actions<Rule>,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            tools: rules::shell_tools(),
            arguments: rules::shell_arguments(),
            writable: owned(&["/tmp", "/var/tmp"]),
            rules: Actions::new(),
        }
    }
}

/// The rules.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, PartialOrd, Ord, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Rule {
    /// Deletes or overwrites the system, the home directory, the whole working directory or a disk, or stops the machine.
    Destructive,
    /// A function that calls itself in a pipeline or in the background.
    ForkBomb,
    /// Runs code that a server sends.
    RemoteCode,
    /// Gives a server a shell.
    RemoteShell,
    /// Decodes a text and runs it.
    EncodedCode,
    /// Writes outside of the working directory.
    Outside,
    /// Runs as another user.
    Privilege,
    /// Reads a file that has keys or passwords.
    Credentials,
    /// Sends a file or another command's output to a server.
    Sending,
    /// Discards work or data that cannot be restored.
    Discard,
    /// Changes services, users, devices or the firewall.
    System,
    /// Publishes a package or an image.
    Publish,
    /// Runs a program in another language that runs commands or deletes files.
    InlineCode,
    /// A command, a directory or a script that is only known when it runs.
    Unknown,
    /// A script that cannot be read.
    Unreadable,
}

impl rules::Rule for Rule {
    fn name(self) -> &'static str {
        match self {
            Self::Destructive => "destructive",
            Self::ForkBomb => "fork-bomb",
            Self::RemoteCode => "remote-code",
            Self::RemoteShell => "remote-shell",
            Self::EncodedCode => "encoded-code",
            Self::Outside => "outside",
            Self::Privilege => "privilege",
            Self::Credentials => "credentials",
            Self::Sending => "sending",
            Self::Discard => "discard",
            Self::System => "system",
            Self::Publish => "publish",
            Self::InlineCode => "inline-code",
            Self::Unknown => "unknown",
            Self::Unreadable => "unreadable",
        }
    }

    fn default_action(self) -> Action {
        match self {
            Self::Destructive
            | Self::ForkBomb
            | Self::RemoteCode
            | Self::RemoteShell
            | Self::EncodedCode => Action::Refuse,
            _ => Action::Ask,
        }
    }
}
