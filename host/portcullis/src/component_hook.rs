//! A component as a hook of a session: it keeps an instance warm between calls.

use std::sync::Arc;

use tokio::sync::{Mutex, MutexGuard};

use crate::call::{Call, Views};
use crate::capabilities::{Calling, Events, Log, State, Wasi};
use crate::engine::Runtime;
use crate::failure::Failure;
use crate::hook::{Answer, Hook, Reply};
use crate::instance::{Instance, Plan, Reusable, StartError, WasmPoint};
use crate::load::LoadedHook;
use crate::settings::Isolation;
use crate::sink::HookSink;
use crate::state::{Namespace, PrivateState, Quota, StateStore, Transaction};
use crate::store::{Growth, HookStore};

/// A component in one session.
pub(crate) struct ComponentHook {
    pub(crate) runtime: Arc<Runtime>,
    pub(crate) loaded: Arc<LoadedHook>,
    pub(crate) session: Arc<str>,
    pub(crate) opening: Arc<Opening>,
    pub(crate) sink: Arc<dyn HookSink>,
    /// The warm instance. Empty before the first call, and after one that broke it.
    pub(crate) warm: Mutex<Option<Box<Instance>>>,
}

/// One opening of a session: told from every other, also one of the same id. What hooks remember of
/// it is forgotten once none of them can run any more.
pub(crate) struct Opening {
    pub(crate) number: u64,
    pub(crate) state: Arc<StateStore>,
}

impl Opening {
    pub(crate) fn export(&self) -> PrivateState {
        self.state.export(self.number)
    }

    pub(crate) fn import(&self, state: PrivateState) {
        self.state.import(self.number, state);
    }
}

impl Drop for Opening {
    fn drop(&mut self) {
        self.state.forget(self.number);
    }
}

impl<P: WasmPoint> Hook<P> for ComponentHook {
    fn call<'a>(&'a self, call: &'a Call<P>) -> Reply<'a, P> {
        match (self.loaded.shape.calling, self.warm.try_lock()) {
            (Calling::Direct, Ok(mut warm)) => Reply::Now(self.direct(&mut warm, call)),
            // Another call of this session has the instance; an instance is never entered twice.
            (Calling::Direct, Err(_)) => Reply::Later(Box::pin(async move {
                match self.queue().await {
                    Ok(mut warm) => self.direct(&mut warm, call),
                    Err(failure) => failed(failure),
                }
            })),
            (Calling::Waiting, _) => Reply::Later(Box::pin(async move {
                match self.queue().await {
                    Ok(mut warm) => self.waiting(&mut warm, call).await,
                    Err(failure) => failed(failure),
                }
            })),
        }
    }
}

impl ComponentHook {
    /// Waits for the instance, for no longer than a call may take.
    async fn queue(&self) -> Result<MutexGuard<'_, Option<Box<Instance>>>, Failure> {
        let wall = self.loaded.resolved.limits.wall;
        tokio::time::timeout(wall, self.warm.lock())
            .await
            .map_err(|_| {
                Failure::Overload(format!(
                    "another call of the session kept the hook for {} ms",
                    wall.as_millis()
                ))
            })
    }

    fn plan(&self) -> Plan<'_> {
        Plan {
            runtime: &self.runtime,
            pre: &self.loaded.pre,
            shape: &self.loaded.shape,
            limits: &self.loaded.resolved.limits,
        }
    }

    fn direct<P: WasmPoint>(&self, warm: &mut Option<Box<Instance>>, call: &Call<P>) -> Answer<P> {
        let plan = self.plan();
        let mut instance = match warm.take() {
            Some(instance) => instance,
            None => match self.store().and_then(|store| Instance::start(plan, store)) {
                Ok(instance) => Box::new(instance),
                Err(error) => return not_started(error),
            },
        };
        let (answer, reusable) = instance.call(plan, call);
        *warm = self.keep(instance, reusable);
        answer
    }

    async fn waiting<P: WasmPoint>(
        &self,
        warm: &mut Option<Box<Instance>>,
        call: &Call<P>,
    ) -> Answer<P> {
        let plan = self.plan();
        // Taken, not borrowed: should this future be dropped, the instance goes with it.
        let mut instance = match warm.take() {
            Some(instance) => instance,
            None => {
                let started = match self.store() {
                    Ok(store) => Instance::start_waiting(plan, store).await,
                    Err(error) => Err(error),
                };
                match started {
                    Ok(instance) => Box::new(instance),
                    Err(error) => return not_started(error),
                }
            }
        };
        let (answer, reusable) = instance.call_waiting(plan, call).await;
        *warm = self.keep(instance, reusable);
        answer
    }

    fn keep(&self, instance: Box<Instance>, reusable: Reusable) -> Option<Box<Instance>> {
        let warm = self.loaded.resolved.isolation == Isolation::Session;
        (warm && reusable == Reusable(true)).then_some(instance)
    }

    fn store(&self) -> Result<HookStore, StartError> {
        let resolved = &self.loaded.resolved;
        let limits = &resolved.limits;
        let id = &resolved.profile.id;
        let secrets = &resolved.profile.secrets;
        let quota = Quota {
            keys: limits.state_keys,
            bytes: limits.state_bytes,
        };
        let own = Namespace::Private {
            opening: self.opening.number,
            hook: id.as_str().into(),
        };
        let wasi = Wasi::new(limits.handles, &resolved.directories).map_err(StartError::Failed)?;
        Ok(HookStore {
            growth: Growth::new(limits),
            wasi,
            log: Log::new(
                id.clone(),
                self.sink.clone(),
                limits.log_bytes,
                secrets.clone(),
            ),
            config: resolved.config.clone(),
            state: State::new(
                Transaction::new(self.opening.state.clone(), quota),
                own,
                resolved.namespaces.clone(),
            ),
            events: Events::new(
                id.clone(),
                self.session.clone(),
                self.sink.clone(),
                secrets.clone(),
            ),
            secrets: secrets.clone(),
            views: Views::default(),
        })
    }
}

fn not_started<P: WasmPoint>(error: StartError) -> Answer<P> {
    let cause = match error {
        StartError::Failed(failure) => failure,
        StartError::Signature { interface, cause } => {
            Failure::Host(format!("`{interface}` changed its signature: {cause}"))
        }
    };
    failed(Failure::Instantiate(Box::new(cause)))
}

fn failed<P: WasmPoint>(failure: Failure) -> Answer<P> {
    Answer {
        outcome: Err(failure),
        fuel: None,
        effects: None,
    }
}
