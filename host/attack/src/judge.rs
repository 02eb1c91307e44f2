//! Compares the result of an attack with the expected one.

use std::collections::HashSet;
use std::time::Duration;

use portcullis::limits::Limits;
use portcullis::points::Point;
use portcullis::verdict::{HookRun, RunStatus};
use portcullis::{Decision, Verdict};

use crate::attack::Header;
use crate::fault::UNNAMED;
use crate::row::Row;
use crate::watch::{Seen, is_harmful};

/// The part of a verdict about the hostile hook and about the others.
#[derive(Debug, Clone)]
pub(crate) struct Told {
    /// The result of the operation.
    pub(crate) got: &'static str,
    /// The failure of the hostile hook.
    pub(crate) cause: Option<String>,
    /// Other faults.
    pub(crate) faults: Vec<String>,
}

/// Reads a verdict.
pub(crate) fn told<P: Point>(header: &Header, verdict: &Verdict<P>) -> Told {
    let mut faults = Vec::new();
    let got = match &verdict.decision {
        Decision::Passed => "survived",
        Decision::Rejected { .. } => "rejected",
        Decision::Answered { .. } => "answered",
        Decision::Stopped { .. } => "stopped",
        Decision::Pending(_) => "pending",
        Decision::Failed(failed) => {
            if failed.hook.as_str() != header.id {
                faults.push(format!("`{}` was made to fail", failed.hook));
            }
            "refused"
        }
    };
    let mut cause = None;
    for run in &verdict.runs {
        if let RunStatus::Failed { message, .. } = &run.status
            && is_harmful(message)
        {
            faults.push(format!("the failure is told as {message:?}"));
        }
        match run.hook.as_str() == header.id {
            true => cause = run.cause().map(|cause| cause.code().to_owned()),
            false => faults.extend(unwell(run)),
        }
    }
    Told { got, cause, faults }
}

/// Returns the fault of a healthy hook's run, if there is one.
fn unwell(run: &HookRun) -> Option<String> {
    match &run.status {
        RunStatus::Failed { cause, message, .. } => Some(format!(
            "its neighbour `{}` failed ({cause}): {message}",
            run.hook
        )),
        _ => None,
    }
}

/// Returns the maximum duration of a call.
pub(crate) fn most(header: &Header, limits: &Limits, patience: u32) -> Duration {
    let usual = Limits::default();
    // Higher limits take longer.
    let more =
        limits.deadline.saturating_sub(usual.deadline) + limits.wall.saturating_sub(usual.wall);
    Duration::from_millis(header.ceiling_ms) * patience + more
}

/// Adds the faults to a row.
pub(crate) fn judge(header: &Header, row: &mut Row) {
    // An operator may be stricter with unnamed hooks than the kit expects. A hook that is not
    // loaded does no harm.
    let is_refused = !header.named && row.cause.as_deref() == Some(UNNAMED);
    if !is_refused && row.got != header.expected.name() {
        row.faults.push(format!(
            "`{}`, and not `{}`",
            row.got,
            header.expected.name()
        ));
    }
    let right = match &row.cause {
        Some(cause) => header.cause.contains(cause),
        None => header.cause.is_empty(),
    };
    if !right && !is_refused {
        let cause = row.cause.as_deref().unwrap_or("none");
        let causes = match header.cause.as_slice() {
            [] => "none".to_owned(),
            causes => causes.join(" or "),
        };
        row.faults
            .push(format!("the cause is {cause}, and not {causes}"));
    }
    if row.micros > row.most_micros {
        row.faults.push(format!(
            "it took {} ms, and {} are the most",
            row.micros / 1_000,
            row.most_micros / 1_000
        ));
    }
    if let Some(grown) = row.memory.filter(|grown| *grown > header.memory_bytes) {
        row.faults.push(format!(
            "the process grew by {} MiB, and {} are the most",
            grown >> 20,
            header.memory_bytes >> 20
        ));
    }
    // A fault that every call has is listed once.
    let mut said = HashSet::new();
    row.faults.retain(|fault| said.insert(fault.clone()));
    row.ok = row.faults.is_empty();
}

/// Returns the faults in the log of this number of calls.
pub(crate) fn log(seen: &Seen, limits: &Limits, calls: usize) -> Vec<String> {
    // A control character of one byte is shown in six, and the last line of a call is not cut.
    let most = calls * (limits.log_bytes * 6 + 4_096);
    let mut faults = seen.harmful.clone();
    faults.truncate(3);
    if seen.logged > most {
        faults.push(format!(
            "{} bytes of log in {calls} calls, and {most} are the most",
            seen.logged
        ));
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unnamed_hook_may_be_refused_by_a_stricter_operator_and_a_named_one_may_not() {
        for (named, is_ok) in [(false, true), (true, false)] {
            let mut header = Header::bare();
            header.named = named;
            let mut row = Row {
                name: String::new(),
                category: String::new(),
                what: String::new(),
                expected: header.expected,
                got: "load-refused".into(),
                cause: Some(UNNAMED.into()),
                micros: 0,
                most_micros: 0,
                memory: None,
                ok: false,
                faults: Vec::new(),
            };
            judge(&header, &mut row);
            assert_eq!(row.ok, is_ok, "{:?}", row.faults);
        }
    }
}
