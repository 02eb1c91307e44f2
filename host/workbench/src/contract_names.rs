//! Conversion of recorded values, which use Rust's names, to the contract's names.

use portcullis::contract::{ContentPart, Message, PromptSection};
use portcullis::json::{JsonPoint, to_json};
use portcullis::points::pre_compaction::CompactionHint;
use portcullis::points::pre_llm_call::LlmCall;
use portcullis::points::prompt_compile::ResponseFormat;
use portcullis::points::{PointId, PointVisitor};
use portcullis_recording::Outcome;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Converts a recorded value of this type to the names of the contract.
pub(crate) fn again<T: Serialize + DeserializeOwned>(recorded: Value) -> Option<Value> {
    let value: T = serde_json::from_value(recorded).ok()?;
    to_json(&value).ok()
}

/// Returns the value after the hook has run, or the hook's question or answer.
pub(crate) fn detail(outcome: &Outcome, point: &str) -> Option<Value> {
    let recorded = outcome.value.as_ref().or(outcome.said.as_ref())?;
    let named = match (&outcome.value, PointId::from_name(point)) {
        (Some(value), _) => again::<Left>(value.clone()),
        (None, Some(point)) => point.visit(Said(outcome)),
        (None, None) => None,
    };
    // Another version may have recorded a value that this one cannot read.
    named.or_else(|| Some(recorded.clone()))
}

struct Said<'a>(&'a Outcome);

impl PointVisitor for Said<'_> {
    type Output = Option<Value>;

    fn visit<P: JsonPoint>(self) -> Option<Value> {
        let said = self.0.said.clone()?;
        let completed = self.0.status.get("completed");
        let outcome = completed.and_then(|completed| completed.get("outcome")?.as_str());
        match outcome {
            Some("ask") => again::<P::Ask>(said),
            Some("stop") => again::<P::Stop>(said),
            _ => again::<P::Answer>(said),
        }
    }
}

/// A [`Payload`](portcullis::points::Payload) that is read from a recording.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum Left {
    Text(String),
    Content(Vec<ContentPart>),
    Messages(Vec<Message>),
    Output {
        content: String,
        is_error: bool,
    },
    LlmCall {
        call: LlmCall,
        messages: Vec<Message>,
        tools: Vec<String>,
    },
    Draft {
        system: Option<String>,
        response_format: Option<ResponseFormat>,
        sections: Vec<PromptSection>,
    },
    Hint(CompactionHint),
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_recorded_value_is_shown_with_the_names_of_the_contract() {
        let left = |value: Value| {
            let outcome = Outcome {
                value: Some(value),
                ..Outcome::default()
            };
            detail(&outcome, "post-tool-call")
        };
        assert_eq!(
            left(json!({"content": "x", "is_error": true})),
            Some(json!({"content": "x", "is-error": true}))
        );
        let unknown = json!({"some_key": 1});
        assert_eq!(left(unknown.clone()), Some(unknown));
        assert_eq!(detail(&Outcome::default(), "post-tool-call"), None);
    }
}
