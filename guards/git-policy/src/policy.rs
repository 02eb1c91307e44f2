//! Checking a tool call against the rules.

use guards_common::{json, names, rules};
use guards_shell::{read, scripts_in};
use portcullis_sdk::{Error, HookResult};
use regex_lite::Regex;
use serde_json::Value;

use crate::config::{Config, Rule};
use crate::files::{Files, Places};

/// A finding of a rule.
pub type Finding = rules::Finding<Rule>;

/// The operator's table with its patterns compiled.
#[derive(Debug)]
pub struct Policy {
    pub(crate) config: Config,
    files: Files,
    pub(crate) pattern: Option<Regex>,
    pub(crate) forbidden: Vec<Regex>,
}

impl Policy {
    /// Compiles the patterns of the table.
    pub fn new(config: Config) -> HookResult<Self> {
        let regex = |key: &str, text: &str| {
            Regex::new(text)
                .map_err(|why| Error::bad_config(format_args!("`{key}`: `{text}`: {why}")))
        };
        let has_pattern = !config.message_pattern.is_empty();
        Ok(Self {
            files: Files::new(&config.files)?,
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

    /// Returns the findings in a tool call, which runs in `working_dir` if that is known.
    pub fn findings(
        &self,
        tool: &str,
        arguments: &Value,
        working_dir: Option<&str>,
    ) -> Vec<Finding> {
        let mut found = Vec::new();
        if names::any(&self.config.shell_tools, tool) {
            for script in scripts_in(arguments, &self.config.shell_arguments) {
                self.script(&script, working_dir, &mut found);
            }
        }
        self.github(tool, arguments, &mut found);
        if names::any(&self.config.file_tools, tool) {
            let dirs = &[Some(String::new())];
            let places = Places { working_dir, dirs };
            json::each_text(arguments, &mut |name, text| {
                if matches!(name, "path" | "file_path" | "file" | "filename") {
                    self.file(text, places, &mut found);
                }
            });
        }
        found
    }

    fn script(&self, script: &str, working_dir: Option<&str>, found: &mut Vec<Finding>) {
        let commands = match read(script) {
            Ok(commands) => commands,
            Err(why) => {
                let what = format!("The script cannot be checked: {why}");
                return found.push(Finding::new(Rule::Unreadable, what));
            }
        };
        let sets = ["HUSKY=0", "GIT_SSH_COMMAND"];
        let leaves_out_hooks = sets.iter().any(|text| script.contains(text));
        for command in &commands {
            let dirs = &command.dirs;
            let places = Places { working_dir, dirs };
            match command.name() {
                "git" => self.git(command, places, found),
                "gh" | "hub" | "glab" => self.gh(command, found),
                _ => {}
            }
            for redirect in command.redirects.iter().filter(|redirect| redirect.writes) {
                self.file(&redirect.file.text, places, found);
            }
            if matches!(
                command.name(),
                "rm" | "mv" | "cp" | "tee" | "sed" | "touch" | "truncate"
            ) {
                for operand in command.operands() {
                    self.file(&operand.text, places, found);
                }
            }
            if leaves_out_hooks
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

    /// Returns whether the branch is protected, by its name or its reference (`refs/heads/…`).
    pub(crate) fn is_protected(&self, branch: &str) -> bool {
        let branch = branch.strip_prefix("refs/").unwrap_or(branch);
        let branch = branch.strip_prefix("heads/").unwrap_or(branch);
        names::any(&self.config.protected, branch)
    }

    pub(crate) fn file(&self, path: &str, places: Places<'_>, found: &mut Vec<Finding>) {
        if self.files.has(path, places) {
            found.push(Finding::new(
                Rule::File,
                format!("`{path}` may not be changed"),
            ));
        }
    }
}
