//! Comparison of a replayed call with the recorded one.

use portcullis::recording::World;
use portcullis_recording::{FileChanges, Outcome, StoredCall};
use serde_json::Value;

use super::ReplayOptions;
use super::report::{Difference, Kind, Side};
use super::state::effects;

/// The replayed result of a call.
pub(super) struct Now {
    pub(super) outcome: Outcome,
    pub(super) world: World,
    pub(super) files: FileChanges,
    pub(super) missing: Vec<String>,
}

/// The result of a comparison.
pub(super) struct Compared {
    /// The order of the report: by host and run.
    pub(super) key: (i64, i64),
    pub(super) recorded_component: Option<String>,
    pub(super) result: Result<Replayed, String>,
}

pub(super) struct Replayed {
    pub(super) kind: Kind,
    pub(super) more_fuel: bool,
    pub(super) slower: bool,
    pub(super) fuel: (u64, u64),
    /// Whether earlier calls of its instance are missing.
    pub(super) incomplete: bool,
    pub(super) missing: Vec<String>,
    /// The call, if its result differs, if it made a request that was not recorded, or if it uses
    /// more fuel or time.
    pub(super) difference: Option<Difference>,
}

impl Compared {
    pub(super) fn not_made(call: &StoredCall, why: String) -> Self {
        Self::new(call, Err(why))
    }

    fn new(call: &StoredCall, result: Result<Replayed, String>) -> Self {
        Self {
            key: (call.host, call.id),
            recorded_component: call.setup.component.map(|digest| digest.to_string()),
            result,
        }
    }
}

/// The views that the value of a call has parts of, with the names of the parts.
const PARTS: [(&str, &str); 2] = [("conversation", "messages"), ("tool-catalog", "tools")];

/// Puts the recorded parts into a replayed value that are of views the hook did not see. The recording does not have
/// those views, so the replayed call was made without them.
fn add_unseen(call: &StoredCall, now: &mut Outcome) {
    let (Some(then), Some(now)) = (&call.outcome.value, &mut now.value) else {
        return;
    };
    for (view, part) in PARTS {
        if !call.views.contains_key(view)
            && let (Some(then), Some(now)) = (then.get(part), now.get_mut(part))
            && now.as_array().is_some_and(Vec::is_empty)
        {
            now.clone_from(then);
        }
    }
}

pub(super) fn compare(
    call: &StoredCall,
    mut now: Now,
    incomplete: bool,
    options: &ReplayOptions,
) -> Compared {
    let files = call.file_changes();
    add_unseen(call, &mut now.outcome);
    let is_same = same(&call.outcome, &now.outcome)
        && effects(&call.world) == effects(&now.world)
        && files == now.files
        // Without all results, the effects are not completely known.
        && now.world.missing.is_none();
    let kind = match (is_same, refuses(&call.outcome), refuses(&now.outcome)) {
        (_, false, true) => Kind::NewlyRefused,
        (_, true, false) => Kind::NewlyAllowed,
        (false, _, _) => Kind::Changed,
        (true, _, _) if call.outcome.fuel == now.outcome.fuel => Kind::Identical,
        (true, _, _) => Kind::Same,
    };
    let fuel = (
        call.outcome.fuel.unwrap_or_default(),
        now.outcome.fuel.unwrap_or_default(),
    );
    let percent = u128::from(options.fuel_percent).saturating_add(100);
    let most = u128::from(fuel.0).saturating_mul(percent) / 100;
    let more_fuel = u128::from(fuel.1) > most;
    let (before, after) = (call.outcome.micros, now.outcome.micros);
    let slower = options.times && after > before.saturating_mul(2).saturating_add(1_000);
    let is_told = !matches!(kind, Kind::Identical | Kind::Same)
        || more_fuel
        || slower
        || !now.missing.is_empty();
    let difference = is_told.then(|| Difference {
        run: call.run(),
        session: call.session.to_string(),
        turn: call.context.as_ref().map_or(0, |context| context.turn),
        step: call.context.as_ref().map_or(0, |context| context.step),
        point: call.point.clone(),
        kind,
        more_fuel,
        slower,
        redacted: call.redacted,
        incomplete,
        recorded: Side::of(&call.outcome, &call.point, files, options.times),
        now: Side::of(&now.outcome, &call.point, now.files, options.times),
        not_recorded: now.missing.clone(),
    });
    Compared::new(
        call,
        Ok(Replayed {
            kind,
            more_fuel,
            slower,
            fuel,
            incomplete,
            missing: now.missing,
            difference,
        }),
    )
}

fn failed(outcome: &Outcome) -> Option<&Value> {
    outcome.status.get("failed")
}

/// Returns the cause of a failure.
pub(super) fn cause(outcome: &Outcome) -> Option<&str> {
    failed(outcome)?.get("cause")?.as_str()
}

/// Returns whether two outcomes are the same for the caller. Texts of failures are not compared,
/// because they name functions of the component.
fn same(one: &Outcome, other: &Outcome) -> bool {
    let status = match (failed(one), failed(other)) {
        (Some(one), Some(other)) => {
            one.get("cause") == other.get("cause") && one.get("fatal") == other.get("fatal")
        }
        _ => one.status == other.status,
    };
    status
        && one.value == other.value
        && one.said == other.said
        && one.contributed == other.contributed
}

/// Returns whether the outcome refuses the operation.
fn refuses(outcome: &Outcome) -> bool {
    if let Some(failed) = failed(outcome) {
        return failed.get("fatal") == Some(&Value::Bool(true));
    }
    let answered = outcome.status.get("completed");
    let answered = answered.and_then(|completed| completed.get("outcome")?.as_str());
    matches!(answered, Some("reject" | "stop" | "Reject" | "Stop"))
}

#[cfg(test)]
mod tests;
