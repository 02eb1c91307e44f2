//! Runs the tests: all, or those of named stages. Reports the slowest.

pub mod failed;
pub mod lanes;
pub mod open_files;
pub mod program;
pub mod stages;
pub mod times;

use std::env;
use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, ExitStatus};

use crate::{Error, Result, cargo, root};

use stages::{STAGES, Stage};

/// Returns the file that keeps the list of skipped tests until it is shown.
fn not_run_file(root: &Path) -> PathBuf {
    root.join("target").join("tests-not-run")
}

/// Reports that a test is not run, and why. `eprintln` is not used: the test harness captures it
/// for a test that passes.
pub fn not_run(what: &str) {
    let line = format!("NOT RUN: {what}\n");
    // If both writes fail, no output is left to report to.
    let _ = std::io::stderr().write_all(line.as_bytes());
    let file = OpenOptions::new()
        .create(true)
        .append(true)
        .open(not_run_file(&root()));
    let _ = file.and_then(|mut file| file.write_all(line.as_bytes()));
}

/// Returns the directory that the tests compile Rust projects into, so that the dependencies of
/// hooks are compiled once.
pub fn rust_projects(root: &Path) -> PathBuf {
    root.join("target").join("rust-projects")
}

/// Removes the last run's lists of failed and skipped tests, its times, and its projects, which
/// differ in each run.
pub fn forget(root: &Path) {
    times::forget(root);
    failed::forget(root);
    // The file may not exist.
    let _ = fs::remove_file(not_run_file(root));
    let _ = fs::remove_dir_all(rust_projects(root));
}

/// Returns the tests that the last run skipped, a line each, or an empty text.
pub fn left_out(root: &Path) -> String {
    fs::read_to_string(not_run_file(root)).unwrap_or_default()
}

/// Returns the `cargo test` commands for some arguments: names of stages, or arguments for cargo.
///
/// # Errors
///
/// No stage has the name.
pub fn commands(root: &Path, arguments: &[String]) -> Result<Vec<Command>> {
    let named = arguments
        .iter()
        .take_while(|argument| !argument.starts_with('-'));
    let stages = named.map(|name| stage(name)).collect::<Result<Vec<_>>>()?;
    let rest = arguments.get(stages.len()..).unwrap_or_default();
    let mut commands = Vec::new();
    for part in stages.iter().flat_map(|stage| stage.parts) {
        let mut test = timed(root)?;
        test.args(*part).args(rest);
        commands.push(test);
    }
    if stages.is_empty() {
        let mut test = timed(root)?;
        let cargos = rest.iter().take_while(|argument| *argument != "--");
        let mut cargos = cargos.map(String::as_str);
        if !cargos.any(|argument| argument.starts_with("-p") || argument.starts_with("--package")) {
            test.arg("--workspace");
        }
        test.args(rest);
        commands.push(test);
    }
    Ok(commands)
}

/// Returns the exit code of a program as that of this one.
pub fn exit_code(status: ExitStatus) -> ExitCode {
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    code.map_or(ExitCode::FAILURE, ExitCode::from)
}

fn stage(name: &str) -> Result<&'static Stage> {
    STAGES
        .iter()
        .find(|stage| stage.name == name)
        .ok_or_else(|| {
            let names: Vec<&str> = STAGES.iter().map(|stage| stage.name).collect();
            Error::new(format!(
                "there is no stage `{name}`; the stages are: {}",
                names.join(", ")
            ))
        })
}

/// Returns a `cargo test` whose programs [`program::run`] runs.
fn timed(root: &Path) -> Result<Command> {
    let own = env::current_exe()
        .map_err(|cause| Error::new(format!("cannot find the own program: {cause}")))?;
    let runner = format!(
        "target.'cfg(all())'.runner = ['{}', 'timed']",
        own.display()
    );
    let mut test = cargo(root);
    test.args(["test", "--no-fail-fast", "--config", &runner]);
    Ok(test)
}
