//! From an event to its answer.

use crate::answer::{Answer, Output};
use crate::dialect::Dialect;
use crate::event::Event;
use crate::flow::{Caller, Flow, refuse_start};
use crate::progress::Progress;
use crate::verdict::Verdict;
use crate::{claude, codex, gemini, text};

/// The most bytes of an answer. Agents cut or ignore longer ones.
const MOST_BYTES: usize = 1_000_000;

/// Calls the points of an event, and answers it. What is remembered of the session is changed.
///
/// An event that cannot be decided is answered with [`failure`]. If it starts a session or a sub-agent, that was refused.
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

/// The answer where the host itself failed. It blocks where the event can be blocked, and where it is not known
/// which event it is.
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

/// The answer to an event that cannot be read, of which this text was read. If its name is in the text, the answer is the
/// [`failure`] of that event: an exit code does not withhold the output of a tool in every dialect.
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
