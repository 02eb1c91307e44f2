//! The rules on a call of a tool.

use std::fmt::{self, Display, Formatter};

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use guards_common::{json, names};
use guards_shell::read;
use portcullis_sdk::{Error, HookResult};
use regex_lite::Regex;
use serde_json::Value;

use crate::config::{Action, Config, Rule};

/// Something that a rule is about.
#[derive(Debug, PartialEq, Eq)]
pub struct Finding {
    /// The rule.
    pub rule: Rule,
    what: String,
}

impl Finding {
    /// A finding, in words.
    pub fn new(rule: Rule, what: impl Into<String>) -> Self {
        Self {
            rule,
            what: what.into(),
        }
    }
}

impl Display for Finding {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{} (rule `{}`).", self.what, self.rule.name())
    }
}

/// The operator's table, ready to be used.
#[derive(Debug)]
pub struct Policy {
    pub(crate) config: Config,
    files: GlobSet,
    pub(crate) pattern: Option<Regex>,
    pub(crate) forbidden: Vec<Regex>,
}

impl Policy {
    /// Reads the table.
    pub fn new(config: Config) -> HookResult<Self> {
        let regex = |key: &str, text: &str| {
            Regex::new(text)
                .map_err(|why| Error::bad_config(format_args!("`{key}`: `{text}`: {why}")))
        };
        let mut files = GlobSetBuilder::new();
        for pattern in &config.files {
            let fault = |why: globset::Error| {
                Error::bad_config(format_args!("`files`: `{pattern}`: {why}"))
            };
            files.add(
                GlobBuilder::new(pattern)
                    .literal_separator(true)
                    .build()
                    .map_err(fault)?,
            );
        }
        let has_pattern = !config.message_pattern.is_empty();
        Ok(Self {
            files: files
                .build()
                .map_err(|why| Error::bad_config(format_args!("`files`: {why}")))?,
            pattern: has_pattern
                .then(|| regex("message_pattern", &config.message_pattern))
                .transpose()?,
            forbidden: config
                .message_forbidden
                .iter()
                .map(|text| regex("message_forbidden", text))
                .collect::<HookResult<_>>()?,
            config,
        })
    }

    /// What is done about what the rule finds.
    pub fn action(&self, rule: Rule) -> Action {
        self.config.action(rule)
    }

    /// What the rules find in a call of a tool.
    pub fn findings(&self, tool: &str, arguments: &Value) -> Vec<Finding> {
        let mut found = Vec::new();
        if names::any(&self.config.shell_tools, tool) {
            json::each_text(arguments, &mut |name, text| {
                if self
                    .config
                    .shell_arguments
                    .iter()
                    .any(|argument| argument == name)
                {
                    self.script(text, &mut found);
                }
            });
        }
        self.github(tool, arguments, &mut found);
        if names::any(&self.config.file_tools, tool) {
            json::each_text(arguments, &mut |name, text| {
                if matches!(name, "path" | "file_path" | "file" | "filename") {
                    self.file(text, &mut found);
                }
            });
        }
        found
    }

    fn script(&self, script: &str, found: &mut Vec<Finding>) {
        let Ok(commands) = read(script) else {
            // A script that is not read may still name what it does; other guards ask about it.
            let is_git = script.contains("git")
                && ["--force", "--no-verify", "push -f"]
                    .iter()
                    .any(|option| script.contains(option));
            if is_git {
                found.push(Finding::new(
                    Rule::ForcePush,
                    "The script cannot be read, and has such an option of Git",
                ));
            }
            return;
        };
        for command in &commands {
            match command.name() {
                "git" => self.git(command, found),
                "gh" | "hub" | "glab" => self.gh(command, found),
                _ => {}
            }
            for redirect in command.redirects.iter().filter(|redirect| redirect.writes) {
                self.file(&redirect.file.text, found);
            }
            if matches!(
                command.name(),
                "rm" | "mv" | "cp" | "tee" | "sed" | "touch" | "truncate"
            ) {
                for operand in command.operands() {
                    self.file(&operand.text, found);
                }
            }
            let sets = ["HUSKY=0", "GIT_SSH_COMMAND"];
            if sets.iter().any(|text| script.contains(text))
                && command.name() == "git"
                && (command.says("commit") || command.says("push"))
            {
                found.push(Finding::new(
                    Rule::SkipChecks,
                    "A variable leaves out Git's hooks",
                ));
            }
        }
    }

    /// Whether the branch is protected. `refs/heads/` and a server's name before it change nothing.
    pub(crate) fn is_protected(&self, branch: &str) -> bool {
        let branch = branch.strip_prefix("refs/heads/").unwrap_or(branch);
        names::any(&self.config.protected, branch)
    }

    pub(crate) fn file(&self, path: &str, found: &mut Vec<Finding>) {
        let plain = path.trim_start_matches("./");
        if self.files.is_match(plain) || self.files.is_match(path) {
            found.push(Finding::new(
                Rule::File,
                format!("`{path}` may not be changed"),
            ));
        }
    }
}
