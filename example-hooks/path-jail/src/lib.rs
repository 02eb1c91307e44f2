//! Keeps the paths in a tool's arguments inside its working directory.
//!
//! ```toml
//! [hooks.path-jail.config]
//! arguments = ["path", "file", "dir", "directory", "cwd"] # the default
//! mode = "reject" # the default; "rewrite" moves a path that leaves the directory into it
//! ```
//!
//! Arguments of these names are paths, at any depth, alone or in lists. A path is resolved as text,
//! against the working directory that the policy granted. One that leaves it is refused with the code
//! `outside-working-dir`. With `mode = "rewrite"` it is resolved as if the working directory were the
//! root, so `/etc/hosts` becomes `WORKING-DIR/etc/hosts`.
//!
//! Tools may read a path differently than this hook. So a backslash separates names like a slash, and
//! `~`, a drive letter and `file:` count as leaving. Links are not followed: only the tool can know
//! where a link leads.
//!
//! It runs late, so that no other hook changes the arguments after the check.
//!
//! Points: `pre-tool-call`. Role: transform, so it fails closed. Needs the view `tool-data`.

mod arguments;

use arguments::{Config, Fault};
use guards_common::paths::Jail;
use portcullis_sdk::config::Prepared;
use portcullis_sdk::prelude::*;
use serde_json::Value;

static CONFIG: Prepared<Config> = Prepared::new(config);

struct PathJail;

#[hook(
    id = "path-jail",
    kind = "guardrail",
    description = "Keeps the paths in a tool's arguments inside the working directory.",
    priority = 900,
    config = Config
)]
impl PathJail {
    fn pre_tool_call(call: &pre_tool_call::Call) -> HookResult<pre_tool_call::Verdict> {
        let config = CONFIG.get()?;
        let mut arguments: Value = tool_data::arguments()?;
        let jail = call.grant().working_dir.as_deref().and_then(Jail::new);
        match config.confine(&mut arguments, jail.as_ref()) {
            Ok(0) => Ok(call.proceed()),
            Ok(moved) => {
                let tool = call.name();
                warn!(tool, moved, "moved paths into the working directory");
                call.transform_arguments(&arguments)
            }
            Err(Fault::Outside { argument, path }) => Ok(call.reject(
                "outside-working-dir",
                format!("`{argument}` must stay inside the working directory; `{path}` leaves it."),
            )),
            Err(Fault::NoJail) => Err(Error::failed("the tool has no absolute working directory")),
        }
    }
}

#[cfg(test)]
mod tests;
