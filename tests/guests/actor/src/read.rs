//! The contract's records from their JSON form, as far as scenarios need them.

use portcullis_sdk::prelude::*;
use serde_json::Value;

pub(crate) fn string(value: &Value, key: &str) -> String {
    optional(value, key).unwrap_or_default()
}

pub(crate) fn optional(value: &Value, key: &str) -> Option<String> {
    value[key].as_str().map(str::to_owned)
}

pub(crate) fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

pub(crate) fn number(value: &Value) -> u32 {
    value.as_u64().unwrap_or_default() as u32
}

pub(crate) fn list<T>(value: &Value, read: impl Fn(&Value) -> T) -> Vec<T> {
    value.as_array().into_iter().flatten().map(read).collect()
}

/// The one key of a case, and what it carries.
pub(crate) fn case(value: &Value) -> (&str, &Value) {
    match value {
        Value::Object(one) => one
            .iter()
            .next()
            .map_or(("", &Value::Null), |(key, with)| (key, with)),
        Value::String(bare) => (bare, &Value::Null),
        _ => ("", &Value::Null),
    }
}

pub(crate) fn rejection(value: &Value) -> Rejection {
    Rejection {
        code: string(value, "code"),
        reason: string(value, "reason"),
        details: optional(value, "details"),
    }
}

pub(crate) fn parts(value: &Value) -> Vec<ContentPart> {
    list(value, |part| ContentPart::text(string(part, "text")))
}

pub(crate) fn ask(value: &Value) -> AskRequest {
    AskRequest {
        question: string(value, "question"),
        details: optional(value, "details"),
    }
}

pub(crate) fn stop(value: &Value) -> StopSignal {
    let kind = match case(&value["kind"]) {
        ("steps-limit", _) => StopKind::StepsLimit,
        ("token-limit", _) => StopKind::TokenLimit,
        ("time-limit", _) => StopKind::TimeLimit,
        ("finish-reason", with) => StopKind::FinishReason(text(with)),
        (_, with) => StopKind::Other(text(with)),
    };
    StopSignal {
        kind,
        message: string(value, "message"),
    }
}

pub(crate) fn edits(value: &Value) -> Vec<MessageEdit> {
    list(value, |edit| match case(edit) {
        ("insert", with) => MessageEdit::Insert((number(&with[0]), message(&with[1]))),
        ("set", with) => MessageEdit::Set((number(&with[0]), message(&with[1]))),
        (_, with) => MessageEdit::Remove(number(with)),
    })
}

fn message(value: &Value) -> Message {
    Message {
        role: match value["role"].as_str() {
            Some("system") => Role::System,
            Some("assistant") => Role::Assistant,
            _ => Role::User,
        },
        content: parts(&value["content"]),
    }
}

pub(crate) fn note(value: &Value) -> AuditNote {
    AuditNote {
        code: string(value, "code"),
        data: string(value, "data"),
    }
}

pub(crate) fn job(value: &Value) -> BackgroundJob {
    BackgroundJob {
        name: string(value, "name"),
        input: string(value, "input"),
    }
}

pub(crate) fn policy(value: &Value) -> DomainPolicy {
    DomainPolicy {
        domain: string(value, "domain"),
        rules: string(value, "rules"),
    }
}

pub(crate) fn item(value: &Value) -> ContextItem {
    ContextItem {
        kind: string(value, "kind"),
        text: string(value, "text"),
        data: optional(value, "data"),
    }
}

pub(crate) fn section(value: &Value) -> PromptSection {
    PromptSection {
        id: string(value, "id"),
        title: optional(value, "title"),
        text: string(value, "text"),
        order: value["order"].as_i64().unwrap_or_default() as i32,
        max_tokens: None,
        essential: value["essential"].as_bool().unwrap_or_default(),
    }
}

pub(crate) fn bundle(value: &Value) -> ToolBundle {
    ToolBundle {
        name: string(value, "name"),
        tools: list(&value["tools"], |tool| BundledTool {
            spec: ToolSpec {
                name: string(&tool["spec"], "name"),
                description: string(&tool["spec"], "description"),
                schema: string(&tool["spec"], "schema"),
            },
            route: match case(&tool["route"]) {
                ("agent", with) => ToolRoute::Agent(text(with)),
                _ => ToolRoute::Hook,
            },
        }),
    }
}
