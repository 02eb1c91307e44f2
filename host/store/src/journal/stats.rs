//! How often hooks ran, answered and failed, and what they cost.

use std::collections::BTreeMap;

use futures::TryStreamExt as _;
use portcullis::hooks::Mode;
use portcullis_agent::RunState;
use serde::Serialize;
use sqlx::any::AnyRow;
use sqlx::{AssertSqlSafe, Row as _};

use super::filter::{Operand, RunFilter};
use super::histogram::Histogram;
use crate::database::Database;
use crate::error::StoreError;

/// What a hook did in its runs.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct HookStats {
    /// The hook.
    pub hook: String,
    /// At all points together.
    #[serde(flatten)]
    pub total: RunStats,
    /// At each point.
    pub points: BTreeMap<String, RunStats>,
}

/// What hook runs came to.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub struct RunStats {
    /// The runs, including those that were skipped and those that have not ended.
    pub runs: u64,
    /// The runs in which the hook was called, and its call is over.
    pub calls: u64,
    /// The answers that took effect, by name: `continue`, `reject` and so on.
    pub outcomes: BTreeMap<String, u64>,
    /// The answers in audit mode, which had no effect.
    pub audited: BTreeMap<String, u64>,
    /// The failures, by the code of their cause.
    pub failures: BTreeMap<String, u64>,
    /// The failures for which the operation was refused.
    pub fatal: u64,
    /// The answers that were not applied, since a hook before had replaced the value.
    pub not_applied: u64,
    /// The runs that were skipped because the chain ended earlier.
    pub skipped: u64,
    /// The runs that were unfinished when their process died.
    pub lost: u64,
    /// The runs that have not ended.
    pub open: u64,
    /// How long calls took, in microseconds.
    pub latency_us: Option<Spread>,
    /// The fuel that calls used.
    pub fuel: Option<Spread>,
    /// The bytes of memory that instances had after calls.
    pub memory: Option<Spread>,
}

impl RunStats {
    /// The failures, whatever their cause.
    pub fn failed(&self) -> u64 {
        self.failures.values().sum()
    }

    /// The runs in which the hook did not do its work: it failed, its answer was not applied, or its process died.
    pub fn not_run(&self) -> u64 {
        self.failed() + self.not_applied + self.lost
    }

    /// How often an answer of this name took effect.
    pub fn outcome(&self, name: &str) -> u64 {
        self.outcomes.get(name).copied().unwrap_or_default()
    }
}

/// How a quantity is distributed. The percentiles are of the nearest rank, within 1.6 %.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Spread {
    /// What half of the values do not exceed.
    pub p50: u64,
    /// What 95 of 100 do not exceed.
    pub p95: u64,
    /// What 99 of 100 do not exceed.
    pub p99: u64,
    /// The largest value.
    pub max: u64,
    /// The distribution: the smallest value of a bucket, and how many values are in it. Empty buckets are left out. A bucket
    /// is at most 1.6 % wide.
    #[serde(skip)]
    pub buckets: Vec<(u64, u64)>,
}

impl Spread {
    fn of(histogram: &Histogram) -> Option<Self> {
        Some(Self {
            p50: histogram.percentile(50)?,
            p95: histogram.percentile(95)?,
            p99: histogram.percentile(99)?,
            max: histogram.max()?,
            buckets: histogram.buckets().collect(),
        })
    }
}

/// What is counted while runs are read.
#[derive(Default)]
struct Counted {
    stats: RunStats,
    latency: Histogram,
    fuel: Histogram,
    memory: Histogram,
}

