//! Runs all tests as two concurrent `cargo test` commands, since most programs spend much of their
//! time waiting.

use std::env;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use super::stages::STAGES;
use super::{exit_code, timed};
use crate::{Error, Result};

/// The stages of the second lane: those that build projects and packages in shared directories, and
/// enough others to make both lanes equally long.
const SECOND: [&str; 3] = ["languages", "packages", "attack"];

/// The variable that is set for the programs of the first lane.
const FIRST: &str = "PORTCULLIS_FIRST_LANE";

/// The file that keeps the output of the second lane until the first has ended.
const OUTPUT: &str = "target/tests-second-lane.log";

/// Returns the names of the second lane's test programs.
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

/// Returns whether this is the first lane, and the program belongs to the second.
pub(super) fn is_of_other(binary: &str) -> bool {
    env::var_os(FIRST).is_some() && second().any(|name| name == binary)
}

/// The commands of all tests.
#[derive(Debug)]
pub struct Lanes {
    build: Command,
    first: Command,
    second: Command,
    /// The file with the output of the second lane.
    output: PathBuf,
}

impl Lanes {
    /// Creates the commands. They name this program, which the build replaces, so they are made
    /// before the build.
    ///
    /// # Errors
    ///
    /// The path of this program is unknown.
    pub fn new(root: &Path) -> Result<Self> {
        let (mut build, mut first, mut other) = (timed(root)?, timed(root)?, timed(root)?);
        build.args(["--workspace", "--no-run"]);
        first.arg("--workspace").env(FIRST, "1");
        other.arg("--workspace");
        for name in second() {
            other.args(["--test", name]);
        }
        Ok(Self {
            build,
            first,
            second: other,
            output: root.join(OUTPUT),
        })
    }

    /// Builds all tests.
    ///
    /// # Errors
    ///
    /// `cargo` does not start.
    pub fn build(&mut self) -> Result<ExitCode> {
        self.build.status().map(exit_code).map_err(not_started)
    }

    /// Runs all tests. Prints the output of the second lane after that of the first.
    ///
    /// # Errors
    ///
    /// `cargo` does not start, or the output of the second lane cannot be kept.
    pub fn run(mut self) -> Result<ExitCode> {
        let not_kept = |cause| Error::file("write", &self.output, &cause);
        let log = File::create(&self.output).map_err(not_kept)?;
        self.second.stderr(log.try_clone().map_err(not_kept)?);
        let mut second = self.second.stdout(log).spawn().map_err(not_started)?;
        let first = self.first.status();
        let second = second.wait().map_err(not_started)?;
        let not_read = |cause| Error::file("read", &self.output, &cause);
        let mut log = File::open(&self.output).map_err(not_read)?;
        // The reader of the output may have closed it.
        let _ = io::copy(&mut log, &mut io::stdout());
        let first = first.map_err(not_started)?;
        Ok(exit_code(if first.success() { second } else { first }))
    }
}

fn not_started(cause: io::Error) -> Error {
    Error::start("cargo", &cause)
}
