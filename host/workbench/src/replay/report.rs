//! The result of a replay.

use std::collections::BTreeMap;

use portcullis_recording::{FileChanges, Outcome};
use serde::Serialize;
use serde_json::{Map, Value};

use super::ReplayOptions;
use super::compare::Compared;
use crate::contract_names::detail;

/// The comparison of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// The result and the fuel are the same.
    Identical,
    /// The result is the same.
    Same,
    /// The result differs. Neither or both refuse the operation.
    Changed,
    /// Only the replayed call refuses the operation.
    NewlyRefused,
    /// Only the recorded call refuses the operation.
    NewlyAllowed,
}

impl Kind {
    /// Returns the name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Identical => "identical",
            Self::Same => "same",
            Self::Changed => "changed",
            Self::NewlyRefused => "newly refused",
            Self::NewlyAllowed => "newly allowed",
        }
    }
}

/// The result of a call: recorded or replayed.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Side {
    /// The name of the outcome, or `failed`.
    pub outcome: String,
    /// The code and the reason of a refusal, or the cause and the text of a failure.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// The value after the hook has run, or the hook's question or answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<Value>,
    /// The contributions.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub contributed: Vec<String>,
    /// The changes in the directories that the hook may write, as new entries by path.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub files: FileChanges,
    /// The fuel.
    pub fuel: Option<u64>,
    /// The duration in microseconds, if times are compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub micros: Option<u64>,
}

impl Side {
    /// Returns the result of a call of a point.
    pub(super) fn of(outcome: &Outcome, point: &str, files: FileChanges, times: bool) -> Self {
        let text =
            |value: Option<&Value>| value.and_then(Value::as_str).unwrap_or_default().to_owned();
        let (word, why) = match outcome.status.as_object().and_then(|map| map.iter().next()) {
            Some((kind, of)) if kind == "completed" => {
                let rejection = of.get("rejection").filter(|rejection| !rejection.is_null());
                let why = rejection.map(|rejection| {
                    format!(
                        "{}: {}",
                        text(rejection.get("code")),
                        text(rejection.get("reason"))
                    )
                });
                (text(of.get("outcome")).to_lowercase(), why)
            }
            Some((kind, of)) => {
                let why = of
                    .get("cause")
                    .map(|cause| format!("{}: {}", text(Some(cause)), text(of.get("message"))));
                (kind.clone(), why)
            }
            None => (text(Some(&outcome.status)), None),
        };
        let contributed = outcome.contributed.iter();
        Self {
            outcome: word,
            why,
            value: detail(outcome, point),
            contributed: contributed
                .map(|(kind, digest)| format!("{kind} {digest}"))
                .collect(),
            files,
            fuel: outcome.fuel,
            micros: times.then_some(outcome.micros),
        }
    }
}

/// A call whose result, fuel, time or requests differ.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Difference {
    /// Its run in the journal: `HOST.ID`.
    pub run: String,
    /// The session.
    pub session: String,
    /// The turn, counted from 1; 0 outside of any turn.
    pub turn: u32,
    /// The step, counted from 1; 0 outside of any step.
    pub step: u32,
    /// The point.
    pub point: String,
    /// The result of the comparison.
    pub kind: Kind,
    /// Whether the replayed call uses more fuel.
    pub more_fuel: bool,
    /// Whether the replayed call is slower, if times are compared.
    pub slower: bool,
    /// Whether the operator's rules removed something from the hook's input.
    pub redacted: bool,
    /// Whether earlier calls of its instance are missing.
    pub incomplete: bool,
    /// The recorded result.
    pub recorded: Side,
    /// The replayed result.
    pub now: Side,
    /// The requests of the replayed call that were not recorded.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub not_recorded: Vec<String>,
}

/// A request of calls that was not recorded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct NotRecorded {
    /// The request.
    pub what: String,
    /// The number of calls that made the request.
    pub calls: usize,
    /// The run of one of them.
    pub run: String,
}

/// The fuel of all compared calls.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct FuelTotals {
    /// The fuel of the recorded calls.
    pub recorded: u64,
    /// The fuel of the replayed calls.
    pub now: u64,
}

