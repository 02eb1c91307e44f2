//! Events that one sentence describes.

use portcullis_agent::{JournalEvent, RetryAction};
use serde::Deserialize;

use crate::model::Note;

/// Returns the sentence, if the event needs one.
pub(super) fn note(event: &JournalEvent, at_us: u64) -> Option<Note> {
    let (text, hook) = match event {
        JournalEvent::SessionEnded { reason } => (format!("the session ended: {reason}"), None),
        JournalEvent::Answered {
            call_id,
            by,
            answer,
        } => {
            let done = match answer.as_str() {
                "approved" => "approved",
                "denied" => "denied",
                "changed" => "approved with other arguments",
                _ => "gave the result of",
            };
            (format!("{by} {done}: call {call_id}"), None)
        }
        JournalEvent::TurnResumed => ("the turn was resumed".to_owned(), None),
        JournalEvent::TurnContinued => (
            "the process died; another one continued the turn".to_owned(),
            None,
        ),
        JournalEvent::ToolRepeatDecided { name, decision, .. } => (decision.words(name), None),
        JournalEvent::Retry { action, by } => {
            let done = match RetryAction::deserialize(action) {
                Ok(RetryAction::Retry { delay_ms }) => {
                    format!("the model is called again after {delay_ms} ms")
                }
                Ok(RetryAction::SwitchProvider { provider, model }) => {
                    format!("switched to {provider}/{model}")
                }
                Ok(RetryAction::GiveUp { reason }) => format!("gave up: {reason}"),
                // A later version recorded this action.
                Err(_) => format!("after the failed model call: {action}"),
            };
            (done, by.clone())
        }
        JournalEvent::Stopping { by, code, message } => (
            format!("the turn stops ({code}): {message}"),
            Some(by.clone()),
        ),
        JournalEvent::KeptGoing { by } => ("the turn continues".to_owned(), Some(by.clone())),
        JournalEvent::Compacted {
            removed,
            tokens_before,
            tokens_after,
        } => (
            format!(
                "{removed} messages became a summary; about {tokens_before} → {tokens_after} tokens"
            ),
            None,
        ),
        JournalEvent::StateChanged { by, keys } => (
            format!("the agent's state changed: {}", keys.join(", ")),
            Some(by.clone()),
        ),
        _ => return None,
    };
    Some(Note { at_us, text, hook })
}
