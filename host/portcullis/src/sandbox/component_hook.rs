//! A component as a hook of a session: it keeps an instance warm between calls.

use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use crate::model::call::Call;
use crate::model::clock::Clock;
use crate::model::failure::Failure;
use crate::model::hook::{Answer, Hook, Response};
use crate::model::isolation::Isolation;
use crate::model::points::Point;
use crate::model::purpose::Purpose;
use crate::model::recording::CallRecording;
use crate::model::sink::HookObserver;
use crate::model::state::{MemoryState, Namespace, PrivateState, StoredState};
use crate::sandbox::admission::Pass;
use crate::sandbox::capabilities::directories::KeptDirectories;
use crate::sandbox::capabilities::{CallMode, InstanceContext, Output, SessionModel};
use crate::sandbox::component::Component;
use crate::sandbox::idle::Keeper;
use crate::sandbox::instance::{Instance, Plan, StartError};
use crate::sandbox::pool::Pool;
use crate::sandbox::store::{CallOwner, HookStore};
use crate::sandbox::tape::Reel;
use crate::sandbox::warm::{Taken, Warm};

/// A component in one session.
pub(crate) struct ComponentHook {
    pub(crate) component: Arc<Component>,
    pub(crate) session: Arc<str>,
    pub(crate) opening: Arc<SessionKey>,
    pub(crate) sink: Arc<dyn HookObserver>,
    pub(crate) model: Arc<SessionModel>,
    /// The warm instance. Empty before the first call, and after a call that broke the instance.
    pub(crate) warm: Arc<Warm<Box<Instance>>>,
}

/// One opening of a session, distinct from every other, even of the same session id. The state that
/// hooks keep for the opening is dropped once none of them can run, except in the host's store.
pub(crate) struct SessionKey {
    pub(crate) number: u64,
    pub(crate) state: Arc<MemoryState>,
}

impl SessionKey {
    pub(crate) fn open(&self, agent: u32, stored: &StoredState) {
        self.state.open(self.number, agent, stored);
    }

    pub(crate) fn close(&self) {
        self.state.close(self.number);
    }

    pub(crate) fn export(&self) -> PrivateState {
        self.state.export(self.number)
    }

    pub(crate) fn import(&self, state: PrivateState) {
        self.state.import(self.number, state);
    }
}

impl Drop for SessionKey {
    fn drop(&mut self) {
        self.state.forget(self.number);
    }
}

/// The place of an instance between calls.
enum InstanceSlot<'a> {
    /// The session's own slot.
    Own(Taken<'a, Box<Instance>>),
    /// The pool that sessions share, for calls that are recorded in this way.
    Shared {
        pool: &'a Arc<Pool>,
        records: CallRecording,
    },
}

impl InstanceSlot<'_> {
    #[inline]
    fn take(&mut self) -> Option<Box<Instance>> {
        match self {
            Self::Own(own) => own.value.take(),
            Self::Shared { pool, .. } => pool.take(),
        }
    }

    #[inline]
    fn put(&mut self, mut instance: Box<Instance>) {
        match self {
            Self::Own(own) => own.value = Some(instance),
            Self::Shared { pool, .. } => {
                instance.bind(CallOwner::nobody());
                pool.put(instance);
            }
        }
    }

    /// Notes that an instance was started. Returns whether the previous one was evicted.
    fn started(&mut self) -> bool {
        match self {
            Self::Own(own) => std::mem::take(&mut own.given_up),
            Self::Shared { pool, .. } => pool.started(),
        }
    }
}

/// The permit of a call that may be made now.
struct CallPermit<'a> {
    slot: InstanceSlot<'a>,
    _pass: Pass<'a>,
    /// The time that the call has waited, if it had to.
    waited: Option<Duration>,
}

