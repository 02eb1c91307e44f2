//! Compares the outcomes of two builds.

use serde::Serialize;

use crate::suite::{CaseReport, Status, TestReport};

/// A case whose result changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Changed {
    /// The case.
    pub case: String,
    /// The result before; `None` if the case is new.
    pub before: Option<String>,
    /// The result now; `None` if the case was removed.
    pub now: Option<String>,
    /// Whether it passes now.
    pub passes: bool,
}

/// Returns the cases whose results changed, by name.
pub fn changes(before: &TestReport, now: &TestReport) -> Vec<Changed> {
    let find = |report: &TestReport, name: &str| {
        let case = report.cases.iter().find(|case| case.name == name);
        case.map(said)
    };
    let gone = before
        .cases
        .iter()
        .filter(|case| find(now, &case.name).is_none());
    let mut changed: Vec<Changed> = now
        .cases
        .iter()
        .chain(gone)
        .map(|case| Changed {
            case: case.name.clone(),
            before: find(before, &case.name),
            now: find(now, &case.name),
            passes: case.status == Status::Passed,
        })
        .filter(|change| change.before != change.now)
        .collect();
    changed.sort_by(|a, b| a.case.cmp(&b.case));
    changed
}

/// Returns a description of a case's result.
fn said(case: &CaseReport) -> String {
    let status = match case.status {
        Status::Passed | Status::Updated => "passes",
        Status::Failed => "fails",
        Status::Broken => "cannot be run",
    };
    let outcome = case.outcome.map(|outcome| outcome.name());
    let cause = case.cause.map(|cause| format!(" ({cause})"));
    match outcome {
        Some(outcome) => format!("{status} with {outcome}{}", cause.unwrap_or_default()),
        None => status.to_owned(),
    }
}
