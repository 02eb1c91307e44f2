//! The host's data of an instance, and the limits on its growth.

use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::time::{Duration, Instant};

use wasmtime::ResourceLimiter;

use crate::contract::linked::{self, Watcher};
use crate::model::current::{AnyCall, CurrentCall, Room};
use crate::model::effects::Effects;
use crate::model::failure::Failure;
use crate::model::hook::Seen;
use crate::model::limits::Limits;
use crate::model::purpose::Purpose;
use crate::model::reached::{Kept, Reached, Used};
use crate::model::sink::{HookObserver, TracingSink};
use crate::model::state::Namespace;
use crate::sandbox::capabilities::{InstanceContext, InstanceState, InstanceStates, SessionModel};
use crate::sandbox::frames::Frames;
use crate::sandbox::mappings::{self, Mapped, Mappings};
use crate::sandbox::memory_budget::{MemoryBudget, Share};
use crate::sandbox::meter::Meter;
use crate::sandbox::tape::Tape;
use crate::sandbox::watcher::{HostCalls, Watching};

/// The owner of an instance's calls.
pub(crate) struct CallOwner {
    pub(crate) session: Arc<str>,
    pub(crate) sink: Arc<dyn HookObserver>,
    pub(crate) own: Namespace,
    /// The agent's model; `None` without an owner.
    pub(crate) model: Option<Arc<SessionModel>>,
}

impl CallOwner {
    /// Returns the owner of an instance that waits for its next session. It refers to nothing of
    /// the last session.
    pub(crate) fn nobody() -> Self {
        static NOWHERE: LazyLock<(Arc<str>, Arc<dyn HookObserver>)> =
            LazyLock::new(|| ("".into(), Arc::new(TracingSink)));
        let (session, sink) = &*NOWHERE;
        Self {
            session: session.clone(),
            sink: sink.clone(),
            own: Namespace::Private {
                opening: 0,
                hook: session.clone(),
            },
            model: None,
        }
    }
}

/// The data of an instance's store.
pub(crate) struct HookStore {
    pub(crate) growth: Growth,
    pub(crate) meter: Meter,
    pub(crate) capabilities: InstanceStates,
    /// The call that the instance is answering.
    pub(crate) current: CurrentCall,
    /// The watcher of the instance's calls of imports.
    pub(crate) watching: Option<Box<Watching>>,
    /// The time when the call must have ended, if its hook can wait.
    pub(crate) until: Option<Instant>,
    /// The grants that the call has used.
    pub(crate) used: Used,
    /// The tape of the instance's calls, if they are recorded or replayed.
    pub(crate) tape: Option<Box<Tape>>,
    /// Whether the instance's calls are watched or recorded.
    is_seen: bool,
    fuel: Option<u64>,
}

impl HookStore {
    /// Creates the data of a new instance.
    pub(crate) fn new(cx: &InstanceContext<'_>) -> Self {
        let limits = &cx.setup.limits;
        let mut used = Used::default();
        used.keep(cx.owner.sink.watches_runs());
        let watching = HostCalls::watch(&cx.owner.sink, |sink| HostCalls {
            hook: cx.setup.id.clone(),
            secrets: cx.setup.secrets.clone(),
            fuel: limits.fuel,
            sink,
            kept: Mutex::default(),
        });
        Self {
            growth: Growth::new(
                limits,
                &cx.runtime.memory,
                &cx.runtime.mappings,
                cx.setup.purpose,
            ),
            meter: Meter::new(limits.host_calls),
            capabilities: InstanceStates::new(cx),
            current: CurrentCall::new(Room::of(limits)),
            is_seen: used.is_kept() || watching.is_some() || cx.reel.is_some(),
            watching,
            until: None,
            used,
            tape: cx.reel.as_ref().map(|reel| {
                let secrets = cx.runtime.secrets.get();
                let setup = cx.setup.recorded(&secrets);
                Box::new(Tape::new(reel.clone(), setup, secrets, &cx.runtime.secrets))
            }),
            fuel: limits.fuel,
        }
    }

    /// Returns the tape that records or plays the instance's calls of imports.
    #[inline]
    pub(crate) fn tape(&self) -> Option<Arc<dyn linked::Tape + Send + Sync>> {
        Some(self.tape.as_ref()?.reel().clone())
    }

    /// Returns the watcher of the instance's calls of imports.
    #[inline]
    pub(crate) fn watcher(&self) -> Option<Arc<dyn Watcher + Send + Sync>> {
        Some(self.watching.as_ref()?.watcher.clone())
    }

    /// Counts a call of an import. Every import gets its own part of the store through this
    /// function.
    #[inline]
    pub(crate) fn called(&mut self) -> &mut Self {
        self.meter.count();
        self
    }

