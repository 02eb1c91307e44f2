//! The result, as a table.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use anyhow::ensure;

use crate::Size;
use crate::play::Played;

/// The permitted growth of the memory from the first third to the last: the memory that the
/// allocator and SQLite keep for themselves varies.
const TOLERANCE: f64 = 0.10;
/// The growth that is too small to count, in bytes.
const NOISE: u64 = 8 << 20;

/// The result of all sessions.
pub struct Summary {
    size: Size,
    hooks: usize,
    /// The number of hook runs by outcome or failure.
    said: BTreeMap<String, u64>,
    /// The turns that did not end as expected, in words.
    wrong: Vec<String>,
    /// The expected hook runs that are missing, in words.
    lost: Vec<String>,
    /// The hook runs that were not expected, or not as often, in words.
    doubled: Vec<String>,
    /// The duration.
    pub took: Duration,
    /// The resident bytes over the turns.
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

    /// Adds a session.
    pub fn add(&mut self, played: Played) {
        for (_, _, _, said) in played.runs {
            *self.said.entry(said).or_insert(0) += 1;
        }
        self.wrong.extend(played.wrong);
        self.lost.extend(played.lost);
        self.doubled.extend(played.doubled);
    }

    /// Checks that every turn and every hook run was as expected.
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

    /// Returns the medians of the first and the last third.
    fn thirds(&self) -> Option<(u64, u64)> {
        let third = self.memory.len() / 3;
        let first = median(self.memory.get(..third)?)?;
        let last = median(self.memory.get(self.memory.len() - third..)?)?;
        Some((first, last))
    }

    /// Checks that memory at the end is the same as at the start.
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
