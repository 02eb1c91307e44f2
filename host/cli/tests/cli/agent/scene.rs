//! A directory with an `agent.toml`, and the command in it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use tempfile::TempDir;

use crate::support::{Ran, bare, built, portcullis, run};

/// A directory with an `agent.toml`.
pub struct Scene {
    dir: TempDir,
}

impl Scene {
    /// Creates a directory with this file and no hooks.
    pub fn new(file: &str) -> Self {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join("hooks")).unwrap();
        fs::write(dir.path().join("agent.toml"), file).unwrap();
        Self { dir }
    }

    /// Creates a scripted model with these responses, in TOML, and more of the file.
    pub fn scripted(responses: &str, rest: &str) -> Self {
        Self::new(&format!(
            "[[providers]]\nkind = \"scripted\"\nresponses = [{responses}]\n{rest}"
        ))
    }

    /// Adds a hook from `target`, with these settings.
    pub fn hook(self, component: &str, settings: &str) -> Self {
        let name = Path::new(component).file_name().unwrap();
        let built = built().parent().unwrap().join(component);
        fs::copy(&built, self.path("hooks").join(name)).unwrap();
        self.write("hooks/hooks.toml", settings);
        self
    }

    /// Adds the probe, which performs these lines of `point = "action"`.
    pub fn probe(self, actions: &str) -> Self {
        let granted =
            "contribute = [\"policy\", \"context\", \"section\", \"tools\", \"note\", \"job\"]";
        let settings = format!(
            "[hooks.probe.grants]\nstate = true\nevents = true\n{granted}\n[hooks.probe.config]\n{actions}\n"
        );
        self.hook("test-hooks/probe.wasm", &settings)
    }

    /// Returns a path in the directory.
    pub fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    pub fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).unwrap();
    }

    /// Returns the command, in the directory.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = portcullis(arguments);
        command.current_dir(self.dir.path());
        command
    }

    /// Returns a command that loads no hooks, in the directory.
    pub fn uncached(&self, arguments: &[&str]) -> Command {
        let mut command = bare(arguments);
        command.current_dir(self.dir.path());
        command
    }

    /// `portcullis run` with these arguments.
    pub fn run(&self, arguments: &[&str]) -> Ran {
        run(&mut self.command(&[&["run"], arguments].concat()))
    }

    /// Returns the events of `portcullis run` with this message.
    pub fn events(&self, message: &str) -> Vec<Value> {
        self.run(&["--json", message]).lines()
    }
}

/// Returns the names of events, without hook runs.
pub fn names(events: &[Value]) -> Vec<&str> {
    let names = events.iter().filter_map(|event| event["event"].as_str());
    names.filter(|name| *name != "hook-run").collect()
}

/// Returns the first event of this name.
pub fn first<'a>(events: &'a [Value], name: &str) -> &'a Value {
    let found = events.iter().find(|event| event["event"] == name);
    found.unwrap_or_else(|| panic!("no `{name}` in {events:#?}"))
}