/// The result of a replay. If times are not compared, the same calls and the same component give
/// the same report.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct ReplayReport {
    /// The hook.
    pub hook: String,
    /// The digest of the component.
    pub component: String,
    /// The configuration of the replay, if it is not the recorded one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub config: Option<Map<String, Value>>,
    /// The digests of the components that made the recorded calls, with the numbers of calls.
    pub recorded_components: BTreeMap<String, usize>,
    /// The number of recorded calls.
    pub calls: usize,
    /// The number of replayed calls.
    pub replayed: usize,
    /// The number of calls with the same result and fuel.
    pub identical: usize,
    /// The number of calls with the same result and other fuel.
    pub same: usize,
    /// The number of calls with another result, of which neither or both refuse the operation.
    pub changed: usize,
    /// The number of calls that only the replay refuses.
    pub newly_refused: usize,
    /// The number of calls that only the recording refuses.
    pub newly_allowed: usize,
    /// The number of calls that use more fuel.
    pub more_fuel: usize,
    /// The number of slower calls, if times are compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub slower: Option<usize>,
    /// The number of calls for which earlier calls of their instance are missing, so that the hook
    /// may lack some of its memory.
    pub incomplete: usize,
    /// The fuel of all compared calls.
    pub fuel: FuelTotals,
    /// The reasons that calls were not replayed, with the numbers of calls.
    pub not_replayed: BTreeMap<String, usize>,
    /// The requests that were not recorded.
    pub not_recorded: Vec<NotRecorded>,
    /// The calls that differ, in order.
    pub differences: Vec<Difference>,
}

impl ReplayReport {
    /// Returns whether all calls have their recorded results.
    pub fn is_same(&self) -> bool {
        self.changed + self.newly_refused + self.newly_allowed == 0
    }
}

pub(super) fn report(
    hook: String,
    component: String,
    compared: Vec<Compared>,
    options: &ReplayOptions,
) -> ReplayReport {
    let mut report = ReplayReport {
        hook,
        component,
        config: options.config.clone(),
        recorded_components: BTreeMap::new(),
        calls: compared.len(),
        replayed: 0,
        identical: 0,
        same: 0,
        changed: 0,
        newly_refused: 0,
        newly_allowed: 0,
        more_fuel: 0,
        slower: options.times.then_some(0),
        incomplete: 0,
        fuel: FuelTotals::default(),
        not_replayed: BTreeMap::new(),
        not_recorded: Vec::new(),
        differences: Vec::new(),
    };
    let mut missing: BTreeMap<String, NotRecorded> = BTreeMap::new();
    for Compared {
        key: (host, id),
        recorded_component,
        result,
    } in compared
    {
        if let Some(digest) = recorded_component {
            *report.recorded_components.entry(digest).or_default() += 1;
        }
        let replayed = match result {
            Ok(replayed) => replayed,
            Err(why) => {
                *report.not_replayed.entry(why).or_default() += 1;
                continue;
            }
        };
        report.replayed += 1;
        let count = match replayed.kind {
            Kind::Identical => &mut report.identical,
            Kind::Same => &mut report.same,
            Kind::Changed => &mut report.changed,
            Kind::NewlyRefused => &mut report.newly_refused,
            Kind::NewlyAllowed => &mut report.newly_allowed,
        };
        *count += 1;
        report.more_fuel += usize::from(replayed.more_fuel);
        report.incomplete += usize::from(replayed.incomplete);
        if let Some(slower) = &mut report.slower {
            *slower += usize::from(replayed.slower);
        }
        report.fuel.recorded = report.fuel.recorded.saturating_add(replayed.fuel.0);
        report.fuel.now = report.fuel.now.saturating_add(replayed.fuel.1);
        for what in replayed.missing {
            let entry = missing.entry(what.clone()).or_insert_with(|| NotRecorded {
                what,
                calls: 0,
                run: format!("{host}.{id}"),
            });
            entry.calls += 1;
        }
        report.differences.extend(replayed.difference);
    }
    report.not_recorded = missing.into_values().collect();
    report
}
