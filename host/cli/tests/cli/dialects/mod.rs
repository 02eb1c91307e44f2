//! Other agents run the hooks: `portcullis hook`, `install` and `uninstall`.

mod daemon;
mod empty;
mod hook;
mod import;
mod install;
mod pages;
#[cfg(unix)]
mod recorded;
mod started;
mod taken_over;
mod telemetry;
mod unwritten;

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::{Ran, built, portcullis, run_with_input, text};

/// A hooks directory with the probe, which performs this configuration, and a directory for the
/// state.
pub struct Place {
    pub hooks: TempDir,
    state: TempDir,
}

impl Place {
    pub fn new(actions: &str) -> Self {
        let hooks = tempfile::tempdir().expect("a directory");
        let probe = built().with_file_name("test-hooks").join("probe.wasm");
        fs::copy(probe, hooks.path().join("probe.wasm")).expect("the probe");
        let settings = format!(
            "[hooks.probe.grants]\nstate = true\nevents = true\n\
             contribute = [\"policy\", \"context\", \"section\", \"tools\", \"note\", \"job\"]\n\
             [hooks.probe.config]\n{actions}\n"
        );
        fs::write(hooks.path().join("hooks.toml"), settings).expect("the settings");
        let state = tempfile::tempdir().expect("a directory");
        Self { hooks, state }
    }

    /// Returns the command, with the state of this place.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = portcullis(arguments);
        command.env("XDG_STATE_HOME", self.state.path());
        // Sockets are then in the state directory too.
        command.env_remove("XDG_RUNTIME_DIR");
        command.env_remove("PORTCULLIS_DAEMON");
        command
    }

    /// Returns the command with these arguments and no others, with the state of this place.
    pub fn bare(&self, arguments: &[&str]) -> Command {
        let mut command = crate::support::bare(arguments);
        command.env("XDG_STATE_HOME", self.state.path());
        command
    }

    /// Returns the directory of the state.
    pub fn state(&self) -> &Path {
        self.state.path()
    }

    /// `portcullis hook` with this event.
    pub fn hook(&self, dialect: &str, event: &Value) -> Ran {
        self.hook_raw(dialect, &event.to_string())
    }

    pub fn hook_raw(&self, dialect: &str, event: &str) -> Ran {
        self.hook_in(self.hooks.path(), dialect, event)
    }

    pub fn hook_in(&self, hooks: &Path, dialect: &str, event: &str) -> Ran {
        let arguments = ["hook", "--dialect", dialect, "--hooks", text(hooks)];
        run_with_input(&mut self.command(&arguments), event)
    }
}

/// Returns a tool call of Claude Code or Codex.
pub fn tool_call(command: &str) -> Value {
    json!({
        "session_id": "s", "transcript_path": "/t", "cwd": "/work",
        "hook_event_name": "PreToolUse", "tool_name": "Bash",
        "tool_input": {"command": command}, "tool_use_id": "toolu_1",
    })
}

/// Returns a prompt.
pub fn prompt(text: &str) -> Value {
    json!({
        "session_id": "s", "transcript_path": "/t", "cwd": "/work",
        "hook_event_name": "UserPromptSubmit", "prompt": text,
    })
}
