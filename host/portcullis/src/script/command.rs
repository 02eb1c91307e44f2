//! The command that a script hook runs.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use tokio::process::Command;

use crate::model::view::View;

/// The environment variables that a script inherits. The others may hold keys.
const INHERITED: &[&str] = &["PATH", "HOME", "LANG", "TMPDIR"];
/// The variables that a program needs on Windows.
#[cfg(windows)]
const INHERITED_ON_WINDOWS: &[&str] = &["SYSTEMROOT", "PATHEXT", "TEMP", "TMP"];

/// The command that a script hook runs, and its limits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScriptCommand {
    /// The program: a path, or a name to be looked up in `PATH`.
    pub program: PathBuf,
    /// The arguments. Default: none.
    pub args: Vec<String>,
    /// The working directory. Default: the agent's.
    pub cwd: Option<PathBuf>,
    /// The environment variables, in addition to `PATH`, `HOME`, `LANG`, `TMPDIR` and those that
    /// describe the call. Default: none.
    pub env: BTreeMap<String, String>,
    /// The time limit of one call. Default 5 s: an interpreter takes a while to start.
    pub timeout: Duration,
    /// The most bytes that the script may write to stdout, and to stderr. Default 1 MiB.
    pub max_output_bytes: usize,
    /// The views in the input document. Default: all.
    pub views: Vec<View>,
}

impl ScriptCommand {
    /// The default of `timeout`.
    pub const TIMEOUT: Duration = Duration::from_secs(5);
    /// The default of `max_output_bytes`.
    pub const MAX_OUTPUT_BYTES: usize = 1 << 20;

    /// Creates a command without arguments.
    pub fn new(program: impl Into<PathBuf>) -> Self {
        Self {
            program: program.into(),
            args: Vec::new(),
            cwd: None,
            env: BTreeMap::new(),
            timeout: Self::TIMEOUT,
            max_output_bytes: Self::MAX_OUTPUT_BYTES,
            views: View::ALL.to_vec(),
        }
    }

    /// Returns the process, ready to be started. `told` contains variables that describe the call.
    pub(super) fn to_process<'a>(
        &self,
        told: impl IntoIterator<Item = (&'a str, String)>,
    ) -> Command {
        let mut command = Command::new(&self.program);
        command.args(&self.args).env_clear();
        #[cfg(windows)]
        inherit(&mut command, INHERITED_ON_WINDOWS);
        inherit(&mut command, INHERITED);
        command.envs(&self.env).envs(told);
        if let Some(dir) = &self.cwd {
            command.current_dir(dir);
        }
        command
    }
}

fn inherit(command: &mut Command, names: &[&str]) {
    for name in names {
        if let Some(value) = std::env::var_os(name) {
            command.env(name, value);
        }
    }
}
