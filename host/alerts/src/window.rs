//! The measurements within an alert's window.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::time::Duration;

use crate::alert::Place;
use crate::rule::{Measure, Rule};

/// The maximum number of calls in a window. Older ones are dropped.
const MOST_CALLS: usize = 10_000;
/// The maximum number of turns in a window.
const MOST_TURNS: usize = 1_000;

/// A run that has ended.
#[derive(Debug, Clone)]
pub(crate) struct Sample {
    pub(crate) hook: String,
    pub(crate) point: String,
    pub(crate) place: Place,
    pub(crate) latency: Duration,
    pub(crate) fuel: u64,
    /// The bytes of memory of the hook's instance after the run.
    pub(crate) memory: u64,
    /// The code of the cause, if the hook failed or its answer was not applied.
    pub(crate) failed: Option<String>,
    /// Whether the hook is an observer.
    pub(crate) observes: bool,
}

/// A rule's current measurement.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Measured {
    pub(crate) value: f64,
    pub(crate) calls: usize,
    pub(crate) causes: BTreeMap<String, usize>,
    pub(crate) place: Option<Place>,
}

/// The kept facts of a run.
struct Call {
    at: Duration,
    /// The value that the rule measures.
    value: f64,
    failed: Option<String>,
    place: Option<Place>,
}

/// The calls of one hook, or the turns of all hooks, within the period that a rule measures.
#[derive(Default)]
pub(crate) struct Window {
    calls: VecDeque<Call>,
    turns: HashMap<(String, u32), Turn>,
}

#[derive(Default)]
struct Turn {
    at: Duration,
    latency: Duration,
    fuel: u64,
    calls: usize,
}

impl Window {
    pub(crate) fn add(&mut self, rule: &Rule, sample: &Sample, at: Duration) {
        let Place { session, turn } = &sample.place;
        if rule.measure.is_of_turns() {
            // A run outside of turns does not count for a turn.
            if *turn > 0 {
                let sum = self.turns.entry((session.clone(), *turn)).or_default();
                sum.at = at;
                sum.latency += sample.latency;
                sum.fuel = sum.fuel.saturating_add(sample.fuel);
                sum.calls += 1;
            }
            if self.turns.len() > MOST_TURNS {
                let oldest = self.turns.iter().min_by_key(|(_, turn)| turn.at);
                if let Some(oldest) = oldest.map(|(key, _)| key.clone()) {
                    self.turns.remove(&oldest);
                }
            }
            return;
        }
        if rule.measure == Measure::NotRun && (sample.failed.is_none() || sample.observes) {
            return;
        }
        self.calls.push_back(Call {
            at,
            value: match rule.measure {
                Measure::P99Ms => sample.latency.as_secs_f64() * 1_000.0,
                Measure::P99Fuel => sample.fuel as f64,
                Measure::P99MemoryBytes => sample.memory as f64,
                _ => 0.0,
            },
            failed: sample.failed.clone(),
            place: sample.failed.is_some().then(|| sample.place.clone()),
        });
        if self.calls.len() > MOST_CALLS {
            self.calls.pop_front();
        }
    }

    /// Returns the rule's current measurement. Drops entries that are too old.
    pub(crate) fn measure(&mut self, rule: &Rule, now: Duration) -> Measured {
        let from = now.saturating_sub(rule.window);
        while self.calls.front().is_some_and(|call| call.at < from) {
            self.calls.pop_front();
        }
        self.turns.retain(|_, turn| turn.at >= from);
        if rule.measure.is_of_turns() {
            return self.largest(rule.measure);
        }
        let calls = self.calls.len();
        let mut causes: BTreeMap<String, usize> = BTreeMap::new();
        for cause in self.calls.iter().filter_map(|call| call.failed.as_ref()) {
            *causes.entry(cause.clone()).or_default() += 1;
        }
        let failed: usize = causes.values().sum();
        let value = match rule.measure {
            Measure::NotRun => failed as f64,
            _ if calls < rule.at_least.max(1) => 0.0,
            Measure::FailureRate => failed as f64 / calls as f64,
            Measure::P99Ms | Measure::P99Fuel | Measure::P99MemoryBytes => self.p99(),
            Measure::TurnMs | Measure::TurnFuel => 0.0,
        };
        let place = self.calls.iter().rev().find_map(|call| call.place.clone());
        Measured {
            value,
            calls,
            causes,
            place,
        }
    }