    /// Counts the host's memory for the existing handles. Called before each import that may create
    /// one, so that a guest never has more than one that is not counted.
    pub(crate) fn count_held(&mut self) {
        let InstanceStates { http, wasi, .. } = &mut self.capabilities;
        let held = wasi.held(http.as_ref().map(|http| http.header_bytes()));
        self.growth.hold(held);
    }

    /// Assigns the next calls to a session. Called if sessions share the instance.
    pub(crate) fn bind(&mut self, to: CallOwner) {
        self.watching = HostCalls::watch(&to.sink, |sink| HostCalls {
            hook: self.capabilities.log.hook.clone(),
            secrets: self.capabilities.secrets.clone(),
            fuel: self.fuel,
            sink,
            kept: Mutex::default(),
        });
        self.used.keep(to.sink.watches_runs());
        let was_seen = self.is_seen;
        self.is_seen = self.used.is_kept() || self.watching.is_some() || self.tape.is_some();
        if self.is_seen && !was_seen {
            // The use of the earlier calls belongs to no session.
            drop(self.take_reached());
        }
        if let (Some(tape), Namespace::Private { opening, .. }) = (&self.tape, &to.own) {
            tape.reel().bind(*opening);
        }
        self.capabilities.bind(&to);
    }

    /// Returns whether the call is past its end. Only for a hook that can wait.
    pub(crate) fn is_late(&self) -> bool {
        self.until.is_some_and(|until| until <= Instant::now())
    }

    /// Begins a call.
    #[inline]
    pub(crate) fn begin(&mut self, call: Arc<dyn AnyCall>) {
        self.capabilities.begin();
        if let Some(http) = &mut self.capabilities.http {
            let hook = &self.capabilities.log.hook;
            let trace = call.views().trace.as_ref();
            http.trace(trace.map(|trace| trace.of_run(call.point(), hook)));
        }
        self.current.begin(call);
    }

    /// Renews a call's budget, with this compute time.
    #[inline]
    pub(crate) fn restart(&mut self, deadline: Duration) {
        self.meter.restart(deadline);
        self.capabilities.restart();
    }

    /// Returns the bytes of memory that the instance has.
    #[inline]
    pub(crate) fn memory(&self) -> u64 {
        self.growth.memory.saturating_add(self.growth.held) as u64
    }

    /// Returns the failure of a call over a limit that ends the call only at the next tick.
    #[inline]
    pub(crate) fn over(&self) -> Option<Failure> {
        let growth = || self.growth.over();
        let capabilities = || self.capabilities.over();
        self.meter.over().or_else(growth).or_else(capabilities)
    }

    /// Returns a failure with its explanation: the hook's own words, or the functions that were
    /// running.
    pub(crate) fn explain(&mut self, failure: Failure, functions: Option<Frames>) -> Failure {
        self.capabilities.log.explain(failure, functions)
    }

    /// Ends the call. Returns its writes, to be kept if its answer is accepted; `None` if there are
    /// none.
    #[inline]
    pub(crate) fn end(&mut self) -> Option<Box<Effects>> {
        self.current.clear();
        self.capabilities.end();
        let InstanceStates {
            state,
            events,
            edits,
            ..
        } = &mut self.capabilities;
        let edited = edits.as_ref().is_some_and(|edits| !edits.is_clean());
        if state.is_clean() && events.is_empty() && !edited {
            return None;
        }
        Some(Box::new(Effects {
            state: state.take(),
            events: events.take(),
            edits: edits.as_mut().map(|edits| edits.take()).unwrap_or_default(),
            sink: events.sink(),
        }))
    }
}

impl HookStore {
    /// Returns the record of the call that has ended; `None` unless calls are watched or recorded.
    #[inline]
    pub(crate) fn seen(&mut self) -> Option<Box<Seen>> {
        match self.is_seen {
            false => None,
            true => self.take_seen(),
        }
    }

    #[cold]
    fn take_seen(&mut self) -> Option<Box<Seen>> {
        let reached = self.take_reached();
        let recording = self.tape.as_mut().and_then(|tape| tape.take());
        (reached.is_some() || recording.is_some()).then(|| Box::new(Seen { reached, recording }))
    }

    fn take_reached(&mut self) -> Option<Box<Reached>> {
        let InstanceStates { http, state, .. } = &mut self.capabilities;
        if let Some(http) = http {
            http.mark(&mut self.used);
        }
        state.mark(&mut self.used);
        let kept = self.watching.as_ref();
        let kept = kept.map_or_else(Kept::default, |watching| watching.watcher.take());
        let reached = Reached {
            used: self.used.take(),
            calls: kept.calls,
            more_calls: kept.more,
        };
        (reached != Reached::default()).then(|| Box::new(reached))
    }
}

/// The memory and tables of an instance, summed, and their limits.
pub(crate) struct Growth {
    memory: usize,
    memory_most: usize,
    /// The bytes that the host holds for the instance's handles.
    held: usize,
    /// The instance's share of the host's memory budget.
    share: Share,
    elements: usize,
    elements_most: usize,
    instances_most: usize,
    purpose: Purpose,
    mappings: Mappings,
    tables: Arc<Tables>,
}

