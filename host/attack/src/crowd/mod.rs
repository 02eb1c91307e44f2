//! Many sessions of one host, of which some are hostile: whether the guard of the others runs, and how
//! fast.
//!
//! All sessions have the same hooks: one guard, and the hooks of the kit under ids of their own. The
//! hostile sessions call one hostile hook after another. The others call the guard alone, first by
//! themselves and then beside the hostile ones.

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

/// The id of the guard.
const GUARD: &str = "guard";

/// A crowd of sessions.
#[derive(Debug, Clone)]
pub struct CrowdOptions {
    /// How many sessions there are.
    pub sessions: usize,
    /// How many of them are hostile.
    pub hostile: usize,
    /// How many hostile calls each hostile session makes, at least: it continues until the others are done.
    pub attacks: usize,
    /// How many calls of the guard each other session makes.
    pub calls: usize,
    /// How long a session does nothing between two calls of the guard.
    pub pause: Duration,
}

/// What became of a crowd.
#[derive(Debug, Clone, Default)]
pub struct CrowdReport {
    /// How many kinds of attack there are.
    pub kinds: usize,
    /// How many hostile calls were made.
    pub attacks: usize,
    /// How many of them ended with a failure of the hostile hook.
    pub failed: usize,
    /// The other sessions by themselves.
    pub quiet: Times,
    /// The other sessions beside the hostile ones.
    pub beside: Times,
}

/// The runs of the guard in the sessions that are not hostile.
#[derive(Debug, Clone, Default)]
pub struct Times {
    /// How many there were.
    pub runs: usize,
    /// Those that failed, in words.
    pub failed: Vec<String>,
    /// Half of the calls took no longer, each session's first left out.
    pub p50: Duration,
    /// All but one of a hundred calls took no longer, each session's first left out.
    pub p99: Duration,
    /// All but one of a hundred first calls took no longer, in which the guard's instance is started.
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
        let others = crowd.sessions.saturating_sub(crowd.hostile);
        let quiet = guards(&loaded.hooks, crowd, others).await;
        let done = Arc::new(AtomicBool::new(false));
        let attacking = hostile::sessions(&loaded, crowd, done.clone());
        let guarded = async {
            let times = guards(&loaded.hooks, crowd, others).await;
            done.store(true, Ordering::Relaxed);
            times
        };
        let ((attacks, failed), beside) = tokio::join!(attacking, guarded);
        Ok(CrowdReport {
            kinds: loaded.kinds.len(),
            attacks,
            failed,
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

/// Calls the guard in so many sessions.
async fn guards(hooks: &Hooks, crowd: &CrowdOptions, sessions: usize) -> Times {
    let tasks: Vec<_> = (0..sessions)
        .map(|n| {
            let session = session(hooks, format!("session-{n}"));
            let (calls, pause) = (crowd.calls, crowd.pause);
            tokio::spawn(async move {
                let mut times = Vec::new();
                let mut failed = Vec::new();
                for _ in 0..calls {
                    let Ok(mut call) = calls::tool(2) else {
                        return (times, vec!["the kit has no tool".to_owned()]);
                    };
                    let began = Instant::now();
                    let verdict = session.run(&mut call).await;
                    times.push(began.elapsed());
                    failed.extend(failure(&verdict.runs));
                    tokio::time::sleep(pause).await;
                }
                (times, failed)
            })
        })
        .collect();
    let (mut first, mut times, mut failed) = (Vec::new(), Vec::new(), Vec::new());
    for task in tasks {
        match task.await {
            Ok((took, faults)) => {
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

/// Why the guard did not run.
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
