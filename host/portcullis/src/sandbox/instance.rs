//! A hook's instance: its store, its limits, and its calls.

mod declared;
mod wasm_error;

use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use wasmtime::component::{Instance as WasmInstance, InstancePre, TypedFunc};
use wasmtime::{Engine, Store, UpdateDeadline};

use self::wasm_error::failure;
use crate::contract::text::sanitize_for_terminal;
use crate::model::call::Call;
use crate::model::clock::Clock;
use crate::model::failure::Failure;
use crate::model::hook::{Answer, Said};
use crate::model::limits::Limits;
use crate::model::points::{Point, PointId};
use crate::model::purpose::Purpose;
use crate::model::stopwatch::Stopwatch;
use crate::sandbox::engine::Runtime;
use crate::sandbox::idle::Keeper;
use crate::sandbox::info::ComponentInfo;
use crate::sandbox::mappings::{self, Mapped};
use crate::sandbox::store::{CallOwner, HookStore, Tables};
use crate::sandbox::watcher::{self, SpansOf};

/// A point's function. It returns whether the hook answered.
type Handle = TypedFunc<(), (bool,)>;

/// A started hook.
pub(crate) struct Instance {
    store: Store<HookStore>,
    exports: WasmInstance,
    /// The functions of the served points, at the points' own indexes.
    handles: [Option<Handle>; PointId::ALL.len()],
    /// Separates compute time from wait time, for a hook that can wait.
    watch: Arc<Stopwatch>,
    /// The time when the start began, until the first call: the start and the call that it was for
    /// share one budget.
    begun: Option<Instant>,
    /// Whether the instance can be called again. An instance that trapped, or whose call was
    /// dropped midway, cannot.
    reusable: bool,
    /// Whether the instance replaces an evicted one. Its first call reports this.
    restarted: bool,
    /// Declared after the store, so that it is dropped after the resources it counts.
    mapped: InstanceMapped,
}

/// The mappings of an instance.
struct InstanceMapped {
    /// The mappings that the instance begins with.
    own: Mapped,
    #[expect(dead_code, reason = "held for as long as the tables are")]
    tables: Arc<Tables>,
}

/// The inputs for starting and calling an instance of a hook.
#[derive(Clone, Copy)]
pub(crate) struct Plan<'a> {
    pub(crate) runtime: &'a Runtime,
    pub(crate) pre: &'a InstancePre<HookStore>,
    pub(crate) info: &'a ComponentInfo,
    pub(crate) limits: &'a Limits,
    pub(crate) purpose: Purpose,
    /// The clock for the deadline.
    pub(crate) clock: Clock,
    /// The limit on wall-clock time.
    pub(crate) wall: Duration,
}

impl Plan<'_> {
    /// Returns the limit on compute time. For a hook that cannot wait, the compute time is the
    /// whole time.
    #[inline]
    fn deadline(&self) -> Duration {
        self.limits.deadline.min(self.wall)
    }
}

/// The reason why an instance did not start.
#[derive(Debug)]
pub(crate) enum StartError {
    /// A function's signature differs from the contract's.
    Signature { interface: String, cause: String },
    /// The start code failed.
    Failed(Failure),
}

impl Instance {
    /// Starts an instance on the caller's thread. For hooks that cannot wait.
    pub(crate) fn start(plan: Plan<'_>, data: HookStore) -> Result<Self, StartError> {
        let mapped = admitted(plan, &data)?;
        let begun = Instant::now();
        let watch = Arc::new(Stopwatch::new(plan.clock));
        let mut store = new_store(plan, data);
        stop_when_due(&mut store, plan);
        let spans = watcher::spans(store.data().watching.as_deref());
        let started = watcher::within(spans, || plan.pre.instantiate(&mut store));
        Self::started(plan, mapped, store, watch, begun, started)
    }

    /// Starts an instance of a hook that can wait.
    pub(crate) async fn start_async(plan: Plan<'_>, data: HookStore) -> Result<Self, StartError> {
        let mapped = admitted(plan, &data)?;
        let begun = Instant::now();
        let watch = Arc::new(Stopwatch::new(plan.clock));
        let mut store = new_store(plan, data);
        store.data_mut().until = begun.checked_add(plan.wall);
        stop_when_computed(&mut store, plan, watch.clone());
        let spans = watcher::spans(store.data().watching.as_deref());
        let starting = watcher::within_async(spans, plan.pre.instantiate_async(&mut store));
        match within(plan, &watch, plan.wall, starting).await {
            Ok(started) => Self::started(plan, mapped, store, watch, begun, started),
            Err(failure) => {
                let over = store.data().over();
                Err(StartError::Failed(over.unwrap_or(failure)))
            }
        }
    }

