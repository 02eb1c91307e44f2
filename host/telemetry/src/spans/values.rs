//! Values of events as attributes.

use opentelemetry::Value;
use portcullis::contract::Usage;
use portcullis_agent::{CallPurpose, RetryAction, TurnOrigin};

use super::names;
use super::span::OpenSpan;
use crate::conventions;

/// Sets the attributes for the tokens of model calls.
pub(super) fn set_usage(span: &mut OpenSpan, usage: &Usage) {
    for (key, tokens) in [
        (conventions::INPUT_TOKENS, usage.input_tokens),
        (conventions::OUTPUT_TOKENS, usage.output_tokens),
    ] {
        span.set(key, whole(tokens));
    }
    for (key, tokens) in [
        (conventions::CACHE_READ_TOKENS, usage.cache_read_tokens),
        (conventions::CACHE_WRITE_TOKENS, usage.cache_write_tokens),
    ] {
        if tokens > 0 {
            span.set(key, whole(tokens));
        }
    }
}

/// Sets the attributes for the outcome of a turn that has an output.
pub(super) fn set_origin(span: &mut OpenSpan, origin: &TurnOrigin) {
    let (outcome, by, code) = match origin {
        TurnOrigin::Model => ("ok", None, None),
        TurnOrigin::Answered { by } => ("answered", Some(by), None),
        TurnOrigin::Tool { name } => ("finished", Some(name), None),
        TurnOrigin::Stopped { by, code, .. } => ("stopped", Some(by), Some(code)),
        TurnOrigin::Recovered { by, .. } => ("recovered", Some(by), None),
    };
    span.set(names::OUTCOME, outcome);
    span.set_some(names::BY, by.cloned());
    span.set_some(names::CODE, code.cloned());
}

/// Returns a message in the JSON form of the conventions.
pub(super) fn messages(role: &str, text: &str, finish: Option<&str>) -> String {
    let mut message = serde_json::json!({
        "role": role,
        "parts": [{ "type": "text", "content": text }],
    });
    if let (Some(finish), Some(fields)) = (finish, message.as_object_mut()) {
        fields.insert("finish_reason".into(), finish.into());
    }
    serde_json::Value::Array(vec![message]).to_string()
}

pub(super) fn purpose_name(purpose: CallPurpose) -> &'static str {
    match purpose {
        CallPurpose::Step => "step",
        CallPurpose::Compaction => "compaction",
    }
}

pub(super) fn retry_name(action: &RetryAction) -> &'static str {
    match action {
        RetryAction::Retry { .. } => "retry",
        RetryAction::SwitchProvider { .. } => "switch-provider",
        RetryAction::GiveUp { .. } => "give-up",
    }
}

/// Returns a number as an attribute.
pub(super) fn whole(number: u64) -> Value {
    Value::I64(i64::try_from(number).unwrap_or(i64::MAX))
}
