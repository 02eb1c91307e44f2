//! Totals over all turns.

use std::collections::BTreeMap;
use std::time::Duration;

use portcullis::HookId;
use portcullis::verdict::{HookRun, RunStatus};
use portcullis_agent::is_guard;

use super::TurnLog;
use super::marks::{Mark, mark};
use super::turn::Entry;

/// The order in which answers are listed.
const ORDER: [&str; 13] = [
    "continue",
    "transform",
    "replace",
    "reject",
    "ask",
    "answer",
    "stop",
    "keep-going",
    "adds",
    "not applied",
    "queued",
    "failed",
    "skipped",
];

/// Totals over all turns.
#[derive(Debug, Default)]
pub struct Tally {
    /// Model calls.
    pub models: usize,
    /// Tool calls.
    pub tools: usize,
    /// Hook runs that started.
    pub runs: usize,
    /// The number of times that each answer was given.
    pub answers: Vec<(Mark, usize)>,
    /// Failures after which the agent continued.
    pub survived: usize,
    /// Failures for which an operation was refused.
    pub refused_for: usize,
    /// The number of times that a hook's call after a failure succeeded.
    pub healed: usize,
    /// The time spent in hooks.
    pub time: Duration,
    /// The fuel they used.
    pub fuel: u64,
    /// Each hook's share.
    pub hooks: BTreeMap<HookId, Share>,
}

/// One hook's share.
#[derive(Debug, Default)]
pub struct Share {
    /// The time that each of its runs took.
    pub times: Vec<Duration>,
    /// The fuel it used.
    pub fuel: u64,
    /// The number of times that it gave each answer.
    pub answers: Vec<(Mark, usize)>,
    /// Whether its last run failed.
    failed: bool,
}

impl Share {
    /// Returns the time that half of the runs did not exceed.
    pub fn median(&self) -> Duration {
        let mut times = self.times.clone();
        times.sort();
        times.get(times.len() / 2).copied().unwrap_or_default()
    }

    /// Returns the longest time.
    pub fn longest(&self) -> Duration {
        self.times.iter().max().copied().unwrap_or_default()
    }
}

impl Tally {
    /// Adds a turn. The agent's own guards, which every agent has, are not counted.
    pub fn add(&mut self, log: &TurnLog) {
        for entry in log.steps.iter().flat_map(|step| &step.entries) {
            match entry {
                Entry::Model(_) => self.models += 1,
                Entry::Tool(_) => self.tools += 1,
                _ => {}
            }
        }
        for run in log.runs().filter(|run| !is_guard(&run.hook)) {
            self.add_run(run);
        }
    }

    fn add_run(&mut self, run: &HookRun) {
        count(&mut self.answers, mark(run));
        let share = self.hooks.entry(run.hook.clone()).or_default();
        count(&mut share.answers, mark(run));
        let failed = match run.status {
            RunStatus::Skipped | RunStatus::Backgrounded => return,
            RunStatus::Failed { fatal: true, .. } => {
                self.refused_for += 1;
                true
            }
            RunStatus::Failed { fatal: false, .. } => {
                self.survived += 1;
                true
            }
            RunStatus::Completed { .. } | RunStatus::NotApplied { .. } => false,
        };
        if std::mem::replace(&mut share.failed, failed) && !failed {
            self.healed += 1;
        }
        let fuel = run.fuel.unwrap_or_default();
        share.times.push(run.latency);
        share.fuel += fuel;
        self.runs += 1;
        self.time += run.latency;
        self.fuel += fuel;
    }
}

fn count(answers: &mut Vec<(Mark, usize)>, mark: Mark) {
    match answers
        .iter_mut()
        .find(|(known, _)| known.word == mark.word)
    {
        Some((_, n)) => *n += 1,
        None => answers.push((mark, 1)),
    }
    answers.sort_by_key(|(mark, _)| ORDER.iter().position(|word| *word == mark.word));
}
