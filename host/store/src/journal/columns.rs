//! The columns of a run.

use std::borrow::Cow;

use portcullis::hooks::Mode;
use portcullis_agent::{RunEnd, RunState};

use super::record::{Begun, Digests, Ended};
use crate::database::signed;
use crate::sql::{Value, without_nul};
use crate::writing::Insert;

/// The runs of a transaction. A run whose id exists is not added.
pub(super) const RUNS: Insert = Insert {
    table: "runs",
    columns: &COLUMNS,
    conflict: "ON CONFLICT (host, id) DO NOTHING",
};

/// The number of columns that are known when a run begins. The others are known when it ends.
pub(super) const BEGUN: usize = 12;

pub(super) const COLUMNS: [&str; 32] = [
    "host",
    "id",
    "session",
    "turn",
    "step",
    "point",
    "hook",
    "attempt",
    "component",
    "input",
    "started_ms",
    "call_id",
    // The columns of the end.
    "state",
    "ended_ms",
    "outcome",
    "latency_us",
    "fuel",
    "cause",
    "message",
    "contributions",
    "before",
    "after",
    "fatal",
    "mode",
    "code",
    "restarted",
    "used",
    "changes",
    "memory",
    "kind",
    "would",
    "added",
];

impl Begun {
    /// Adds the values of the columns of the start.
    pub(super) fn add_values<'a>(
        &'a self,
        host: i64,
        digests: &mut Digests,
        values: &mut Vec<Value<'a>>,
    ) {
        let at = self.at();
        let (step, attempt, component, input, call_id) = match self {
            Self::Hook(start) => (
                start.step(),
                start.attempt(),
                Value::Digest(start.component()),
                Value::Digest(Some(digests.of(start))),
                start.call_id(),
            ),
            Self::Row(row) => (
                row.step,
                row.attempt,
                row.component.as_deref().into(),
                row.input.as_deref().into(),
                row.call_id.as_deref(),
            ),
        };
        values.extend([
            host.into(),
            self.id().into(),
            without_nul(at.session).into(),
            at.turn.into(),
            step.into(),
            at.point.into(),
            without_nul(at.hook).into(),
            attempt.into(),
            component,
            input,
            signed(at.started_us / 1_000).into(),
            call_id.map(without_nul).into(),
        ]);
    }
}

/// The end of a run.
#[derive(Clone, Copy)]
pub(super) struct End<'a> {
    pub(super) ended: &'a Ended,
    pub(super) at_ms: u64,
    pub(super) kind: i64,
}

impl End<'_> {
    /// Adds the values of the columns of the end.
    pub(super) fn add_values(self, values: &mut Vec<Value<'_>>) {
        let ended_ms = self.ended.is_over().then(|| signed(self.at_ms));
        add_end(self.ended.whole(), ended_ms, self.kind, values);
    }
}

/// Adds the values for the columns of the end of a run that has not ended.
pub(super) fn add_no_end(values: &mut Vec<Value<'_>>) {
    add_end(RunEnd::of(RunState::Started), None, 0, values);
}

fn add_end(end: RunEnd, ended_ms: Option<i64>, kind: i64, values: &mut Vec<Value<'_>>) {
    values.extend([
        end.state.code().into(),
        ended_ms.into(),
        end.outcome.into(),
        end.latency_us.map(signed).into(),
        end.fuel.map(signed).into(),
        end.cause.into(),
        end.message.map(without_nul).into(),
        list(&end.contributions).into(),
        end.before.into(),
        end.after.into(),
        end.fatal.into(),
        end.mode.map(Mode::name).into(),
        end.code.map(without_nul).into(),
        end.restarted.into(),
        end.used.as_deref().map(list).into(),
        end.changes.as_ref().map(json).into(),
        end.memory.map(signed).into(),
        kind.into(),
        end.would.as_ref().map(json).into(),
        end.added.as_ref().map(json).into(),
    ]);
}

/// Returns a list as JSON. Nearly all lists are empty.
fn list(texts: &[String]) -> Cow<'static, str> {
    match texts {
        [] => "[]".into(),
        texts => serde_json::to_string(texts).unwrap_or_default().into(),
    }
}

fn json(value: &impl serde::Serialize) -> Cow<'static, str> {
    without_nul(serde_json::to_string(value).unwrap_or_default())
}
