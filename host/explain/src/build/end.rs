//! The ends of turns without an output.

use crate::model::{Turn, TurnEnd, TurnState};

/// Returns an end for this reason.
pub(super) fn without_output(state: TurnState, reason: impl Into<String>) -> TurnEnd {
    TurnEnd {
        state,
        reason: reason.into(),
        output: None,
        caused_by: None,
        input_tokens: 0,
        output_tokens: 0,
    }
}

/// Ends a turn as interrupted for this reason, unless it has ended.
pub(super) fn interrupt(turn: &mut Turn, reason: &str) {
    let interrupted = || without_output(TurnState::Interrupted, reason);
    turn.end.get_or_insert_with(interrupted);
}
