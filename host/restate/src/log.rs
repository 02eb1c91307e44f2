//! The record of a turn, in the journal of its invocation.
//!
//! The journal is a sequence, and effects of parallel tools and sub-agents end in any order. The
//! sequence therefore follows their ends: each journal entry contains the effects recorded next,
//! with their places. When the invocation is run again, all entries are read first, and the turn
//! takes them by their places.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use parking_lot::Mutex;
use portcullis_agent::{
    AgentEvent, EventReceiver, NewTurn, Place, RecordedEffect, SavedSession, SavedSessionError,
    SessionStore, TurnStore, TurnStoreError, UnfinishedTurn,
};
use portcullis_store::{Sessions, Turns};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, sleep};

use crate::message::Outcome;

/// The maximum wait for the session of a worker that ends.
const HELD: Duration = Duration::from_secs(5);
const LOOK: Duration = Duration::from_millis(50);

/// The most entries that wait to be written. Each is the end of an effect that runs beside others.
const WAITING: usize = 64;

/// A journal entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Entry {
    /// The checkpoint of a suspended turn is about to be claimed.
    Claims,
    /// The turn began.
    Began {
        id: String,
        agent: String,
        turn: u32,
        at_ms: u64,
        data: Value,
    },
    /// An effect is done.
    Effect {
        path: String,
        name: String,
        value: String,
    },
    /// The turn has ended with this outcome, and its session is about to be saved.
    Saves(Outcome),
    /// The segment has ended with this outcome. Always the last entry.
    Ended {
        outcome: Outcome,
        /// Whether the session has begun.
        has_begun: bool,
    },
}

/// An entry that waits to be written.
pub(crate) struct Unwritten {
    pub(crate) entry: Entry,
    /// Receives a signal once the entry is durable.
    pub(crate) written: oneshot::Sender<()>,
}

/// The record of a turn.
pub(crate) struct Log {
    session: String,
    turns: Turns,
    recorded: Mutex<Vec<Entry>>,
    entries: mpsc::Sender<Unwritten>,
    /// The agent's events, which have the outcome of the turn.
    events: Mutex<EventReceiver>,
}

impl Log {
    /// Returns the record from the journal, and the queue of entries to add to it.
    pub(crate) fn new(
        session: &str,
        turns: Turns,
        recorded: Vec<Entry>,
        events: EventReceiver,
    ) -> (Self, mpsc::Receiver<Unwritten>) {
        let (entries, unwritten) = mpsc::channel(WAITING);
        let log = Self {
            session: session.to_owned(),
            turns,
            recorded: Mutex::new(recorded),
            entries,
            events: Mutex::new(events),
        };
        (log, unwritten)
    }

    /// Writes an entry. It is durable when this returns.
    pub(crate) async fn write(&self, entry: Entry) -> Result<(), TurnStoreError> {
        let (written, is_written) = oneshot::channel();
        let unwritten = Unwritten { entry, written };
        self.entries.send(unwritten).await.map_err(|_| gone())?;
        is_written.await.map_err(|_| gone())
    }

    /// Returns whether the journal has an entry.
    pub(crate) fn has(&self, what: fn(&Entry) -> bool) -> bool {
        self.recorded.lock().iter().any(what)
    }

    /// Returns the outcome of the turn, if its session was about to be saved when the worker died.
    pub(crate) fn saved(&self) -> Option<Outcome> {
        self.recorded.lock().iter().find_map(|entry| match entry {
            Entry::Saves(outcome) => Some(outcome.clone()),
            _ => None,
        })
    }

    /// Returns the turn from the journal.
    fn recorded(&self, session: &str) -> Option<UnfinishedTurn> {
        let recorded = self.recorded.lock();
        let turn = recorded.iter().find_map(|entry| match entry {
            Entry::Began {
                id,
                agent,
                turn,
                at_ms,
                data,
            } => Some(NewTurn {
                id: id.clone(),
                session: session.to_owned(),
                agent: agent.clone(),
                turn: *turn,
                began_ms: *at_ms,
                data: data.clone(),
            }),
            _ => None,
        })?;
        let effects = recorded.iter().filter_map(|entry| match entry {
            Entry::Effect { path, name, value } => Some(RecordedEffect {
                place: Place {
                    path: path.clone(),
                    name: name.clone(),
                },
                value: value.clone(),
            }),
            _ => None,
        });
        let effects = effects.collect();
        let attempt = 1;
        Some(UnfinishedTurn {
            turn,
            effects,
            attempt,
        })
    }

