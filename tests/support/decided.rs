//! The result of a call that a hook has answered, in a word.

use portcullis::Decision;
use portcullis::points::{OutcomeKind, Point, PointId};

/// Returns a chain's decision.
pub fn decided<P: Point>(decision: &Decision<P>) -> &'static str {
    match decision {
        Decision::Passed => "passed",
        Decision::Rejected { .. } => "rejected",
        Decision::Answered { .. } => "answered",
        Decision::Stopped { .. } => "stopped",
        Decision::Failed(_) => "failed",
        Decision::Pending(_) => "pending",
    }
}

/// Returns the decision of a chain whose only hook gives this answer.
pub fn decision_after(point: PointId, kind: OutcomeKind) -> &'static str {
    match (kind, point) {
        // No approver is configured.
        (OutcomeKind::Reject | OutcomeKind::Ask, _) => "rejected",
        (OutcomeKind::Replace, PointId::TurnError | PointId::LlmError)
        | (OutcomeKind::Answer | OutcomeKind::KeepGoing, _) => "answered",
        (OutcomeKind::Stop, _) => "stopped",
        _ => "passed",
    }
}
