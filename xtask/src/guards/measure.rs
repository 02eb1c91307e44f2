//! Measures a guard.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde::Deserialize;
use serde_json::Value;

use super::Guard;
use super::figures::{Figures, Half};
use super::labelled::{Line, Memory, Template, lines};
use crate::packages::stage;
use crate::{Error, Result};

/// The labelled lines that a guard's developer may read.
const DEVELOPMENT: &str = "dev";

/// The length in characters from which an input is not shown.
const LONG: usize = 80;

/// The result of a measurement.
#[derive(Debug, Default)]
pub struct Measured {
    /// The figures.
    pub figures: Figures,
    /// Development lines that must not be caught, and are: the input, and why it must not be
    /// caught. Held-out lines are not listed, so that nobody tunes a guard to them.
    pub false_alarms: Vec<String>,
    /// Development lines that must be caught, and are not.
    pub missed: Vec<String>,
}

/// The report of `portcullis test --json`.
#[derive(Deserialize)]
struct Report {
    cases: Vec<Case>,
}

/// The result of a case.
#[derive(Deserialize)]
struct Case {
    name: String,
    fuel: Option<u64>,
    status: String,
    outcome: Option<String>,
    errors: Vec<String>,
    differences: Vec<Difference>,
}

/// A difference between a result and the expectation.
#[derive(Deserialize)]
struct Difference {
    path: String,
    got: Option<Value>,
}

impl Case {
    /// Returns the guard's outcome, if it ran and did not fail.
    fn outcome(&self, guard: &Guard, half: &str) -> Result<&str> {
        match (self.status.as_str(), self.outcome.as_deref()) {
            ("broken", _) | (_, None | Some("failed")) => Err(Error::new(format!(
                "{}: {half} {}: {:?} {}",
                guard.name,
                self.name,
                self.outcome,
                self.errors.join("; ")
            ))),
            (_, Some(outcome)) => Ok(outcome),
        }
    }

    /// Returns the actual value at a path, for a case without expectations.
    fn got(&self, path: &str) -> Option<Value> {
        let mut differences = self.differences.iter();
        let found = differences.find(|difference| difference.path == path);
        found.and_then(|difference| difference.got.clone())
    }
}

/// The report of `portcullis bench --json`.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
struct Bench {
    warm_p50_ns: u64,
    fuel: Option<u64>,
}

/// Measures a guard: its results on its labelled lines, if it has any, and the cost of a warm call
/// of the case that takes the most fuel in `portcullis test`.
///
/// # Errors
///
/// The component does not load, a line is wrong, or the guard fails.
pub fn measure(root: &Path, portcullis: &Path, guard: &Guard) -> Result<Measured> {
    let mut measured = halves(root, portcullis, guard)?;
    let bytes = fs::metadata(&guard.component)
        .map_err(|cause| Error::file("read", &guard.component, &cause))?;
    measured.figures.bytes = bytes.len();
    let (name, cases) = most_expensive(root, portcullis, guard)?;
    let mut bench = command(root, portcullis, guard, "bench");
    bench.arg("--cases").arg(cases).args(["--calls", "200"]);
    let costs: Vec<Bench> = json(&mut bench)?;
    let cost = costs
        .first()
        .ok_or_else(|| Error::new(format!("{}: nothing was measured", guard.name)))?;
    measured.figures.fuel = cost.fuel.unwrap_or_default();
    measured.figures.micros = cost.warm_p50_ns / 1_000;
    measured.figures.case = name;
    Ok(measured)
}

/// Returns the case of a guard that takes the most fuel, and a directory with no other case.
fn most_expensive(root: &Path, portcullis: &Path, guard: &Guard) -> Result<(String, PathBuf)> {
    let tests = guard.dir.join("tests");
    let mut test = command(root, portcullis, guard, "test");
    let report: Report = json(test.arg("--cases").arg(&tests))?;
    let case = report.cases.into_iter().max_by_key(|case| case.fuel);
    let name = case.map(|case| case.name);
    let name = name.ok_or_else(|| Error::new(format!("{} has no cases", guard.name)))?;
    let alone = root
        .join("target/guards-lines")
        .join(guard.name)
        .join("cost");
    stage::empty(&alone)?;
    let file = format!("{name}.toml");
    stage::copy(&tests.join(&file), &alone.join(&file))?;
    Ok((name, alone))
}

