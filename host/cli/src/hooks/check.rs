//! `portcullis hooks check`

use std::io::Write as _;
use std::path::Path;
use std::process::ExitCode;

use clap::Args;
use portcullis::report::{Sort, StandingReport};
use portcullis::settings::Settings;
use portcullis::{Hooks, HooksError, LoadError, LoadErrors, Mode, Stage};

use super::{CacheArgs, HooksDir, Problem, load};
use crate::terminal::style::{BOLD, DIM, ERROR, GOOD, NOTE};
use crate::terminal::{json, units};

/// Find everything that could go wrong when the hooks are loaded.
///
/// Every file is read, held against hooks.lock, compiled, inspected, asked to describe itself, and
/// held against hooks.toml and its grants. All that is wrong is told, not only the first. Exit code
/// 0: all hooks load; 1: some do not.
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
                write_sound(&args.dir.hooks, &hooks.standings())?;
                write_carrying(hooks)?;
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

/// The hooks, or all that is wrong.
fn check(dir: &Path, cache: &CacheArgs) -> Result<Result<Hooks, Vec<LoadError>>, HooksError> {
    match Settings::of_dir(dir) {
        Ok(settings) => {
            // Scripts are started when they are called, so loading does not miss them.
            let missing = LoadErrors::from(settings.missing_programs(dir)).0;
            match load(dir, Some(&settings), cache, false) {
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
            // What is wrong with the files themselves is found without the settings; what would
            // be held against them waits until they can be read.
            match load(dir, Some(&Settings::default()), cache, false) {
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

/// The hooks that read what is private and may also send data out.
fn write_carrying(hooks: &Hooks) -> anyhow::Result<()> {
    let mut out = anstream::stdout().lock();
    for report in hooks.reports() {
        if let Some(carry) = report.exfiltration_risk() {
            let carry = portcullis::sanitize_for_terminal(&carry.to_string());
            writeln!(
                out,
                "  {NOTE}note{NOTE:#} {} {DIM}{carry}{DIM:#}",
                report.id
            )?;
        }
    }
    Ok(())
}

/// What differs from the lock, where hooks.toml says that this is only reported.
fn write_unpinned(problems: &[Problem]) -> anyhow::Result<()> {
    let mut out = anstream::stdout().lock();
    if !problems.is_empty() {
        writeln!(
            out,
            "\n{NOTE}loaded, though hooks.lock says otherwise{NOTE:#} {DIM}(on-mismatch = \"report\"){DIM:#}"
        )?;
    }
    for problem in problems {
        problem.write(&mut out)?;
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
