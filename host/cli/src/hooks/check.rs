//! `portcullis hooks check`

use std::path::Path;
use std::process::ExitCode;

use clap::Args;
use portcullis::Hooks;
use portcullis::hooks::{Checked, LoadError, Mode};
use portcullis::report::{HookSummary, Sort};
use portcullis::settings::{FILE_NAME, SettingsError};

use super::{
    CacheArgs, HooksDir, Keeps, Level, Problem, above_role, capped, check_for, settings_of, unused,
};
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
    /// Print JSON: a list of problems, empty if there are none. A problem with a `level` keeps no
    /// hook from loading.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &CheckArgs) -> anyhow::Result<ExitCode> {
    let dir = &args.dir.hooks;
    let checked = check_for(Keeps::ALL, dir, &args.cache)?;
    let mut problems = problems(dir, &checked);
    let more = of_settings(dir, checked.hooks.as_ref());
    let is_whole = checked.hooks.is_some() && !more.iter().any(Problem::is_fault);
    if args.json {
        let all: Vec<&Problem> = problems.iter().chain(&more).collect();
        json::document(&all)?;
    } else {
        match &checked.hooks {
            Some(_) if checked.is_empty => write_all(&problems)?,
            Some(hooks) => {
                let faults = more.iter().filter(|problem| problem.is_fault()).count();
                write_loaded(dir, &hooks.summaries(), faults)?;
                write_notes(dir, hooks)?;
                write_unpinned(&problems)?;
            }
            None => {
                problems.extend(more);
                write_problems(dir, &problems)?;
                return Ok(ExitCode::FAILURE);
            }
        }
        write_all(&more)?;
    }
    Ok(match is_whole {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    })
}

/// Returns all problems of a hooks directory.
pub fn problems(dir: &Path, checked: &Checked) -> Vec<Problem> {
    let warning = |error| Problem::from(error).at_level(Level::Warning);
    let errors = checked.errors.iter().map(Problem::from);
    let unpinned = checked.unpinned.iter().map(warning);
    let empty = checked.is_empty.then(|| Problem::empty(dir));
    errors.chain(unpinned).chain(empty).collect()
}

/// Returns the faults in the recordings and the alerts of the directory's hooks.toml, alerts that
/// never fire, and required signatures without a signer.
fn of_settings(dir: &Path, hooks: Option<&Hooks>) -> Vec<Problem> {
    // Faults of hooks.toml itself are reported with the hooks.
    let (Ok(settings), Ok(alerts)) = (settings_of(dir), AlertsArg::default().load(dir)) else {
        return Vec::new();
    };
    let mut errors: Vec<SettingsError> = crate::recording::fault(&settings).into_iter().collect();
    let mut warnings = Vec::new();
    match (alerts, hooks) {
        (Err(wrong), _) => errors.extend(wrong),
        (Ok(Some(file)), Some(hooks)) => warnings = file.alert_warnings([hooks]),
        _ => {}
    }
    if settings.trust.lacks_signers() {
        warnings.push(no_signer(dir));
    }
    let problem = |error| Problem::from(&LoadError::from(error));
    let warning = |error| problem(error).at_level(Level::Warning);
    let warnings = warnings.into_iter().map(warning);
    errors.into_iter().map(problem).chain(warnings).collect()
}

/// Returns the warning about required signatures without a signer.
fn no_signer(dir: &Path) -> SettingsError {
    SettingsError::of_file(
        dir.join(FILE_NAME),
        "[trust] requires signatures and names no signer, so `portcullis add` and `update` refuse every hook that \
         must be signed; name a signer: [trust.keys] NAME = \"FILE\""
            .to_owned(),
    )
}

/// Writes the loaded hooks with their notes. `faults` is the number of faults that keep no hook from loading.
fn write_loaded(dir: &Path, loaded: &[HookSummary], faults: usize) -> anyhow::Result<()> {
    let mut out = Out::stdout();
    let hooks = units::plural(loaded.len(), "hook");
    let load = if loaded.len() == 1 { "loads" } else { "load" };
    match faults {
        0 => print_line!(
            out,
            "{GOOD}✓{GOOD:#} {BOLD}{}{BOLD:#} in {} {}",
            hooks,
            dir.display(),
            load
        )?,
        _ => print_line!(
            out,
            "{ERROR}✗ {}{ERROR:#} in {} {DIM}({} {}){DIM:#}",
            units::plural(faults, "problem"),
            dir.display(),
            hooks,
            load
        )?,
    }
    for hook in loaded {
        let mode = match (hook.enabled, hook.mode, hook.share) {
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
        let is_outside = hook.enabled && hook.sort == Sort::Script;
        let outside = is_outside.then(|| "is a script: it runs outside the sandbox".into());
        for note in [outside, mode].into_iter().flatten() {
            let note: Printable = note;
            print_line!(out, "  {NOTE}note{NOTE:#} {} {DIM}{}{DIM:#}", hook.id, note)?;
        }
    }
    Ok(())
}

/// Writes notes about capped hooks, hooks whose role does not allow their answers, hooks that read
/// private data and may also send data out, and grants that do nothing.
fn write_notes(dir: &Path, hooks: &Hooks) -> anyhow::Result<()> {
    let mut out = Out::stdout();
    for report in hooks.reports() {
        let risk = report.exfiltration_risk();
        let risk = risk.map(|risk| Printable::line(risk.to_string()));
        let above = above_role::note(&report).map(Printable::line);
        let unused = unused::notes(&report, dir);
        let unused = unused.iter().map(Printable::line);
        let notes = capped::note(&report).into_iter().chain(above);
        for note in notes.chain(risk).chain(unused) {
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

/// Writes the differences from the lock, if hooks.toml says only to report them.
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
