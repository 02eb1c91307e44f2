//! The sign, word and style of each outcome.

use anstyle::Style;
use portcullis::points::OutcomeKind;
use portcullis::verdict::{HookRun, RunStatus};

use crate::style::{BOLD, CHANGED, DIM, ERROR, GOOD, NOTE, REFUSED, REPLACED};

/// The sign, word and style of an outcome.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mark {
    /// A sign.
    pub sign: &'static str,
    /// The word.
    pub word: &'static str,
    /// The style of both.
    pub style: Style,
}

/// The mark of a run.
pub fn mark(run: &HookRun) -> Mark {
    let (sign, word, style) = match &run.status {
        RunStatus::Skipped => ("–", "skipped", DIM),
        RunStatus::NotApplied { .. } => ("⊘", "not applied", NOTE),
        RunStatus::Backgrounded => ("↷", "queued", DIM),
        RunStatus::Failed { .. } => ("!", "failed", ERROR),
        RunStatus::Completed { outcome, .. } => match outcome {
            OutcomeKind::Continue => ("·", "continue", DIM),
            OutcomeKind::Transform => ("◆", "transform", CHANGED),
            OutcomeKind::Replace => ("◈", "replace", REPLACED),
            OutcomeKind::Reject => ("✗", "reject", REFUSED),
            OutcomeKind::Answer => ("★", "answer", GOOD),
            OutcomeKind::Ask => ("?", "ask", NOTE),
            OutcomeKind::Stop => ("■", "stop", BOLD),
            OutcomeKind::KeepGoing => ("▶", "keep-going", NOTE),
            OutcomeKind::Contribute => ("+", "adds", GOOD),
        },
    };
    Mark { sign, word, style }
}

/// Whether the run changed nothing, so that it can share a row with others.
pub fn is_quiet(run: &HookRun) -> bool {
    matches!(
        run.status,
        RunStatus::Skipped
            | RunStatus::Completed {
                outcome: OutcomeKind::Continue,
                ..
            }
    )
}

/// The result of a run, in a word.
pub fn word(run: &HookRun) -> &'static str {
    mark(run).word
}
