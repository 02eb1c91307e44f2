//! Measures the contestants in turns: in every round, each is checked, then timed. A change of the machine's
//! speed then affects all of them.

use std::hint::black_box;
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use serde::Serialize;

use crate::call::{self, ToolCall};
use crate::contestant::{Contestant, Entry};

/// The time for which each contestant runs in a round, for each of the two calls.
const SLICE: Duration = Duration::from_millis(1);

/// A contestant and its times, in nanoseconds per call.
pub struct Lane {
    pub entry: Entry,
    contestant: Box<dyn Contestant>,
    calls: u32,
    allowed: Vec<f64>,
    refused: Vec<f64>,
}

/// The times of many rounds.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Times {
    /// The median, in nanoseconds per call.
    pub median_ns: f64,
    /// The 10th percentile, in nanoseconds per call.
    pub p10_ns: f64,
    /// The 90th percentile, in nanoseconds per call.
    pub p90_ns: f64,
}

impl Lane {
    /// Checks the contestant's verdicts, and measures how often it can be called in a slice.
    pub fn new(entry: Entry, mut contestant: Box<dyn Contestant>) -> anyhow::Result<Self> {
        check(entry, contestant.as_mut())?;
        let mut calls = 1;
        while calls < 1 << 20 && time(contestant.as_mut(), &call::ALLOWED, calls)? < SLICE {
            calls *= 2;
        }
        Ok(Self {
            entry,
            contestant,
            calls,
            allowed: Vec::new(),
            refused: Vec::new(),
        })
    }

    /// Runs one round.
    pub fn play(&mut self) -> anyhow::Result<()> {
        let contestant = self.contestant.as_mut();
        check(self.entry, contestant)?;
        for (call, times) in [
            (&call::ALLOWED, &mut self.allowed),
            (&call::REFUSED, &mut self.refused),
        ] {
            let taken = time(contestant, call, self.calls)?;
            times.push(taken.as_nanos() as f64 / f64::from(self.calls));
        }
        Ok(())
    }

    /// Returns the times of the call that continues.
    pub fn allowed(&self) -> anyhow::Result<Times> {
        times(&self.allowed)
    }

    /// Returns the times of the call that is refused.
    pub fn refused(&self) -> anyhow::Result<Times> {
        times(&self.refused)
    }

    /// Returns this contestant's time divided by the other's: the median over the rounds, each of which
    /// compares two runs of about the same moment.
    pub fn ratio(&self, other: &Self) -> anyhow::Result<f64> {
        let pairs = self.allowed.iter().zip(&other.allowed);
        quantile(pairs.map(|(this, other)| this / other).collect(), 0.5)
    }
}

/// Checks the verdicts: a guard that did not run, or ran wrongly, would be fast.
fn check(entry: Entry, contestant: &mut dyn Contestant) -> anyhow::Result<()> {
    for (call, expected) in call::cases() {
        let verdict = contestant.decide(call).context(entry.name)?;
        ensure!(
            verdict == expected,
            "{} answers {verdict:?} to {call:?}, and not {expected:?}",
            entry.name
        );
    }
    Ok(())
}

fn time(contestant: &mut dyn Contestant, call: &ToolCall, calls: u32) -> anyhow::Result<Duration> {
    let started = Instant::now();
    for _ in 0..calls {
        black_box(contestant.decide(black_box(call))?);
    }
    Ok(started.elapsed())
}

fn times(rounds: &[f64]) -> anyhow::Result<Times> {
    let at = |quantile_of| quantile(rounds.to_vec(), quantile_of);
    Ok(Times {
        median_ns: at(0.5)?,
        p10_ns: at(0.1)?,
        p90_ns: at(0.9)?,
    })
}

fn quantile(mut values: Vec<f64>, at: f64) -> anyhow::Result<f64> {
    values.sort_by(f64::total_cmp);
    let index = (values.len().saturating_sub(1) as f64 * at).round() as usize;
    values.get(index).copied().context("there was no round")
}
