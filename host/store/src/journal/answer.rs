//! Journal notes of people's answers to suspended turns.

use portcullis::approval::ApprovalDecision;
use portcullis_agent::{
    CheckpointInfo, EventRow, JournalEvent, Resolution, RunRecorder as _, next_run_id,
};

use super::Journal;
use crate::database::now_ms;

impl Journal {
    /// Records that a person answered a call of a suspended turn. `by` describes the person and the
    /// front end: `ann, in a browser,`. The note is written after [`Journal::flush_async`], before
    /// the turn continues.
    pub fn note_answer(&self, turn: &CheckpointInfo, call: &str, answer: &Resolution, by: &str) {
        let answer = match answer {
            Resolution::Decision(ApprovalDecision::Approve) => "approved",
            Resolution::Decision(ApprovalDecision::Edit(_)) => "changed",
            Resolution::Decision(ApprovalDecision::Unanswered(_)) => "unanswered",
            Resolution::Decision(ApprovalDecision::Deny(_) | ApprovalDecision::Defer) => "denied",
            Resolution::Result(_) => "result",
        };
        self.event(EventRow {
            id: next_run_id(),
            session: turn.session.clone(),
            turn: turn.turn,
            step: 0,
            at_ms: now_ms(),
            event: JournalEvent::Answered {
                call_id: call.to_owned(),
                by: by.to_owned(),
                answer: answer.to_owned(),
            },
        });
    }
}
