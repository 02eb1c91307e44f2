//! Asking a hook to describe itself: once, under limits, with nothing to see and nothing granted.

use std::sync::Arc;
use std::time::Duration;

use wasmtime::component::InstancePre;

use super::{ComponentInfo, LoadFault};
use crate::contract::Descriptor;
use crate::model::current::{CurrentCall, Room};
use crate::model::failure::Failure;
use crate::model::hook::HookId;
use crate::model::limits::Limits;
use crate::model::sink::TracingSink;
use crate::model::state::{Namespace, Quota, StateStore, Transaction};
use crate::sandbox::capabilities::{CallMode, Config, Events, Log, State, Wasi};
use crate::sandbox::engine::Runtime;
use crate::sandbox::instance::{Instance, Plan, StartError};
use crate::sandbox::meter::Meter;
use crate::sandbox::store::{Growth, HookStore};
use crate::settings::Defaults;

pub(super) fn describe(
    runtime: &Runtime,
    pre: &InstancePre<HookStore>,
    shape: &ComponentInfo,
    defaults: &Defaults,
) -> Result<Descriptor, LoadFault> {
    let plan = Plan {
        runtime,
        pre,
        shape,
        limits: &defaults.limits,
        waited: Duration::ZERO,
    };
    let data = bare_store(runtime, &defaults.limits);
    let _pass = runtime.admission.enter_anyway();
    let described = match shape.calling {
        CallMode::Sync => direct(plan, data),
        CallMode::Async => block_on(waiting(plan, data))?,
    };
    let descriptor = described.map_err(|error| match error {
        StartError::Signature { interface, cause } => LoadFault::Signature { interface, cause },
        StartError::Failed(failure) => LoadFault::Describe(failure.to_string()),
    })?;
    sized(descriptor)
}

/// The longest list on a card: more than there are points. Every entry can become an error.
const MOST_ENTRIES: usize = 256;

/// Lets through a card whose lists can be shown to a person.
fn sized(descriptor: Descriptor) -> Result<Descriptor, LoadFault> {
    let lists = [
        ("points", descriptor.points.len()),
        ("after", descriptor.after.len()),
    ];
    match lists.into_iter().find(|(_, len)| *len > MOST_ENTRIES) {
        Some((list, len)) => Err(LoadFault::Describe(format!(
            "its `{list}` has {len} entries, and {MOST_ENTRIES} are the most"
        ))),
        None => Ok(descriptor),
    }
}

fn direct(plan: Plan<'_>, data: HookStore) -> Result<Descriptor, StartError> {
    let mut instance = Instance::start(plan, data)?;
    instance.describe(plan).map_err(StartError::Failed)
}

async fn waiting(plan: Plan<'_>, data: HookStore) -> Result<Descriptor, StartError> {
    let mut instance = Instance::start_async(plan, data).await?;
    instance
        .describe_async(plan)
        .await
        .map_err(StartError::Failed)
}

/// Waits on a thread of its own: the caller's may be driving a runtime, which must not wait in
/// another.
fn block_on<T: Send>(future: impl Future<Output = T> + Send) -> Result<T, LoadFault> {
    let wait = || {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .build()
            .map_err(|e| LoadFault::Describe(Failure::Host(e.to_string()).to_string()))?;
        Ok(runtime.block_on(future))
    };
    std::thread::scope(|scope| match scope.spawn(wait).join() {
        Ok(done) => done,
        Err(panic) => std::panic::resume_unwind(panic),
    })
}

fn bare_store(runtime: &Runtime, limits: &Limits) -> HookStore {
    let nobody = HookId::from("(loading)");
    let quota = Quota { keys: 0, bytes: 0 };
    let own = Namespace::Private {
        opening: 0,
        hook: "".into(),
    };
    HookStore {
        growth: Growth::new(limits, &runtime.memory),
        meter: Meter::new(limits.host_calls),
        wasi: Wasi::new(limits.handles, Arc::from([]), None),
        log: Log::new(
            nobody.clone(),
            Arc::new(TracingSink),
            limits,
            Arc::default(),
        ),
        config: Config::default(),
        state: State::new(
            Transaction::new(Arc::new(StateStore::default()), quota),
            own,
            Arc::from([]),
        ),
        events: Events::new(
            nobody,
            "".into(),
            Arc::new(TracingSink),
            limits.event_bytes,
            Arc::default(),
        ),
        secrets: Arc::default(),
        http: None,
        current: CurrentCall::new(Room::of(limits)),
    }
}
