//! The records that are queued for the writer.

use std::collections::HashMap;

use portcullis::hooks::Mode;
use portcullis::verdict::Digest;
use portcullis_agent::{EventRow, HookEnd, HookStart, RunEnd, RunRow, RunState};

/// A queued record.
#[derive(Debug)]
pub(super) enum Record {
    /// A run that begins, with its end if the run ended while the start was queued.
    Run {
        start: Begun,
        end: Option<Ended>,
    },
    /// The end of a run whose start is already written.
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
    /// A complete end, with its time.
    Row(u64, Box<RunEnd>),
}

/// The place of a run, and its start time.
#[derive(Debug, Clone, Copy)]
pub(super) struct At<'a> {
    pub(super) session: &'a str,
    pub(super) hook: &'a str,
    pub(super) point: &'a str,
    pub(super) turn: u32,
    pub(super) started_us: u64,
}

/// The counted facts of a run's end.
#[derive(Debug, Clone, Copy)]
pub(super) struct Counted<'a> {
    pub(super) state: RunState,
    pub(super) outcome: Option<&'a str>,
    pub(super) cause: Option<&'a str>,
    pub(super) mode: Option<Mode>,
    pub(super) fatal: bool,
    pub(super) changed: bool,
}

/// A run that has not ended, and whose start is no longer queued.
#[derive(Debug)]
pub(super) struct OpenRun {
    session: String,
    hook: String,
    point: String,
    turn: u32,
    started_us: u64,
    /// The reason that its start could not be written, if it could not.
    lost: Option<String>,
}

impl Record {
    /// Returns the record of a run that begins.
    pub(super) fn begun(start: Begun) -> Self {
        Self::Run { start, end: None }
    }

    /// Returns whether it is the record of this run, and the run has not ended.
    #[inline]
    pub(super) fn is_open(&self, id: i64) -> bool {
        self.open().is_some_and(|start| start.id() == id)
    }

    /// Returns the start of the run, if it is a run that has not ended.
    #[inline]
    pub(super) fn open(&self) -> Option<&Begun> {
        match self {
            Self::Run { start, end } if end.as_ref().is_none_or(|end| !end.is_over()) => {
                Some(start)
            }
            _ => None,
        }
    }

    /// Returns the end of the run, if it has one.
    pub(super) fn ended(&self) -> Option<&Ended> {
        match self {
            Self::Run { end, .. } => end.as_ref(),
            Self::End { end, .. } => Some(end),
            Self::Event(_) => None,
        }
    }

    /// Sets the end, if it is the record of a run.
    pub(super) fn end(&mut self, ended: Ended) {
        if let Self::Run { end, .. } = self {
            *end = Some(ended);
        }
    }
}

impl Begun {
    #[inline]
    pub(super) fn id(&self) -> i64 {
        match self {
            Self::Hook(start) => start.id,
            Self::Row(row) => row.id,
        }
    }

    pub(super) fn at(&self) -> At<'_> {
        match self {
            Self::Hook(start) => At {
                session: start.session(),
                hook: start.hook().as_str(),
                point: start.point().name(),
                turn: start.turn(),
                started_us: start.started_us(),
            },
            Self::Row(row) => At {
                session: &row.session,
                hook: &row.hook,
                point: &row.point,
                turn: row.turn,
                started_us: row.started_ms.saturating_mul(1_000),
            },
        }
    }
}

impl Ended {
    pub(super) fn state(&self) -> RunState {
        match self {
            Self::Hook(end) => end.state(),
            Self::Row(_, end) => end.state,
        }
    }

    /// Returns whether the run is over.
    #[inline]
    pub(super) fn is_over(&self) -> bool {
        !self.state().is_open()
    }

    /// Returns the end time in milliseconds since 1970, of a run that began at this time in
    /// microseconds.
    pub(super) fn at_ms(&self, started_us: u64) -> u64 {
        match self {
            Self::Hook(end) => end.at_ms(started_us),
            Self::Row(at_ms, _) => *at_ms,
        }
    }

    pub(super) fn counted(&self) -> Counted<'_> {
        match self {
            Self::Hook(end) => Counted {
                state: end.state(),
                outcome: end.outcome(),
                cause: end.cause(),
                mode: Some(end.mode()),
                fatal: end.is_fatal(),
                changed: end.has_changed(),
            },
            Self::Row(_, end) => Counted {
                state: end.state,
                outcome: end.outcome.as_deref(),
                cause: end.cause.as_deref(),
                mode: end.mode,
                fatal: end.fatal,
                changed: end.after.is_some(),
            },
        }
    }

    /// Returns the complete end.
    pub(super) fn whole(&self) -> RunEnd {
        match self {
            Self::Hook(end) => end.end(),
            Self::Row(_, end) => RunEnd::clone(end),
        }
    }
}

impl OpenRun {
    /// Creates a run whose start was written, or was lost for this reason.
    pub(super) fn new(at: At<'_>, lost: Option<String>) -> Self {
        Self {
            session: at.session.to_owned(),
            hook: at.hook.to_owned(),
            point: at.point.to_owned(),
            turn: at.turn,
            started_us: at.started_us,
            lost,
        }
    }

    pub(super) fn at(&self) -> At<'_> {
        At {
            session: &self.session,
            hook: &self.hook,
            point: &self.point,
            turn: self.turn,
            started_us: self.started_us,
        }
    }

    /// Returns the reason that its start could not be written, if the run is of this session.
    pub(super) fn lost_in(&self, session: &str) -> Option<&str> {
        self.lost.as_deref().filter(|_| self.session == session)
    }
}

/// The digests of the hooks' inputs, by the addresses of the values, so that a value for several
/// hooks has one digest. The values must outlive the map, so that no address is reused.
#[derive(Default)]
pub(super) struct Digests(HashMap<usize, Digest>);

impl Digests {
    pub(super) fn of(&mut self, start: &HookStart) -> Digest {
        let given = start.given();
        match given.address() {
            None => given.digest(),
            Some(address) => *self.0.entry(address).or_insert_with(|| given.digest()),
        }
    }
}
