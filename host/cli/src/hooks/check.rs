//! `portcullis hooks check`

use std::path::Path;
use std::process::ExitCode;

use clap::Args;
use portcullis::Hooks;
use portcullis::hooks::{HooksError, LoadError, LoadErrors, Mode, Stage};
use portcullis::report::{Sort, StandingReport};
use portcullis::settings::Settings;

use super::{CacheArgs, HooksDir, Keeps, Problem, capped, load_for};
use crate::terminal::format::print_line;
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
    /// Print JSON: a list of problems, empty if there are none.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &CheckArgs) -> anyhow::Result<ExitCode> {
    let checked = check(Keeps::ALL, &args.dir.hooks, &args.cache)?;
    let wrong = match &checked {
        Ok(hooks) => &hooks.unpinned(),
        Err(errors) => errors,
    };
    let problems: Vec<Problem> = wrong.iter().map(Problem::from).collect();
    if args.json {
        json::document(&problems)?;
    } else {
        match &checked {
            Ok(hooks) => {
                write_loaded(&args.dir.hooks, &hooks.standings())?;
                write_notes(hooks)?;
                write_unpinned(&problems)?;
            }
            Err(_) => write_problems(&args.dir.hooks, &problems)?,
        }
    }
    Ok(match checked.is_ok() {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    })
}

/// Every error of a hooks directory, for an agent that keeps this.
pub fn problems(agent: Keeps, dir: &Path, cache: &CacheArgs) -> Result<Vec<Problem>, HooksError> {
    Ok(match check(agent, dir, cache)? {
        Ok(_) => Vec::new(),
        Err(errors) => errors.iter().map(Problem::from).collect(),
    })
}

/// The hooks, or every error.
fn check(
    agent: Keeps,
    dir: &Path,
    cache: &CacheArgs,
) -> Result<Result<Hooks, Vec<LoadError>>, HooksError> {
    match Settings::of_dir(dir) {
        Ok(settings) => {
            // Scripts start when they are called, so loading does not find missing programs.
            let missing = LoadErrors::from(settings.missing_programs(dir)).0;
            match load_for(agent, dir, Some(&settings), cache, false) {
                Ok(hooks) if missing.is_empty() => Ok(Ok(hooks)),
                Ok(_) => Ok(Err(missing)),
                Err(HooksError::Load(errors)) => {
                    Ok(Err(errors.0.into_iter().chain(missing).collect()))
                }
                Err(other) => Err(other),
            }
        }
        Err(wrong) => {
            let mut errors = LoadErrors::from(wrong).0;
            // Errors in the files themselves are found without the settings. Checks against the
            // settings wait until the settings can be read.
            match load_for(agent, dir, Some(&Settings::default()), cache, false) {
                Ok(_) => {}
                Err(HooksError::Load(more)) => {
                    let own = |error: &LoadError| {
                        !matches!(error.stage, Stage::Lock | Stage::Resolve | Stage::Order)
                    };
                    errors.extend(more.0.into_iter().filter(own));
                }
                Err(other) => return Err(other),
            }
            Ok(Err(errors))
        }
    }
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
        let note = match (report.enabled, report.mode) {
            (true, Mode::Enforce) if report.sort == Sort::Script => {
                "is a script: it runs outside the sandbox"
            }
            (false, _) => "is disabled in hooks.toml",
            (true, Mode::Audit) => "is in audit mode: its answers are recorded and have no effect",
            (true, Mode::Enforce) => continue,
        };
        print_line!(
            out,
            "  {NOTE}note{NOTE:#} {} {DIM}{}{DIM:#}",
            report.id,
            note
        )?;
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
    let mut out = Out::stdout();
    if !problems.is_empty() {
        print_line!(
            out,
            "\n{NOTE}loaded, although they differ from hooks.lock{NOTE:#} {DIM}(on-mismatch = \"report\"){DIM:#}"
        )?;
    }
    for problem in problems {
        problem.write(&mut out)?;
    }
    Ok(())
}

fn write_problems(dir: &Path, problems: &[Problem]) -> anyhow::Result<()> {
    let mut out = Out::stdout();
    print_line!(
        out,
        "{ERROR}{}{ERROR:#} in {}",
        units::plural(problems.len(), "problem"),
        dir.display()
    )?;
    for problem in problems {
        problem.write(&mut out)?;
    }
    Ok(())
}
