//! Keeps file tools in their directories, and away from files with keys.
//!
//! It works without configuration. With the defaults in full:
//!
//! ```toml
//! [hooks.path-guard.config]
//! tools = ["*"] # `*` stands for any text
//! arguments = ["path", "paths", "file", "files", "file_path", "filename", "notebook_path", "dir", "directory", "cwd",
//!     "source", "destination", "old_path", "new_path", "target", "uri"]
//! roots = []    # absolute directories besides the tool's working directory
//! deny = ["**/.env", "**/.git/**", "**/id_rsa*"] # and more; see `docs/guards/path-guard.md`
//! allow = []    # exceptions from `deny`
//! ```
//!
//! A path is resolved as text, as the example hook `path-jail` does; links are not followed, since only the tool can know where they lead.
//!
//! Points: `pre-tool-call`. Role: gate, so it fails closed. Needs the view `tool-data`.

mod config;
mod paths;
mod patterns;
mod readings;

use config::Config;
use paths::{Fault, Guard};
use portcullis_sdk::config::Prepared;
use portcullis_sdk::prelude::*;
use serde_json::Value;

static GUARD: Prepared<Guard> = Prepared::new(|| Guard::new(config::<Config>()?));

struct PathGuard;

#[hook(
    id = "path-guard",
    kind = "guardrail",
    description = "Keeps file tools in their directories, and away from files with keys.",
    priority = 900,
    config = Config
)]
impl PathGuard {
    fn pre_tool_call(call: &pre_tool_call::Call) -> HookResult<pre_tool_call::Verdict> {
        let guard = GUARD.get()?;
        if !guard.is_for(&call.name()) {
            return Ok(call.proceed());
        }
        let arguments: Value = tool_data::arguments()?;
        let working_dir = call.grant().working_dir;
        Ok(match guard.check(&arguments, working_dir.as_deref()) {
            Ok(()) => call.proceed(),
            Err(Fault::Outside(path)) => call.reject(
                "outside",
                format!("`{path}` is outside of the directories that this tool may use."),
            ),
            Err(Fault::Denied { path, pattern }) => call.reject(
                "denied-file",
                format!("`{path}` may not be used: it fits `{pattern}`."),
            ),
            Err(Fault::Unclear(path)) => call.reject(
                "unclear-path",
                format!("`{path}` cannot be checked: it has variables, escapes or characters that nobody sees."),
            ),
        })
    }
}

#[cfg(test)]
mod tests;
