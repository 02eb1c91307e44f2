//! A hook's run as a journal gets it: shared data. The writer makes rows of it later, on its own thread.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use portcullis::HookId;
use portcullis::hooks::Mode;
use portcullis::observer::{Given, RunStarted};
use portcullis::points::PointId;
use portcullis::verdict::{Cause, Change, ContributedRecord, Digest, HookRun, RunStatus, Would};

use super::call_id::CallId;
use super::changes::{added_fields, field_changes};
use super::{FieldChange, RunEnd, RunRow, RunState, WouldHave, run_id};
use crate::basics::units;

/// The start of a hook's run. It shares the data of the session and of the call; [`HookStart::row`] makes texts of it.
#[derive(Debug, Clone)]
pub struct HookStart {
    /// The id of the run: see [`next_run_id`](super::next_run_id).
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
    call_id: Option<CallId>,
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
    /// When it ended. `None` if that follows from when it began, and from its latency.
    at_ms: Option<u64>,
    /// Data that few runs have.
    more: Option<Box<More>>,
}

#[derive(Debug, Clone)]
struct More {
    keeps_values: bool,
    change: Option<Box<Change>>,
    would: Option<Box<Would>>,
    question: Option<Box<str>>,
    contributed: Vec<ContributedRecord>,
    used: Vec<String>,
}

/// A hook's run that has ended, and whose start was not recorded before. It is lent, so that a recorder can make its record
/// where it keeps it.
#[derive(Debug, Clone, Copy)]
pub struct HookRan<'a> {
    pub(super) start: &'a RunStarted<'a>,
    pub(super) run: &'a HookRun,
}

impl HookRan<'_> {
    /// The session.
    pub fn session(&self) -> &Arc<str> {
        self.start.session
    }

    /// The number of the turn.
    pub fn turn(&self) -> u32 {
        self.start.turn
    }

    /// The point at which the hook was called.
    pub fn point(&self) -> PointId {
        self.start.point
    }

    /// The hook.
    pub fn hook(&self) -> &HookId {
        self.start.hook
    }

    /// Its start.
    #[inline]
    pub fn start(&self) -> HookStart {
        HookStart::new(self.start)
    }

    /// Returns the run's end, with its changes and contributions if values are kept.
    #[inline]
    pub fn end(&self, keeps_values: bool) -> HookEnd {
        HookEnd::new(self.run, false, || keeps_values)
    }
}

