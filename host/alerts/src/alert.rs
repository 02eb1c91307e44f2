//! The alert that is delivered.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::rule::{Measure, Rule};
use crate::window::Measured;

/// An alert that fires or is resolved: the body of webhooks, and the standard input of commands.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Alert {
    /// The id of the alert. All attempts to deliver the alert have the same id.
    pub id: String,
    /// The name of its rule.
    pub alert: String,
    /// Whether the alert fires; otherwise it is resolved.
    pub firing: bool,
    /// The measure.
    pub when: Measure,
    /// The hook; `None` if the rule measures turns.
    pub hook: Option<String>,
    /// The measured value when the alert fired: a number of runs, a share from 0 to 1,
    /// milliseconds, or fuel.
    pub value: f64,
    /// The threshold.
    pub over: f64,
    /// The length of the measured period, in seconds.
    pub window_s: u64,
    /// The calls that were measured.
    pub calls: usize,
    /// The number of failures of the hook, by the code of the cause.
    pub causes: BTreeMap<String, usize>,
    /// The turn of the last measured failure, or the turn that was measured.
    pub place: Option<Place>,
    /// The time at which the alert began to fire, in milliseconds since the Unix epoch.
    pub since_ms: u64,
    /// The time at which the alert was reported, in milliseconds since the Unix epoch.
    pub at_ms: u64,
    /// A sentence with these facts.
    pub message: String,
}

/// A turn of a session. `portcullis explain SESSION/TURN` shows it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Place {
    /// The session.
    pub session: String,
    /// The turn; 0 outside of turns.
    pub turn: u32,
}

impl Alert {
    /// Returns the alert of a rule that fires now.
    pub(crate) fn firing(rule: &Rule, hook: Option<&str>, measured: &Measured, at_ms: u64) -> Self {
        Self {
            id: id(rule, hook, at_ms, "firing"),
            alert: rule.name.clone(),
            firing: true,
            when: rule.measure,
            hook: hook.map(str::to_owned),
            value: measured.value,
            over: rule.over,
            window_s: rule.window.as_secs(),
            calls: measured.calls,
            causes: measured.causes.clone(),
            place: measured.place.clone(),
            since_ms: at_ms,
            at_ms,
            message: message(rule, hook, measured),
        }
    }

    /// Returns this alert as resolved now.
    pub(crate) fn resolved(&self, rule: &Rule, at_ms: u64) -> Self {
        let hook = self.hook.as_deref();
        Self {
            id: id(rule, hook, self.since_ms, "resolved"),
            firing: false,
            at_ms,
            message: format!(
                "{} has been below the threshold of the alert for {} s",
                whose(hook),
                rule.cool_down.as_secs()
            ),
            ..self.clone()
        }
    }
}

fn id(rule: &Rule, hook: Option<&str>, since_ms: u64, state: &str) -> String {
    let hook = hook.unwrap_or_default();
    format!("{}/{hook}/{since_ms}/{state}", rule.name)
}

fn whose(hook: Option<&str>) -> String {
    hook.map_or_else(|| "every turn".to_owned(), |hook| format!("hook `{hook}`"))
}

fn message(rule: &Rule, hook: Option<&str>, measured: &Measured) -> String {
    let window = rule.window.as_secs();
    let (calls, value) = (measured.calls, measured.value);
    let causes: Vec<&str> = measured.causes.keys().map(String::as_str).collect();
    let causes = match causes.is_empty() {
        true => String::new(),
        false => format!(" ({})", causes.join(", ")),
    };
    let what = match rule.measure {
        Measure::NotRun => {
            let times = if value == 1.0 { "time" } else { "times" };
            format!("did not run {value} {times} in {window} s{causes}")
        }
        Measure::FailureRate => format!(
            "failed in {:.1} % of {calls} calls in {window} s{causes}",
            value * 100.0
        ),
        Measure::P99Ms => format!("has a p99 of {value:.1} ms over {calls} calls in {window} s"),
        Measure::P99Fuel => {
            format!("has a p99 of {value} units of fuel over {calls} calls in {window} s")
        }
        Measure::P99MemoryBytes => {
            format!("has a p99 of {value} bytes of memory over {calls} calls in {window} s")
        }
        Measure::TurnMs => format!("took {value:.1} ms"),
        Measure::TurnFuel => format!("used {value:.0} units of fuel"),
    };
    let who = match hook {
        Some(hook) => format!("hook `{hook}`"),
        None => "the hooks of a turn together".to_owned(),
    };
    let over = match rule.measure {
        Measure::FailureRate => format!("{} %", rule.over * 100.0),
        _ => rule.over.to_string(),
    };
    format!("{who} {what}; an alert is set at more than {over}")
}
