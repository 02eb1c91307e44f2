//! What two versions of a hook answer in the project's cases.

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
    /// How many cases there are.
    cases: usize,
    /// Those that are answered otherwise.
    changes: Vec<Change>,
}

/// A case that is answered otherwise.
#[derive(Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
struct Change {
    case: String,
    before: String,
    after: String,
}

/// A version of a hook, and the directory whose settings it runs with.
pub struct Version<'a> {
    pub file: &'a Path,
    pub settings: &'a Path,
}

/// Runs the cases of a directory with both versions.
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
    let pairs = old.iter().zip(&new).map(|(old, new)| Change {
        case: new.name.clone(),
        before: said(old),
        after: said(new),
    });
    Ok(Verdicts {
        cases: new.len(),
        changes: pairs
            .filter(|change| change.before != change.after)
            .collect(),
    })
}

/// What was answered, and where it is not what the case expects.
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

/// Writes the cases that are answered otherwise.
pub fn write(out: &mut Out, verdicts: &Verdicts) -> io::Result<()> {
    if verdicts.changes.is_empty() {
        return print_line!(
            out,
            "  {GOOD}the same in all {} cases{GOOD:#}",
            verdicts.cases
        );
    }
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
    print_line!(
        out,
        "  {} of {} cases are answered otherwise",
        verdicts.changes.len(),
        verdicts.cases
    )
}
