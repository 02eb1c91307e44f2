//! Replay of recorded calls with another version of their hook.
//!
//! A replay accesses nothing real: the results of clocks, random numbers, servers and the model are
//! the recorded ones. The hook keeps its own state, and its own files in temporary directories;
//! changes by others are applied before each call. Calls are made in the order of their instances,
//! from the first, because instances keep their memory.

mod compare;
mod directories;
mod host;
mod order;
mod playing;
mod report;
mod secrets;
mod state;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use portcullis::HookId;
use portcullis::compiler::Compiler;
use portcullis::hooks::CacheChoice;
use portcullis_recording::StoredCall;
use serde_json::{Map, Value};

use crate::sample::SampleError;
use compare::Compared;
use host::Hosts;
use order::Unit;
pub use report::{Difference, FuelTotals, Kind, NotRecorded, ReplayReport, Side};

/// The options of a replay.
#[derive(Debug, Clone)]
pub struct ReplayOptions {
    /// The component.
    pub component: PathBuf,
    /// The id of its hook, which may differ from the id in the recorded calls.
    pub id: HookId,
    /// The configuration of the hook, in place of the recorded one. Default: the recorded one.
    pub config: Option<Map<String, Value>>,
    /// Whether the component reads a configuration. Otherwise it receives none. Default yes.
    pub reads_config: bool,
    /// Only calls that began since this time, in milliseconds since 1970, are compared. Earlier
    /// calls are also replayed, so that the hook has their state. Default: all.
    pub since_ms: Option<u64>,
    /// The number of threads that make calls. The report does not depend on it. Default: the number
    /// of processors.
    pub threads: usize,
    /// The percentage of additional fuel above which a call counts as using more. Default: 10.
    pub fuel_percent: u64,
    /// Whether times are also compared: a call is slower if it takes a millisecond more than twice
    /// the recorded time. The report then differs each time. Default no.
    pub times: bool,
    /// The cache of compiled components. Default: the user's cache directory.
    pub cache: CacheChoice,
    /// The process that compiles components. Default: this one.
    pub compiler: Compiler,
}

impl ReplayOptions {
    /// Creates options with this component, for the hook of this id.
    pub fn new(component: PathBuf, id: HookId) -> Self {
        Self {
            component,
            id,
            config: None,
            reads_config: true,
            since_ms: None,
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            fuel_percent: 10,
            times: false,
            cache: CacheChoice::User,
            compiler: Compiler::default(),
        }
    }
}

/// The error that calls cannot be replayed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReplayError {
    /// No recorded call matches.
    #[error(
        "no calls are recorded that fit; record some with `--record` of `portcullis run`, `hook`, `serve` or `mcp-proxy`. To record always, write `record = true` in [stores] of agent.toml for an agent, and a table [recording] in hooks.toml for the others"
    )]
    Nothing,
    /// The calls are of several hooks.
    #[error("the calls are of several hooks: {0}; name one: --id HOOK")]
    SeveralHooks(String),
    /// The component does not load with the recorded setup.
    #[error(
        "{component} does not load as the hook `{hook}` was set up when its calls were recorded: {cause}"
    )]
    Load {
        /// The file.
        component: String,
        /// The hook.
        hook: String,
        /// The cause.
        cause: String,
    },
    /// The component does not serve a point of the recorded calls, or is not a component.
    #[error(transparent)]
    Sample(#[from] SampleError),
    /// The runtime for the calls does not start.
    #[error("there is no thread to make calls on: {0}")]
    Runtime(#[from] std::io::Error),
}

/// Replays the calls of one hook, and compares them.
///
/// # Errors
///
/// No calls match, they are of several hooks, or the component does not load.
pub fn replay(
    calls: Vec<StoredCall>,
    options: &ReplayOptions,
) -> Result<ReplayReport, ReplayError> {
    let mut hooks: Vec<&str> = calls.iter().map(|call| call.setup.hook.as_str()).collect();
    hooks.sort_unstable();
    hooks.dedup();
    let hook = match hooks.as_slice() {
        [] => return Err(ReplayError::Nothing),
        [hook] => (*hook).to_owned(),
        several => return Err(ReplayError::SeveralHooks(several.join(", "))),
    };
    let bytes = std::fs::read(&options.component)?;
    let component = portcullis::verdict::Digest::of(&bytes).to_string();
    let units = order::units(calls);
    let threads = options.threads.clamp(1, units.len().max(1));
    let next = AtomicUsize::new(0);
    let done: Mutex<BTreeMap<usize, Result<Vec<Compared>, ReplayError>>> = Mutex::default();
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                let mut hosts = None;
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(unit) = units.get(index) else {
                        return;
                    };
                    let replayed = made(&mut hosts, unit, options);
                    let mut done = done
                        .lock()
                        .unwrap_or_else(std::sync::PoisonError::into_inner);
                    let failed = replayed.is_err();
                    done.insert(index, replayed);
                    if failed {
                        // The other threads also end, because the report would be incomplete.
                        next.store(units.len(), Ordering::Relaxed);
                        return;
                    }
                }
            });
        }
    });
    let done = done
        .into_inner()
        .unwrap_or_else(std::sync::PoisonError::into_inner);
    let mut compared = Vec::new();
    for (_, replayed) in done {
        compared.extend(replayed?);
    }
    compared.sort_by_key(|compared| compared.key);
    Ok(report::report(hook, component, compared, options))
}

fn made(
    hosts: &mut Option<Hosts>,
    unit: &Unit,
    options: &ReplayOptions,
) -> Result<Vec<Compared>, ReplayError> {
    let hosts = match hosts {
        Some(hosts) => hosts,
        None => hosts.insert(Hosts::new(options)?),
    };
    hosts.play(unit)
}
