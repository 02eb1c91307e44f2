//! Measures whether and how fast a guard runs in many sessions of one host, of which some are hostile.
//!
//! All sessions have the same hooks: one guard, and the hooks of the kit under separate ids, at the guard's point too.
//! Hooks that are hostile in every call at the guard's point, or need settings of the engine or of all hooks, have
//! separate hosts in the process. The hostile sessions call one hostile hook after another. The others call the guard,
//! in turns in which no hook at its point is hostile: first alone, and then beside the hostile ones. Meanwhile the
//! files of the kit that do not load are put into the hooks directory, one after another, and the host's hooks are
//! loaded again for each.

mod files;
mod hostile;
mod load;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use portcullis::observer::TracingSink;
use portcullis::verdict::{HookRun, RunStatus};
use portcullis::{Hooks, Session, SessionOptions};

use crate::calls;
use crate::options::Options;
use load::Crowd;

/// The id of the guard, and its point.
const GUARD: &str = "guard";
const GUARD_POINT: &str = "pre-tool-call";

/// A crowd of sessions.
#[derive(Debug, Clone)]
pub struct CrowdOptions {
    /// The number of sessions.
    pub sessions: usize,
    /// The number of hostile sessions.
    pub hostile: usize,
    /// The minimum number of hostile calls of each hostile session: it continues until the others
    /// are done.
    pub attacks: usize,
    /// The minimum number of hostile files that are put into the hooks directory: this continues until
    /// the others are done.
    pub files: usize,
    /// The number of guard calls that each other session makes.
    pub calls: usize,
    /// The pause of a session between two guard calls.
    pub pause: Duration,
}

/// The result of a crowd run.
#[derive(Debug, Clone, Default)]
pub struct CrowdReport {
    /// The number of kinds of attack.
    pub kinds: usize,
    /// The number of kinds that have a separate host.
    pub apart: usize,
    /// The number of hostile calls.
    pub attacks: usize,
    /// The number of hostile calls that ended with a failure of the hostile hook.
    pub failed: usize,
    /// The number of kinds that are called at the guard's own point.
    pub at_guard: usize,
    /// The number of hostile files put into the hooks directory, and the number that loaded.
    pub files: (usize, usize),
    /// The other sessions alone.
    pub quiet: Times,
    /// The other sessions beside the hostile ones.
    pub beside: Times,
}

/// The runs of the guard in the sessions that are not hostile.
#[derive(Debug, Clone, Default)]
pub struct Times {
    /// The number of guard runs.
    pub runs: usize,
    /// The failed runs, in words.
    pub failed: Vec<String>,
    /// The number of all hook runs: the hooks at the guard's point run in each call.
    pub hook_runs: usize,
    /// The median duration of calls, without each session's first.
    pub p50: Duration,
    /// The 99th percentile of the duration of calls, without each session's first.
    pub p99: Duration,
    /// The 99th percentile of the duration of first calls, which start the guard's instance.
    pub first_p99: Duration,
}

/// Runs a crowd.
///
/// # Errors
///
/// The hooks do not load, or there is no runtime.
pub fn crowd(crowd: &CrowdOptions, options: &Options) -> Result<CrowdReport, String> {
    let loaded = Crowd::load(options)?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(|e| e.to_string())?;
    runtime.block_on(async {
        let quiet = guards(&loaded, crowd).await;
        let done = Arc::new(AtomicBool::new(false));
        let attacking = hostile::sessions(&loaded, crowd, done.clone());
        let loading = files::put(&loaded, crowd.files, done.clone());
        let guarded = async {
            let times = guards(&loaded, crowd).await;
            done.store(true, Ordering::Relaxed);
            times
        };
        let ((attacks, failed), files, beside) = tokio::join!(attacking, loading, guarded);
        let at_guard = loaded.kinds.iter().filter(|kind| kind.point == GUARD_POINT);
        Ok(CrowdReport {
            kinds: loaded.kinds.len(),
            apart: loaded
                .kinds
                .iter()
                .filter(|kind| kind.apart.is_some())
                .count(),
            attacks,
            failed,
            at_guard: at_guard.count(),
            files: files?,
            quiet,
            beside,
        })
    })
}

/// Opens a session.
fn session(hooks: &Hooks, name: String) -> Session {
    hooks.session(SessionOptions {
        sink: Arc::new(TracingSink),
        ..SessionOptions::new(name)
    })
}

/// Calls the guard in the sessions that are not hostile, each time in another turn.
async fn guards(loaded: &Crowd, crowd: &CrowdOptions) -> Times {
    let peaceful = u32::try_from(loaded.kinds.len()).unwrap_or(u32::MAX);
    let tasks: Vec<_> = (0..crowd.sessions.saturating_sub(crowd.hostile))
        .map(|n| {
            let session = session(&loaded.hooks, format!("session-{n}"));
            let (calls, pause) = (crowd.calls, crowd.pause);
            tokio::spawn(async move {
                let mut times = Vec::new();
                let mut failed = Vec::new();
                let mut hook_runs = 0;
                for turn in (peaceful..).skip(1).take(calls) {
                    let Ok(mut call) = calls::tool(turn) else {
                        return (times, vec!["the kit has no tool".to_owned()], hook_runs);
                    };
                    let began = Instant::now();
                    let verdict = session.run(&mut call).await;
                    times.push(began.elapsed());
                    hook_runs += verdict.runs.len();
                    failed.extend(failure(&verdict.runs));
                    tokio::time::sleep(pause).await;
                }
                (times, failed, hook_runs)
            })
        })
        .collect();
    let (mut first, mut times, mut failed) = (Vec::new(), Vec::new(), Vec::new());
    let mut hook_runs = 0;
    for task in tasks {
        match task.await {
            Ok((took, faults, runs)) => {
                hook_runs += runs;
                let mut took = took.into_iter();
                first.extend(took.next());
                times.extend(took);
                failed.extend(faults);
            }
            Err(error) => failed.push(error.to_string()),
        }
    }
    Times {
        runs: first.len() + times.len(),
        failed,
        hook_runs,
        p50: percentile(&mut times, 50),
        p99: percentile(&mut times, 99),
        first_p99: percentile(&mut first, 99),
    }
}

fn percentile(times: &mut [Duration], hundredths: usize) -> Duration {
    times.sort_unstable();
    let at = times.get(times.len() * hundredths / 100);
    at.copied().unwrap_or_default()
}

/// Returns the reason why the guard did not run.
fn failure(runs: &[HookRun]) -> Option<String> {
    let Some(run) = runs.iter().find(|run| run.hook.as_str() == GUARD) else {
        return Some("it was not called".into());
    };
    match &run.status {
        RunStatus::Failed { cause, message, .. } => Some(format!("{cause}: {message}")),
        status if run.outcome().is_none() => Some(format!("{status:?}")),
        _ => None,
    }
}