    fn started(
        plan: Plan<'_>,
        // Declared before the store, so that it is dropped after the resources it counts.
        mapped: InstanceMapped,
        mut store: Store<HookStore>,
        watch: Arc<Stopwatch>,
        begun: Instant,
        started: wasmtime::Result<WasmInstance>,
    ) -> Result<Self, StartError> {
        let instance = started.map_err(|e| {
            // No call has answered yet, so an error of unknown type is not a bad answer.
            let failure = match failure(store.data_mut(), e, plan) {
                Failure::BadOutput(text) => Failure::Host(text),
                known => known,
            };
            StartError::Failed(store.data().over().unwrap_or(failure))
        })?;
        let mut handles = [None; PointId::ALL.len()];
        for served in &plan.info.served {
            let handle = instance
                .get_func(&mut store, served.handle)
                .ok_or_else(|| missing(&served.interface))?;
            let handle = handle
                .typed(&store)
                .map_err(|e| signature(&served.interface, &e))?;
            if let Some(slot) = handles.get_mut(served.point as usize) {
                *slot = Some(handle);
            }
        }
        Ok(Self {
            store,
            exports: instance,
            handles,
            watch,
            begun: Some(begun),
            reusable: true,
            restarted: false,
            mapped,
        })
    }

    /// Marks the instance as the replacement of an evicted one.
    pub(crate) fn mark_restarted(&mut self) {
        self.restarted = true;
    }

    /// Returns whether the instance can be called again.
    #[inline]
    pub(crate) fn is_reusable(&self) -> bool {
        self.reusable
    }

    /// Calls the hook on the caller's thread.
    #[inline]
    pub(crate) fn call<P: Point>(&mut self, plan: Plan<'_>, call: &Call<P>) -> Answer<P> {
        let Some(handle) = self.handle(P::ID) else {
            return not_served();
        };
        self.prepare(plan);
        self.store.data_mut().begin(call.share());
        let spans = self.spans();
        let answered = watcher::within(spans, || handle.call(&mut self.store, ()));
        self.answer(plan, answered)
    }

    /// Calls a hook that can wait.
    pub(crate) async fn call_async<P: Point>(
        &mut self,
        plan: Plan<'_>,
        call: &Call<P>,
    ) -> Answer<P> {
        let Some(handle) = self.handle(P::ID) else {
            return not_served();
        };
        let wall = self.prepare_to_wait(plan);
        self.store.data_mut().begin(call.share());
        let spans = self.spans();
        let calling = watcher::within_async(spans, handle.call_async(&mut self.store, ()));
        match within(plan, &self.watch, wall, calling).await {
            Ok(answered) => self.answer(plan, answered),
            // The call was dropped within the guest: the instance's state is unknown.
            Err(failure) => {
                self.reusable = false;
                drop(self.store.data_mut().end());
                let over = self.store.data().over();
                Answer {
                    said: over.unwrap_or(failure).into(),
                    fuel: self.spent(plan),
                    memory: Some(self.store.data().memory()),
                    effects: None,
                    restarted: std::mem::take(&mut self.restarted),
                    seen: self.store.data_mut().seen(),
                }
            }
        }
    }

    /// Makes the instance evictable from now on, while this place holds it.
    pub(crate) fn keep_in(&mut self, keeper: &Weak<dyn Keeper>) {
        self.mapped.own.keep_in(keeper);
    }

    /// Assigns the instance's calls to this session from now on.
    pub(crate) fn bind(&mut self, to: CallOwner) {
        self.store.data_mut().bind(to);
    }

    /// Returns the dispatch that receives the spans of the instance's WASI calls.
    #[inline]
    fn spans(&self) -> SpansOf {
        watcher::spans(self.store.data().watching.as_deref())
    }

    #[inline]
    fn handle(&self, point: PointId) -> Option<Handle> {
        *self.handles.get(point as usize)?
    }

    /// Returns the wall-clock time left for a call. The start counts if it was for the call.
    fn wall(&self, plan: Plan<'_>) -> Duration {
        let started = self.begun.map_or(Duration::ZERO, |begun| begun.elapsed());
        plan.wall.saturating_sub(started)
    }

    /// Sets a call's budget. A call that the instance was started for gets the rest of the start's
    /// budget.
    #[inline]
    fn prepare(&mut self, plan: Plan<'_>) {
        if self.begun.take().is_none() {
            self.watch.restart();
            arm(&mut self.store, plan);
        }
    }

    /// Sets the budget of a call that can wait. Returns the most time that the call may take.
    fn prepare_to_wait(&mut self, plan: Plan<'_>) -> Duration {
        let wall = self.wall(plan);
        self.prepare(plan);
        self.store.data_mut().until = Instant::now().checked_add(wall);
        wall
    }

