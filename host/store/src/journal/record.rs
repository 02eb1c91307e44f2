//! What waits for the writer, and the entries that it makes of it.

use std::collections::HashMap;

use portcullis::verdict::Digest;
use portcullis_agent::{EventRow, HookEnd, HookStart, RunEnd, RunRow, RunState};

/// A record that waits.
#[derive(Debug)]
pub(super) enum Record {
    /// A run that begins, with its end if that came while the start waited.
    Run {
        start: Begun,
        end: Option<Ended>,
    },
    /// The end of a run whose start is written already.
    End {
        id: i64,
        end: Ended,
    },
    Event(Box<EventRow>),
}

/// The start of a run.
#[derive(Debug)]
pub(super) enum Begun {
    Hook(HookStart),
    Row(Box<RunRow>),
}

/// The end of a run.
#[derive(Debug)]
pub(super) enum Ended {
    Hook(HookEnd),
    /// With its time.
    Row(u64, Box<RunEnd>),
}

/// What is written.
#[derive(Debug)]
pub(super) enum Entry {
    Run {
        row: RunRow,
        end: Option<EntryEnd>,
    },
    End {
        id: i64,
        end: EntryEnd,
        /// The run, if it has ended now and began in an earlier transaction.
        begun: Option<Box<RunRow>>,
    },
    Event(Box<EventRow>),
}

/// How a run has ended.
#[derive(Debug)]
pub(super) struct EntryEnd {
    pub(super) at_ms: u64,
    pub(super) end: RunEnd,
}

impl Record {
    /// A run that begins.
    pub(super) fn begun(start: Begun) -> Self {
        Self::Run { start, end: None }
    }

    /// Whether it is this run, and has not ended.
    #[inline]
    pub(super) fn is_open(&self, id: i64) -> bool {
        let Self::Run { start, end } = self else {
            return false;
        };
        start.id() == id && end.as_ref().is_none_or(|end| end.state().is_open())
    }

    /// Ends it, if it is a run.
    pub(super) fn end(&mut self, ended: Ended) {
        if let Self::Run { end, .. } = self {
            *end = Some(ended);
        }
    }

    /// The entries of records. What several hooks are given has one digest.
    pub(super) fn entries(records: impl Iterator<Item = Self>) -> Vec<Entry> {
        let mut digests = Digests::default();
        let mut kept = Vec::new();
        let rows = records.map(|record| match record {
            Self::Run { start, end } => {
                let row = match start {
                    Begun::Row(row) => *row,
                    Begun::Hook(start) => {
                        let row = start.row_with(digests.of(&start));
                        // Kept, so that no other value gets its address before all digests are computed.
                        kept.push(start);
                        row
                    }
                };
                let end = end.map(EntryEnd::of);
                Entry::Run { row, end }
            }
            Self::End { id, end } => Entry::End {
                id,
                end: EntryEnd::of(end),
                begun: None,
            },
            Self::Event(event) => Entry::Event(event),
        });
        rows.collect()
    }
}

/// The digests of what hooks are given, by the addresses of the values.
#[derive(Default)]
struct Digests(HashMap<usize, Digest>);

impl Digests {
    fn of(&mut self, start: &HookStart) -> Digest {
        let given = start.given();
        match given.address() {
            None => given.digest(),
            Some(address) => *self.0.entry(address).or_insert_with(|| given.digest()),
        }
    }
}

impl Begun {
    fn id(&self) -> i64 {
        match self {
            Self::Hook(start) => start.id,
            Self::Row(row) => row.id,
        }
    }
}

impl Ended {
    fn state(&self) -> RunState {
        match self {
            Self::Hook(end) => end.state(),
            Self::Row(_, end) => end.state,
        }
    }
}

impl EntryEnd {
    fn of(end: Ended) -> Self {
        match end {
            Ended::Row(at_ms, end) => Self { at_ms, end: *end },
            Ended::Hook(end) => Self {
                at_ms: end.at_ms(),
                end: end.end(),
            },
        }
    }

    /// Whether the run is over.
    pub(super) fn is_over(&self) -> bool {
        !self.end.state.is_open()
    }
}
