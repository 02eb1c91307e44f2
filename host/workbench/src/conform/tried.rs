//! The test of one input.

use std::collections::BTreeSet;

use portcullis::json::JsonError;
use portcullis::points::{AnswerKind, PointId};
use portcullis::verdict::Cause;
use serde::Serialize;
use serde_json::{Map, Value};

use super::inputs::Input;
use crate::play::{Fixture, Given, Got, Outcome, Setup, context, play};

/// The result of one input.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Tried {
    /// The input's name.
    pub input: String,
    /// Whether the input is an extreme one.
    pub extreme: bool,
    /// The hook's outcome.
    pub outcome: Outcome,
    /// The code of the cause, if it failed.
    pub cause: Option<&'static str>,
    /// The message of the failure.
    pub message: Option<String>,
    /// The duration of the slower of two calls, in microseconds.
    pub micros: u128,
    /// The fuel of the more expensive of two calls.
    pub fuel: Option<u64>,
    /// Whether another host gave the same answer.
    pub same_in_another_host: bool,
    /// Whether a second call in the session gave the same answer.
    pub same_in_the_next_call: bool,
    /// The outcome of the second call.
    pub next: Outcome,
    /// The answers of its first and its second call.
    #[serde(skip)]
    pub gave: BTreeSet<AnswerKind>,
    /// Whether a call, in either host, exceeded its time.
    #[serde(skip)]
    late: bool,
}

/// The number of attempts with an input whose call took too long: a busy machine may be the cause.
const TRIES: usize = 3;

/// Calls the hook twice in a new session, in each host.
pub(super) fn of(
    point: PointId,
    input: &Input,
    setup: &Setup,
    hosts: &mut (Fixture, Fixture),
) -> Tried {
    let mut tried = once_more(point, input, setup, hosts);
    for _ in 1..TRIES {
        if !tried.late {
            break;
        }
        tried = once_more(point, input, setup, hosts);
    }
    tried
}

fn once_more(
    point: PointId,
    input: &Input,
    setup: &Setup,
    hosts: &mut (Fixture, Fixture),
) -> Tried {
    let twice = |fixture: &mut Fixture| {
        fixture.reopen(setup);
        let first = once(fixture, point, input, 1)?;
        Ok::<_, JsonError>((first, once(fixture, point, input, 2)?))
    };
    match (twice(&mut hosts.0), twice(&mut hosts.1)) {
        (Ok((first, next)), Ok(other)) => {
            let same = first.fields == other.0.fields && next.fields == other.1.fields;
            let late = [&first, &next, &other.0, &other.1]
                .iter()
                .any(|got| got.outcome == Outcome::Failed(Cause::Deadline));
            Tried {
                input: input.name.clone(),
                extreme: input.extreme,
                outcome: first.outcome,
                cause: first.outcome.cause().map(|cause| cause.code()),
                message: message(&first).or_else(|| message(&next)),
                micros: first.took.max(next.took).as_micros(),
                fuel: first.fuel.max(next.fuel),
                // A call that exceeded its time proves nothing about the hook.
                same_in_another_host: same || late,
                same_in_the_next_call: first.outcome == next.outcome,
                next: next.outcome,
                gave: gave(point, &first).chain(gave(point, &next)).collect(),
                late,
            }
        }
        (Err(e), _) | (_, Err(e)) => Tried {
            input: input.name.clone(),
            extreme: input.extreme,
            outcome: Outcome::Failed(Cause::Host),
            cause: Some(Cause::Host.code()),
            message: Some(e.to_string()),
            micros: 0,
            fuel: None,
            same_in_another_host: true,
            same_in_the_next_call: true,
            next: Outcome::Failed(Cause::Host),
            gave: BTreeSet::new(),
            late: false,
        },
    }
}

fn once(fixture: &mut Fixture, point: PointId, input: &Input, turn: u32) -> Result<Got, JsonError> {
    let mut context = context();
    context.turn = turn;
    play(
        fixture,
        point,
        &Given {
            context,
            input: &input.given.input,
            views: &input.given.views,
            before: None,
        },
    )
}

