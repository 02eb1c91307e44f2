//! What becomes of a call that a hook has answered, in a word.

use portcullis::Decision;
use portcullis::points::{OutcomeKind, Point, PointId};

/// What a chain decided.
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

/// What a chain decides whose one hook gives such an answer.
pub fn decision_after(point: PointId, kind: OutcomeKind) -> &'static str {
    match (kind, point) {
        // There is nobody to ask.
        (OutcomeKind::Reject | OutcomeKind::Ask, _) => "rejected",
        (OutcomeKind::Replace, PointId::TurnError | PointId::LlmError)
        | (OutcomeKind::Answer | OutcomeKind::KeepGoing, _) => "answered",
        (OutcomeKind::Stop, _) => "stopped",
        _ => "passed",
    }
}
