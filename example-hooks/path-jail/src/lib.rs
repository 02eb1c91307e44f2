//! Keeps the paths that tools are given inside the tool's working directory.
//!
//! ```toml
//! [hooks.path-jail.config]
//! arguments = ["path", "file", "dir", "directory", "cwd"] # the default
//! mode = "reject" # the default; "rewrite" moves a path that leaves inside instead
//! ```
//!
//! Arguments of these names are paths, at any depth, alone or in lists. A path is resolved by its
//! words alone, against the working directory that the policy granted. One that leaves it is
//! refused with the code `outside-working-dir`; with `mode = "rewrite"` it is taken as if the
//! working directory were the root, so `/etc/hosts` becomes `WORKING-DIR/etc/hosts`.
//!
//! So that no tool reads a path otherwise than this hook did, a backslash parts names as a slash
//! does, and `~`, a drive letter and `file:` count as leaving. Links are not followed: what a link
//! inside points to, only the tool can know.
//!
//! It runs late, so that no other hook changes the arguments after it has looked.
//!
//! Points: `pre-tool-call`. Role: transform, so it fails closed. Needs the view `tool-data`.

mod arguments;
mod jail;

use arguments::{Config, Fault};
use jail::Jail;
use portcullis_sdk::config::Prepared;
use portcullis_sdk::prelude::*;
use serde_json::Value;

static CONFIG: Prepared<Config> = Prepared::new(config);

struct PathJail;

#[hook(
    id = "path-jail",
    kind = "guardrail",
    description = "Keeps the paths that tools are given inside the working directory.",
    priority = 900
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
