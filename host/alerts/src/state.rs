//! The state of an alert.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::alert::Alert;
use crate::rule::Rule;
use crate::window::{Sample, Window};

/// A rule and, for each hook, the recent measurements and whether the alert fires. It reads no
/// clock.
pub(crate) struct RuleState {
    pub(crate) rule: Rule,
    /// By hook; one entry for all hooks if the rule measures turns.
    watched: BTreeMap<Option<String>, Watched>,
}

#[derive(Default)]
struct Watched {
    window: Window,
    firing: Option<Firing>,
}

struct Firing {
    alert: Alert,
    /// The last time at which the measure was above the threshold.
    last: Duration,
}

impl RuleState {
    pub(crate) fn new(rule: Rule) -> Self {
        Self {
            rule,
            watched: BTreeMap::new(),
        }
    }

    pub(crate) fn add(&mut self, sample: &Sample, at: Duration) {
        let rule = &self.rule;
        let fits = |wanted: &Option<String>, is: &str| wanted.as_deref().is_none_or(|it| it == is);
        if fits(&rule.hook, &sample.hook) && fits(&rule.point, &sample.point) {
            let key = (!rule.measure.is_of_turns()).then(|| sample.hook.clone());
            let watched = self.watched.entry(key).or_default();
            watched.window.add(rule, sample, at);
        }
    }

    /// Returns the alerts that are due now.
    pub(crate) fn check(&mut self, now: Duration, at_ms: u64) -> Vec<Alert> {
        let rule = &self.rule;
        let mut told = Vec::new();
        for (hook, watched) in &mut self.watched {
            let measured = watched.window.measure(rule, now);
            let is_over = measured.value > rule.over;
            match &mut watched.firing {
                None if is_over => {
                    let alert = Alert::firing(rule, hook.as_deref(), &measured, at_ms);
                    told.push(alert.clone());
                    watched.firing = Some(Firing { alert, last: now });
                }
                Some(firing) if is_over => firing.last = now,
                Some(firing) if now.saturating_sub(firing.last) >= rule.cool_down => {
                    told.push(firing.alert.resolved(rule, at_ms));
                    watched.firing = None;
                }
                _ => {}
            }
        }
        self.watched
            .retain(|_, watched| watched.firing.is_some() || !watched.window.is_empty());
        told
    }

    /// Returns whether an alert fires, so that the rule must be checked without new runs.
    pub(crate) fn fires(&self) -> bool {
        self.watched
            .values()
            .any(|watched| watched.firing.is_some())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::alert::Place;
    use crate::rule::Measure;

    fn sample(hook: &str, failed: bool) -> Sample {
        Sample {
            hook: hook.into(),
            point: "pre-turn".into(),
            place: Place::default(),
            latency: Duration::ZERO,
            fuel: 0,
            memory: 0,
            failed: failed.then(|| "trap".into()),
            observes: false,
        }
    }

    const fn at(second: u64) -> Duration {
        Duration::from_secs(second)
    }

    #[test]
    fn an_alert_fires_once_and_is_resolved_once_it_has_cooled_down() {
        let mut state = RuleState::new(Rule {
            window: at(10),
            cool_down: at(60),
            ..Rule::new("r", Measure::NotRun)
        });
        let mut told = |second: u64, failing: &[&str]| -> Vec<String> {
            failing
                .iter()
                .for_each(|hook| state.add(&sample(hook, true), at(second)));
            let alerts = state.check(at(second), second * 1_000).into_iter();
            alerts.map(|alert| alert.id).collect()
        };
        assert_eq!(told(0, &["a"]), ["r/a/0/firing"]);
        // A firing alert is not reported again; the alert of another hook is.
        assert_eq!(told(1, &["a", "b"]), ["r/b/1000/firing"]);
        assert!(told(30, &[]).is_empty(), "not cooled down");
        // It was last above the threshold at second 1, or is again.
        assert!(told(55, &["a"]).is_empty());
        assert_eq!(told(61, &[]), ["r/b/1000/resolved"]);
        assert_eq!(told(121, &[]), ["r/a/0/resolved"]);
        assert_eq!(told(122, &["a"]), ["r/a/122000/firing"]);
    }

    #[test]
    fn other_hooks_and_points_do_not_count() {
        let mut state = RuleState::new(Rule {
            hook: Some("a".into()),
            point: Some("pre-turn".into()),
            ..Rule::new("r", Measure::NotRun)
        });
        state.add(&sample("b", true), at(0));
        let elsewhere = Sample {
            point: "post-turn".into(),
            ..sample("a", true)
        };
        state.add(&elsewhere, at(0));
        assert!(state.check(at(0), 0).is_empty() && !state.fires());
        state.add(&sample("a", true), at(0));
        assert_eq!(state.check(at(0), 0).len(), 1);
        assert!(state.fires());
    }
}
