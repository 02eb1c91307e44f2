//! What the list of sessions shows.

use std::collections::HashMap;

use maud::html;
use portcullis_agent::CheckpointStore as _;
use portcullis_explain::Part;
use portcullis_store::{SessionFilter, TurnOutcome};
use url::form_urlencoded::Serializer;

use crate::page::part;
use crate::row::{heading, row};
use crate::ui::{Ui, UiError};
use crate::waits::asked;

/// The most sessions.
const MOST: u32 = 300;

/// Which sessions are wanted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Wanted {
    /// With this text in their id or in their agent's name.
    pub(crate) text: String,
    /// Of this kind: a name of [`KINDS`].
    pub(crate) kind: String,
}

const KINDS: [(&str, &str, &[TurnOutcome]); 5] = [
    ("", "All", &[]),
    ("running", "Running", &[TurnOutcome::Running]),
    ("waiting", "Waiting", &[TurnOutcome::Waiting]),
    ("ended", "Ended", &[TurnOutcome::Ended]),
    (
        "failed",
        "Failed",
        &[
            TurnOutcome::Failed,
            TurnOutcome::Cancelled,
            TurnOutcome::Interrupted,
        ],
    ),
];

impl Wanted {
    /// From the query of an address.
    pub(crate) fn read(mut get: impl FnMut(&str) -> Option<String>) -> Self {
        Self {
            text: get("q").unwrap_or_default(),
            kind: get("state").unwrap_or_default(),
        }
    }

    /// The address with it.
    pub(crate) fn address(&self, path: &str) -> String {
        let mut query = Serializer::new(String::new());
        query.append_pair("q", &self.text);
        query.append_pair("state", &self.kind);
        format!("{path}?{}", query.finish())
    }

    fn filter(&self) -> SessionFilter {
        let kind = KINDS.iter().find(|(name, ..)| *name == self.kind);
        SessionFilter {
            text: Some(self.text.trim().to_owned()).filter(|text| !text.is_empty()),
            states: kind.map(|(.., states)| states.to_vec()).unwrap_or_default(),
            limit: MOST,
            ..SessionFilter::default()
        }
    }
}

/// The parts of the list: what is above it, and the sessions.
pub(crate) async fn parts(ui: &Ui, wanted: &Wanted) -> Result<Vec<Part>, UiError> {
    let filter = wanted.filter();
    let sessions = ui.read(move |journal| journal.overview(&filter)).await?;
    let mut waiting: HashMap<String, usize> = HashMap::new();
    for turn in ui.store().checkpoints().list(None).await? {
        if !turn.of_subagent {
            *waiting.entry(turn.session.clone()).or_default() += asked(&turn);
        }
    }
    let mut parts = vec![head(ui, wanted)];
    if sessions.is_empty() {
        let html = html! { p #none { "No session is recorded here yet that fits. Sessions appear as soon as they begin." } };
        parts.push(part("none", html));
        return Ok(parts);
    }
    parts.push(heading());
    parts.extend(sessions.iter().map(|session| {
        let asked = waiting.get(&session.session).copied().unwrap_or_default();
        row(session, asked)
    }));
    Ok(parts)
}

fn head(ui: &Ui, wanted: &Wanted) -> Part {
    let html = html! {
        header #head {
            div #bar {
                b.brand { "Portcullis" } span { "sessions in " (ui.store().to_string()) }
                span.end { span.dot title="Green while the page is live" {} "live"
                    button #theme type="button" title="Light or dark (t)" { "◐" } }
            }
            div.tools role="search" {
                input.find #find type="search" placeholder="Search sessions and agents   /" aria-label="Search" autocomplete="off" value=(wanted.text);
                nav.kinds {
                    @for (name, words, _) in KINDS {
                        @let other = Wanted { kind: name.to_owned(), ..wanted.clone() };
                        a.on[wanted.kind == name] href=(other.address("/")) { (words) }
                    }
                }
            }
        }
    };
    part("head", html)
}
