//! The result, as a table.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use anyhow::ensure;

use crate::Size;
use crate::play::Played;

/// By how much the memory of the last third may be more than that of the first: what the allocator and
/// SQLite keep for themselves comes and goes.
const TOLERANCE: f64 = 0.10;
/// What is too little to be called growth, in bytes.
const NOISE: u64 = 8 << 20;

/// The result of all sessions.
pub struct Summary {
    size: Size,
    hooks: usize,
    /// How often hooks answered or failed in which way.
    said: BTreeMap<String, u64>,
    /// Turns that ended in another way than they must, in words.
    wrong: Vec<String>,
    /// Hook runs that must have been, and were not, in words.
    lost: Vec<String>,
    /// Hook runs that were, and must not have been, or not as often, in words.
    doubled: Vec<String>,
    /// How long it took.
    pub took: Duration,
    /// Resident bytes, as the turns went by.
    pub memory: Vec<u64>,
}

impl Summary {
    pub fn new(size: Size, hooks: usize) -> Self {
        Self {
            size,
            hooks,
            said: BTreeMap::new(),
            wrong: Vec::new(),
            lost: Vec::new(),
            doubled: Vec::new(),
            took: Duration::ZERO,
            memory: Vec::new(),
        }
    }

    /// Takes a session in.
    pub fn add(&mut self, played: Played) {
        for (_, _, _, said) in played.runs {
            *self.said.entry(said).or_insert(0) += 1;
        }
        self.wrong.extend(played.wrong);
        self.lost.extend(played.lost);
        self.doubled.extend(played.doubled);
    }

    /// Every turn and every hook run was as it must be.
    pub fn nothing_went_wrong(&self) -> anyhow::Result<()> {
        let all: Vec<&String> = self
            .wrong
            .iter()
            .chain(&self.lost)
            .chain(&self.doubled)
            .take(10)
            .collect();
        ensure!(all.is_empty(), "the first of what went wrong: {all:#?}");
        Ok(())
    }

    /// The medians of the first and of the last third.
    fn thirds(&self) -> Option<(u64, u64)> {
        let third = self.memory.len() / 3;
        let first = median(self.memory.get(..third)?)?;
        let last = median(self.memory.get(self.memory.len() - third..)?)?;
        Some((first, last))
    }

    /// Memory at the end is what it was at the begin.
    pub fn memory_is_flat(&self) -> anyhow::Result<()> {
        let Some((first, last)) = self.thirds() else {
            return Ok(());
        };
        let grown = last.saturating_sub(first);
        ensure!(
            grown <= NOISE || grown as f64 <= first as f64 * TOLERANCE,
            "memory is not flat: {} MiB in the first third, {} MiB in the last",
            first >> 20,
            last >> 20
        );
        Ok(())
    }
}

fn median(samples: &[u64]) -> Option<u64> {
    let mut sorted = samples.to_vec();
    sorted.sort_unstable();
    sorted.get(sorted.len() / 2).copied()
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let turns = self.size.sessions * self.size.turns;
        let runs: u64 = self.said.values().sum();
        let seconds = self.took.as_secs_f64();
        writeln!(f, "\n{:<34} {:>12}", "soak", "this run")?;
        let mut row = |what: &str, value: String| writeln!(f, "{what:<34} {value:>12}");
        row("turns", turns.to_string())?;
        row("sessions", self.size.sessions.to_string())?;
        row("hooks, of which three misbehave", self.hooks.to_string())?;
        row("hook runs", runs.to_string())?;
        for (said, times) in &self.said {
            row(&format!("  {said}"), times.to_string())?;
        }
        row("wrong verdicts", self.wrong.len().to_string())?;
        row("lost runs", self.lost.len().to_string())?;
        row("doubled runs", self.doubled.len().to_string())?;
        if let Some((first, last)) = self.thirds() {
            row("memory, median of the first third", mib(first))?;
            row("memory, median of the last third", mib(last))?;
        }
        row("took", format!("{seconds:.1} s"))?;
        row(
            "turns a second",
            format!("{:.0}", f64::from(turns) / seconds),
        )
    }
}

fn mib(bytes: u64) -> String {
    format!("{:.1} MiB", bytes as f64 / f64::from(1 << 20))
}