impl HookStart {
    #[inline]
    pub(super) fn new(run: &RunStarted<'_>) -> Self {
        Self {
            id: run_id(run.id),
            session: run.session.clone(),
            turn: run.turn,
            step: run.step,
            point: run.point,
            hook: run.hook.clone(),
            attempt: run.attempt,
            component: run.component,
            given: run.given(),
            started_us: units::micros(run.began()),
            call_id: run.call_id.map(CallId::new),
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

    /// The number of the step.
    pub fn step(&self) -> u32 {
        self.step
    }

    /// The point at which the hook is called.
    pub fn point(&self) -> PointId {
        self.point
    }

    /// The hook.
    pub fn hook(&self) -> &HookId {
        &self.hook
    }

    /// The attempt at the operation, counted from 1.
    pub fn attempt(&self) -> u32 {
        self.attempt
    }

    /// The digest of the hook's component; `None` for native hooks.
    pub fn component(&self) -> Option<Digest> {
        self.component
    }

    /// Returns the hook's input.
    pub fn given(&self) -> &Given {
        &self.given
    }

    /// When it began, in microseconds since the Unix epoch.
    pub fn started_us(&self) -> u64 {
        self.started_us
    }

    /// The tool call that it is about, if it is about one.
    pub fn call_id(&self) -> Option<&str> {
        self.call_id.as_ref().map(CallId::as_str)
    }

    /// Replaces the hook's input with its digest.
    pub fn digest_given(&mut self) {
        self.given = self.given.digested();
    }

    /// Returns the row of the run. Computes the digest of the hook's input.
    pub fn row(&self) -> RunRow {
        RunRow {
            id: self.id,
            session: self.session.as_ref().to_owned(),
            turn: self.turn,
            step: self.step,
            point: self.point.name().to_owned(),
            hook: self.hook.as_str().to_owned(),
            attempt: self.attempt,
            component: self.component.map(|digest| digest.to_string()),
            input: Some(self.given.digest().to_string()),
            started_ms: self.started_us / 1_000,
            call_id: self.call_id().map(str::to_owned),
        }
    }
}

/// The end of a shorter run is computed from its start and its latency. For longer ones the wall clock is read: somebody may
/// have set it meanwhile, or the machine may have slept.
const SHORT: Duration = Duration::from_millis(20);

impl HookEnd {
    /// A run that has ended. A detached one may have waited before it began.
    #[inline]
    pub(super) fn new(run: &HookRun, detached: bool, keeps_values: impl FnOnce() -> bool) -> Self {
        let used = run.reached.as_deref().map(|reached| &reached.used);
        let used = used.filter(|used| !used.is_empty());
        let has_more = run.change.is_some()
            || run.would.is_some()
            || run.question.is_some()
            || !run.contributed.is_empty()
            || used.is_some();
        Self {
            status: run.status.clone(),
            mode: run.mode,
            latency_us: units::micros(run.latency),
            fuel: run.fuel,
            memory: run.memory,
            restarted: run.restarted,
            at_ms: (detached || run.latency >= SHORT).then(units::now_ms),
            more: has_more.then(|| {
                Box::new(More {
                    keeps_values: keeps_values(),
                    change: run.change.clone(),
                    would: run.would.clone(),
                    question: run.question.clone(),
                    contributed: run.contributed.clone(),
                    used: used.cloned().unwrap_or_default(),
                })
            }),
        }
    }

    /// When the run ended, in milliseconds since the Unix epoch, if it began at this time in microseconds.
    pub fn at_ms(&self, started_us: u64) -> u64 {
        self.at_ms
            .unwrap_or_else(|| started_us.saturating_add(self.latency_us) / 1_000)
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

    /// The name of the hook's outcome.
    pub fn outcome(&self) -> Option<&'static str> {
        match &self.status {
            RunStatus::Completed { outcome, .. } | RunStatus::NotApplied { outcome } => {
                Some(outcome.name())
            }
            _ => None,
        }
    }

    /// The code of the cause of its failure.
    pub fn cause(&self) -> Option<&'static str> {
        match &self.status {
            RunStatus::Failed { cause, .. } => Some(cause.code()),
            _ => None,
        }
    }

    /// Whether the operation was refused because it failed.
    pub fn is_fatal(&self) -> bool {
        matches!(self.status, RunStatus::Failed { fatal: true, .. })
    }

    /// Whether its answer counted.
    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// Whether it changed the value.
    pub fn has_changed(&self) -> bool {
        self.more.as_ref().is_some_and(|more| more.change.is_some())
    }

    /// Returns the end of the run. It contains the run's changes only if the session keeps values.
    /// Allocates nothing for a hook that lets an operation pass.
    pub fn end(&self) -> RunEnd {
        let state = self.state();
        let (code, message) = match &self.status {
            RunStatus::Completed {
                rejection: Some(refusal),
                ..
            } => (Some(refusal.code.clone()), Some(refusal.reason.clone())),
            RunStatus::Failed { message, .. } => (None, Some(message.as_ref().to_owned())),
            _ => (None, None),
        };
        let end = RunEnd {
            outcome: self.outcome().map(Cow::Borrowed),
            latency_us: Some(self.latency_us),
            fuel: self.fuel,
            memory: self.memory,
            cause: self.cause().map(Cow::Borrowed),
            code,
            message,
            fatal: self.is_fatal(),
            mode: Some(self.mode),
            restarted: self.restarted,
            used: state.has_called().then(Vec::new),
            ..RunEnd::of(state)
        };
        match &self.more {
            None => end,
            Some(more) => more.add_to(end),
        }
    }
}

impl More {
    /// Returns the fields of the run's contributions, if they are kept.
    fn added(&self) -> Option<Vec<FieldChange>> {
        let values = self.contributed.iter().map(|it| it.value.as_deref());
        let is_kept = self.keeps_values && values.clone().any(|value| value.is_some());
        is_kept.then(|| added_fields(values))
    }

    fn add_to(&self, end: RunEnd) -> RunEnd {
        let change = self.change.as_deref();
        let digests = self.contributed.iter();
        let mut granted = self.used.clone();
        for grant in self.contributed.iter().filter_map(ContributedRecord::grant) {
            if !granted.contains(&grant) {
                granted.push(grant);
            }
        }
        RunEnd {
            message: end.message.or(self.question.as_deref().map(str::to_owned)),
            contributions: digests.map(|it| it.digest.to_string()).collect(),
            before: change.map(|change| change.before.to_string()),
            after: change.map(|change| change.after.to_string()),
            changes: change
                .filter(|_| self.keeps_values)
                .and_then(|change| change.values.as_ref())
                .map(|(before, after)| field_changes(before, after)),
            added: self.added(),
            would: self
                .would
                .as_deref()
                .map(|would| WouldHave::of(would, self.keeps_values)),
            used: end.used.map(|_| granted),
            ..end
        }
    }
}