/// Measures a guard's results on its labelled lines. The result is empty if the guard has none.
///
/// # Errors
///
/// As for [`measure`].
pub fn halves(root: &Path, portcullis: &Path, guard: &Guard) -> Result<Measured> {
    let mut measured = Measured::default();
    if guard.dir.join("labelled").is_dir() {
        measured.figures.dev = Some(measured.half(root, portcullis, guard, DEVELOPMENT)?);
        measured.figures.held_out = Some(measured.half(root, portcullis, guard, "held-out")?);
    }
    Ok(measured)
}

impl Measured {
    fn half(&mut self, root: &Path, portcullis: &Path, guard: &Guard, name: &str) -> Result<Half> {
        let lines = lines(&guard.dir, name)?;
        let template = Template::read(&guard.dir)?;
        let cases = root.join("target/guards-lines").join(guard.name).join(name);
        let run = |texts: Vec<String>| -> Result<Vec<Case>> {
            write(&cases, &texts)?;
            let mut test = command(root, portcullis, guard, "test");
            let report: Report = json(test.arg("--cases").arg(&cases))?;
            match report.cases.len() == texts.len() {
                true => Ok(report.cases),
                false => Err(Error::new(format!(
                    "{}: {} of {} calls were made",
                    guard.name,
                    report.cases.len(),
                    texts.len()
                ))),
            }
        };
        let mut memories = vec![Memory::default(); lines.len()];
        let calls = lines.iter().map(|line| line.before.len()).max();
        // The first calls of all lines are made, then the second ones, and so on.
        for call in 0..calls.unwrap_or_default() {
            let mut of = Vec::new();
            for (line, memory) in lines.iter().zip(&mut memories) {
                if call < line.before.len() {
                    of.push((template.call(&line.input(call), memory)?, memory));
                }
            }
            let texts: Result<_> = of.iter().map(|(call, _)| call.open()).collect();
            for (case, (call, memory)) in run(texts?)?.iter().zip(of) {
                case.outcome(guard, name)?;
                memory.keep(call.session, case.got("state"), case.got("shared"));
            }
        }
        let last = |(line, memory): (&Line, _)| {
            let input = line.input(line.before.len());
            template.call(&input, memory)?.closed()
        };
        let texts: Result<_> = lines.iter().zip(&memories).map(last).collect();
        let mut half = Half::default();
        for (line, case) in lines.iter().zip(run(texts?)?) {
            let is_caught = case.outcome(guard, name)? != "continue";
            let noted = |lines: &mut Vec<String>| {
                if name == DEVELOPMENT {
                    lines.push(shown(line));
                }
            };
            match (line.catch, is_caught) {
                (true, true) => half.caught += 1,
                (true, false) => {
                    half.missed += 1;
                    noted(&mut self.missed);
                }
                (false, true) => {
                    half.false_alarms += 1;
                    noted(&mut self.false_alarms);
                }
                (false, false) => half.passed += 1,
            }
        }
        Ok(half)
    }
}

/// Writes cases. Their names sort in the order given.
fn write(dir: &Path, texts: &[String]) -> Result<()> {
    stage::empty(dir)?;
    for (at, text) in texts.iter().enumerate() {
        let path = dir.join(format!("{:05}.toml", at + 1));
        fs::write(&path, text).map_err(|cause| Error::file("write", &path, &cause))?;
    }
    Ok(())
}

fn command(root: &Path, portcullis: &Path, guard: &Guard, name: &str) -> Command {
    let mut command = Command::new(portcullis);
    command
        .args([name, "--json", "--component"])
        .arg(&guard.component);
    command
        .arg("--settings")
        .arg(&guard.dir)
        .arg("--cache-dir")
        .arg(root.join("target/test-cache"));
    command
}

/// Reads a command's output as JSON. Its exit code says whether cases failed, which is no error
/// here.
fn json<T: for<'de> Deserialize<'de>>(command: &mut Command) -> Result<T> {
    let output = command
        .output()
        .map_err(|cause| Error::start("portcullis", &cause))?;
    serde_json::from_slice(&output.stdout).map_err(|cause| {
        let said = String::from_utf8_lossy(&output.stderr);
        Error::new(format!("{command:?}: {cause}\n{said}"))
    })
}

/// Returns a line's description: its input, unless that is long or calls come before it, and why it
/// must be caught or must not.
fn shown(line: &Line) -> String {
    let Line { input, why, .. } = line;
    let input = input
        .as_str()
        .map_or_else(|| input.to_string(), str::to_owned);
    match line.before.is_empty() && input.chars().count() <= LONG {
        true => format!("{input} ({why})"),
        false => why.clone(),
    }
}
