//! Answering an event.

use crate::answer::{Answer, Output};
use crate::dialect::Dialect;
use crate::event::Event;
use crate::flow::{Caller, Flow, refuse_start};
use crate::progress::Progress;
use crate::verdict::Verdict;
use crate::{claude, codex, gemini, text};

/// The most bytes of an answer. Agents cut or ignore longer ones.
const MOST_BYTES: usize = 1_000_000;

/// Calls the points of an event, and returns the event's answer. Updates the session's progress.
///
/// If the event cannot be decided, the answer is a [`failure`]. A session or a sub-agent that the event starts is then
/// refused.
pub async fn answer<C: Caller>(event: &Event, progress: &mut Progress, caller: &C) -> Answer {
    let mut flow = Flow {
        event,
        progress,
        caller,
    };
    let answer = match flow.decide().await {
        Ok(verdict) => render(event, verdict),
        Err(error) => {
            let error = error.to_string();
            refuse_start(event, progress, &error);
            return failure(event.dialect(), Some(event), &error);
        }
    };
    match &answer.output {
        Output::Json(value) if value.to_string().len() > MOST_BYTES => {
            let message =
                format!("the answer has more than the {MOST_BYTES} bytes that it may have");
            failure(event.dialect(), Some(event), &message)
        }
        _ => answer,
    }
}

/// Returns the answer for a failure of the host. It blocks if the event can be blocked, or if the event is not known.
pub fn failure(dialect: Dialect, event: Option<&Event>, message: &str) -> Answer {
    let text = format!(
        "[Portcullis failed, so this is not allowed: {}]",
        text::line(message)
    );
    let Some(event) = event else {
        return Answer::blocks(text);
    };
    match dialect {
        Dialect::Claude => claude::failed(event, text),
        Dialect::Codex => codex::failed(event, text),
        Dialect::Gemini => gemini::failed(event, text),
    }
}

/// Returns the answer to an event that cannot be read, of which this text was read. If the text has the event's name,
/// this is the [`failure`] of that event, since an exit code does not withhold a tool's output in every dialect.
pub fn unread(dialect: Dialect, text: &[u8], message: &str) -> Answer {
    let event = Event::of_fragment(dialect, text);
    failure(dialect, event.as_ref(), message)
}

fn render(event: &Event, verdict: Verdict) -> Answer {
    match event.dialect() {
        Dialect::Claude => claude::render(event, verdict),
        Dialect::Codex => codex::render(event, verdict),
        Dialect::Gemini => gemini::render(event, verdict),
    }
}
