//! Asks a person about dangerous shell commands, or refuses them.
//!
//! It works without configuration. With the defaults in full:
//!
//! ```toml
//! [hooks.shell-safety.config]
//! tools = ["bash", "Bash", "sh", "shell", "*shell*", "*terminal*", "*command*", "exec"] # `*` stands for any text
//! arguments = ["command", "cmd", "script", "commands"]
//! writable = ["/tmp", "/var/tmp"] # besides the tool's working directory
//!
//! [hooks.shell-safety.config.rules] # "allow", "ask" or "refuse"
//! destructive = "refuse"
//! outside = "ask"
//! ```
//!
//! The script is parsed, not searched: a command counts wherever it is, and a word in a text does not. `docs/guards/shell-safety.md` describes
//! the rules and their limits.
//!
//! Points: `pre-tool-call`. Role: gate, so it fails closed. Needs the view `tool-data`.

mod config;
mod findings;

use config::Config;
use guards_common::{names, rules};
use guards_shell::scripts_in;
use portcullis_sdk::config::Prepared;
use portcullis_sdk::prelude::*;
use serde_json::Value;

static CONFIG: Prepared<Config> = Prepared::new(config);

struct ShellSafety;

#[hook(
    id = "shell-safety",
    kind = "guardrail",
    description = "Asks about dangerous shell commands, or refuses them.",
    priority = 800,
    config = Config
)]
impl ShellSafety {
    fn pre_tool_call(call: &pre_tool_call::Call) -> HookResult<pre_tool_call::Verdict> {
        let config = CONFIG.get()?;
        if !names::any(&config.tools, &call.name()) {
            return Ok(call.proceed());
        }
        let arguments: Value = tool_data::arguments()?;
        let working_dir = call.grant().working_dir;
        let scripts = scripts_in(&arguments, &config.arguments);
        let found: Vec<_> = scripts
            .iter()
            .flat_map(|script| findings::all(config, script, working_dir.as_deref()))
            .collect();
        Ok(rules::verdict(
            call,
            &config.rules,
            &found,
            "May this command run?",
        ))
    }
}
