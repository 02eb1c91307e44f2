//! A hook run as one line of JSON.

use portcullis::contract::Rejection;
use portcullis::hooks::Mode;
use portcullis::points::{OutcomeKind, PointId};
use portcullis::trace::{TraceEvent, events};
use portcullis::verdict::{Approval, Cause, Digest, HookRun, RunStatus};
use portcullis_agent::WouldHave;
use schemars::JsonSchema;
use serde::Serialize;

/// A hook run as one line of JSON.
#[derive(Debug, Serialize, JsonSchema)]
pub struct RunRecord<'a> {
    session: &'a str,
    turn: u32,
    step: u32,
    #[schemars(with = "String")]
    point: PointId,
    hook: &'a str,
    /// `completed`, `failed` or `skipped`.
    status: &'static str,
    /// The hook's outcome; nothing if it failed or was skipped.
    #[schemars(with = "Option<String>")]
    outcome: Option<OutcomeKind>,
    /// The code of the failure's cause; nothing if it did not fail.
    #[schemars(with = "Option<String>")]
    cause: Option<Cause>,
    /// The error message, if it failed.
    message: Option<&'a str>,
    /// Whether the operation was refused for the failure.
    fatal: bool,
    /// The refusal, if it refused.
    #[schemars(with = "Option<serde_json::Map<String, serde_json::Value>>")]
    rejection: Option<&'a Rejection>,
    /// The person's decision, if the hook asked.
    #[schemars(with = "Option<String>")]
    approval: Option<Approval>,
    #[schemars(with = "String")]
    mode: Mode,
    /// The result that its answer would have had; nothing unless it ran in audit mode.
    #[serde(skip_serializing_if = "Option::is_none")]
    would: Option<WouldHave>,
    /// Whether it changed the value.
    changed: bool,
    #[schemars(with = "Option<String>")]
    before: Option<Digest>,
    #[schemars(with = "Option<String>")]
    after: Option<Digest>,
    /// The digest of the component that answered, if a component did.
    #[schemars(with = "Option<String>")]
    component: Option<Digest>,
    micros: u128,
    fuel: Option<u64>,
    /// Whether the hook was started again for the call, since its instance had been given up for others.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    restarted: bool,
    /// The hook's host calls, in order, with `--trace`: the first 1,000 calls. Secrets are replaced
    /// by their names.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(with = "Vec<serde_json::Map<String, serde_json::Value>>")]
    calls: Vec<TraceEvent>,
    /// The number of calls after the first 1,000.
    #[serde(default, skip_serializing_if = "is_zero")]
    more_calls: u64,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

impl<'a> RunRecord<'a> {
    /// Returns the record of a run in a session.
    pub fn new(session: &'a str, run: &'a HookRun) -> Self {
        let (status, message, fatal, rejection) = match &run.status {
            RunStatus::Completed { rejection, .. } => {
                ("completed", None, false, rejection.as_deref())
            }
            RunStatus::Failed { message, fatal, .. } => {
                ("failed", Some(message.as_ref()), *fatal, None)
            }
            RunStatus::NotApplied { .. } => ("not-applied", None, false, None),
            RunStatus::Skipped => ("skipped", None, false, None),
            RunStatus::Backgrounded => ("backgrounded", None, false, None),
        };
        let change = run.change.as_deref();
        let reached = run.reached.as_deref();
        Self {
            session,
            turn: run.turn,
            step: run.step,
            point: run.point,
            hook: run.hook.as_str(),
            status,
            outcome: run.outcome(),
            cause: run.cause(),
            message,
            fatal,
            rejection,
            approval: run.approval,
            mode: run.mode,
            would: run
                .would
                .as_deref()
                .map(|would| WouldHave::of(would, false)),
            changed: change.is_some(),
            before: change.map(|change| change.before),
            after: change.map(|change| change.after),
            component: run.component,
            micros: run.latency.as_micros(),
            fuel: run.fuel,
            restarted: run.restarted,
            calls: reached
                .map(|reached| events(&reached.calls))
                .unwrap_or_default(),
            more_calls: reached.map_or(0, |reached| reached.more_calls),
        }
    }
}