impl<P: Point> Hook<P> for ComponentHook {
    fn call<'a>(&'a self, call: &Call<P>) -> Response<'a, P> {
        let mode = self.component.info.calling;
        if let CallMode::Sync = mode
            && let Some(permit) = self.at_once()
        {
            return Response::Ready(self.direct(permit, call));
        }
        let call = call.clone();
        Response::Future(Box::pin(async move {
            match (self.queue().await, mode) {
                (Ok(permit), CallMode::Sync) => self.direct(permit, &call),
                (Ok(permit), CallMode::Async) => self.waiting(permit, &call).await,
                (Err(failure), _) => Err(failure).into(),
            }
        }))
    }
}

impl ComponentHook {
    /// Returns a permit if the call need not wait.
    #[inline(always)]
    fn at_once(&self) -> Option<CallPermit<'_>> {
        let slot = match self.component.setup.isolation {
            Isolation::Shared => self.shared(),
            // An instance is never entered twice: another call of the session may hold it.
            Isolation::Session | Isolation::Call => InstanceSlot::Own(self.warm.try_take()?),
        };
        Some(CallPermit {
            slot,
            _pass: self.component.runtime.admission.try_enter(self.purpose())?,
            waited: None,
        })
    }

    /// Returns the slot among the instances whose calls are recorded as this session records them.
    fn shared(&self) -> InstanceSlot<'_> {
        let records = self.sink.records_calls();
        InstanceSlot::Shared {
            pool: self.component.pools.of(records),
            records,
        }
    }

    #[inline]
    fn purpose(&self) -> Purpose {
        self.component.setup.purpose
    }

    /// Waits for the instance and for room in the host, for at most the time of a call.
    async fn queue(&self) -> Result<CallPermit<'_>, Failure> {
        if let Some(permit) = self.at_once() {
            return Ok(permit);
        }
        let began = Instant::now();
        let wall = self.component.setup.limits.wall;
        let waiting = async {
            let slot = match self.component.setup.isolation {
                Isolation::Shared => self.shared(),
                Isolation::Session | Isolation::Call => InstanceSlot::Own(self.warm.take().await),
            };
            let pass = self.component.runtime.admission.enter(self.purpose()).await;
            let pass = pass.map_err(|full| Failure::Overload(full.to_string()))?;
            Ok::<_, Failure>((slot, pass))
        };
        let (slot, pass) = tokio::time::timeout(wall, waiting).await.map_err(|_| {
            Failure::Overload(format!(
                "other calls of the session or the host kept it waiting for {} ms",
                wall.as_millis()
            ))
        })??;
        Ok(CallPermit {
            slot,
            _pass: pass,
            waited: Some(began.elapsed()),
        })
    }

    #[inline]
    fn plan(&self, waited: Option<Duration>) -> Plan<'_> {
        let limits = &self.component.setup.limits;
        Plan {
            runtime: &self.component.runtime,
            pre: &self.component.pre,
            info: &self.component.info,
            limits,
            purpose: self.purpose(),
            clock: Clock::Wall,
            wall: match waited {
                None => limits.wall,
                Some(waited) => limits.wall.saturating_sub(waited),
            },
        }
    }

    #[inline]
    fn direct<P: Point>(&self, mut permit: CallPermit<'_>, call: &Call<P>) -> Answer<P> {
        let plan = self.plan(permit.waited);
        let instance = match self.take(&mut permit.slot) {
            Some(instance) => Ok(instance),
            None => self.start(plan, &mut permit.slot),
        };
        match instance {
            Ok(mut instance) => {
                let answer = instance.call(plan, call);
                self.keep(&mut permit.slot, instance);
                answer
            }
            Err(error) => not_started(error),
        }
    }

    #[cold]
    fn start(
        &self,
        plan: Plan<'_>,
        slot: &mut InstanceSlot<'_>,
    ) -> Result<Box<Instance>, StartError> {
        let instance = Instance::start(plan, self.store(slot))?;
        Ok(self.started(slot, instance))
    }

    async fn waiting<P: Point>(&self, mut permit: CallPermit<'_>, call: &Call<P>) -> Answer<P> {
        let directories = self.keep_directories().await;
        let plan = self.plan(permit.waited);
        // Taken, not borrowed: if this future is dropped, the instance is dropped too.
        let mut instance = match self.take(&mut permit.slot) {
            Some(instance) => instance,
            None => match Instance::start_async(plan, self.store(&permit.slot)).await {
                Ok(instance) => self.started(&mut permit.slot, instance),
                Err(error) => return not_started(error),
            },
        };
        let mut answer = instance.call_async(plan, call).await;
        if let Some(directories) = directories
            && let Some(recording) = answer
                .seen
                .as_mut()
                .and_then(|seen| seen.recording.as_mut())
        {
            directories.end(recording).await;
        }
        self.keep(&mut permit.slot, instance);
        answer
    }

    /// Reads the hook's directories, if they are recorded.
    async fn keep_directories(&self) -> Option<KeptDirectories> {
        let directories = &self.component.setup.directories;
        if directories.is_empty() {
            return None;
        }
        match self.sink.records_calls() {
            CallRecording::WithDirectories(most) => {
                let within = self.component.setup.limits.wall;
                Some(KeptDirectories::begin(directories.clone(), most, within).await)
            }
            CallRecording::Off | CallRecording::Calls => None,
        }
    }

    /// Returns a new instance, which can be evicted while it waits for a call.
    fn started(&self, slot: &mut InstanceSlot<'_>, mut instance: Instance) -> Box<Instance> {
        let keeper: Option<Weak<dyn Keeper>> = match slot {
            InstanceSlot::Shared { pool, .. } => Some(Arc::downgrade(pool) as _),
            InstanceSlot::Own(_) => match self.component.setup.isolation {
                Isolation::Call => None,
                Isolation::Session | Isolation::Shared => Some(Arc::downgrade(&self.warm) as _),
            },
        };
        if let Some(keeper) = keeper {
            instance.keep_in(&keeper);
        }
        if slot.started() {
            self.component.warn_of_restart();
            instance.mark_restarted();
        }
        Box::new(instance)
    }

    #[inline]
    fn take(&self, slot: &mut InstanceSlot<'_>) -> Option<Box<Instance>> {
        let mut instance = slot.take()?;
        if let InstanceSlot::Shared { .. } = slot {
            instance.bind(self.owner());
        }
        Some(instance)
    }

    /// Keeps the instance for the next call, if it is reusable.
    #[inline]
    fn keep(&self, slot: &mut InstanceSlot<'_>, instance: Box<Instance>) {
        if instance.is_reusable() && self.component.setup.isolation != Isolation::Call {
            slot.put(instance);
        }
    }

    /// Returns the namespace of the hook's own state in the session.
    fn own(&self) -> Namespace {
        Namespace::Private {
            opening: self.opening.number,
            hook: self.component.setup.id.as_str().into(),
        }
    }

    fn owner(&self) -> CallOwner {
        CallOwner {
            session: self.session.clone(),
            sink: self.sink.clone(),
            own: self.own(),
            model: Some(self.model.clone()),
        }
    }

    /// Returns the store data of an instance that is started for this slot.
    fn store(&self, slot: &InstanceSlot<'_>) -> HookStore {
        let runtime = &self.component.runtime;
        let records = match slot {
            InstanceSlot::Own(_) => self.sink.records_calls(),
            InstanceSlot::Shared { records, .. } => *records,
        };
        let reel = Reel::new(self.opening.number, records, runtime.playback.as_ref());
        HookStore::new(&InstanceContext {
            runtime: &self.component.runtime,
            setup: &self.component.setup,
            owner: self.owner(),
            states: self.opening.state.clone(),
            output: Output::default(),
            reel,
        })
    }
}

fn not_started<P: Point>(error: StartError) -> Answer<P> {
    let cause = match error {
        StartError::Failed(failure) => failure,
        StartError::Signature { interface, cause } => {
            Failure::Host(format!("`{interface}` changed its signature: {cause}"))
        }
    };
    Err(Failure::Instantiate(Box::new(cause))).into()
}
