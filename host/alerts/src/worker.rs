//! The thread that counts runs and delivers alerts.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use portcullis::time::now_ms;
use tokio::sync::mpsc::{Receiver, Sender, channel};

use crate::alert::Alert;
use crate::deliver::{Delivering, Queue};
use crate::rule::Rule;
use crate::state::RuleState;
use crate::window::Sample;

/// The maximum number of runs that wait to be counted. Further runs are not counted, and the first
/// of them writes a line to the log.
const MOST_WAITING: usize = 8_192;

/// The maximum number of runs that are counted before the rules are checked.
const MOST_AT_ONCE: usize = 1_024;

/// The time limit for deliveries at the end.
const LAST: Duration = Duration::from_secs(5);

/// Alerts cannot be started.
#[derive(Debug, thiserror::Error)]
pub enum AlertsError {
    /// There is no thread for them.
    #[error("the thread of the alerts cannot be started: {0}; raise the limit of threads")]
    Thread(#[from] std::io::Error),
    /// There is no HTTP client.
    #[error("webhooks cannot be called: {0}; see that the system's certificates can be read")]
    Client(String),
}

/// The thread, and the channel that runs are sent to.
#[derive(Debug)]
pub(crate) struct Worker {
    samples: Option<Sender<Sample>>,
    /// Whether the last run was not counted.
    is_behind: AtomicBool,
    thread: Option<JoinHandle<()>>,
}

impl Worker {
    pub(crate) fn start(
        rules: Vec<Rule>,
        observes: impl Fn(&str) -> bool + Send + 'static,
        told: impl Fn(&Alert) + Send + 'static,
    ) -> Result<Self, AlertsError> {
        let (samples, waiting) = channel(MOST_WAITING);
        let (ready, started) = mpsc::sync_channel(1);
        let run = move || {
            let set_up = || -> Result<_, AlertsError> {
                let runtime = tokio::runtime::Builder::new_current_thread()
                    .enable_all()
                    .build()?;
                let client = reqwest::Client::builder()
                    .redirect(reqwest::redirect::Policy::none())
                    .build()
                    .map_err(|e| AlertsError::Client(e.to_string()))?;
                Ok((runtime, client))
            };
            match set_up() {
                Ok((runtime, client)) => {
                    let _ = ready.send(Ok(()));
                    let local = tokio::task::LocalSet::new();
                    local.block_on(&runtime, watch(rules, &client, waiting, (observes, told)));
                }
                Err(error) => drop(ready.send(Err(error))),
            }
        };
        let thread = std::thread::Builder::new()
            .name("portcullis-alerts".into())
            .spawn(run)?;
        let gone = || AlertsError::Client("its thread ended".to_owned());
        started.recv().map_err(|_| gone())??;
        Ok(Self {
            samples: Some(samples),
            is_behind: AtomicBool::new(false),
            thread: Some(thread),
        })
    }

    /// Counts a run. Does not block.
    pub(crate) fn count(&self, sample: Sample) {
        let Some(samples) = &self.samples else {
            return;
        };
        let is_lost = samples.try_send(sample).is_err();
        // The error is logged once, not for each lost run.
        if self.is_behind.load(Ordering::Relaxed) != is_lost
            && self.is_behind.swap(is_lost, Ordering::Relaxed) != is_lost
            && is_lost
        {
            tracing::error!(
                "hook runs are not counted for alerts until fewer than {MOST_WAITING} wait to be"
            );
        }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        // Without a sender the thread counts the waiting runs, reports their alerts and ends.
        self.samples = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// A rule and the queues of its targets.
struct Watched {
    state: RuleState,
    queues: Vec<Queue>,
}

async fn watch(
    rules: Vec<Rule>,
    client: &reqwest::Client,
    mut waiting: Receiver<Sample>,
    (observes, told): (impl Fn(&str) -> bool, impl Fn(&Alert)),
) {
    let begun = Instant::now();
    let mut deliveries: Vec<Delivering> = Vec::new();
    let mut rules: Vec<Watched> = rules
        .into_iter()
        .map(|rule| {
            let targets = rule.targets.iter().cloned();
            let queues = targets.map(|target| {
                let (queue, delivering) = Queue::start(target, client);
                deliveries.push(delivering);
                queue
            });
            Watched {
                queues: queues.collect(),
                state: RuleState::new(rule),
            }
        })
        .collect();
    let mut samples = Vec::new();
    loop {
        let next = next_check(&rules);
        let received = tokio::select! {
            received = waiting.recv_many(&mut samples, MOST_AT_ONCE) => received,
            () = tokio::time::sleep(next) => usize::MAX,
        };
        let now = begun.elapsed();
        for mut sample in samples.drain(..) {
            sample.observes = sample.failed.is_some() && observes(&sample.hook);
            rules.iter_mut().for_each(|it| it.state.add(&sample, now));
        }
        for watched in &mut rules {
            for alert in watched.state.check(now, now_ms()) {
                log(&alert);
                told(&alert);
                watched.queues.iter().for_each(|queue| queue.send(&alert));
            }
        }
        if received == 0 {
            break;
        }
    }
    drop(rules);
    let last = futures::future::join_all(deliveries);
    if tokio::time::timeout(LAST, last).await.is_err() {
        tracing::error!("alerts were not delivered within {LAST:?} at the end, and are lost");
    }
}

/// Returns the time until the next check without new runs: a tenth of the shortest cool-down of a
/// firing alert.
fn next_check(rules: &[Watched]) -> Duration {
    let firing = rules.iter().filter(|watched| watched.state.fires());
    let waits = firing.map(|watched| watched.state.rule.cool_down / 10);
    let next = waits.min().unwrap_or(Duration::from_secs(3_600));
    next.clamp(Duration::from_millis(10), Duration::from_secs(3_600))
}

fn log(alert: &Alert) {
    let Alert {
        alert: name,
        message,
        ..
    } = alert;
    match alert.firing {
        true => tracing::warn!(alert = name, "alert: {message}"),
        false => tracing::info!(alert = name, "resolved: {message}"),
    }
}
