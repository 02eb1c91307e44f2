//! `portcullis hooks check`

use std::io::Write as _;
use std::path::Path;
use std::process::ExitCode;

use clap::Args;
use portcullis::report::{Sort, StandingReport};
use portcullis::settings::Settings;
use portcullis::{HooksError, LoadError, LoadErrors, Mode, Stage};

use super::{CacheArgs, HooksDir, Problem, load};
use crate::terminal::style::{BOLD, DIM, ERROR, GOOD, NOTE};
use crate::terminal::{json, units};

/// Find everything that could go wrong when the hooks are loaded.
///
/// Every file is read, compiled, inspected, asked to describe itself, and held against hooks.toml
/// and its grants. All that is wrong is told, not only the first. Exit code 0: all hooks load;
/// 1: some do not.
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
    let checked = check(&args.dir.hooks, &args.cache)?;
    let problems: Vec<Problem> = checked
        .as_ref()
        .err()
        .map_or(&[][..], Vec::as_slice)
        .iter()
        .map(Problem::from)
        .collect();
    if args.json {
        json::document(&problems)?;
    } else {
        match &checked {
            Ok(reports) => write_sound(&args.dir.hooks, reports)?,
            Err(_) => write_problems(&args.dir.hooks, &problems)?,
        }
    }
    Ok(match problems.is_empty() {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    })
}

/// All reports, or all that is wrong.
fn check(
    dir: &Path,
    cache: &CacheArgs,
) -> Result<Result<Vec<StandingReport>, Vec<LoadError>>, HooksError> {
    match Settings::of_dir(dir) {
        Ok(settings) => match load(dir, &settings, cache, false) {
            Ok(hooks) => Ok(Ok(hooks.standings())),
            Err(HooksError::Load(errors)) => Ok(Err(errors.0)),
            Err(other) => Err(other),
        },
        Err(wrong) => {
            let mut errors = LoadErrors::from(wrong).0;
            // What is wrong with the files themselves is found without the settings; what would
            // be held against them waits until they can be read.
            match load(dir, &Settings::default(), cache, false) {
                Ok(_) => {}
                Err(HooksError::Load(more)) => {
                    let own =
                        |error: &LoadError| !matches!(error.stage, Stage::Resolve | Stage::Order);
                    errors.extend(more.0.into_iter().filter(own));
                }
                Err(other) => return Err(other),
            }
            Ok(Err(errors))
        }
    }
}

fn write_sound(dir: &Path, reports: &[StandingReport]) -> anyhow::Result<()> {
    let mut out = anstream::stdout().lock();
    writeln!(
        out,
        "{GOOD}✓{GOOD:#} {BOLD}{}{BOLD:#} in {} {}",
        units::plural(reports.len(), "hook"),
        dir.display(),
        if reports.len() == 1 { "loads" } else { "load" }
    )?;
    for report in reports {
        let note = match (report.enabled, report.mode) {
            (true, Mode::Enforce) if report.sort == Sort::Script => {
                "is a script: it runs outside of the sandbox"
            }
            (false, _) => "is switched off in hooks.toml",
            (true, Mode::Audit) => "is in audit mode: its answers are recorded and do not count",
            (true, Mode::Enforce) => continue,
        };
        writeln!(out, "  {NOTE}note{NOTE:#} {} {DIM}{note}{DIM:#}", report.id)?;
    }
    Ok(())
}

fn write_problems(dir: &Path, problems: &[Problem]) -> anyhow::Result<()> {
    let mut out = anstream::stdout().lock();
    writeln!(
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
