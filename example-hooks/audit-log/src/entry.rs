//! One entry of the log.

use portcullis_sdk::prelude::*;
use portcullis_sdk::verdict::{ChainVerdict, Decision};
use serde::Serialize;
use serde_json::{Value, json};

/// Writes an entry down and emits it.
pub fn record(point: &str, context: &Context, facts: Value) -> HookResult<()> {
    let verdict = verdict::current();
    let entry = Entry::new(point, context, verdict.as_ref(), facts);
    info!("{}", serde_json::to_string(&entry)?);
    events::emit("audit", &entry)
}

/// Tokens, as entries have them.
pub fn usage(usage: &Usage) -> Value {
    json!({
        "input_tokens": usage.input_tokens,
        "output_tokens": usage.output_tokens,
        "cache_read_tokens": usage.cache_read_tokens,
        "cache_write_tokens": usage.cache_write_tokens,
    })
}

#[derive(Debug, Serialize)]
struct Entry<'a> {
    point: &'a str,
    session: &'a str,
    agent: &'a str,
    turn: u32,
    step: u32,
    decision: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    by: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
    changed_by: &'a [String],
    facts: Value,
}

impl<'a> Entry<'a> {
    fn new(
        point: &'a str,
        context: &'a Context,
        verdict: Option<&'a ChainVerdict>,
        facts: Value,
    ) -> Self {
        let (decision, code, reason) = match verdict.map(|verdict| &verdict.decision) {
            None => ("none", None, None),
            Some(Decision::Passed) => ("passed", None, None),
            Some(Decision::Rejected(refusal)) => (
                "rejected",
                Some(refusal.code.as_str()),
                Some(refusal.reason.as_str()),
            ),
            Some(Decision::Answered) => ("answered", None, None),
            Some(Decision::Stopped(reason)) => ("stopped", None, Some(reason.as_str())),
            Some(Decision::Failed(failure)) => (
                "failed",
                Some(failure.cause.as_str()),
                Some(failure.message.as_str()),
            ),
        };
        Self {
            point,
            session: &context.session_id,
            agent: &context.agent,
            turn: context.turn,
            step: context.step,
            decision,
            by: verdict.and_then(|verdict| verdict.decided_by.as_deref()),
            code,
            reason,
            changed_by: verdict.map_or(&[], |verdict| &verdict.changed_by),
            facts,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{ChainVerdict, Context, Decision, Entry, Rejection, Value, json};

    fn entry(verdict: Option<&ChainVerdict>) -> Value {
        let context = Context {
            session_id: "s1".into(),
            agent: "main".into(),
            turn: 1,
            step: 2,
        };
        let entry = Entry::new("pre-turn", &context, verdict, json!({ "parts": 1 }));
        serde_json::to_value(entry).expect("an entry is JSON")
    }

    #[test]
    fn a_refusal_names_who_and_why() {
        let verdict = ChainVerdict {
            decision: Decision::Rejected(Rejection::new("over-budget", "Spent.")),
            decided_by: Some("cost-tracker".into()),
            changed_by: vec!["path-jail".into()],
        };
        let expected = json!({
            "point": "pre-turn", "session": "s1", "agent": "main", "turn": 1, "step": 2,
            "decision": "rejected", "by": "cost-tracker", "code": "over-budget",
            "reason": "Spent.", "changed_by": ["path-jail"], "facts": { "parts": 1 },
        });
        assert_eq!(entry(Some(&verdict)), expected);
    }

    #[test]
    fn what_nobody_decided_is_short() {
        let expected = json!({
            "point": "pre-turn", "session": "s1", "agent": "main", "turn": 1, "step": 2,
            "decision": "none", "changed_by": [], "facts": { "parts": 1 },
        });
        assert_eq!(entry(None), expected);
    }
}
