//! A hook's run as a journal gets it: shared data. The writer makes rows of it later, on its own thread.

use std::sync::Arc;

use portcullis::HookId;
use portcullis::hooks::Mode;
use portcullis::observer::{Given, RunStarted};
use portcullis::points::PointId;
use portcullis::verdict::{Cause, Change, ContributedRecord, Digest, HookRun, RunStatus, Would};

use super::changes::field_changes;
use super::{RunEnd, RunRow, RunState, WouldHave};
use crate::basics::units;

/// The start of a hook's run. It shares the data of the session and of the call; [`HookStart::row`] makes texts of it.
#[derive(Debug, Clone)]
pub struct HookStart {
    /// The id of the run: see [`RunRecorder::next_id`](super::RunRecorder::next_id).
    pub id: i64,
    session: Arc<str>,
    turn: u32,
    step: u32,
    point: PointId,
    hook: HookId,
    attempt: u32,
    component: Option<Digest>,
    given: Given,
    started_us: u64,
    call_id: Option<Box<str>>,
}

/// The end of a hook's run. [`HookEnd::end`] makes texts of it.
#[derive(Debug, Clone)]
pub struct HookEnd {
    status: RunStatus,
    mode: Mode,
    latency_us: u64,
    fuel: Option<u64>,
    memory: Option<u64>,
    restarted: bool,
    at_ms: u64,
    keeps_values: bool,
    /// What nearly no run has.
    more: Option<Box<More>>,
}

#[derive(Debug, Clone)]
struct More {
    change: Option<Box<Change>>,
    would: Option<Box<Would>>,
    contributed: Vec<ContributedRecord>,
    used: Vec<String>,
}

impl HookStart {
    /// A run that begins at this time, in microseconds since the Unix epoch.
    pub(super) fn new(id: i64, run: &RunStarted<'_>, started_us: u64) -> Self {
        Self {
            id,
            session: run.session.clone(),
            turn: run.turn,
            step: run.step,
            point: run.point,
            hook: run.hook.clone(),
            attempt: run.attempt,
            component: run.component,
            given: run.given.clone(),
            started_us,
            call_id: run.call_id.map(Into::into),
        }
    }

    /// The session.
    pub fn session(&self) -> &Arc<str> {
        &self.session
    }

    /// The number of the turn.
    pub fn turn(&self) -> u32 {
        self.turn
    }

    /// The point at which the hook is called.
    pub fn point(&self) -> PointId {
        self.point
    }

    /// The hook.
    pub fn hook(&self) -> &HookId {
        &self.hook
    }

    /// What the hook is given.
    pub fn given(&self) -> &Given {
        &self.given
    }

    /// The row of the run. Computes the digest of what the hook is given.
    pub fn row(&self) -> RunRow {
        self.row_with(self.given.digest())
    }

    /// The row of the run, with the digest of what the hook is given.
    pub fn row_with(&self, input: Digest) -> RunRow {
        RunRow {
            id: self.id,
            session: self.session.as_ref().to_owned(),
            turn: self.turn,
            step: self.step,
            point: self.point.name().to_owned(),
            hook: self.hook.as_str().to_owned(),
            attempt: self.attempt,
            component: self.component.map(|digest| digest.to_string()),
            input: Some(input.to_string()),
            started_ms: self.started_us / 1_000,
            call_id: self.call_id.as_deref().map(str::to_owned),
        }
    }
}

impl HookEnd {
    /// A run that ended at this time, in milliseconds since the Unix epoch.
    pub(super) fn new(run: &HookRun, at_ms: u64, keeps_values: bool) -> Self {
        let used = run.reached.as_deref().map(|reached| &reached.used);
        let used = used.filter(|used| !used.is_empty());
        let has_more = run.change.is_some()
            || run.would.is_some()
            || !run.contributed.is_empty()
            || used.is_some();
        Self {
            status: run.status.clone(),
            mode: run.mode,
            latency_us: units::micros(run.latency),
            fuel: run.fuel,
            memory: run.memory,
            restarted: run.restarted,
            at_ms,
            keeps_values,
            more: has_more.then(|| {
                Box::new(More {
                    change: run.change.clone(),
                    would: run.would.clone(),
                    contributed: run.contributed.clone(),
                    used: used.cloned().unwrap_or_default(),
                })
            }),
        }
    }

    /// When the run ended, in milliseconds since the Unix epoch.
    pub fn at_ms(&self) -> u64 {
        self.at_ms
    }

    /// The state of the run.
    pub fn state(&self) -> RunState {
        match &self.status {
            RunStatus::Completed { .. } => RunState::Completed,
            RunStatus::Failed { cause, .. } if *cause == Cause::Deadline => RunState::TimedOut,
            RunStatus::Failed { .. } => RunState::Failed,
            RunStatus::NotApplied { .. } => RunState::NotApplied,
            RunStatus::Skipped => RunState::Skipped,
            RunStatus::Backgrounded => RunState::Backgrounded,
        }
    }

    /// The end of the run. What it changed is in it only from a session that keeps values.
    pub fn end(self) -> RunEnd {
        let state = self.state();
        let (mut outcome, mut cause, mut code, mut message) = (None, None, None, None);
        let mut fatal = false;
        match self.status {
            RunStatus::Completed {
                outcome: answered,
                rejection,
            } => {
                outcome = Some(answered.name().to_owned());
                if let Some(refusal) = rejection {
                    (code, message) = (Some(refusal.code), Some(refusal.reason));
                }
            }
            RunStatus::NotApplied { outcome: answered } => {
                outcome = Some(answered.name().to_owned());
            }
            RunStatus::Failed {
                cause: failed,
                message: why,
                fatal: refused,
            } => {
                (cause, message) = (Some(failed.code().to_owned()), Some(why.into()));
                fatal = refused;
            }
            RunStatus::Skipped | RunStatus::Backgrounded => {}
        }
        let end = RunEnd {
            outcome,
            latency_us: Some(self.latency_us),
            fuel: self.fuel,
            memory: self.memory,
            cause,
            code,
            message,
            fatal,
            mode: Some(self.mode),
            restarted: self.restarted,
            used: state.has_called().then(Vec::new),
            ..RunEnd::of(state)
        };
        match self.more {
            None => end,
            Some(more) => more.add_to(end, self.keeps_values),
        }
    }
}

impl More {
    fn add_to(self, end: RunEnd, keeps_values: bool) -> RunEnd {
        let change = self.change.as_deref();
        let digests = self.contributed.iter();
        RunEnd {
            contributions: digests.map(|it| it.digest.to_string()).collect(),
            before: change.map(|change| change.before.to_string()),
            after: change.map(|change| change.after.to_string()),
            changes: change
                .filter(|_| keeps_values)
                .and_then(|change| change.values.as_ref())
                .map(|(before, after)| field_changes(before, after)),
            would: self
                .would
                .as_deref()
                .map(|would| WouldHave::of(would, keeps_values)),
            used: end.used.map(|_| self.used),
            ..end
        }
    }
}
