//! Runs all tests as two `cargo test` at once, since most programs wait for much of their time.

use std::env;
use std::fs::File;
use std::io;
use std::path::Path;
use std::process::{Command, ExitCode, ExitStatus};

use super::stages::STAGES;
use super::{exit_code, timed};
use crate::{Error, Result};

/// The stages of the second lane: those that build projects and packages, in directories that they share, and as many
/// others as make both lanes equally long.
const SECOND: [&str; 3] = ["languages", "packages", "attack"];

/// Set for the programs of the first lane.
const FIRST: &str = "PORTCULLIS_FIRST_LANE";

/// Where the output of the second lane is until the first has ended.
const OUTPUT: &str = "target/tests-second-lane.log";

/// The names of the test programs of the second lane.
pub fn second() -> impl Iterator<Item = &'static str> {
    let stages = STAGES.iter().filter(|stage| SECOND.contains(&stage.name));
    let parts = stages.flat_map(|stage| stage.parts);
    parts.flat_map(|part| {
        let pairs = part.iter().zip(part.iter().skip(1));
        pairs
            .filter(|(option, _)| **option == "--test")
            .map(|(_, name)| *name)
    })
}

/// Whether this is the first lane, and a program is of the second.
pub(super) fn is_of_other(binary: &str) -> bool {
    env::var_os(FIRST).is_some() && second().any(|name| name == binary)
}

/// Builds all tests and runs them. Prints the output of the second lane after that of the first.
///
/// # Errors
///
/// `cargo` does not start, or the output of the second lane cannot be kept.
pub fn run(root: &Path) -> Result<ExitCode> {
    // They name this program, which the build replaces.
    let (mut first, mut other) = (timed(root)?, timed(root)?);
    let built = status(timed(root)?.args(["--workspace", "--no-run"]))?;
    if !built.success() {
        return Ok(exit_code(built));
    }
    let output = root.join(OUTPUT);
    let not_written = |cause| Error::file("write", &output, &cause);
    let log = File::create(&output).map_err(not_written)?;
    other.arg("--workspace");
    for name in second() {
        other.args(["--test", name]);
    }
    other.stderr(log.try_clone().map_err(not_written)?);
    other.stdout(log);
    let not_started = |cause| Error::start("cargo", &cause);
    let mut other = other.spawn().map_err(not_started)?;
    let first = status(first.arg("--workspace").env(FIRST, "1"));
    let other = other.wait().map_err(not_started)?;
    let mut log = File::open(&output).map_err(|cause| Error::file("read", &output, &cause))?;
    // Whoever reads the output may have gone.
    let _ = io::copy(&mut log, &mut io::stdout());
    let first = first?;
    Ok(exit_code(if first.success() { other } else { first }))
}

fn status(command: &mut Command) -> Result<ExitStatus> {
    command
        .status()
        .map_err(|cause| Error::start("cargo", &cause))
}
