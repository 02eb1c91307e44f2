//! Runs all tests as two `cargo test` at once, since most programs wait for much of their time.

use std::env;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

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

/// The commands of all tests.
#[derive(Debug)]
pub struct Lanes {
    build: Command,
    first: Command,
    second: Command,
    /// Where the output of the second lane is kept.
    output: PathBuf,
}

impl Lanes {
    /// The commands, which are made before the build: they name this program, which the build replaces.
    ///
    /// # Errors
    ///
    /// There is no path of this program.
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
        // Whoever reads the output may have gone.
        let _ = io::copy(&mut log, &mut io::stdout());
        let first = first.map_err(not_started)?;
        Ok(exit_code(if first.success() { second } else { first }))
    }
}

fn not_started(cause: io::Error) -> Error {
    Error::start("cargo", &cause)
}
