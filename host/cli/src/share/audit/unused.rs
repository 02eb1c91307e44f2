//! Points, answers and grants of hooks that the journal shows no use of.

use std::collections::{BTreeMap, BTreeSet};

use portcullis::capabilities::{Key, Permission};
use portcullis::points::{AnswerKind, OutcomeKind, PointId};
use portcullis::report::HookReport;
use portcullis::time::now_ms;
use portcullis_store::HookActivity;

use super::files::LoadedComponent;
use super::finding::{Finding, Kind};
use crate::store::Where;
use crate::terminal::units;

/// The repairs of a failed model call. The journal has each as the outcome `replace`, and its
/// result as an event.
const REPAIRS: [AnswerKind; 3] = [
    AnswerKind::Retry,
    AnswerKind::SwitchProvider,
    AnswerKind::GiveUp,
];

const DAY_MS: u64 = 86_400_000;

const GIVE_UP: &str = AnswerKind::GiveUp.name();

/// The advice on a grant without which the hook does not load.
const KEEP: &str = "keep the grant, since the hook imports it and does not load without it: only its author can remove the import";

/// Returns the points, answers and grants that hooks did not use in the last `days` days.
pub fn unused(
    days: u32,
    store: &Where,
    installed: &[LoadedComponent<'_>],
) -> anyhow::Result<Vec<Finding>> {
    let journal = store.open()?.journal()?;
    let since = now_ms().saturating_sub(u64::from(days) * DAY_MS);
    let mut found = Vec::new();
    for hook in installed {
        let activity = journal.activity(&hook.pinned.id, since)?;
        found.extend(idle(days, hook, &activity));
    }
    Ok(found)
}

fn idle(days: u32, hook: &LoadedComponent<'_>, activity: &HookActivity) -> Vec<Finding> {
    let LoadedComponent { pinned, report } = hook;
    let days = units::plural(days as usize, "day");
    let outcomes = activity.outcomes.iter();
    let outcomes: BTreeSet<&str> = outcomes
        .filter(|(point, _)| *point != PointId::LlmError.name())
        .flat_map(|(_, outcomes)| outcomes.iter().map(String::as_str))
        .collect();
    if activity.outcomes.is_empty() {
        let message = format!("the journal has no run of it in {days}");
        return vec![Finding::of(pinned, Kind::NotReached, message)];
    }
    let mut found = Vec::new();
    let served = report.points.iter().map(|point| point.name());
    let idle: Vec<&str> = served
        .filter(|point| !activity.outcomes.contains_key(*point))
        .collect();
    if !idle.is_empty() {
        let message = format!("it did not run in {days} at: {}", idle.join(", "));
        found.push(Finding::of(pinned, Kind::NotReached, message));
    }
    let kinds: BTreeSet<&str> = report
        .answers
        .values()
        .flatten()
        .filter(|kind| kind.contribution().is_none() && !REPAIRS.contains(kind))
        .map(|kind| kind.name())
        .collect();
    let unused: Vec<&str> = kinds
        .into_iter()
        .filter(|kind| !outcomes.contains(*kind))
        .chain(unused_repairs(report, activity))
        .collect();
    if !unused.is_empty() {
        let message = format!(
            "it may answer what it did not in {days}: {}; {KEEP}",
            unused.join(", ")
        );
        found.push(Finding::of(pinned, Kind::Unused, message));
    }
    let granted = report.grants.noted().into_iter();
    let is_unused = |grant: &String| {
        activity
            .used
            .as_ref()
            .is_some_and(|used| !used.contains(grant))
    };
    let (unused, used): (Vec<String>, Vec<String>) = granted.partition(is_unused);
    let (needed, spare): (Vec<String>, Vec<String>) = unused
        .into_iter()
        .partition(|grant| is_needed(report, grant, &used));
    let take_out = format!(
        "take it out of [hooks.{}.grants] if it never has to",
        pinned.id
    );
    for (grants, fix) in [(spare, take_out.as_str()), (needed, KEEP)] {
        if !grants.is_empty() {
            let message = format!(
                "it was granted what it did not use in {days}: {}; {fix}",
                grants.join(", ")
            );
            found.push(Finding::of(pinned, Kind::Unused, message));
        }
    }
    found
}

/// Returns whether the hook does not load without this grant, as the journal writes it. Of the keys
/// of one import any entry is enough, so one that is used makes the others unnecessary.
fn is_needed(report: &HookReport, grant: &str, used: &[String]) -> bool {
    let contributes = report.contributes.iter();
    if contributes
        .map(|kind| format!("contribute = \"{kind}\""))
        .any(|kind| kind == grant)
    {
        return true;
    }
    let is_of = |key: &Key, grant: &str| grant.split(" = ").next() == Some(key.name);
    report
        .imports
        .iter()
        .any(|import| match import.capability.permission {
            Permission::Required(keys) => {
                let has = |grant: &str| keys.iter().any(|key| is_of(key, grant));
                has(grant) && !used.iter().any(|grant| has(grant))
            }
            _ => false,
        })
}

/// Returns the repairs that the hook may ask for and did not. If the agent gave up, the hook may
/// have asked for a repair that the agent could not do.
fn unused_repairs(report: &HookReport, activity: &HookActivity) -> Vec<&'static str> {
    let answers = report.answers.get(&PointId::LlmError);
    let may = answers.into_iter().flatten();
    let may = may.filter(|kind| REPAIRS.contains(kind));
    let done = &activity.repairs;
    let is_unused =
        |kind: &&AnswerKind| match activity.answered(PointId::LlmError, OutcomeKind::Replace) {
            true => !done.is_empty() && !done.contains(kind.name()) && !done.contains(GIVE_UP),
            false => true,
        };
    may.filter(is_unused).map(|kind| kind.name()).collect()
}

/// Returns the granted kinds whose use the journal does not keep, each with its hooks.
pub fn not_kept(installed: &[LoadedComponent<'_>]) -> BTreeMap<&'static str, BTreeSet<String>> {
    let mut not_kept = BTreeMap::<_, BTreeSet<String>>::new();
    for LoadedComponent { pinned, report } in installed {
        for grant in report.grants.not_noted() {
            not_kept.entry(grant).or_default().insert(pinned.id.clone());
        }
    }
    not_kept
}
