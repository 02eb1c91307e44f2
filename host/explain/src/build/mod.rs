//! Building an explanation from a journal's records.

mod end;
mod event;
mod links;
mod permission;
mod questions;
mod timeline;

use std::collections::HashMap;

use portcullis_agent::{EventRow, JournalEvent, RunEnd, RunRow};

use crate::model::{Explanation, Item, Turn};

/// A session's records in a journal: runs and events, each with the host that recorded it.
#[derive(Debug, Clone, Default)]
pub struct Records {
    /// The hook runs.
    pub runs: Vec<(i64, RunRow, RunEnd)>,
    /// The agent's events.
    pub events: Vec<(i64, EventRow)>,
    /// Whether the process of the last turn died before the turn ended.
    pub interrupted: bool,
}

/// The maximum depth of explained sub-agents.
const DEEPEST: usize = 16;

impl Explanation {
    /// Explains a session. `read` returns the records of a session; it is also called for the
    /// sub-agents' sessions.
    ///
    /// # Errors
    ///
    /// The first error of `read`.
    pub fn of<E>(
        session: &str,
        read: &mut impl FnMut(&str) -> Result<Records, E>,
    ) -> Result<Self, E> {
        let mut number = Numbers::default();
        let mut seen = vec![session.to_owned()];
        explain(session, read, &mut number, &mut seen)
    }
}

/// The last number of an id. No two items of an explanation have the same number.
#[derive(Default)]
struct Numbers(usize);

impl Numbers {
    fn id(&mut self, kind: &str) -> String {
        self.0 += 1;
        format!("{kind}-{}", self.0)
    }
}

/// A run or an event.
enum Record {
    Run(RunRow, Box<RunEnd>),
    Event(EventRow),
}

impl Record {
    /// Moves the record out of its turn and step.
    fn put_outside(&mut self) {
        let (turn, step) = match self {
            Self::Run(row, _) => (&mut row.turn, &mut row.step),
            Self::Event(row) => (&mut row.turn, &mut row.step),
        };
        (*turn, *step) = (0, 0);
    }

    fn at_ms(&self) -> u64 {
        match self {
            Self::Run(row, _) => row.started_ms,
            Self::Event(row) => row.at_ms,
        }
    }
}

fn explain<E>(
    session: &str,
    read: &mut impl FnMut(&str) -> Result<Records, E>,
    numbers: &mut Numbers,
    seen: &mut Vec<String>,
) -> Result<Explanation, E> {
    let records = read(session)?;
    let interrupted = records.interrupted;
    let records = in_order(records);
    let began_ms = records.iter().map(Record::at_ms).min().unwrap_or_default();
    let mut explanation = Explanation {
        session: session.to_owned(),
        began_ms,
        ..Explanation::default()
    };
    let mut below = HashMap::new();
    for record in &records {
        match record {
            Record::Event(EventRow {
                event:
                    JournalEvent::SessionOpened {
                        agent,
                        parent,
                        hooks,
                    },
                ..
            }) => {
                explanation.agent = Some(agent.clone());
                explanation.parent.clone_from(parent);
                explanation.hooks.clone_from(hooks);
            }
            Record::Event(EventRow {
                event:
                    JournalEvent::SubagentStarted {
                        call_id, session, ..
                    },
                ..
            }) => {
                below.insert(call_id.clone(), session.clone());
            }
            _ => {}
        }
    }
    explanation.turns = timeline::turns(records, began_ms, numbers);
    let mut turns = explanation.turns.iter_mut().rev();
    if interrupted && let Some(last) = turns.find(|turn| turn.number > 0) {
        end::interrupt(last, "its process died before it ended");
    }
    for turn in &mut explanation.turns {
        links::link(turn);
    }
    let calls = explanation
        .turns
        .iter_mut()
        .flat_map(|turn: &mut Turn| &mut turn.steps);
    for item in calls.flat_map(|step| &mut step.items) {
        if let Item::Tool(call) = item
            && let Some(session) = below.get(&call.call_id)
            && seen.len() < DEEPEST
            && !seen.contains(session)
        {
            seen.push(session.clone());
            call.subagent = Some(Box::new(explain(session, read, numbers, seen)?));
        }
    }
    explanation.count();
    Ok(explanation)
}

/// Returns the records in order: those of one host as they were made, and those of different hosts
/// by time.
fn in_order(records: Records) -> Vec<Record> {
    let runs = records.runs.into_iter();
    let runs = runs.map(|(host, row, end)| (host, row.id, Record::Run(row, Box::new(end))));
    let events = records.events.into_iter();
    let events = events.map(|(host, row)| (host, row.id, Record::Event(row)));
    let mut all: Vec<_> = runs.chain(events).collect();
    all.sort_by_key(|(host, id, _)| (*host, *id));
    let mut latest: HashMap<i64, u64> = HashMap::new();
    let timed = all.into_iter().map(|(host, id, record)| {
        let at = latest.entry(host).or_default();
        *at = record.at_ms().max(*at);
        (*at, host, id, record)
    });
    let mut timed: Vec<_> = timed.collect();
    timed.sort_by_key(|(at, host, id, _)| (*at, *host, *id));
    timed.into_iter().map(|(.., record)| record).collect()
}