/// The statistics of each hook, by name, over the runs that fit the filter. Calls of the model are part of the runs that
/// make them.
pub(super) async fn stats(
    database: &Database,
    filter: &RunFilter,
) -> Result<Vec<HookStats>, StoreError> {
    let conditions = filter.condition();
    let sql = format!(
        "SELECT hook, point, state, outcome, cause, mode, fatal, latency_us, fuel, memory FROM runs
         WHERE {} AND point <> 'model'",
        conditions.sql
    );
    let select =
        conditions
            .values
            .into_iter()
            .fold(
                sqlx::query(AssertSqlSafe(sql)),
                |select, value| match value {
                    Operand::Text(text) => select.bind(text),
                    Operand::Number(number) => select.bind(number),
                },
            );
    let mut hooks: BTreeMap<String, BTreeMap<String, Counted>> = BTreeMap::new();
    // Row by row: there may be millions.
    let mut rows = select.fetch(database.pool());
    while let Some(row) = rows.try_next().await? {
        let (hook, point): (&str, &str) = (row.try_get(0)?, row.try_get(1)?);
        if !hooks.contains_key(hook) {
            hooks.insert(hook.to_owned(), BTreeMap::new());
        }
        let Some(points) = hooks.get_mut(hook) else {
            continue;
        };
        if !points.contains_key(point) {
            points.insert(point.to_owned(), Counted::default());
        }
        if let Some(counted) = points.get_mut(point) {
            counted.add(&row)?;
        }
    }
    let hooks = hooks.into_iter().map(|(hook, points)| {
        let mut all = Counted::default();
        points.values().for_each(|counted| all.merge(counted));
        let points = points.into_iter();
        HookStats {
            hook,
            total: all.finish(),
            points: points.map(|(point, it)| (point, it.finish())).collect(),
        }
    });
    Ok(hooks.collect())
}

impl Counted {
    fn add(&mut self, row: &AnyRow) -> Result<(), StoreError> {
        let text = |column: usize| row.try_get::<Option<&str>, _>(column);
        let number = |column: usize| -> Result<Option<u64>, StoreError> {
            let number: Option<i64> = row.try_get(column)?;
            Ok(number.map(i64::unsigned_abs))
        };
        let stats = &mut self.stats;
        stats.runs += 1;
        let state: &str = row.try_get(2)?;
        let state: RunState = state.parse().map_err(|error| {
            StoreError::Database(format!("the journal's `state` is damaged: {error}"))
        })?;
        match state {
            RunState::Started | RunState::Backgrounded => stats.open += 1,
            RunState::Skipped => stats.skipped += 1,
            RunState::Lost => stats.lost += 1,
            RunState::NotApplied => stats.not_applied += 1,
            RunState::Failed | RunState::TimedOut => {
                count(&mut stats.failures, text(4)?.unwrap_or("cancelled"));
                stats.fatal += u64::from(row.try_get::<i64, _>(6)? != 0);
            }
            RunState::Completed => {
                let answers = match text(5)? == Some(Mode::Audit.name()) {
                    true => &mut stats.audited,
                    false => &mut stats.outcomes,
                };
                count(answers, text(3)?.unwrap_or("continue"));
            }
        }
        if state.has_called() {
            stats.calls += 1;
            for (histogram, column) in [
                (&mut self.latency, 7),
                (&mut self.fuel, 8),
                (&mut self.memory, 9),
            ] {
                number(column)?
                    .into_iter()
                    .for_each(|value| histogram.add(value));
            }
        }
        Ok(())
    }

    fn merge(&mut self, other: &Self) {
        let (stats, more) = (&mut self.stats, &other.stats);
        for (all, more) in [
            (&mut stats.outcomes, &more.outcomes),
            (&mut stats.audited, &more.audited),
            (&mut stats.failures, &more.failures),
        ] {
            for (name, count) in more {
                *all.entry(name.clone()).or_default() += count;
            }
        }
        for (all, more) in [
            (&mut stats.runs, more.runs),
            (&mut stats.calls, more.calls),
            (&mut stats.fatal, more.fatal),
            (&mut stats.not_applied, more.not_applied),
            (&mut stats.skipped, more.skipped),
            (&mut stats.lost, more.lost),
            (&mut stats.open, more.open),
        ] {
            *all += more;
        }
        self.latency.merge(&other.latency);
        self.fuel.merge(&other.fuel);
        self.memory.merge(&other.memory);
    }

    fn finish(self) -> RunStats {
        RunStats {
            latency_us: Spread::of(&self.latency),
            fuel: Spread::of(&self.fuel),
            memory: Spread::of(&self.memory),
            ..self.stats
        }
    }
}

fn count(names: &mut BTreeMap<String, u64>, name: &str) {
    match names.get_mut(name) {
        Some(count) => *count += 1,
        None => drop(names.insert(name.to_owned(), 1)),
    }
}
