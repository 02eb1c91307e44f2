//! The numbers of hook runs, answers and failures, and their costs.

use std::collections::{BTreeMap, HashMap};

use futures::TryStreamExt as _;
use portcullis_agent::RunState;
use serde::Serialize;
use sqlx::any::AnyRow;
use sqlx::{AssertSqlSafe, Row as _};

use super::filter::RunFilter;
use super::histogram::Histogram;
use crate::database::Database;
use crate::error::StoreError;

/// The statistics of a hook's runs.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct HookStats {
    /// The hook.
    pub hook: String,
    /// The statistics of all points together.
    #[serde(flatten)]
    pub total: RunStats,
    /// The statistics of each point.
    pub points: BTreeMap<String, RunStats>,
}

/// The statistics of hook runs.
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
    /// The answers that were not applied, because an earlier hook had replaced the value.
    pub not_applied: u64,
    /// The runs that were skipped because the chain ended earlier.
    pub skipped: u64,
    /// The runs that were unfinished when their process died.
    pub lost: u64,
    /// The runs that have not ended.
    pub open: u64,
    /// The durations of calls, in microseconds.
    pub latency_us: Option<Spread>,
    /// The fuel that calls used.
    pub fuel: Option<Spread>,
    /// The bytes of memory of instances after calls.
    pub memory: Option<Spread>,
}

impl RunStats {
    /// Returns the number of failures of any cause.
    pub fn failed(&self) -> u64 {
        self.failures.values().sum()
    }

    /// Returns the number of runs in which the hook did not do its work: it failed, its answer was
    /// not applied, or its process died.
    pub fn not_run(&self) -> u64 {
        self.failed() + self.not_applied + self.lost
    }

    /// Returns the number of times that an answer with this name took effect.
    pub fn outcome(&self, name: &str) -> u64 {
        self.outcomes.get(name).copied().unwrap_or_default()
    }
}

/// The distribution of a quantity. The percentiles are of the nearest rank, within 1.6 %.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Spread {
    /// The value that half of the values do not exceed.
    pub p50: u64,
    /// The value that 95 of 100 do not exceed.
    pub p95: u64,
    /// The value that 99 of 100 do not exceed.
    pub p99: u64,
    /// The largest value.
    pub max: u64,
    /// The distribution: the smallest value of each bucket, and the number of its values. Empty
    /// buckets are left out. A bucket is at most 1.6 % wide.
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

/// The counts and histograms while runs are read.
#[derive(Default)]
struct Counted {
    stats: RunStats,
    /// The number of runs in audit mode.
    audits: u64,
    latency: Histogram,
    fuel: Histogram,
    memory: Histogram,
}

/// The values that runs of one kind share.
struct OfKind {
    hook: String,
    point: String,
    state: RunState,
    outcome: String,
    cause: String,
}

/// The columns of a kind. A missing outcome or cause is an empty text.
const OF_KIND: &str = "hook, point, state, coalesce(outcome, ''), coalesce(cause, '')";

/// The columns that are read for each run. Only numbers, because there may be millions of runs.
const OF_RUN: &str =
    "CAST(CASE mode WHEN 'audit' THEN 1 ELSE 0 END AS BIGINT), fatal, latency_us, fuel, memory";

/// Returns the statistics of each hook, by name, over the runs that fit the filter.
pub(super) async fn stats(
    database: &Database,
    filter: &RunFilter,
) -> Result<Vec<HookStats>, StoreError> {
    let mut by_kind: HashMap<i64, Counted> = HashMap::new();
    // Runs are counted by the kind's id before the kinds are read, because new kinds may be added
    // meanwhile.
    let ended = filter.select(&format!("kind, {OF_RUN}"), "kind <> 0");
    // Read row by row, to use no memory for them.
    let mut rows = ended.fetch(database.pool());
    while let Some(row) = rows.try_next().await? {
        let counted = by_kind.entry(row.try_get(0)?).or_default();
        counted.add(&row, 1)?;
    }
    drop(rows);
    let mut hooks: BTreeMap<String, BTreeMap<String, Counted>> = BTreeMap::new();
    let mut at = |kind: OfKind, counted: Counted| {
        let points = hooks.entry(kind.hook.clone()).or_default();
        let all = points.entry(kind.point.clone()).or_default();
        all.merge(&counted.of_kind(&kind));
    };
    let kinds = sqlx::query(AssertSqlSafe(format!(
        "SELECT {OF_KIND}, id FROM run_kinds"
    )));
    for row in kinds.fetch_all(database.pool()).await? {
        if let Some(counted) = by_kind.remove(&row.try_get::<i64, _>(5)?) {
            at(OfKind::read(&row)?, counted);
        }
    }
    // There are few runs that have not ended.
    let open = filter.select(&format!("{OF_KIND}, {OF_RUN}"), "kind = 0");
    for row in open.fetch_all(database.pool()).await? {
        let mut counted = Counted::default();
        counted.add(&row, 5)?;
        at(OfKind::read(&row)?, counted);
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

impl OfKind {
    fn read(row: &AnyRow) -> Result<Self, StoreError> {
        let state: &str = row.try_get(2)?;
        Ok(Self {
            hook: row.try_get(0)?,
            point: row.try_get(1)?,
            state: state.parse().map_err(|error| {
                StoreError::Database(format!("the journal's `state` is damaged: {error}"))
            })?,
            outcome: row.try_get(3)?,
            cause: row.try_get(4)?,
        })
    }
}

impl Counted {
    /// Counts a run. The columns of [`OF_RUN`] begin at `first`.
    fn add(&mut self, row: &AnyRow, first: usize) -> Result<(), StoreError> {
        let stats = &mut self.stats;
        stats.runs += 1;
        self.audits += row.try_get::<i64, _>(first)?.unsigned_abs();
        stats.fatal += u64::from(row.try_get::<i64, _>(first + 1)? != 0);
        for (histogram, column) in [
            (&mut self.latency, first + 2),
            (&mut self.fuel, first + 3),
            (&mut self.memory, first + 4),
        ] {
            let value: Option<i64> = row.try_get(column)?;
            if let Some(value) = value {
                histogram.add(value.unsigned_abs());
            }
        }
        Ok(())
    }

    /// Returns the statistics of the counted runs, which are of one kind.
    fn of_kind(self, kind: &OfKind) -> Self {
        let Self {
            mut stats,
            audits,
            latency,
            fuel,
            memory,
        } = self;
        let runs = stats.runs;
        let fatal = std::mem::take(&mut stats.fatal);
        match kind.state {
            RunState::Started | RunState::Backgrounded => stats.open = runs,
            RunState::Skipped => stats.skipped = runs,
            RunState::Lost => stats.lost = runs,
            RunState::NotApplied => stats.not_applied = runs,
            RunState::Failed | RunState::TimedOut => {
                let cause = match kind.cause.as_str() {
                    "" => "cancelled",
                    cause => cause,
                };
                stats.failures.insert(cause.to_owned(), runs);
                stats.fatal = fatal;
            }
            RunState::Completed => {
                let outcome = match kind.outcome.as_str() {
                    "" => "continue",
                    outcome => outcome,
                };
                for (answers, count) in [
                    (&mut stats.outcomes, runs.saturating_sub(audits)),
                    (&mut stats.audited, audits),
                ] {
                    if count > 0 {
                        answers.insert(outcome.to_owned(), count);
                    }
                }
            }
        }
        if !kind.state.has_called() {
            return Self {
                stats,
                ..Self::default()
            };
        }
        stats.calls = runs;
        Self {
            stats,
            audits,
            latency,
            fuel,
            memory,
        }
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
