//! The wasmtime engine, configured once for every hook.

use std::time::Duration;

use wasmtime::{Config, Engine};

use crate::ticker::Ticker;

/// How the engine is set up. It is the same for all hooks of a host.
#[derive(Debug, Clone)]
pub struct EngineOptions {
    /// How often deadlines are looked at. Default 1 ms: an endless loop ends within its deadline
    /// and two ticks. The thread that does it sleeps while no hook runs.
    pub tick: Duration,
    /// Whether fuel is counted. Default yes; without it hooks compute 18-43 % faster, and only
    /// the deadline, which is less exact, stops them.
    pub fuel: bool,
}

impl Default for EngineOptions {
    fn default() -> Self {
        Self {
            tick: Duration::from_millis(1),
            fuel: true,
        }
    }
}

/// The engine and its ticker.
#[derive(Debug)]
pub(crate) struct Runtime {
    pub(crate) engine: Engine,
    pub(crate) ticker: Ticker,
    pub(crate) fuel: bool,
}

/// The engine could not be set up.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// wasmtime refuses the configuration or the machine.
    #[error("wasmtime does not start on this machine: {0}")]
    Wasmtime(String),
    /// There is no thread for the ticker.
    #[error("there is no thread for the deadline ticker: {0}")]
    Ticker(#[from] std::io::Error),
}

impl Runtime {
    pub(crate) fn new(options: &EngineOptions) -> Result<Self, EngineError> {
        let engine =
            Engine::new(&config(options)).map_err(|e| EngineError::Wasmtime(format!("{e:#}")))?;
        let ticker = Ticker::start(&engine, options.tick)?;
        Ok(Self {
            engine,
            ticker,
            fuel: options.fuel,
        })
    }
}

fn config(options: &EngineOptions) -> Config {
    let mut config = Config::new();
    config
        .wasm_component_model(true)
        // Component-model concurrency makes every call 1.7 times dearer and is not used.
        .concurrency_support(false)
        .epoch_interruption(true)
        .consume_fuel(options.fuel)
        // The same input gives the same answer on every machine.
        .relaxed_simd_deterministic(true)
        .cranelift_nan_canonicalization(true)
        // A guest's backtrace is written by the guest: its function names are its own text.
        .wasm_backtrace_max_frames(None);
    config
}
