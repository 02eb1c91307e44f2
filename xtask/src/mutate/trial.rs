//! Runs one test, without its mutation and with it.

use std::fmt::{self, Display, Formatter};
use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::build::Test;
use super::list::Mutation;
use super::{ACTIVE, is_killed};
use crate::{Error, Result};

/// The maximum duration of a test. A mutation may make it run forever.
const LONGEST: Duration = Duration::from_secs(300);

/// The maximum number of characters of a reason: some tests print whole values.
const LONGEST_REASON: usize = 120;

/// The end of a test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum End {
    /// It passed.
    Passed,
    /// It failed, for this reason.
    Failed(String),
    /// It was stopped after the time limit.
    TimedOut,
}

/// The result of a mutation.
pub(super) struct Trial {
    /// The end without the mutation.
    pub(super) without: End,
    /// The end with the mutation.
    pub(super) with: End,
    /// The duration of the test with the mutation.
    pub(super) took: Duration,
}

impl Trial {
    pub(super) fn run(test: &Test<'_>, mutation: &Mutation, tree: &Path) -> Result<Self> {
        let began = Instant::now();
        let without = once(test, None, tree, LONGEST)?;
        // The limit is far more than the test needs without the mutation, so that a busy machine
        // causes no failure.
        let most = LONGEST.min(Duration::from_secs(30) + began.elapsed() * 10);
        let began = Instant::now();
        let with = once(test, Some(mutation), tree, most)?;
        Ok(Self {
            without,
            with,
            took: began.elapsed(),
        })
    }

    /// Returns whether the test passes without the mutation, and fails with it.
    pub(super) fn is_killed(&self) -> bool {
        self.without == End::Passed && is_killed(&self.with)
    }

    /// Returns the test's report of the mutation.
    pub(super) fn told(&self) -> String {
        match (&self.without, &self.with) {
            (End::Passed, End::Passed) => "SURVIVED".to_owned(),
            (End::Passed, End::Failed(by)) => by.clone(),
            (End::Passed, End::TimedOut) => "it did not end".to_owned(),
            (End::Failed(by), _) => format!("FAILS WITHOUT IT: {by}"),
            (End::TimedOut, _) => "DOES NOT END WITHOUT IT".to_owned(),
        }
    }
}

impl Display for Trial {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({:.1} s)", self.told(), self.took.as_secs_f64())
    }
}

fn once(test: &Test<'_>, active: Option<&Mutation>, tree: &Path, most: Duration) -> Result<End> {
    let log = tree.with_file_name(match active {
        Some(_) => "with.log",
        None => "without.log",
    });
    let output = File::create(&log).map_err(|e| Error::file("write", &log, &e))?;
    let errors = output
        .try_clone()
        .map_err(|e| Error::file("write", &log, &e))?;
    let mut run = Command::new(test.program);
    run.current_dir(test.dir)
        .args(["--exact", test.name])
        .stdin(Stdio::null())
        .stdout(output)
        .stderr(errors)
        .env_remove(ACTIVE);
    if let Some(mutation) = active {
        run.env(ACTIVE, &mutation.name);
    }
    let mut child = run
        .spawn()
        .map_err(|e| Error::start(&mutation_or(active, test), &e))?;
    let began = Instant::now();
    let status = loop {
        match child.try_wait().map_err(|e| Error::start(test.name, &e))? {
            Some(status) => break status,
            None if began.elapsed() > most => {
                // An error means that the child has just ended.
                let _ = child.kill();
                let _ = child.wait();
                return Ok(End::TimedOut);
            }
            None => std::thread::sleep(Duration::from_millis(20)),
        }
    };
    if status.success() {
        return Ok(End::Passed);
    }
    let text = fs::read(&log).map_err(|e| Error::file("read", &log, &e))?;
    Ok(End::Failed(reason(
        &String::from_utf8_lossy(&text),
        &status.to_string(),
    )))
}

fn mutation_or(active: Option<&Mutation>, test: &Test<'_>) -> String {
    active.map_or_else(|| test.name.to_owned(), |mutation| mutation.name.clone())
}

/// Returns the line with the reason of a failed test. The attack kit first repeats the attack's
/// description.
fn reason(text: &str, status: &str) -> String {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let said = loop {
        match lines.next() {
            Some(line) if line.contains("panicked at ") => break lines.next(),
            Some(line) if line.starts_with("---- ") && !line.ends_with(" stdout ----") => {
                let said = lines.next();
                let more = lines.next().filter(|line| *line != "failures:");
                break more.or(said);
            }
            Some(_) => {}
            None => break None,
        }
    };
    said.unwrap_or(status)
        .chars()
        .take(LONGEST_REASON)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reason_of_a_failure_is_found() {
        let panicked = "running 1 test\n\nthread 'a' panicked at tests/a.rs:1:2:\nit is 3\nnote: x";
        assert_eq!(reason(panicked, "101"), "it is 3");
        let listed = "failures:\n\n---- cpu::loop ----\nLoops.\n  cause: deadline\n";
        assert_eq!(reason(listed, "101"), "cause: deadline");
        let captured = "---- a stdout ----\nbuilding\nthread 'a' panicked at a.rs:1:\nit is 3\n";
        assert_eq!(reason(captured, "101"), "it is 3");
        assert_eq!(reason("Killed", "signal: 6"), "signal: 6");
    }
}
