//! Measuring a guard.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde::Deserialize;
use serde_json::Value;

use super::Guard;
use super::figures::{Figures, Half};
use super::labelled::{Line, Template, lines};
use crate::packages::stage;
use crate::{Error, Result};

/// The labelled lines that are looked at while a guard is made.
const DEVELOPMENT: &str = "dev";

/// What was measured.
#[derive(Debug, Default)]
pub struct Measured {
    /// The figures.
    pub figures: Figures,
    /// Development lines that must not be caught, and are: the input, and why it must not. Those that are held out
    /// stay unseen by whoever tunes a guard.
    pub false_alarms: Vec<String>,
    /// Development lines that must be caught, and are not.
    pub missed: Vec<String>,
}

/// What `portcullis test --json` reports.
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
}

/// What `portcullis bench --json` reports.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
struct Bench {
    warm_p50_ns: u64,
    fuel: Option<u64>,
}

/// Measures a guard: what it catches of its labelled lines, if it has any, and the cost of the case that
/// takes the most fuel in `portcullis test`, once it is warm.
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

/// The case of a guard that takes the most fuel, and a directory that has no other.
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

/// What a guard catches of its labelled lines; nothing if it has none.
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
        write(&cases, &template, &lines)?;
        let mut test = command(root, portcullis, guard, "test");
        let report: Report = json(test.arg("--cases").arg(&cases))?;
        let mut half = Half::default();
        for (line, case) in lines.iter().zip(&report.cases) {
            let is_caught = match (case.status.as_str(), case.outcome.as_deref()) {
                ("broken", _) | (_, None | Some("failed")) => {
                    return Err(Error::new(format!(
                        "{}: {} {}: {:?} {}",
                        guard.name,
                        name,
                        case.name,
                        case.outcome,
                        case.errors.join("; ")
                    )));
                }
                (_, Some(outcome)) => outcome != "continue",
            };
            let noted = |lines: &mut Vec<String>| {
                if name == DEVELOPMENT {
                    lines.push(format!("{} ({})", text(&line.input), line.why));
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
        match half.lines() as usize == lines.len() {
            true => Ok(half),
            false => Err(Error::new(format!(
                "{}: {} of {} lines were run",
                guard.name,
                half.lines(),
                lines.len()
            ))),
        }
    }
}

/// Writes a case for each line; their names are in the order of the lines.
fn write(dir: &Path, template: &Template, lines: &[Line]) -> Result<()> {
    stage::empty(dir)?;
    for (at, line) in lines.iter().enumerate() {
        let path = dir.join(format!("{:05}.toml", at + 1));
        fs::write(&path, template.case(line)?)
            .map_err(|cause| Error::file("write", &path, &cause))?;
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

/// What a command prints, as JSON. Its exit code says whether cases failed, which is no error here.
fn json<T: for<'de> Deserialize<'de>>(command: &mut Command) -> Result<T> {
    let output = command
        .output()
        .map_err(|cause| Error::start("portcullis", &cause))?;
    serde_json::from_slice(&output.stdout).map_err(|cause| {
        let said = String::from_utf8_lossy(&output.stderr);
        Error::new(format!("{command:?}: {cause}\n{said}"))
    })
}

fn text(input: &Value) -> String {
    input
        .as_str()
        .map_or_else(|| input.to_string(), str::to_owned)
}
