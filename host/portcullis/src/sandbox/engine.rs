//! The wasmtime engine, configured once for every hook.

use std::collections::BTreeMap;
use std::num::NonZero;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use wasmtime::{Config, Engine};

use crate::model::http_responder::HttpServers;
use crate::model::isolation::Isolation;
use crate::model::playback::Playback;
use crate::model::secrets::AllSecrets;
use crate::sandbox::admission::Admission;
use crate::sandbox::idle::IdleInstances;
use crate::sandbox::mappings::{self, Mappings};
use crate::sandbox::memory_budget::MemoryBudget;
use crate::sandbox::pooling_engine::PoolingEngine;
use crate::sandbox::ticker::Ticker;

/// The settings of the engine. They are the same for all hooks of a host.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EngineOptions {
    /// The interval at which deadlines are checked. Default 1 ms: an endless loop ends within its
    /// deadline and two ticks. The thread that checks them sleeps while no hook runs. It requests a
    /// real-time priority. If the system refuses, deadlines are late while all cores are busy.
    pub tick: Duration,
    /// Whether fuel is counted. Default yes; without it hooks compute 18-43 % faster, and only the
    /// deadline, which is less exact, stops them.
    pub fuel: bool,
    /// The most processor time that compiling one component may take, over all threads. Default 60
    /// s: a Python hook of 18 MB takes some thirty on a slow machine. A component compiled in this
    /// process exceeds the limit only if its wall-clock time exceeds it too.
    pub compile: Duration,
    /// The most bytes of memory that compiling one component may take in a child process
    /// ([`Compiler::Child`](crate::compiler::Compiler::Child)). In this process, memory is not
    /// limited. Default 2 GiB.
    pub compile_memory_bytes: u64,
    /// The largest component that is compiled, in bytes. Default 64 MiB; a Python hook is 18 MB.
    pub component_bytes: u64,
    /// The most component calls that run at once, over all sessions. Default 256. Observers and
    /// unnamed hooks get no more than half of them, and detached runs no more than a quarter: the
    /// rest is for guards.
    pub concurrent_calls: usize,
    /// The most guard calls that may wait for a running call to end, and the most observer calls.
    /// Default 1,024.
    pub queued_calls: usize,
    /// The most bytes of memory that all instances of all sessions may have together: their
    /// memories, and the host's data for their handles. When they run out, instances that wait for
    /// their next call are evicted, and start again when they are called. Observers and unnamed
    /// hooks get no more than half, and a quarter is kept for instances of at most 8 MiB. A call
    /// that would need more fails with the cause `overload`. Default 16 GiB: 10,000 instances of a
    /// hook in Rust, most of which is never touched.
    pub memory_bytes: u64,
    /// The most memory mappings that all instances of all sessions may have together: an instance
    /// of a hook in Rust has five, and two more if it can wait. When they run out, instances that
    /// wait for their next call are evicted, and start again when they are called. Observers,
    /// unnamed hooks and components with more than 64 mappings get no more than half. A call that
    /// would need more fails with the cause `overload`. Default `None`: three quarters of the
    /// kernel's limit for a process (`vm.max_map_count`), which is also the maximum, for all hosts
    /// of a process together. That is 49,148 if the kernel's limit is 65,530. The default is the
    /// same on systems without such a limit.
    pub memory_mappings: Option<u64>,
    /// The clocks and random numbers that hooks see in place of the machine's. Default: none, so
    /// that both are real. For tests; `hooks.toml` cannot set it.
    pub deterministic: Option<Deterministic>,
    /// The responders that answer the requests of hooks in place of servers. Default: none, so that
    /// requests go to the network. For tests; `hooks.toml` cannot set it.
    pub http: Option<HttpServers>,
    /// The recorded calls whose clocks, random numbers, model and servers take the place of the
    /// real ones. For replaying calls; `hooks.toml` cannot turn it on. Default `None`.
    pub playback: Option<Playback>,
    /// The directories that are opened in place of granted ones, by the paths of the grants, which
    /// hooks still use. Default: none, so that the granted paths are opened. For tests;
    /// `hooks.toml` cannot set it.
    pub directories: BTreeMap<String, PathBuf>,
}

/// A time and random numbers that are the same in every instance, so that a hook that reads them
/// answers the same in every run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Deterministic {
    /// The time of the wall clock, since 1970. It stands still; the monotonic clock begins at zero,
    /// and advances by a microsecond at each read and by the time of each wait.
    pub now: Duration,
    /// The seed of the random numbers. They are not secret.
    pub seed: u64,
}

