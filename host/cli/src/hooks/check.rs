//! `portcullis hooks check`

use std::path::Path;
use std::process::ExitCode;

use clap::Args;
use portcullis::Hooks;
use portcullis::hooks::{Checked, Mode};
use portcullis::report::{Sort, StandingReport};

use super::{CacheArgs, HooksDir, Keeps, Level, Problem, capped, check_for};
use crate::alerts::AlertsArg;
use crate::terminal::format::{print_line, printable};
use crate::terminal::style::{BOLD, DIM, ERROR, GOOD, NOTE};
use crate::terminal::{Out, Printable};
use crate::terminal::{json, units};

/// The arguments of `portcullis hooks check`.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  portcullis hooks check --hooks ./hooks --json")]
pub struct CheckArgs {
    #[command(flatten)]
    dir: HooksDir,
    #[command(flatten)]
    cache: CacheArgs,
    /// Print JSON: a list of problems, empty if there are none. Those with a `level` keep no hook from loading.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &CheckArgs) -> anyhow::Result<ExitCode> {
    let dir = &args.dir.hooks;
    let checked = check_for(Keeps::ALL, dir, &args.cache)?;
    let problems = problems(dir, &checked);
    let alerts = match &checked.hooks {
        Some(hooks) => alerts(dir, hooks)?,
        None => Vec::new(),
    };
    if args.json {
        let all: Vec<&Problem> = problems.iter().chain(&alerts).collect();
        json::document(&all)?;
    } else {
        match &checked.hooks {
            Some(_) if checked.is_empty => write_all(&problems)?,
            Some(hooks) => {
                write_loaded(dir, &hooks.standings())?;
                write_notes(hooks)?;
                write_unpinned(&problems)?;
            }
            None => write_problems(dir, &problems)?,
        }
        write_all(&alerts)?;
    }
    Ok(match checked.hooks {
        Some(_) => ExitCode::SUCCESS,
        None => ExitCode::FAILURE,
    })
}

/// All that is to be said of a hooks directory.
pub fn problems(dir: &Path, checked: &Checked) -> Vec<Problem> {
    let warning = |error| Problem::from(error).at_level(Level::Warning);
    let errors = checked.errors.iter().map(Problem::from);
    let unpinned = checked.unpinned.iter().map(warning);
    let empty = checked.is_empty.then(|| Problem::empty(dir));
    errors.chain(unpinned).chain(empty).collect()
}

/// What is to be said of the alerts that the directory's hooks.toml names.
fn alerts(dir: &Path, hooks: &Hooks) -> anyhow::Result<Vec<Problem>> {
    let Some(file) = AlertsArg::default().read(dir)? else {
        return Ok(Vec::new());
    };
    let warnings = file.alert_warnings([hooks]);
    let warning = |error| Problem::from(error).at_level(Level::Warning);
    Ok(warnings.iter().map(warning).collect())
}

fn write_loaded(dir: &Path, reports: &[StandingReport]) -> anyhow::Result<()> {
    let mut out = Out::stdout();
    print_line!(
        out,
        "{GOOD}✓{GOOD:#} {BOLD}{}{BOLD:#} in {} {}",
        units::plural(reports.len(), "hook"),
        dir.display(),
        if reports.len() == 1 { "loads" } else { "load" }
    )?;
    for report in reports {
        let mode = match (report.enabled, report.mode, report.share) {
            (false, _, _) => Some("is disabled in hooks.toml".into()),
            (true, Mode::Audit, _) => {
                Some("is in audit mode: its answers are recorded and have no effect".into())
            }
            (true, Mode::Enforce, Some(share)) => Some(printable!(
                "takes effect in {} of sessions, and is in audit mode in the others",
                share
            )),
            (true, Mode::Enforce, None) => None,
        };
        let is_outside = report.enabled && report.sort == Sort::Script;
        let outside = is_outside.then(|| "is a script: it runs outside the sandbox".into());
        for note in [outside, mode].into_iter().flatten() {
            let note: Printable = note;
            print_line!(
                out,
                "  {NOTE}note{NOTE:#} {} {DIM}{}{DIM:#}",
                report.id,
                note
            )?;
        }
    }
    Ok(())
}

/// The hooks that are capped, and those that read private data and may also send data out.
fn write_notes(hooks: &Hooks) -> anyhow::Result<()> {
    let mut out = Out::stdout();
    for report in hooks.reports() {
        let risk = report.exfiltration_risk();
        let risk = risk.map(|risk| Printable::line(risk.to_string()));
        for note in capped::note(&report).into_iter().chain(risk) {
            print_line!(
                out,
                "  {NOTE}note{NOTE:#} {} {DIM}{}{DIM:#}",
                report.id,
                note
            )?;
        }
    }
    Ok(())
}

/// What differs from the lock, if hooks.toml says to report it only.
fn write_unpinned(problems: &[Problem]) -> anyhow::Result<()> {
    if !problems.is_empty() {
        print_line!(
            Out::stdout(),
            "\n{NOTE}loaded, although they differ from hooks.lock{NOTE:#} {DIM}(on-mismatch = \"report\"){DIM:#}"
        )?;
    }
    write_all(problems)
}

fn write_all(problems: &[Problem]) -> anyhow::Result<()> {
    let mut out = Out::stdout();
    for problem in problems {
        problem.write(&mut out)?;
    }
    Ok(())
}

fn write_problems(dir: &Path, problems: &[Problem]) -> anyhow::Result<()> {
    let faults = problems.iter().filter(|problem| problem.is_fault()).count();
    print_line!(
        Out::stdout(),
        "{ERROR}{}{ERROR:#} in {}",
        units::plural(faults, "problem"),
        dir.display()
    )?;
    write_all(problems)
}
