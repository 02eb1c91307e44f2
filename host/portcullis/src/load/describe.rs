//! Calls a hook's `describe`: once, under limits, without views and without grants.

use std::sync::Arc;
use std::thread::Builder;
use std::time::Duration;

use wasmtime::component::InstancePre;

use super::config::ConfigSchema;
use super::{LoadFault, threads};
use crate::contract::Descriptor;
use crate::contract::text::{LONGEST_SHOWN, sanitize_for_terminal};
use crate::model::clock::Clock;
use crate::model::failure::Failure;
use crate::model::hook::HookId;
use crate::model::limits::Limits;
use crate::model::purpose::Purpose;
use crate::model::recording::CallRecording;
use crate::sandbox::admission::Pass;
use crate::sandbox::capabilities::{CallMode, InstanceContext, Output};
use crate::sandbox::component::Setup;
use crate::sandbox::engine::Runtime;
use crate::sandbox::info::ComponentInfo;
use crate::sandbox::instance::{Instance, Plan, StartError};
use crate::sandbox::store::{CallOwner, HookStore};
use crate::sandbox::tape::Reel;
use crate::settings::Defaults;

/// A hook's own declaration.
#[derive(Debug, Clone)]
pub(super) struct Declaration {
    pub(super) descriptor: Descriptor,
    /// The schema of the configuration, if the hook has one.
    pub(super) config: Option<Arc<ConfigSchema>>,
}

pub(super) fn describe(
    runtime: &Runtime,
    pre: &InstancePre<HookStore>,
    info: &ComponentInfo,
    defaults: &Defaults,
) -> Result<Declaration, LoadFault> {
    let plan = Plan {
        runtime,
        pre,
        info,
        limits: &defaults.limits,
        purpose: Purpose::Deciding,
        clock: Clock::Processor,
        wall: defaults.limits.wall,
    };
    let data = bare_store(runtime, &defaults.limits);
    let _pass = match runtime.admission.try_enter(Purpose::Deciding) {
        Some(pass) => pass,
        None => block_on(room(runtime))??,
    };
    let described = match info.calling {
        CallMode::Sync => direct(plan, data),
        CallMode::Async => block_on(waiting(plan, data))?,
    };
    let (descriptor, config) = described.map_err(|error| match error {
        StartError::Signature { interface, cause } => LoadFault::Signature { interface, cause },
        StartError::Failed(failure) => LoadFault::Describe(failure.to_string()),
    })?;
    Ok(Declaration {
        descriptor: sized(descriptor)?,
        config: config
            .map(|text| ConfigSchema::parse(&text).map(Arc::new))
            .transpose()?,
    })
}

/// A descriptor, and the text of a schema.
type Described = (Descriptor, Option<String>);

/// The longest time that loading waits for a free call slot: many times the limit of a call.
const LONGEST_WAIT: Duration = Duration::from_secs(30);

/// Waits for a free call slot.
async fn room(runtime: &Runtime) -> Result<Pass<'_>, LoadFault> {
    let entered = tokio::time::timeout(LONGEST_WAIT, runtime.admission.enter(Purpose::Deciding));
    let why = match entered.await {
        Ok(Ok(pass)) => return Ok(pass),
        Ok(Err(full)) => full.to_string(),
        Err(_) => format!(
            "other calls kept it waiting for {} s",
            LONGEST_WAIT.as_secs()
        ),
    };
    Err(LoadFault::Describe(Failure::Overload(why).to_string()))
}

/// The most entries of a list in a descriptor: more than there are points. Every entry can become
/// an error.
const MOST_ENTRIES: usize = 256;
/// The longest text in a descriptor, in bytes: as much as is ever shown of a text.
const LONGEST_TEXT: usize = LONGEST_SHOWN;

/// Checks that a descriptor is small enough to show to a person.
fn sized(descriptor: Descriptor) -> Result<Descriptor, LoadFault> {
    let lists = [
        ("points", descriptor.points.len()),
        ("after", descriptor.after.len()),
    ];
    if let Some((list, len)) = lists.into_iter().find(|(_, len)| *len > MOST_ENTRIES) {
        return Err(LoadFault::Describe(format!(
            "its `{list}` has {len} entries, and the limit is {MOST_ENTRIES}"
        )));
    }
    let texts = [
        ("version", &descriptor.version),
        ("kind", &descriptor.kind),
        ("description", &descriptor.description),
    ];
    if let Some((name, text)) = texts.iter().find(|(_, text)| text.len() > LONGEST_TEXT) {
        let len = text.len();
        return Err(LoadFault::Describe(format!(
            "its `{name}` has {len} bytes, and the limit is {LONGEST_TEXT}"
        )));
    }
    match descriptor.after.iter().find(|id| !HookId::fits(id)) {
        Some(id) => Err(LoadFault::Describe(format!(
            "its `after` names `{}`, which is no id of a hook: lower-case letters, digits and dashes, a letter first",
            sanitize_for_terminal(id)
        ))),
        None => Ok(descriptor),
    }
}

fn direct(plan: Plan<'_>, data: HookStore) -> Result<Described, StartError> {
    let mut instance = Instance::start(plan, data)?;
    let descriptor = instance.ask(plan, plan.info.describe)?;
    let schema = plan.info.config_schema;
    let schema = schema
        .map(|export| instance.ask(plan, export))
        .transpose()?;
    Ok((descriptor, schema))
}

async fn waiting(plan: Plan<'_>, data: HookStore) -> Result<Described, StartError> {
    let mut instance = Instance::start_async(plan, data).await?;
    let descriptor = instance.ask_async(plan, plan.info.describe).await?;
    let schema = match plan.info.config_schema {
        Some(export) => Some(instance.ask_async(plan, export).await?),
        None => None,
    };
    Ok((descriptor, schema))
}

/// Blocks on a separate thread, since the caller's thread may be driving a runtime, and such a
/// thread must not block on another future.
fn block_on<T: Send>(future: impl Future<Output = T> + Send) -> Result<T, LoadFault> {
    let wait = || {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .build()
            .map_err(|e| LoadFault::Describe(Failure::Host(e.to_string()).to_string()))?;
        Ok(runtime.block_on(future))
    };
    threads::apart(Builder::new(), wait).map_err(|e| {
        let why = format!("there is no thread for it: {e}");
        LoadFault::Describe(Failure::Host(why).to_string())
    })?
}

/// Creates the store data of an instance without a session and without grants.
fn bare_store(runtime: &Runtime, limits: &Limits) -> HookStore {
    let limits = Limits {
        state_keys: 0,
        state_bytes: 0,
        ..limits.clone()
    };
    HookStore::new(&InstanceContext {
        runtime,
        setup: &Setup::new(HookId::from("(loading)"), Purpose::Deciding, limits),
        owner: CallOwner::nobody(),
        states: Arc::default(),
        output: Output::default(),
        reel: Reel::new(0, CallRecording::Off, runtime.playback.as_ref()),
    })
}