impl Default for EngineOptions {
    fn default() -> Self {
        Self {
            tick: Duration::from_millis(1),
            fuel: true,
            compile: Duration::from_secs(60),
            compile_memory_bytes: 2 << 30,
            component_bytes: 64 << 20,
            concurrent_calls: 256,
            queued_calls: 1_024,
            memory_bytes: 16 << 30,
            memory_mappings: None,
            deterministic: None,
            http: None,
            playback: None,
            directories: BTreeMap::new(),
        }
    }
}

impl EngineOptions {
    /// Returns the responders that answer in place of servers.
    #[cfg(feature = "http")]
    fn servers(&self) -> Option<HttpServers> {
        let played = self.playback.clone();
        let played = played.map(|playback| HttpServers(Arc::new(playback)));
        played.or_else(|| self.http.clone())
    }

    /// Returns whether an engine that was set up with `other` fits these options. The limits of
    /// compiling may differ: they are read for each compilation.
    pub(crate) fn goes_with(&self, other: &Self) -> bool {
        let compiling = Self {
            compile: self.compile,
            compile_memory_bytes: self.compile_memory_bytes,
            component_bytes: self.component_bytes,
            ..other.clone()
        };
        *self == compiling
    }
}

/// The engines and their ticker.
pub(crate) struct Runtime {
    /// The engine that compiles, and creates instances on demand.
    pub(crate) engine: Engine,
    pooling: PoolingEngine,
    pub(super) calls: usize,
    pub(crate) ticker: Ticker,
    pub(crate) fuel: bool,
    pub(crate) admission: Admission,
    pub(crate) memory: Arc<MemoryBudget>,
    pub(crate) mappings: Mappings,
    pub(crate) deterministic: Option<Deterministic>,
    #[cfg(feature = "http")]
    pub(crate) http: Option<HttpServers>,
    pub(crate) playback: Option<Playback>,
    /// The secrets granted to any hook.
    pub(crate) secrets: Arc<AllSecrets>,
}

/// The engine could not be set up.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EngineError {
    /// wasmtime refuses the configuration or the machine.
    #[error("wasmtime does not start on this machine: {0}")]
    Wasmtime(String),
    /// The ticker's thread cannot be started.
    #[error("there is no thread for the deadline ticker: {0}")]
    Ticker(#[from] std::io::Error),
}

impl Runtime {
    pub(crate) fn new(options: &EngineOptions) -> Result<Self, EngineError> {
        let engine = Engine::new(&config(options.fuel))
            .map_err(|e| EngineError::Wasmtime(format!("{e:#}")))?;
        let ticker = Ticker::start(&engine, options.tick)?;
        let activity = ticker.activity().clone();
        let idle = Arc::new(IdleInstances::default());
        Ok(Self {
            engine,
            pooling: PoolingEngine::default(),
            calls: options.concurrent_calls,
            ticker,
            fuel: options.fuel,
            admission: Admission::new(options.concurrent_calls, options.queued_calls, activity),
            memory: Arc::new(MemoryBudget::new(options.memory_bytes, idle.clone())),
            mappings: Mappings::new(mappings::most(options.memory_mappings), idle),
            deterministic: options.deterministic,
            #[cfg(feature = "http")]
            http: options.servers(),
            playback: options.playback.clone(),
            secrets: Arc::default(),
        })
    }

    /// Returns the engine of instances with this isolation.
    pub(crate) fn engine_for(&self, isolation: Isolation) -> &Engine {
        let pooling = match isolation {
            Isolation::Call => self.pooling.get(self),
            Isolation::Session | Isolation::Shared => None,
        };
        pooling.unwrap_or(&self.engine)
    }
}

/// Returns the configuration of the engine. Compiled code must have been made with the same one.
pub(crate) fn config(fuel: bool) -> Config {
    let mut config = Config::new();
    config
        .wasm_component_model(true)
        // Component-model concurrency makes every call 1.7 times as expensive and is not used.
        .concurrency_support(false)
        .epoch_interruption(true)
        .consume_fuel(fuel)
        // The same input gives the same answer on every machine.
        .relaxed_simd_deterministic(true)
        .cranelift_nan_canonicalization(true)
        // For the functions in a trap message, and the offsets by which their lines are found.
        .wasm_backtrace_max_frames(NonZero::new(16))
        .generate_address_map(true);
    config
}
