//! The rules of alerts.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::deliver::Target;

/// The condition for an alert, and its recipients.
#[derive(Debug, Clone)]
pub struct Rule {
    /// The alert's name.
    pub name: String,
    /// The measure.
    pub measure: Measure,
    /// The threshold, above which the alert fires: a number of runs, a share from 0 to 1,
    /// milliseconds, fuel, or bytes. Default 0.
    pub over: f64,
    /// Only runs of this hook. Default: all hooks, each measured separately.
    pub hook: Option<String>,
    /// Only runs at this point. Default: any.
    pub point: Option<String>,
    /// The length of the measured period. Default 5 minutes.
    pub window: Duration,
    /// The minimum number of calls for a failure rate or a percentile. Default 20.
    pub at_least: usize,
    /// The time for which the measure must not exceed the threshold before the alert is resolved.
    /// Default 10 minutes.
    pub cool_down: Duration,
    /// The recipients. Default: none. Every alert is also an event and a line of the log.
    pub targets: Vec<Target>,
}

impl Rule {
    /// The default length of the measured period, in seconds.
    pub const WINDOW_S: u64 = 300;
    /// The default minimum number of calls for a failure rate or a percentile.
    pub const AT_LEAST: u32 = 20;
    /// The default time for which the measure must not exceed the threshold before the alert is
    /// resolved, in seconds.
    pub const COOL_DOWN_S: u64 = 600;

    /// Creates a rule with the defaults.
    pub fn new(name: impl Into<String>, measure: Measure) -> Self {
        Self {
            name: name.into(),
            measure,
            over: 0.0,
            hook: None,
            point: None,
            window: Duration::from_secs(Self::WINDOW_S),
            at_least: Self::AT_LEAST as usize,
            cool_down: Duration::from_secs(Self::COOL_DOWN_S),
            targets: Vec::new(),
        }
    }
}

/// A measure of hook runs or turns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Measure {
    /// How often a guard did not do its work: it failed, or its answer was not applied. Observers do not count.
    NotRun,
    /// The share of a hook's calls that failed.
    FailureRate,
    /// The milliseconds that 99 of 100 calls of a hook do not exceed.
    P99Ms,
    /// The fuel that 99 of 100 calls of a hook do not exceed.
    P99Fuel,
    /// The bytes of memory that a hook's instance does not exceed after 99 of 100 calls.
    P99MemoryBytes,
    /// How long the hooks of one turn took together, in milliseconds.
    TurnMs,
    /// The fuel that the hooks of one turn used together.
    TurnFuel,
}

impl Measure {
    /// All measures.
    pub const ALL: [Self; 7] = [
        Self::NotRun,
        Self::FailureRate,
        Self::P99Ms,
        Self::P99Fuel,
        Self::P99MemoryBytes,
        Self::TurnMs,
        Self::TurnFuel,
    ];

    /// Returns the name in settings and in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Self::NotRun => "not-run",
            Self::FailureRate => "failure-rate",
            Self::P99Ms => "p99-ms",
            Self::P99Fuel => "p99-fuel",
            Self::P99MemoryBytes => "p99-memory-bytes",
            Self::TurnMs => "turn-ms",
            Self::TurnFuel => "turn-fuel",
        }
    }

    /// Returns whether the measure is of turns, not of hooks.
    pub(crate) const fn is_of_turns(self) -> bool {
        matches!(self, Self::TurnMs | Self::TurnFuel)
    }
}
