//! The answers of two versions of a hook in the project's cases.

use std::io;
use std::path::Path;

use portcullis_workbench::{CaseReport, Suite};
use serde::Serialize;

use crate::hooks::CacheArgs;
use crate::subject;
use crate::terminal::format::print_line;
use crate::terminal::style::{DIM, GOOD, NOTE};
use crate::terminal::{Out, Printable};

/// The cases, run with both versions.
#[derive(Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Verdicts {
    /// The number of cases.
    cases: usize,
    /// The cases that neither version ran.
    not_run: Vec<NotRun>,
    /// The cases with different answers.
    changes: Vec<Change>,
}

/// A case with different answers.
#[derive(Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
struct Change {
    case: String,
    before: String,
    after: String,
}

/// A case that was not run.
#[derive(Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
struct NotRun {
    case: String,
    why: String,
}

/// A version of a hook, and the directory whose settings it runs with.
pub struct Version<'a> {
    pub file: &'a Path,
    pub settings: &'a Path,
}

/// Runs the cases of a directory with both versions. The new version is not accepted yet, so in a case it reaches no
/// server, directory or secret of `hooks.toml`.
pub fn compare(
    cases: &Path,
    old: &Version<'_>,
    new: &Version<'_>,
    cache: &CacheArgs,
) -> anyhow::Result<Verdicts> {
    let run = |version: &Version<'_>| -> anyhow::Result<Vec<CaseReport>> {
        let sample = subject::open(version.file, Some(version.settings), &cache.choice())?;
        Ok(Suite::new(cases).run(&sample)?.cases)
    };
    let (old, new) = (run(old)?, run(new)?);
    let cases = new.len();
    let (mut not_run, mut changes) = (Vec::new(), Vec::new());
    for (old, new) in old.iter().zip(new) {
        let change = Change {
            before: said(old),
            after: said(&new),
            case: new.name,
        };
        match (old.outcome, new.outcome) {
            (None, None) => not_run.push(NotRun {
                case: change.case,
                why: new.errors.join("; "),
            }),
            _ if change.before != change.after => changes.push(change),
            _ => {}
        }
    }
    Ok(Verdicts {
        cases,
        not_run,
        changes,
    })
}

/// Returns the answer, and its deviation from the case's expectation.
fn said(case: &CaseReport) -> String {
    let mut said = match (case.outcome, case.cause) {
        (Some(outcome), None) => outcome.name().to_owned(),
        (Some(outcome), Some(cause)) => format!("{} ({cause})", outcome.name()),
        (None, _) => "not run".to_owned(),
    };
    for difference in &case.differences {
        let got = difference
            .got
            .as_ref()
            .map_or_else(|| "nothing".to_owned(), ToString::to_string);
        said.push_str(&format!(", {} is {got}", difference.path));
    }
    for error in &case.errors {
        said.push_str(&format!(", {error}"));
    }
    said
}

/// Writes the cases with different answers, and those that were not run.
pub fn write(out: &mut Out, verdicts: &Verdicts) -> io::Result<()> {
    for change in &verdicts.changes {
        print_line!(out, "  {NOTE}{}{NOTE:#}", Printable::line(&change.case))?;
        print_line!(
            out,
            "    {DIM}before{DIM:#} {}",
            Printable::line(&change.before)
        )?;
        print_line!(
            out,
            "    {DIM}after{DIM:#}  {}",
            Printable::line(&change.after)
        )?;
    }
    for case in &verdicts.not_run {
        print_line!(
            out,
            "  {NOTE}{}{NOTE:#} {}",
            Printable::line(&case.case),
            Printable::line(&case.why)
        )?;
    }
    let run = verdicts.cases - verdicts.not_run.len();
    if run > 0 && verdicts.changes.is_empty() {
        print_line!(out, "  {GOOD}the same in all {} cases{GOOD:#}", run)?;
    }
    if !verdicts.changes.is_empty() {
        let changes = verdicts.changes.len();
        print_line!(out, "  {} of {} cases are answered otherwise", changes, run)?;
    }
    if !verdicts.not_run.is_empty() {
        print_line!(
            out,
            "  {DIM}Cases that were not run can be run after the update: portcullis test --component FILE --cases DIR{DIM:#}"
        )?;
    }
    Ok(())
}