/// Returns the hook's answers and contributions.
fn gave(point: PointId, got: &Got) -> impl Iterator<Item = AnswerKind> {
    let answered = match got.outcome {
        Outcome::Answered(kind) => AnswerKind::from_name(kind.name()),
        _ => None,
    };
    // The value shows the kind of answer. At other points the value is data of the hook's author or
    // the agent.
    let value = match point {
        PointId::LlmError => got.fields.get("value"),
        _ => None,
    };
    let decided = match value {
        Some(Value::String(word)) => AnswerKind::from_name(word),
        Some(Value::Object(value)) if value.len() == 1 => {
            value.keys().find_map(|word| AnswerKind::from_name(word))
        }
        _ => None,
    };
    let contributed = got.fields.get("contributed").and_then(Value::as_object);
    let kinds = contributed.into_iter().flat_map(Map::keys);
    let contributed: Vec<AnswerKind> = kinds
        .filter_map(|kind| AnswerKind::from_name(&format!("add-{kind}")))
        .collect();
    answered.into_iter().chain(decided).chain(contributed)
}

fn message(got: &Got) -> Option<String> {
    let message = got.fields.get("message")?.as_str()?;
    Some(message.to_owned())
}

impl Tried {
    /// Returns the errors, except those that the hook itself returned.
    pub(super) fn faults(&self) -> Vec<String> {
        let mut faults = Vec::new();
        for (which, outcome) in [("", self.outcome), (" a second time", self.next)] {
            let fault = match outcome {
                Outcome::Failed(Cause::GuestError) | Outcome::Answered(_) => continue,
                // An extreme input may exceed its limits: see `limit`.
                Outcome::Failed(cause) if self.extreme && cause.is_limit() => continue,
                Outcome::Failed(cause) => {
                    let message = self.message.as_deref().unwrap_or_default();
                    format!(
                        "with {}{which}: {cause}: {message}{}",
                        self.input,
                        fix(cause)
                    )
                }
                Outcome::NotApplied => {
                    format!("with {}{which}: its answer was not applied", self.input)
                }
                Outcome::Skipped => format!("with {}{which}: it was not called", self.input),
            };
            faults.push(fault);
            if self.outcome == self.next {
                break;
            }
        }
        if !self.same_in_another_host {
            faults.push(format!(
                "with {}: two hosts got different answers, although time and random numbers were the same; check whether it reads uninitialized memory",
                self.input
            ));
        }
        faults
    }

    /// Returns the limit that an extreme input reached. A reached limit is not an error: the
    /// failure policy decides the result.
    pub(super) fn limit(&self) -> Option<Cause> {
        let cause = self.outcome.cause().or(self.next.cause())?;
        (self.extreme && cause.is_limit()).then_some(cause)
    }
}

/// Returns the fix for the author.
fn fix(cause: Cause) -> &'static str {
    match cause {
        Cause::Trap => "; fix what panics or aborts, and return an error instead",
        Cause::Fuel | Cause::Deadline | Cause::HostCalls => {
            "; do less work, or raise the limit in hooks.toml: [hooks.<id>.limits]"
        }
        Cause::Memory | Cause::Tables | Cause::Handles | Cause::Instances => {
            "; keep less, or raise the limit in hooks.toml: [hooks.<id>.limits]"
        }
        Cause::BadOutput | Cause::Contributions => {
            "; give only answers that the hook's role and its descriptor allow"
        }
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use portcullis::points::OutcomeKind;
    use serde_json::json;

    use super::*;

    #[test]
    fn answers_are_told_from_values() {
        use AnswerKind::{AddContext, AddNote, Answer, GiveUp, Replace, Retry, Transform};
        let of = |point, outcome, fields: Value| {
            let got = Got {
                outcome: Outcome::Answered(outcome),
                fields: fields.as_object().cloned().unwrap_or_default(),
                problems: Vec::new(),
                trace: None,
                took: Duration::ZERO,
                fuel: None,
            };
            gave(point, &got).collect::<Vec<_>>()
        };
        for (point, outcome, fields, kinds) in [
            (
                PointId::LlmError,
                OutcomeKind::Replace,
                json!({ "value": { "retry": 100 } }),
                vec![Replace, Retry],
            ),
            (
                PointId::LlmError,
                OutcomeKind::Replace,
                json!({ "value": "give-up" }),
                vec![Replace, GiveUp],
            ),
            (
                PointId::PreTurn,
                OutcomeKind::Transform,
                json!({ "value": "stop" }),
                vec![Transform],
            ),
            (
                PointId::PostToolCall,
                OutcomeKind::Transform,
                json!({ "value": { "answer": 1 } }),
                vec![Transform],
            ),
            (
                PointId::PreTurn,
                OutcomeKind::Continue,
                json!({ "contributed": { "context": ["a"], "note": ["b"] } }),
                vec![AddContext, AddNote],
            ),
        ] {
            let found = of(point, outcome, fields);
            assert_eq!(found, kinds, "{point}");
            assert!(!found.contains(&Answer), "{point}");
        }
    }
}
