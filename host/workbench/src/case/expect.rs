//! `[expect]`: the expected result of a case.

use portcullis::points::{OutcomeKind, PointId};
use portcullis::text::nearest;
use portcullis::verdict::Cause;
use serde_json::{Map, Value};

use super::kind::Kind;
use super::source::{Source, unknown_key};
use super::{CaseError, bare, setup};
use crate::play::Outcome;

/// The keys, in the order in which they are written.
pub(super) const KEYS: [&str; 17] = [
    "outcome",
    "value",
    "rejection",
    "ask",
    "stop",
    "contributed",
    "cause",
    "message",
    "continues",
    "state",
    "shared",
    "files",
    "agent-state-edit",
    "logs",
    "prompts",
    "http",
    "events",
];

/// The expected result of a case. Keys that it does not name are not compared.
#[derive(Debug, Clone, PartialEq)]
pub struct Expect {
    /// The name of the outcome.
    pub outcome: String,
    /// The expected result, by the keys of `[expect]`, including `outcome`.
    pub fields: Map<String, Value>,
}

/// Reads the table, if there is one, and adds to the errors.
pub(super) fn expect(
    source: &Source,
    point: PointId,
    errors: &mut Vec<CaseError>,
) -> Option<Expect> {
    source.item("expect")?;
    let mut fields = match source.table("expect") {
        Ok(fields) => fields,
        Err(error) => {
            errors.push(error);
            return None;
        }
    };
    let before = errors.len();
    let mut wrong = |keys: &[&str], problem: String| {
        errors.push(source.error(&[&["expect"], keys].concat(), problem));
    };
    let outcome = match fields.get("outcome") {
        None => {
            let problem = "must name the outcome; write outcome = \"continue\", or remove [expect] and let `--update` write it";
            wrong(&[], problem.into());
            None
        }
        // A value of another type is reported below.
        Some(value) => value.as_str().and_then(|name| match legal(name, point) {
            Ok(()) => Some(name.to_owned()),
            Err(problem) => {
                wrong(&["outcome"], problem);
                None
            }
        }),
    };
    for (key, value) in &fields {
        let key = key.as_str();
        if !KEYS.contains(&key) {
            wrong(&[key], unknown_key(key, &KEYS));
            continue;
        }
        if let Some(outcome) = &outcome
            && let Some(problem) = out_of_place(key, outcome)
        {
            wrong(&[key], problem);
            continue;
        }
        for fault in Kind::of(key).faults(value) {
            let within = fault.at.iter().map(String::as_str);
            let keys: Vec<&str> = std::iter::once(key).chain(within).collect();
            wrong(&keys, fault.problem);
        }
        if key == "cause"
            && let Some(cause) = value.as_str()
            && let Some(problem) = no_cause(cause)
        {
            wrong(&[key], problem);
        }
    }
    normal(&mut fields);
    (errors.len() == before).then_some(Expect {
        outcome: outcome?,
        fields,
    })
}

fn legal(name: &str, point: PointId) -> Result<(), String> {
    let ends = [Outcome::FAILED, Outcome::NOT_APPLIED, Outcome::SKIPPED];
    let kinds = point.info().outcomes.iter().map(|kind| kind.name());
    let words: Vec<&str> = kinds.chain(ends).collect();
    match words.contains(&name) {
        true => Ok(()),
        false => Err(none_of(
            &format!("outcome at `{point}`"),
            name,
            words.into_iter(),
        )),
    }
}

/// Returns the reason why a text is not the code of a cause, if it is not.
fn no_cause(text: &str) -> Option<String> {
    let codes = || Cause::ALL.iter().map(|cause| cause.code());
    // An empty text is valid: `--update` replaces it by the actual code.
    let is_one = text.is_empty() || codes().any(|code| code == text);
    (!is_one).then(|| none_of("allowed cause", text, codes()))
}

fn none_of<'a>(what: &str, wrong: &str, names: impl Iterator<Item = &'a str> + Clone) -> String {
    let wrong = portcullis::text::sanitize_for_terminal(wrong);
    let hint = match nearest(&wrong, names.clone()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("known are: {}", names.collect::<Vec<_>>().join(", ")),
    };
    format!("`{wrong}` is not an {what}; {hint}")
}

/// Returns the reason why a key does not apply to an outcome, if it does not.
fn out_of_place(key: &str, outcome: &str) -> Option<String> {
    let with: &[&str] = match key {
        "value" => &[
            OutcomeKind::Transform.name(),
            OutcomeKind::Replace.name(),
            OutcomeKind::Answer.name(),
            OutcomeKind::KeepGoing.name(),
        ],
        "rejection" => &[OutcomeKind::Reject.name()],
        "ask" => &[OutcomeKind::Ask.name()],
        "stop" => &[OutcomeKind::Stop.name()],
        "contributed" => &[OutcomeKind::Contribute.name()],
        "cause" | "message" | "continues" => &[Outcome::FAILED],
        _ => return None,
    };
    let fits = with.contains(&outcome);
    (!fits).then(|| {
        format!(
            "the outcome `{outcome}` has no `{key}`; only these have it: {}",
            with.join(", ")
        )
    })
}

/// Converts the expected values to the form of the actual ones.
fn normal(fields: &mut Map<String, Value>) {
    let texts = |values: Value| match values {
        Value::Object(values) => crate::play::texts(setup::bytes(values)),
        other => other,
    };
    for key in ["state", "files"] {
        if let Some(values) = fields.get_mut(key) {
            *values = texts(values.take());
        }
    }
    if let Some(Value::Object(spaces)) = fields.get_mut("shared") {
        for space in spaces.values_mut() {
            *space = texts(space.take());
        }
    }
    for value in fields.values_mut() {
        *value = bare(value.clone()).unwrap_or_else(|| value.clone());
    }
}
