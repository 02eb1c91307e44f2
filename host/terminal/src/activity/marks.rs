//! The sign, word and style of each outcome.

use anstyle::Style;
use portcullis::points::OutcomeKind;
use portcullis::verdict::{HookRun, RunStatus};
use portcullis_agent::RunState;

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

/// Returns the mark of a run.
pub fn mark(run: &HookRun) -> Mark {
    match &run.status {
        RunStatus::Skipped => ended(RunState::Skipped, None),
        RunStatus::NotApplied { .. } => ended(RunState::NotApplied, None),
        RunStatus::Backgrounded => ended(RunState::Backgrounded, None),
        RunStatus::Failed { .. } => ended(RunState::Failed, None),
        RunStatus::Completed { outcome, .. } => ended(RunState::Completed, Some(*outcome)),
    }
}

/// Returns the mark of a run in this state with this outcome.
pub fn ended(state: RunState, outcome: Option<OutcomeKind>) -> Mark {
    match (state, outcome) {
        (RunState::Started, _) => ending("…", "runs", NOTE),
        (RunState::Skipped, _) => ending("–", "skipped", DIM),
        (RunState::NotApplied, _) => ending("⊘", "not applied", NOTE),
        (RunState::Backgrounded, _) => ending("↷", "queued", DIM),
        (RunState::Failed, _) => ending("!", "failed", ERROR),
        (RunState::TimedOut, _) => ending("!", "timed out", ERROR),
        (RunState::Lost, _) => ending("!", "lost", ERROR),
        (RunState::Completed, None) => ending("·", "ended", DIM),
        (RunState::Completed, Some(outcome)) => match outcome {
            OutcomeKind::Continue => ending("·", "continue", DIM),
            OutcomeKind::Transform => ending("◆", "transform", CHANGED),
            OutcomeKind::Replace => ending("◈", "replace", REPLACED),
            OutcomeKind::Reject => ending("✗", "reject", REFUSED),
            OutcomeKind::Answer => ending("★", "answer", GOOD),
            OutcomeKind::Ask => ending("?", "ask", NOTE),
            OutcomeKind::Stop => ending("■", "stop", BOLD),
            OutcomeKind::KeepGoing => ending("▶", "keep-going", NOTE),
            OutcomeKind::Contribute => ending("+", "adds", GOOD),
        },
    }
}

fn ending(sign: &'static str, word: &'static str, style: Style) -> Mark {
    Mark { sign, word, style }
}

/// Returns whether the run changed nothing, so that it can share a row with others.
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

/// Returns the result of a run, in a word.
pub fn word(run: &HookRun) -> &'static str {
    mark(run).word
}