    /// Returns the measurement of the turn with the largest value.
    fn largest(&self, measure: Measure) -> Measured {
        let value = |turn: &Turn| match measure {
            Measure::TurnFuel => turn.fuel as f64,
            _ => turn.latency.as_secs_f64() * 1_000.0,
        };
        let turns = self.turns.iter();
        let largest = turns.max_by(|(_, one), (_, other)| value(one).total_cmp(&value(other)));
        let Some(((session, number), turn)) = largest else {
            return Measured::default();
        };
        Measured {
            value: value(turn),
            calls: turn.calls,
            causes: BTreeMap::new(),
            place: Some(Place {
                session: session.clone(),
                turn: *number,
            }),
        }
    }

    /// Returns the 99th percentile, by nearest rank.
    fn p99(&self) -> f64 {
        let mut values: Vec<f64> = self.calls.iter().map(|call| call.value).collect();
        let rank = (values.len() * 99).div_ceil(100).saturating_sub(1);
        match rank < values.len() {
            true => *values.select_nth_unstable_by(rank, f64::total_cmp).1,
            false => 0.0,
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.calls.is_empty() && self.turns.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(turn: u32, ms: u64, failed: bool) -> Sample {
        Sample {
            hook: "h".into(),
            point: "pre-turn".into(),
            place: Place {
                session: "s".into(),
                turn,
            },
            latency: Duration::from_millis(ms),
            fuel: ms * 10,
            memory: ms << 16,
            failed: failed.then(|| "trap".into()),
            observes: false,
        }
    }

    const fn at(second: u64) -> Duration {
        Duration::from_secs(second)
    }

    #[test]
    fn a_rate_is_of_enough_calls_within_the_window() {
        let rule = Rule::new("r", Measure::FailureRate);
        let mut window = Window::default();
        for second in 0..19 {
            window.add(&rule, &sample(1, 1, second < 10), at(second));
        }
        assert_eq!(window.measure(&rule, at(19)).value, 0.0, "too few");
        window.add(&rule, &sample(1, 1, false), at(19));
        let measured = window.measure(&rule, at(20));
        assert_eq!((measured.value, measured.calls), (0.5, 20));
        assert_eq!(measured.causes["trap"], 10);
        assert_eq!(window.measure(&rule, at(310)).calls, 10);
        window.measure(&rule, at(1_000));
        assert!(window.is_empty());
    }

    #[test]
    fn a_p99_is_of_the_nearest_rank() {
        for (measure, p99) in [
            (Measure::P99Ms, 198.0),
            (Measure::P99Fuel, 1_980.0),
            (Measure::P99MemoryBytes, 12_976_128.0),
        ] {
            let rule = Rule::new("r", measure);
            let mut window = Window::default();
            for ms in 1..=200 {
                window.add(&rule, &sample(1, ms, false), at(0));
            }
            assert_eq!(window.measure(&rule, at(0)).value, p99);
        }
    }

    #[test]
    fn only_guards_that_do_not_run_are_counted() {
        let rule = Rule::new("r", Measure::NotRun);
        let mut window = Window::default();
        window.add(&rule, &sample(1, 1, false), at(0));
        let observer = Sample {
            observes: true,
            ..sample(1, 1, true)
        };
        window.add(&rule, &observer, at(0));
        assert_eq!(window.measure(&rule, at(0)).value, 0.0);
        window.add(&rule, &sample(4, 1, true), at(0));
        let measured = window.measure(&rule, at(0));
        assert_eq!(measured.value, 1.0);
        assert_eq!(measured.place.map(|place| place.turn), Some(4));
    }

    #[test]
    fn a_turn_is_measured_as_a_whole() {
        let (ms, fuel) = (
            Rule::new("r", Measure::TurnMs),
            Rule::new("r", Measure::TurnFuel),
        );
        let (mut times, mut fuels) = (Window::default(), Window::default());
        for (turn, took) in [(1, 30), (2, 20), (2, 25), (0, 1_000)] {
            times.add(&ms, &sample(turn, took, false), at(0));
            fuels.add(&fuel, &sample(turn, took, false), at(0));
        }
        let measured = times.measure(&ms, at(0));
        assert_eq!((measured.value, measured.calls), (45.0, 2));
        assert_eq!(measured.place.map(|place| place.turn), Some(2));
        assert_eq!(fuels.measure(&fuel, at(0)).value, 450.0);
        for turn in 1..5_000 {
            times.add(&ms, &sample(turn, 1, false), at(1));
        }
        assert!(times.turns.len() <= MOST_TURNS);
    }
}
