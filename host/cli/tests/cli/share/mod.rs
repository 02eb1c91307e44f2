//! `portcullis publish`, `add` and `remove`, with a real registry on loopback.

mod auditing;
mod fetching;
mod hostile;
mod publishing;
mod registry;
mod removing;
mod server;
mod signatures;
mod tls;
mod updating;
mod used;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use tempfile::TempDir;

use crate::support::{Ran, built, portcullis, run, text};

/// Returns an example hook.
fn hook(id: &str) -> PathBuf {
    built().join(format!("{id}.wasm"))
}

/// Returns the command, which reaches no other server and has no credentials but those of the test.
fn command(arguments: &[&str]) -> Command {
    let mut command = portcullis(arguments);
    for variable in [
        "HTTP_PROXY",
        "HTTPS_PROXY",
        "ALL_PROXY",
        "http_proxy",
        "https_proxy",
        "all_proxy",
        "NO_PROXY",
        "no_proxy",
    ] {
        command.env_remove(variable);
    }
    command.env("DOCKER_CONFIG", "/nonexistent");
    command
}

fn publish(hook: &Path, to: &str, options: &[&str]) -> Value {
    let ran = run(command(&["publish", text(hook), to, "--json"]).args(options));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    ran.json()
}

fn add(dir: &Path, source: &str, options: &[&str]) -> Ran {
    run(command(&["add", source, "--hooks", text(dir)]).args(options))
}

fn check(dir: &Path) -> Ran {
    run(&mut portcullis(&["hooks", "check", "--hooks", text(dir)]))
}

fn read(dir: &Path, name: &str) -> String {
    fs::read_to_string(dir.join(name)).unwrap_or_default()
}

/// Returns all names in a directory in which a command may have left files.
fn names(dir: &Path) -> Vec<String> {
    let entries = fs::read_dir(dir).into_iter().flatten();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}

fn directory(settings: &str) -> TempDir {
    crate::support::capped(&[], settings)
}

fn refused(ran: &Ran, why: &str) {
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(
        ran.err.replace('\n', " ").contains(why),
        "no `{why}` in:\n{}",
        ran.err
    );
}
