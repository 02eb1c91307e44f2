//! The example hooks, and running the command.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;

use serde_json::Value;
use tempfile::TempDir;

/// Returns the example hooks, built once.
pub fn built() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| xtask::guests::build(&xtask::root()).expect("the hooks build"))
}

/// Returns the ids of the example hooks, in order.
pub fn ids() -> Vec<String> {
    ids_in(built())
}

fn ids_in(dir: &Path) -> Vec<String> {
    let mut ids: Vec<String> = fs::read_dir(dir)
        .expect("the built hooks")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "wasm"))
        .filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned()))
        .collect();
    ids.sort();
    ids
}

/// Returns a directory with these example hooks and settings, in which hooks that are not named are
/// trusted.
pub fn directory(ids: &[&str], settings: &str) -> TempDir {
    capped(ids, &format!("{settings}\n[unnamed]\nload = \"trusted\"\n"))
}

/// Returns a directory with these example hooks, and with these settings if there are any. Hooks
/// that are not named are capped.
pub fn capped(ids: &[&str], settings: &str) -> TempDir {
    let dir = tempfile::tempdir().expect("a directory");
    for id in ids {
        let name = format!("{id}.wasm");
        fs::copy(built().join(&name), dir.path().join(&name)).expect("a hook");
    }
    if !settings.is_empty() {
        fs::write(dir.path().join("hooks.toml"), settings).expect("the settings");
    }
    dir
}

/// Returns the hooks of the demo, in order.
pub fn ids_of_the_demo() -> Vec<String> {
    built();
    ids_in(&xtask::root().join("target/demo-hooks"))
}

/// Returns the hooks of the demo, with its settings.
pub fn demo() -> TempDir {
    let ids = ids_of_the_demo();
    let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    directory(&ids, &settings_of_the_demo())
}

/// Returns all example hooks with the settings of the demo. Hooks that the demo does not have are
/// disabled.
pub fn all() -> TempDir {
    const OTHERS: &str = r#"
        [hooks.policy-server]
        enabled = false
        grants.http = ["POST http://localhost:8181/v1/data/agent/tool at 127.0.0.1"]

        [hooks.llm-judge]
        enabled = false
        grants.model = { tokens = 8000 }

        [hooks.untrusted-content]
        enabled = false
        grants = { state = true, agent-state-edit = ["untrusted"] }
    "#;
    let ids = ids();
    let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    directory(&ids, &format!("{}{OTHERS}", settings_of_the_demo()))
}

fn settings_of_the_demo() -> String {
    let settings = fs::read_to_string(xtask::root().join("host/demo/story/hooks.toml"));
    settings.expect("the settings of the demo")
}

/// Returns the command with these arguments. Compiled hooks are kept with the other files of the
/// tests.
pub fn portcullis(arguments: &[&str]) -> Command {
    let mut command = bare(arguments);
    command.args([
        "--cache-dir",
        concat!(env!("CARGO_TARGET_TMPDIR"), "/compiled"),
    ]);
    command
}

/// Returns the command with these arguments and no others.
pub fn bare(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_portcullis"));
    command
        .args(arguments)
        .env_remove("PORTCULLIS_HOOKS")
        .env_remove("PORTCULLIS_IDENTITY")
        .env_remove("PORTCULLIS_LOG")
        .env_remove("PORTCULLIS_STORE")
        .env("XDG_STATE_HOME", env!("CARGO_TARGET_TMPDIR"))
        .stdin(Stdio::null());
    command
}

/// The result of a command.
#[derive(Debug)]
pub struct Ran {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl Ran {
    /// Returns the output as one JSON document.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|e| panic!("{e}: {self:?}"))
    }

    /// Returns the output as one JSON document a line.
    pub fn lines(&self) -> Vec<Value> {
        self.out
            .lines()
            .map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}")))
            .collect()
    }
}

/// Runs a command to its end.
pub fn run(command: &mut Command) -> Ran {
    ran(command.output().expect("the command runs"))
}

/// Runs a command with this input.
pub fn run_with_input(command: &mut Command, input: &str) -> Ran {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    let mut stdin = child.stdin.take().expect("its input");
    stdin.write_all(input.as_bytes()).expect("it takes input");
    drop(stdin);
    ran(child.wait_with_output().expect("the command ends"))
}

fn ran(output: Output) -> Ran {
    Ran {
        code: output.status.code(),
        out: String::from_utf8(output.stdout).expect("text"),
        err: String::from_utf8(output.stderr).expect("text"),
    }
}

/// Returns a path as an argument.
pub fn text(path: &Path) -> &str {
    path.to_str().expect("a path that is text")
}