/// The mappings of an instance's large tables. The code that drops the instance keeps them until
/// its tables are gone.
#[derive(Default)]
pub(crate) struct Tables(Mutex<Vec<Mapped>>);

impl Tables {
    fn add(&self, mapped: Mapped) {
        let mut tables = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        tables.push(mapped);
    }
}

impl Growth {
    pub(crate) fn new(
        limits: &Limits,
        budget: &Arc<MemoryBudget>,
        mappings: &Mappings,
        purpose: Purpose,
    ) -> Self {
        Self {
            memory: 0,
            memory_most: limits.memory_bytes,
            held: 0,
            share: Share::of(budget, purpose),
            elements: 0,
            elements_most: limits.table_elements,
            instances_most: limits.instances,
            purpose,
            mappings: mappings.clone(),
            tables: Arc::default(),
        }
    }

    /// Returns the mappings of the instance's large tables, including later ones.
    pub(crate) fn tables(&self) -> Arc<Tables> {
        self.tables.clone()
    }

    /// Sets the bytes that the host holds for the instance's handles.
    pub(crate) fn hold(&mut self, bytes: usize) {
        if bytes != self.held {
            self.held = bytes;
            self.share.set(self.memory.saturating_add(bytes));
        }
    }

    /// Returns the failure of an instance whose handles take too much host memory.
    #[inline]
    pub(crate) fn over(&self) -> Option<Failure> {
        if self.held > self.memory_most.saturating_sub(self.memory) {
            return Some(Failure::HostMemory(self.memory_most));
        }
        self.share.refused()
    }
}

fn grow(
    used: &mut usize,
    most: usize,
    current: usize,
    desired: usize,
    declared: Option<usize>,
    failure: impl FnOnce(usize) -> Failure,
) -> wasmtime::Result<bool> {
    // A guest may ask for more than it declared. The growth is refused, as without a limiter.
    if declared.is_some_and(|most| desired > most) {
        return Ok(false);
    }
    let total = used.saturating_add(desired.saturating_sub(current));
    if total > most {
        // A trap, not a failed `memory.grow`: the guest must not be able to hide the cause.
        return Err(failure(most).into());
    }
    *used = total;
    Ok(true)
}

impl ResourceLimiter for Growth {
    fn memory_growing(
        &mut self,
        current: usize,
        desired: usize,
        declared: Option<usize>,
    ) -> wasmtime::Result<bool> {
        let before = self.memory;
        let most = self.memory_most;
        let left = most.saturating_sub(self.held);
        let full = |_| Failure::Memory(most);
        if !grow(&mut self.memory, left, current, desired, declared, full)? {
            return Ok(false);
        }
        if !self.share.set(self.memory.saturating_add(self.held)) {
            self.memory = before;
            return Err(self.share.full().into());
        }
        Ok(true)
    }

    fn table_growing(
        &mut self,
        current: usize,
        desired: usize,
        declared: Option<usize>,
    ) -> wasmtime::Result<bool> {
        let before = self.elements;
        let most = self.elements_most;
        let full = Failure::Tables;
        if !grow(&mut self.elements, most, current, desired, declared, full)? {
            return Ok(false);
        }
        let mappings = mappings::of_table(current, desired);
        if mappings > 0 {
            let taken = self.mappings.take(mappings, self.purpose);
            let taken = taken.inspect_err(|_| self.elements = before);
            self.tables.add(taken.map_err(Failure::from)?);
        }
        Ok(true)
    }

    fn instances(&self) -> usize {
        self.instances_most
    }

    fn tables(&self) -> usize {
        self.instances_most
    }

    fn memories(&self) -> usize {
        self.instances_most
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_large_table_has_a_mapping() {
        let (budget, mappings) = (
            Arc::new(MemoryBudget::new(1, Arc::default())),
            Mappings::new(2, Arc::default()),
        );
        let limits = Limits::default();
        let new = || Growth::new(&limits, &budget, &mappings, Purpose::Deciding);
        let mut growth = new();
        let mut grow = |current, desired| growth.table_growing(current, desired, None);
        assert!(grow(0, 100).is_ok_and(|grown| grown));
        assert!(grow(100, 9_000).is_ok_and(|grown| grown));
        assert!(grow(9_000, 20_000).is_ok_and(|grown| grown));
        assert!(grow(0, 9_000).is_ok_and(|grown| grown));
        let third = grow(0, 9_000).expect_err("two are the most");
        assert!(matches!(third.downcast_ref(), Some(Failure::Overload(_))));
        let tables = growth.tables();
        drop(growth);
        let early = new().table_growing(0, 9_000, None);
        assert!(early.is_err(), "the tables are still there");
        drop(tables);
        assert!(new().table_growing(0, 9_000, None).is_ok());
    }
}
