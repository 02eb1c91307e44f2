//! The content of the list of sessions.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashSet};

use maud::html;
use portcullis_agent::{CheckpointInfo, CheckpointStore as _};
use portcullis_explain::Part;
use portcullis_store::{Journal, JournalError, JournalSession, SessionFilter, TurnOutcome};
use url::form_urlencoded::Serializer;

use crate::page::part;
use crate::row::{heading, row};
use crate::ui::{Ui, UiError};
use crate::waits::asked;

/// The most sessions.
const MOST: u32 = 300;

/// The filter for sessions.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Wanted {
    /// A text in the session's id or its agent's name.
    pub(crate) text: String,
    /// The kind: a name of [`KINDS`].
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
    /// Reads the filter from an address's query.
    pub(crate) fn read(mut get: impl FnMut(&str) -> Option<String>) -> Self {
        let known = |kind: &String| KINDS.iter().any(|(name, ..)| name == kind);
        Self {
            text: get("q").unwrap_or_default(),
            kind: get("state").filter(known).unwrap_or_default(),
        }
    }

    /// Returns the address with this filter.
    pub(crate) fn address(&self, path: &str) -> String {
        let mut query = Serializer::new(String::new());
        query.append_pair("q", &self.text);
        query.append_pair("state", &self.kind);
        format!("{path}?{}", query.finish())
    }

    /// Returns whether the filter includes waiting sessions.
    fn shows_waiting(&self) -> bool {
        let filter = self.filter();
        filter.states.is_empty() || filter.states.contains(&TurnOutcome::Waiting)
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

/// A session that waits for a person.
struct Waiting {
    /// One of its turns.
    turn: CheckpointInfo,
    /// The number of calls without an answer.
    asked: usize,
}

/// Returns whether a suspended turn's session has the filter's text.
fn fits(filter: &SessionFilter, turn: &CheckpointInfo) -> bool {
    let text = filter.text.as_deref().unwrap_or_default().to_lowercase();
    let has = |it: &str| it.to_lowercase().contains(&text);
    has(&turn.session) || has(&turn.agent)
}

/// Returns the journal's overview of a suspended turn's session, or the turn's own data if the
/// journal has none.
fn overview(journal: &Journal, turn: CheckpointInfo) -> Result<JournalSession, JournalError> {
    let filter = SessionFilter {
        session: Some(turn.session.clone()),
        limit: 1,
        ..SessionFilter::default()
    };
    let found = journal.overview(&filter)?.pop();
    Ok(found.unwrap_or(JournalSession {
        session: turn.session,
        agent: Some(turn.agent),
        parent: None,
        began_ms: turn.saved_ms,
        active_ms: turn.saved_ms,
        revision: 0,
        state: Some(TurnOutcome::Waiting),
        turn: turn.turn,
        runs: 0,
        refusals: 0,
        would_refuse: 0,
        changes: 0,
        failures: 0,
    }))
}

/// Returns the parts of the list: the head, and the sessions. A session that waits for a person is
/// included even if it is too old for the list, or no journal is kept.
pub(crate) async fn parts(ui: &Ui, wanted: &Wanted) -> Result<Vec<Part>, UiError> {
    let mut waiting: BTreeMap<String, Waiting> = BTreeMap::new();
    for turn in ui.store().checkpoints().list(None).await? {
        let asked = asked(&turn);
        if !turn.of_subagent && asked > 0 {
            let of = waiting.entry(turn.session.clone());
            of.or_insert_with(|| Waiting { turn, asked: 0 }).asked += asked;
        }
    }
    let filter = wanted.filter();
    let unlisted: Vec<CheckpointInfo> = match wanted.shows_waiting() {
        true => waiting.values().map(|it| it.turn.clone()).collect(),
        false => Vec::new(),
    };
    let sessions = ui
        .read(move |journal| {
            let mut sessions = journal.overview(&filter)?;
            let listed: HashSet<String> = sessions.iter().map(|it| it.session.clone()).collect();
            let mut unlisted = unlisted;
            unlisted.retain(|turn| !listed.contains(&turn.session) && fits(&filter, turn));
            for turn in unlisted {
                sessions.push(overview(journal, turn)?);
            }
            sessions.sort_by_key(|session| Reverse(session.active_ms));
            Ok(sessions)
        })
        .await?;
    let mut parts = vec![head(ui, wanted)];
    if sessions.is_empty() {
        let html = html! { p #none { "No session is recorded here yet that fits. Sessions appear as soon as they begin." } };
        parts.push(part("none", html));
        return Ok(parts);
    }
    parts.push(heading());
    parts.extend(sessions.iter().map(|session| {
        let asked = waiting.get(&session.session).map_or(0, |it| it.asked);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_that_no_filter_has_selects_all() {
        let kind = |state: &str| {
            let wanted = Wanted::read(|key| (key == "state").then(|| state.to_owned()));
            wanted.kind
        };
        assert_eq!(kind("failed"), "failed");
        assert_eq!(kind("bogus"), "");
    }
}
