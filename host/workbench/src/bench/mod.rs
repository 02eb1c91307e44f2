//! The costs of loading, starting, calling and keeping a component, compared with a native hook in
//! an equal chain, in the same run.

mod memory;
mod times;
mod trial;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use portcullis::Hooks;
use portcullis::hooks::CacheChoice;
use portcullis::points::PointId;
use serde::Serialize;

pub use trial::{Trial, TrialError};

use crate::play::Place;
use crate::sample::{Sample, SampleError};

/// The number of times that a component is loaded from the cache.
const LOADS: usize = 5;

/// The number of measured calls.
#[derive(Debug, Clone, Copy)]
pub struct BenchOptions {
    /// The number of warm calls. Default 1,000.
    pub calls: usize,
}

impl Default for BenchOptions {
    fn default() -> Self {
        Self { calls: 1_000 }
    }
}

/// A component cannot be measured.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BenchError {
    /// The component does not load.
    #[error(transparent)]
    Sample(#[from] SampleError),
    /// The cache for the run cannot be created.
    #[error("a directory for compiled components cannot be created: {0}")]
    Cache(#[from] std::io::Error),
    /// The component cannot be called with the input.
    #[error(transparent)]
    Trial(#[from] TrialError),
}

/// The costs of a component. Times are in nanoseconds.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Measured {
    /// The hook.
    pub hook: String,
    /// The component.
    pub component: PathBuf,
    /// Its size in bytes.
    pub bytes: u64,
    /// The point that was called.
    pub point: PointId,
    /// The call's input: a case, or generated input.
    pub called_with: String,
    /// The outcome of a session's first call.
    pub first_outcome: String,
    /// The outcome of the last warm call. Warm calls are of one session: the state that a hook
    /// keeps from earlier calls can lead to another outcome.
    pub outcome: String,
    /// The time to load it without a compiled copy.
    pub cold_ns: u64,
    /// The time to load it once it is compiled, the median.
    pub cached_ns: u64,
    /// The time of a session's first call, which starts an instance, the median.
    pub first_ns: u64,
    /// The time of the start: the first call less a warm one.
    pub instantiate_ns: u64,
    /// The time of a warm call, the median.
    pub warm_p50_ns: u64,
    /// The time of a warm call, the 99th percentile.
    pub warm_p99_ns: u64,
    /// The time of a call of a native hook that only continues, the median.
    pub native_p50_ns: u64,
    /// The cost of a warm call, as a multiple of the native hook's.
    pub against_native: f64,
    /// The fuel of a warm call, the median; `None` if fuel is not counted.
    pub fuel: Option<u64>,
    /// The resident memory of a warm instance, in bytes; `None` if the system does not report it.
    pub instance_bytes: Option<u64>,
}

/// Measures a component. `progress` is called with the name of each measurement.
///
/// # Errors
///
/// The component does not load, or cannot be called with its input.
pub fn measure(
    sample: &Sample,
    trial: &Trial,
    options: BenchOptions,
    progress: &dyn Fn(&'static str),
) -> Result<Measured, BenchError> {
    let cache = tempfile::tempdir()?;
    let cache = CacheChoice::Dir(cache.path().join("compiled"));
    let place = Place::new(sample, &trial.setup)?;
    progress("a cold start");
    let (_, cold) = loaded(&place, &cache)?;
    progress("cached starts");
    let mut loads = Vec::with_capacity(LOADS);
    let mut hooks = Hooks::none();
    for _ in 0..LOADS {
        let took;
        (hooks, took) = loaded(&place, &cache)?;
        loads.push(nanos(took));
    }
    let times = times::measure(&hooks, &place.id, trial, options.calls, progress)?;
    let warm = percentile(&times.warm, 50);
    let (first, native) = (percentile(&times.first, 50), percentile(&times.native, 50));
    Ok(Measured {
        hook: place.id.clone(),
        component: sample.file.clone(),
        bytes: sample.report.bytes,
        point: trial.point,
        called_with: trial.name.clone(),
        first_outcome: times.first_outcome,
        outcome: times.outcome,
        cold_ns: nanos(cold),
        cached_ns: percentile(&loads, 50),
        first_ns: first,
        instantiate_ns: first.saturating_sub(warm),
        warm_p50_ns: warm,
        warm_p99_ns: percentile(&times.warm, 99),
        native_p50_ns: native,
        against_native: warm as f64 / native.max(1) as f64,
        fuel: (!times.fuel.is_empty()).then(|| percentile(&times.fuel, 50)),
        instance_bytes: times.instance_bytes,
    })
}

fn loaded(place: &Place, cache: &CacheChoice) -> Result<(Hooks, Duration), SampleError> {
    let began = Instant::now();
    let hooks = place.load(cache)?;
    Ok((hooks, began.elapsed()))
}

fn nanos(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

/// Returns the percentile of the values; 0 if there are none.
fn percentile(values: &[u64], of_a_hundred: usize) -> u64 {
    let mut sorted = values.to_vec();
    sorted.sort_unstable();
    let at = sorted.len() * of_a_hundred / 100;
    let last = sorted.last().copied().unwrap_or_default();
    sorted.get(at).copied().unwrap_or(last)
}
