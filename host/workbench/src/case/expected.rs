//! The expected result of a case from a recorded call, read from the recording.

use portcullis::capabilities::View;
use portcullis::json::{JsonPoint, to_json};
use portcullis::points::{PointId, PointVisitor};
use portcullis_recording::StoredCall;
use serde_json::{Map, Value};

use crate::contract_names::{Left, again};

/// `[expect]` of the case.
pub(super) struct Expected {
    /// The table; empty if the call has no result that a case can expect.
    pub(super) table: Map<String, Value>,
    /// The keys whose values are not in the recording.
    pub(super) left_out: Vec<&'static str>,
}

/// Returns a call's outcome, and its refusal, question, answer or change.
pub(super) fn expected(call: &StoredCall, point: PointId) -> Expected {
    let (mut table, mut left_out) = (Map::new(), Vec::new());
    let status = &call.outcome.status;
    if let Some(completed) = status.get("completed") {
        let outcome = completed.get("outcome").and_then(Value::as_str);
        let outcome = outcome.unwrap_or_default();
        table.insert("outcome".into(), outcome.into());
        match outcome {
            "reject" => {
                let rejection = completed.get("rejection").cloned().unwrap_or_default();
                table.insert("rejection".into(), refusal(rejection, call, &mut left_out));
            }
            // Only the digests of contributions are recorded.
            "contribute" => left_out.push("contributed"),
            "transform" | "replace" | "answer" | "keep-going" | "ask" | "stop" => {
                let key = match outcome {
                    "ask" => "ask",
                    "stop" => "stop",
                    _ => "value",
                };
                match point.visit(Detail { call, key }) {
                    Some(detail) => drop(table.insert(key.into(), detail)),
                    None => left_out.push(key),
                }
            }
            _ => {}
        }
    } else if let Some(failed) = status.get("failed") {
        table.insert("outcome".into(), "failed".into());
        let cause = failed.get("cause").cloned().unwrap_or_default();
        table.insert("cause".into(), cause);
    }
    Expected { table, left_out }
}

/// Returns the refusal. Its texts are left out if a rule changed the call.
fn refusal(mut rejection: Value, call: &StoredCall, left_out: &mut Vec<&'static str>) -> Value {
    if call.redacted
        && let Some(fields) = rejection.as_object_mut()
    {
        fields.retain(|key, _| key == "code");
        left_out.push("rejection.reason");
    }
    rejection
}

/// A hook's question or answer, or the value after the hook has run, in the form of a case.
struct Detail<'a> {
    call: &'a StoredCall,
    key: &'static str,
}

impl PointVisitor for Detail<'_> {
    type Output = Option<Value>;

    fn visit<P: JsonPoint>(self) -> Option<Value> {
        let Self { call, key } = self;
        if call.redacted {
            return None;
        }
        let said = call.outcome.said.clone();
        let detail = match (key, said) {
            ("ask", said) => again::<P::Ask>(said?)?,
            ("stop", said) => again::<P::Stop>(said?)?,
            (_, Some(answer)) => again::<P::Answer>(answer)?,
            (_, None) => changed(call)?,
        };
        // If the recording contains the name of a secret, the hook of the case returns the secret
        // itself.
        let has_secret = |name: &String| detail.to_string().contains(&format!("[secret {name}]"));
        let is_whole = key != "value" || !call.setup.of.secrets.keys().any(has_secret);
        is_whole.then_some(detail)
    }
}

/// Returns the value after the hook has run, without the parts that the case does not give to the
/// hook.
fn changed(call: &StoredCall) -> Option<Value> {
    let left: Left = serde_json::from_value(call.outcome.value.clone()?).ok()?;
    let is_kept = |view: View| call.views.contains_key(view.name());
    if matches!(left, Left::Messages(_)) && !is_kept(View::Conversation) {
        return None;
    }
    let mut value = to_json(&left).ok()?;
    for (key, view) in [
        ("messages", View::Conversation),
        ("tools", View::ToolCatalog),
        ("sections", View::Prompt),
    ] {
        let Some(fields) = value.as_object_mut() else {
            break;
        };
        if !is_kept(view) && fields.remove(key).is_some() {
            // The number of these parts is a fact of the call.
            if let Some(Value::Object(facts)) = fields.get_mut("call") {
                facts.remove(key);
            }
        }
    }
    Some(value)
}
