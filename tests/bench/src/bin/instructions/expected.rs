//! The file of expected counts.

use std::fmt;
use std::fs;
use std::path::PathBuf;

use anyhow::Context;
use portcullis_bench::hooks::root;
use toml::{Table, Value};

const HEADER: &str = "\
# How many instructions one call of a hook takes, host and guest together, on x86-64, for each way to build
# the host. Written by the commands in docs/contributing/numbers.md, with `--update`.
";

/// The key of the tools that a build's counts were made with.
const TOOLS: &str = "tools";

/// The build profile of the host.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Build {
    /// With the profile `dist`, as the command is released.
    Dist,
    /// With the development profile, as the tests are built.
    Ci,
}

impl Build {
    /// Returns the permitted difference of a count. In a development build a chain of one takes
    /// more than twice as many instructions, and its system calls take as many as in a release
    /// build.
    pub fn tolerance(self) -> f64 {
        match self {
            Self::Dist => 0.02,
            Self::Ci => 0.01,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Dist => "dist",
            Self::Ci => "ci",
        }
    }
}

/// The expected count of each case.
pub struct Expected {
    all: Table,
    build: Build,
}

/// A compared case.
pub struct Row {
    case: String,
    expected: Option<u64>,
    measured: u64,
    tolerance: f64,
}

impl Expected {
    /// Reads the expected counts of a build.
    pub fn read(build: Build) -> anyhow::Result<Self> {
        let text = fs::read_to_string(file()).with_context(|| file().display().to_string())?;
        Ok(Self {
            all: text.parse()?,
            build,
        })
    }

    /// Returns the tools that the counts were made with, or `None` if the build has no counts.
    pub fn tools(&self) -> Option<&str> {
        self.get(TOOLS)?.as_str()
    }

    /// Compares a case.
    pub fn compare(&self, case: &str, measured: u64) -> Row {
        let expected = self.get(case).and_then(Value::as_integer);
        Row {
            case: case.to_owned(),
            expected: expected.and_then(|count| u64::try_from(count).ok()),
            measured,
            tolerance: self.build.tolerance(),
        }
    }

    /// Sets the expected count of a case.
    pub fn set(&mut self, case: &str, measured: u64) {
        let count = i64::try_from(measured).unwrap_or(i64::MAX);
        self.put(case, Value::Integer(count));
    }

    /// Writes the file.
    pub fn write(&mut self, tools: &str) -> anyhow::Result<()> {
        self.put(TOOLS, Value::String(tools.to_owned()));
        fs::write(file(), format!("{HEADER}\n{}", toml::to_string(&self.all)?))?;
        Ok(())
    }

    fn get(&self, key: &str) -> Option<&Value> {
        self.all.get(self.build.name())?.get(key)
    }

    fn put(&mut self, key: &str, value: Value) {
        let of_build = self.all.entry(self.build.name());
        if let Value::Table(counts) = of_build.or_insert_with(|| Value::Table(Table::new())) {
            counts.insert(key.to_owned(), value);
        }
    }
}

fn file() -> PathBuf {
    root().join("tests/bench/instructions.toml")
}

impl Row {
    /// Returns whether the case is within the tolerance.
    pub fn is_near(&self) -> bool {
        self.difference()
            .is_some_and(|difference| difference.abs() <= self.tolerance)
    }

    fn difference(&self) -> Option<f64> {
        let expected = self.expected? as f64;
        Some(self.measured as f64 / expected - 1.0)
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let expected = self.expected.map_or("none".to_owned(), |it| it.to_string());
        let difference = self
            .difference()
            .map_or("new".to_owned(), |it| format!("{:+.1} %", it * 100.0));
        let mark = if self.is_near() { "" } else { "  <-" };
        write!(
            f,
            "{:<52} {:>12} {:>12} {:>8}{mark}",
            self.case, expected, self.measured, difference
        )
    }
}