    #[inline]
    fn answer<P: Point>(
        &mut self,
        plan: Plan<'_>,
        returned: wasmtime::Result<(bool,)>,
    ) -> Answer<P> {
        let fuel = self.spent(plan);
        let data = self.store.data_mut();
        let returns = returned.is_ok();
        let said = match returned {
            Ok((answered,)) => data.current.end(answered),
            Err(error) => failure(data, error, plan).into(),
        };
        // Dropped, and so undone, unless the call succeeded.
        let effects = data.end();
        let over = data.over();
        // An instance over its limits would be over them in the next call, too.
        self.reusable = returns && over.is_none();
        let said = over.map_or(said, Said::from);
        let effects = effects.filter(|_| !matches!(said, Said::Failed(_)));
        Answer {
            said,
            fuel,
            memory: Some(data.memory()),
            effects,
            restarted: std::mem::take(&mut self.restarted),
            seen: data.seen(),
        }
    }

    #[inline]
    fn spent(&self, plan: Plan<'_>) -> Option<u64> {
        let limit = plan.limits.fuel?;
        let left = self.store.get_fuel().ok()?;
        Some(limit.saturating_sub(left))
    }
}

fn new_store(plan: Plan<'_>, data: HookStore) -> Store<HookStore> {
    let mut store = Store::new(plan.pre.engine(), data);
    store.limiter(|data| &mut data.growth);
    store.set_hostcall_fuel(plan.limits.output_bytes);
    store.set_max_component_handles(plan.limits.handles);
    arm(&mut store, plan);
    store
}

/// Checks that the component is small enough to be started, and takes its mappings from the host.
fn admitted(plan: Plan<'_>, data: &HookStore) -> Result<InstanceMapped, StartError> {
    let most = plan.limits.instances;
    if plan.info.parts.most() > most {
        return Err(StartError::Failed(Failure::Instances(most)));
    }
    let mappings = mappings_of(plan.runtime, plan.pre, plan.info);
    let taken = plan.runtime.mappings.take(mappings, plan.purpose);
    Ok(InstanceMapped {
        own: taken.map_err(|full| StartError::Failed(full.into()))?,
        tables: data.growth.tables(),
    })
}

/// Returns the number of mappings that an instance begins with. Those of a pool are counted with
/// the pool.
pub(crate) fn mappings_of(
    runtime: &Runtime,
    pre: &InstancePre<HookStore>,
    info: &ComponentInfo,
) -> u64 {
    match Engine::same(pre.engine(), &runtime.engine) {
        true => mappings::of_instance(info),
        false => 0,
    }
}

/// Checks at every tick whether a call must end: once it is over its compute time, or has called
/// its imports too often. For hooks that cannot wait.
fn stop_when_due(store: &mut Store<HookStore>, plan: Plan<'_>) {
    let (tick, clock) = (plan.runtime.ticker.tick(), plan.clock);
    store.epoch_deadline_callback(move |mut store| {
        let data = store.data_mut();
        let due = data.meter.is_due(clock.now(), tick);
        stop(data, due)
    });
}

/// Does the same as [`stop_when_due`] for a hook that can wait. The epoch advances while the hook
/// waits, so its compute time is measured.
fn stop_when_computed(store: &mut Store<HookStore>, plan: Plan<'_>, watch: Arc<Stopwatch>) {
    let wall = plan.limits.wall;
    store.epoch_deadline_callback(move |store| {
        let data = store.data();
        match stop(data, watch.computed() >= data.meter.deadline())? {
            // A future's timeout does not fire while the guest computes.
            UpdateDeadline::Continue(_) if data.is_late() => Err(Failure::WallClock(wall).into()),
            update => Ok(update),
        }
    });
}

fn stop(data: &HookStore, due: bool) -> wasmtime::Result<UpdateDeadline> {
    if let Some(failure) = data.over() {
        return Err(failure.into());
    }
    Ok(match due {
        true => UpdateDeadline::Interrupt,
        false => UpdateDeadline::Continue(1),
    })
}

/// Runs a future that may wait, within the total time that it may take.
async fn within<T>(
    plan: Plan<'_>,
    watch: &Stopwatch,
    left: Duration,
    future: impl Future<Output = T>,
) -> Result<T, Failure> {
    tokio::time::timeout(left, watch.time(future))
        .await
        .map_err(|_| Failure::WallClock(plan.limits.wall))
}

/// Sets the next call's time and fuel.
#[inline]
fn arm(store: &mut Store<HookStore>, plan: Plan<'_>) {
    store.data_mut().restart(plan.deadline());
    store.set_epoch_deadline(1);
    if plan.runtime.fuel {
        // Fails only if fuel is not counted.
        let _ = store.set_fuel(plan.limits.fuel.unwrap_or(u64::MAX));
    }
}

#[cold]
fn not_served<P: Point>() -> Answer<P> {
    Err(Failure::Host(format!("the hook does not serve {}", P::ID))).into()
}

fn missing(interface: &str) -> StartError {
    StartError::Signature {
        interface: interface.to_owned(),
        cause: "it exports no such function".to_owned(),
    }
}

fn signature(interface: &str, error: &wasmtime::Error) -> StartError {
    StartError::Signature {
        interface: interface.to_owned(),
        cause: sanitize_for_terminal(&format!("{error:#}")),
    }
}