    /// Returns the outcome of the turn, if it has an output.
    fn output(&self) -> Option<Outcome> {
        let mut events = self.events.lock();
        std::iter::from_fn(|| events.try_next()).find_map(|emitted| match &emitted.event {
            AgentEvent::TurnEnded { text, .. } if *emitted.session_id == *self.session => {
                Some(Outcome::Done { text: text.clone() })
            }
            _ => None,
        })
    }
}

#[async_trait]
impl TurnStore for Log {
    async fn begin(&self, turn: NewTurn) -> Result<(), TurnStoreError> {
        // Others see in the store that a turn runs, and cancel it there. The data for finishing the turn is left out:
        // only this invocation finishes it.
        let shown = NewTurn {
            data: Value::Null,
            ..turn.clone()
        };
        let begun = self.turns.begin_on("restate", shown).await;
        begun.map_err(|error| TurnStoreError::Failed(error.to_string()))?;
        let began = Entry::Began {
            id: turn.id,
            agent: turn.agent,
            turn: turn.turn,
            at_ms: turn.began_ms,
            data: turn.data,
        };
        self.write(began).await
    }

    async fn record(&self, _: &str, effect: RecordedEffect) -> Result<(), TurnStoreError> {
        let RecordedEffect { place, value } = effect;
        let Place { path, name } = place;
        self.write(Entry::Effect { path, name, value }).await
    }

    async fn is_there(&self, id: &str) -> Result<bool, TurnStoreError> {
        self.turns.is_there(id).await
    }

    async fn unfinished(&self, session: &str) -> Result<Option<UnfinishedTurn>, TurnStoreError> {
        let Some(mut unfinished) = self.recorded(session) else {
            return Ok(None);
        };
        // The store counts the attempts. It has no record of a turn that has ended, or that was cancelled while
        // no worker had it.
        let shown = self.turns.unfinished(session).await?;
        let shown = shown.filter(|shown| shown.turn.id == unfinished.turn.id);
        Ok(shown.map(|shown| {
            unfinished.attempt = shown.attempt;
            unfinished
        }))
    }

    async fn end(&self, id: &str) -> Result<(), TurnStoreError> {
        if self.entries.is_closed() {
            // Another worker has the turn.
            return Err(gone());
        }
        self.turns.end(id).await
    }
}

fn gone() -> TurnStoreError {
    TurnStoreError::Failed("the server has ended the invocation".into())
}

/// The sessions of the store, with the record of a turn before they are saved.
pub(crate) struct Saving {
    pub(crate) sessions: Sessions,
    pub(crate) log: Arc<Log>,
    /// Requests that the events for the turn's requester are written.
    pub(crate) flush: Option<mpsc::Sender<oneshot::Sender<()>>>,
}

impl Saving {
    /// Flushes all emitted events to the turn's requester: the next worker does not, if the turn
    /// has ended.
    async fn tell(&self) {
        let Some(flush) = &self.flush else { return };
        let (told, is_told) = oneshot::channel();
        if flush.send(told).await.is_ok() {
            // A failure to write is logged by the writer.
            let _ = is_told.await;
        }
    }
}

#[async_trait]
impl SessionStore for Saving {
    async fn open(&self, session: SavedSession) -> Result<SavedSession, SavedSessionError> {
        // The worker that had the session before may be about to release it.
        let until = Instant::now() + HELD;
        loop {
            match self.sessions.open(session.clone()).await {
                Err(SavedSessionError::Held { .. }) if Instant::now() < until => {
                    sleep(LOOK).await;
                }
                opened => return opened,
            }
        }
    }

    async fn save(&self, session: SavedSession) -> Result<(), SavedSessionError> {
        // If the worker dies after this, the session is saved, and another worker reports the
        // turn's outcome.
        if let Some(outcome) = self.log.output() {
            self.tell().await;
            let written = self.log.write(Entry::Saves(outcome)).await;
            written.map_err(|error| SavedSessionError::Store(error.to_string()))?;
        }
        self.sessions.save(session).await
    }

    async fn close(&self, id: &str) -> Result<(), SavedSessionError> {
        self.sessions.close(id).await
    }
}
