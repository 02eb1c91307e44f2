//! A session in the list.

use chrono::DateTime;
use maud::{Markup, html};
use portcullis::text::escape_hidden;
use portcullis_explain::Part;
use portcullis_store::{JournalSession, TurnOutcome};
use url::form_urlencoded::byte_serialize;

use crate::page::part;

/// The state of a session in one word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum State {
    /// The outcome of its last turn.
    Turn(TurnOutcome),
    /// No turn has begun.
    Open,
    /// Only hook runs are recorded.
    Hooks,
}

impl State {
    pub(crate) fn of(session: &JournalSession) -> Self {
        match (session.state, &session.agent) {
            (Some(outcome), _) => Self::Turn(outcome),
            (None, Some(_)) => Self::Open,
            (None, None) => Self::Hooks,
        }
    }

    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Turn(outcome) => (outcome.name(), outcome.name()),
            Self::Open => ("open", "open"),
            Self::Hooks => ("hooks", "hooks only"),
        }
    }
}

/// Returns the state, as a chip.
pub(crate) fn chip(state: State) -> Markup {
    let (class, words) = state.words();
    html! { span.chip.state.(class) { (words) } }
}

/// Returns the address of a session's page.
pub(crate) fn address(session: &str) -> String {
    let id: String = byte_serialize(session.as_bytes()).collect();
    format!("/session?id={id}")
}

/// Returns a whole text, with characters that hide or turn their neighbours as escapes.
pub(crate) fn shown(text: &str) -> Markup {
    html! { bdi { (escape_hidden(text, |c| matches!(c, '\n' | '\t'))) } }
}

/// Returns a session as a row that links to its page. `asked` is the number of its calls that wait
/// for an answer.
pub(crate) fn row(session: &JournalSession, asked: usize) -> Part {
    let id = format!(
        "s-{}",
        &blake3::hash(session.session.as_bytes()).to_hex()[..16]
    );
    let marks = [
        ("refused", session.refusals, "refused"),
        ("would", session.would_refuse, "would refuse"),
        ("changed", session.changes, "changed"),
        ("failed", session.failures, "failed"),
    ];
    let html = html! {
        a.session #(id) href=(address(&session.session)) {
            (chip(State::of(session)))
            span.name { (shown(&session.session))
                @if let Some(agent) = &session.agent { small { "agent " (shown(agent)) } }
            }
            span.time { (time(session.active_ms)) }
            span.n { (session.turn) }
            span.n { (session.runs) }
            span.marks {
                @if asked > 0 { span.badge.would { (asked) " waiting for you" } }
                @for (class, n, word) in marks { @if n > 0 { span.badge.(class) { (n) " " (word) } } }
            }
        }
    };
    part(id, html)
}

/// Returns the heading above the rows.
pub(crate) fn heading() -> Part {
    let html = html! {
        div.session #list-top {
            span { "state" } span { "session" } span { "last active (UTC)" } span.n { "turns" } span.n { "hook runs" } span {}
        }
    };
    part("list-top", html)
}

fn time(ms: u64) -> String {
    let ms = i64::try_from(ms).unwrap_or_default();
    let at = DateTime::from_timestamp_millis(ms).unwrap_or_default();
    at.format("%Y-%m-%d %H:%M:%S").to_string()
}
