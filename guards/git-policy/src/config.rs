//! The operator's table.

use guards_common::rules::{self, Action, Actions, owned};
use portcullis_sdk::schemars::{self, JsonSchema};
use serde::Deserialize;

/// The operator's table.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
#[schemars(extend("examples" = [{
    "protected": ["main", "release/*"],
    "message_pattern": "^[a-z-]+: ",
    "longest_subject": 70,
    "rules": { "merge": "refuse" },
}]))]
pub struct Config {
    /// The tools that run shell scripts; `*` stands for any text.
    pub shell_tools: Vec<String>,
    /// Their arguments that are scripts, or lists of the words of one command.
    pub shell_arguments: Vec<String>,
    /// Branches that are changed by pull requests only; `*` stands for any text.
    pub protected: Vec<String>,
    /// Patterns of files that may not be changed.
    pub files: Vec<String>,
    /// The tools that change files.
    pub file_tools: Vec<String>,
    /// A regular expression that the first line of each commit's message must match; none if empty.
    pub message_pattern: String,
    /// Regular expressions that no message may match.
    pub message_forbidden: Vec<String>,
    /// The most characters of a message's first line; 0 sets no limit.
    pub longest_subject: usize,
    /// The actions on findings, by rule.
    #[schemars(schema_with = "rules::actions_schema::<Rule>")]
    pub rules: Actions<Rule>,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            shell_tools: rules::shell_tools(),
            shell_arguments: rules::shell_arguments(),
            protected: owned(&["main", "master", "release/*", "production"]),
            files: Vec::new(),
            file_tools: owned(&[
                "*write*",
                "*edit*",
                "Write",
                "Edit",
                "*create_or_update_file",
                "*push_files",
                "*delete_file",
            ]),
            message_pattern: String::new(),
            message_forbidden: Vec::new(),
            longest_subject: 0,
            rules: Actions::new(),
        }
    }
}

/// The rules.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, PartialOrd, Ord, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Rule {
    /// Changes a protected branch other than by a pull request.
    ProtectedBranch,
    /// Replaces the commits of a branch of a server.
    ForcePush,
    /// Deletes a branch or a tag of a server.
    DeleteRemote,
    /// Leaves out the hooks or the signature of a commit.
    SkipChecks,
    /// Merges a pull request.
    Merge,
    /// Merges without the required checks, approves, or changes the settings of a repository.
    Bypass,
    /// Rewrites or deletes commits, their log or uncommitted work.
    Rewrite,
    /// Changes Git's settings so that Git runs programs, skips checks or uses another identity.
    Settings,
    /// Changes a file that may not be changed.
    File,
    /// A commit's message breaks the rules for messages.
    Message,
    /// A script that cannot be read.
    Unreadable,
}

impl rules::Rule for Rule {
    fn name(self) -> &'static str {
        match self {
            Self::ProtectedBranch => "protected-branch",
            Self::ForcePush => "force-push",
            Self::DeleteRemote => "delete-remote",
            Self::SkipChecks => "skip-checks",
            Self::Merge => "merge",
            Self::Bypass => "bypass",
            Self::Rewrite => "rewrite",
            Self::Settings => "settings",
            Self::File => "file",
            Self::Message => "message",
            Self::Unreadable => "unreadable",
        }
    }

    fn default_action(self) -> Action {
        match self {
            Self::Merge
            | Self::Rewrite
            | Self::DeleteRemote
            | Self::Settings
            | Self::Unreadable => Action::Ask,
            _ => Action::Refuse,
        }
    }
}
