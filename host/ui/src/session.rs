//! The content of a session's page.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash as _, Hasher as _};

use maud::html;
use portcullis_agent::{CheckpointInfo, CheckpointStore as _};
use portcullis_explain::{Explanation, Part, Records, parts as explained};
use portcullis_store::{
    Journal, JournalError, JournalSession, RunFilter, SessionFilter, TurnOutcome,
};

use crate::page::part;
use crate::row::{State, address, chip};
use crate::ui::{Ui, UiError};
use crate::waits::{Waits, panel};

/// The current state of a session.
pub(crate) struct Seen {
    session: String,
    overview: Option<JournalSession>,
    waits: Waits,
    /// The process that has it open.
    open_in: Option<u64>,
    revision: u64,
}

impl Seen {
    /// Reads the state of a session.
    pub(crate) async fn now(ui: &Ui, session: &str) -> Result<Self, UiError> {
        let filter = SessionFilter {
            session: Some(session.to_owned()),
            top: false,
            limit: 1,
            ..SessionFilter::default()
        };
        let id = session.to_owned();
        let (overview, revision) = ui
            .read(move |journal| {
                let overview = journal.overview(&filter)?.into_iter().next();
                Ok((overview, journal.revision(&id)?))
            })
            .await?;
        let saved = ui.store().sessions().row(session).await?;
        let open_in = saved.as_ref().and_then(|saved| saved.open_in.as_ref());
        let open_in = open_in.map(|holder| holder.pid);
        Ok(Self {
            session: session.to_owned(),
            overview,
            waits: Waits {
                turns: turns(ui, session).await?,
                interrupted: saved.is_some_and(|saved| saved.is_interrupted()),
                progress: ui.progress(session),
            },
            open_in,
            revision,
        })
    }

    /// Returns whether the session exists.
    pub(crate) fn is_known(&self) -> bool {
        self.overview.is_some() || !self.waits.turns.is_empty()
    }

    /// Returns a version that changes whenever the page does.
    pub(crate) fn version(&self) -> String {
        let mut hasher = DefaultHasher::new();
        self.revision.hash(&mut hasher);
        self.open_in.hash(&mut hasher);
        self.waits.progress.hash(&mut hasher);
        self.waits.interrupted.hash(&mut hasher);
        self.overview.as_ref().map(State::of).hash(&mut hasher);
        for turn in &self.waits.turns {
            let process = turn.claim.as_ref().map(|claim| claim.process_state());
            format!("{turn:?} {process:?} {}", turn.is_over()).hash(&mut hasher);
        }
        format!("{:016x}", hasher.finish())
    }

    /// Returns the journal's explanation of the session, with the tools of the waiting calls.
    pub(crate) async fn explanation(&self, ui: &Ui) -> Result<Explanation, UiError> {
        let session = self.session.clone();
        let mut explanation = ui.read(move |journal| explain(journal, &session)).await?;
        for call in self.waits.turns.iter().flat_map(|turn| &turn.pending) {
            explanation.name_waiting(&call.call_id, &call.tool);
        }
        Ok(explanation)
    }

    /// Returns the parts of its page.
    pub(crate) async fn parts(&self, ui: &Ui) -> Result<Vec<Part>, UiError> {
        let explanation = self.explanation(ui).await?;
        let mut all = vec![self.bar()];
        let mut parts = explained(&explanation).into_iter();
        all.extend(parts.next());
        all.push(part("waits", panel(&self.session, &self.waits)));
        all.extend(parts);
        Ok(all)
    }

    fn bar(&self) -> Part {
        let overview = self.overview.as_ref();
        let is_running = self.open_in.is_some()
            && overview.is_some_and(|it| it.state == Some(TurnOutcome::Running));
        let html = html! {
            div #bar {
                a href="/" { "‹ all sessions" }
                @if let Some(overview) = overview { (chip(State::of(overview))) }
                @if let Some(process) = self.open_in { span { "open in process " (process) } }
                @if let Some(parent) = overview.and_then(|it| it.parent.as_deref()) {
                    span { "sub-agent of " a href=(address(parent)) { (crate::row::shown(parent)) } }
                }
                span.end {
                    @if is_running {
                        span.ask data-session=(self.session) {
                            button.no type="button" data-do="cancel" data-sure="Cancel the turn that runs?" { "Cancel the turn" }
                            " " span.said-why {}
                        }
                    }
                    a href={ "/file" (address(&self.session).trim_start_matches("/session")) } { "Save as a file" }
                    span.dot title="Green while the page is live" {} "live"
                }
            }
        };
        part("bar", html)
    }
}

/// Returns a session's suspended turns, including those that a process has claimed.
async fn turns(ui: &Ui, session: &str) -> Result<Vec<CheckpointInfo>, UiError> {
    let store = ui.store().checkpoints();
    let mut all = store.list(Some(session)).await?;
    all.extend(store.claimed(Some(session)).await?);
    all.retain(|turn| !turn.of_subagent);
    Ok(all)
}

/// Explains a session from the journal. Blocks, so do not call it on an async thread.
///
/// # Errors
///
/// The journal cannot be read, or is damaged.
pub fn explain(journal: &Journal, session: &str) -> Result<Explanation, JournalError> {
    Explanation::of(session, &mut |session: &str| {
        let filter = RunFilter {
            session: Some(session.to_owned()),
            limit: u32::MAX,
            ..RunFilter::default()
        };
        let runs = journal.runs(&filter)?.into_iter();
        let events = journal.events(session)?.into_iter();
        let overview = journal.overview(&SessionFilter {
            session: Some(session.to_owned()),
            top: false,
            limit: 1,
            ..SessionFilter::default()
        })?;
        let state = overview.first().and_then(|overview| overview.state);
        Ok(Records {
            runs: runs.map(|run| (run.host, run.row, run.end)).collect(),
            events: events.map(|event| (event.host, event.row)).collect(),
            interrupted: state == Some(TurnOutcome::Interrupted),
        })
    })
}
