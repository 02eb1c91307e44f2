//! The result of making calls again.

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
    /// The same result, for the same fuel.
    Identical,
    /// The same result.
    Same,
    /// Another result, and neither refuses, or both do.
    Changed,
    /// It refuses now.
    NewlyRefused,
    /// It refused.
    NewlyAllowed,
}

impl Kind {
    /// Returns its name.
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

/// The result of a call: as recorded, or now.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Side {
    /// The word for it: an outcome, or `failed`.
    pub outcome: String,
    /// The code and the reason of a refusal, or the cause and the text of a failure.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// The value as the hook left it, or its question or answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<Value>,
    /// The contributions.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub contributed: Vec<String>,
    /// The changes in the directories that the hook may write, by path: the new entry there.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub files: FileChanges,
    /// The fuel.
    pub fuel: Option<u64>,
    /// How long it took, in microseconds, where times are compared.
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

/// A call whose result, fuel or needs differ.
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
    /// How it compares.
    pub kind: Kind,
    /// Whether it uses more fuel.
    pub more_fuel: bool,
    /// Whether it is slower, where times are compared.
    pub slower: bool,
    /// Whether the operator's rules removed something from the hook's input.
    pub redacted: bool,
    /// Whether calls of its instance before it are missing.
    pub incomplete: bool,
    /// The recorded result.
    pub recorded: Side,
    /// The replayed result.
    pub now: Side,
    /// The requests of the replayed call that were not recorded.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub not_recorded: Vec<String>,
}

/// Something that calls asked for and that was not recorded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct NotRecorded {
    /// The request.
    pub what: String,
    /// The number of calls that asked for it.
    pub calls: usize,
    /// One of them.
    pub run: String,
}

/// Fuel, summed over all calls that were compared.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct FuelTotals {
    /// Then.
    pub recorded: u64,
    /// Now.
    pub now: u64,
}

/// The result of making calls again. Without times, the same calls and the same component give the same report.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct ReplayReport {
    /// The hook.
    pub hook: String,
    /// The digest of the component.
    pub component: String,
    /// The configuration with which the calls were made again, if it is not the recorded one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub config: Option<Map<String, Value>>,
    /// The digests of the components that made the calls, with how many.
    pub recorded_components: BTreeMap<String, usize>,
    /// How many calls were recorded.
    pub calls: usize,
    /// How many were made again.
    pub replayed: usize,
    /// Those with the same result for the same fuel.
    pub identical: usize,
    /// Those with the same result for other fuel.
    pub same: usize,
    /// Those with another result, of which neither refuses, or both do.
    pub changed: usize,
    /// Those that are refused now.
    pub newly_refused: usize,
    /// Those that were refused.
    pub newly_allowed: usize,
    /// Those that use more fuel.
    pub more_fuel: usize,
    /// Those that are slower, where times are compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub slower: Option<usize>,
    /// Those for which calls of their instance are missing, so that the hook may remember less than it did.
    pub incomplete: usize,
    /// The fuel of all.
    pub fuel: FuelTotals,
    /// Why calls were not made again, with how many.
    pub not_replayed: BTreeMap<String, usize>,
    /// The requests of calls that were not recorded.
    pub not_recorded: Vec<NotRecorded>,
    /// The calls that differ, in order.
    pub differences: Vec<Difference>,
}

impl ReplayReport {
    /// Returns whether all calls have the result that they had.
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
