//! Keeps to rules for branches, commits and pull requests: in shell commands with `git` and `gh`, and in the tools of GitHub's MCP server.
//!
//! It works without configuration. With the defaults in full:
//!
//! ```toml
//! [hooks.git-policy.config]
//! shell_tools = ["bash", "Bash", "sh", "shell", "*shell*", "*terminal*", "*command*", "exec"] # `*` stands for any text
//! shell_arguments = ["command", "cmd", "script", "commands"]
//! protected = ["main", "master", "release/*", "production"] # branches
//! files = []              # patterns of files that may not be changed, such as ".github/workflows/**"
//! file_tools = ["*write*", "*edit*", "Write", "Edit", "*create_or_update_file", "*push_files", "*delete_file"]
//! message_pattern = ""    # a regular expression that the first line of a commit's message must match
//! message_forbidden = []  # regular expressions that no message may match
//! longest_subject = 0     # characters of the first line; 0 sets no limit
//!
//! [hooks.git-policy.config.rules] # "allow", "ask" or "refuse"
//! force-push = "refuse"
//! ```
//!
//! `docs/guards/git-policy.md` describes the rules and their limits.
//!
//! Points: `pre-tool-call`. Role: gate, so it fails closed. Needs the view `tool-data`.

mod api;
mod commit;
mod config;
mod files;
mod gh;
mod git;
mod github;
mod options;
mod policy;
mod push;
mod settings;

use config::Config;
use guards_common::rules;
use policy::Policy;
use portcullis_sdk::config::Prepared;
use portcullis_sdk::prelude::*;
use serde_json::Value;

static POLICY: Prepared<Policy> = Prepared::new(|| Policy::new(config::<Config>()?));

struct GitPolicy;

#[hook(
    id = "git-policy",
    kind = "guardrail",
    description = "Keeps to rules for branches, commits and pull requests.",
    priority = 820,
    config = Config
)]
impl GitPolicy {
    fn pre_tool_call(call: &pre_tool_call::Call) -> HookResult<pre_tool_call::Verdict> {
        let policy = POLICY.get()?;
        let arguments: Value = tool_data::arguments()?;
        let working_dir = call.grant().working_dir;
        let found = policy.findings(&call.name(), &arguments, working_dir.as_deref());
        Ok(rules::verdict(
            call,
            &policy.config.rules,
            &found,
            "May this run?",
        ))
    }
}

#[cfg(test)]
mod tests;
