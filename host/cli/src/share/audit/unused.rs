//! Points, answers and grants of hooks that the journal shows no use of.

use std::collections::BTreeSet;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use portcullis::points::AnswerKind;
use portcullis_store::HookActivity;

use super::files::LoadedComponent;
use super::finding::{Finding, Kind};
use crate::store::Where;

/// What repairs a failed model call: the journal does not tell these apart.
const REPAIRS: [AnswerKind; 3] = [
    AnswerKind::Retry,
    AnswerKind::SwitchProvider,
    AnswerKind::GiveUp,
];

/// What hooks serve, may answer and were granted, and did not use in so many days.
pub fn unused(
    days: u32,
    store: &Where,
    installed: &[LoadedComponent<'_>],
) -> anyhow::Result<Vec<Finding>> {
    let journal = store.open()?.journal()?;
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    let since = now.saturating_sub(Duration::from_secs(u64::from(days) * 86_400));
    let since = u64::try_from(since.as_millis()).unwrap_or(u64::MAX);
    let mut found = Vec::new();
    for hook in installed {
        let activity = journal.activity(&hook.pinned.id, since)?;
        found.extend(idle(days, hook, &activity));
    }
    Ok(found)
}

fn idle(days: u32, hook: &LoadedComponent<'_>, activity: &HookActivity) -> Vec<Finding> {
    let LoadedComponent { pinned, report } = hook;
    let outcomes: BTreeSet<&str> = (activity.outcomes.values().flatten())
        .map(String::as_str)
        .collect();
    if activity.outcomes.is_empty() {
        let message = format!("the journal has no run of it in {days} days");
        return vec![Finding::of(pinned, Kind::NotReached, message)];
    }
    let mut found = Vec::new();
    let served = report.points.iter().map(|point| point.name());
    let idle: Vec<&str> = served
        .filter(|point| !activity.outcomes.contains_key(*point))
        .collect();
    if !idle.is_empty() {
        let message = format!("it did not run in {days} days at: {}", idle.join(", "));
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
        .collect();
    if !unused.is_empty() {
        let message = format!(
            "it may answer what it did not in {days} days: {}; leave it out of `answers` in [hooks.{}.grants] if it \
             never has to",
            unused.join(", "),
            pinned.id
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
    let unused: Vec<String> = granted.filter(is_unused).collect();
    if !unused.is_empty() {
        let message = format!(
            "it was granted what it did not use in {days} days: {}; take it out of [hooks.{}.grants] if it never has to",
            unused.join(", "),
            pinned.id
        );
        found.push(Finding::of(pinned, Kind::Unused, message));
    }
    found
}
