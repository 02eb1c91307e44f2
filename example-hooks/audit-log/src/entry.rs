//! One entry of the log.

use portcullis_sdk::prelude::*;
use portcullis_sdk::verdict::{ChainVerdict, Decision};
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};

/// Logs and emits what happened at a point.
pub fn record(point: &str, facts: &impl Serialize) -> HookResult<()> {
    let facts = to_raw_value(facts)?;
    let context = context::all();
    let verdict = verdict::current();
    let entry = to_raw_value(&Entry::new(point, &context, verdict.as_ref(), &facts))?;
    info!("{entry}");
    events::emit("audit", &entry)
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
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
    facts: &'a RawValue,
}

impl<'a> Entry<'a> {
    fn new(
        point: &'a str,
        context: &'a Context,
        verdict: Option<&'a ChainVerdict>,
        facts: &'a RawValue,
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
    use super::{ChainVerdict, Context, Decision, Entry, to_raw_value};
    use portcullis_sdk::types::Rejection;
    use serde_json::{Value, json};

    fn entry(verdict: Option<&ChainVerdict>) -> Value {
        let context = Context {
            session_id: "s1".into(),
            agent: "main".into(),
            turn: 1,
            step: 2,
        };
        let facts = to_raw_value(&json!({ "parts": 1 })).expect("facts are JSON");
        let entry = Entry::new("pre-turn", &context, verdict, &facts);
        serde_json::to_value(entry).expect("an entry is JSON")
    }

    #[test]
    fn a_refusal_names_who_and_why() {
        let verdict = ChainVerdict {
            decision: Decision::Rejected(Rejection {
                code: "over-budget".into(),
                reason: "Spent.".into(),
                details: None,
            }),
            decided_by: Some("cost-tracker".into()),
            changed_by: vec!["path-jail".into()],
        };
        let expected = json!({
            "point": "pre-turn", "session": "s1", "agent": "main", "turn": 1, "step": 2,
            "decision": "rejected", "by": "cost-tracker", "code": "over-budget",
            "reason": "Spent.", "changed-by": ["path-jail"], "facts": { "parts": 1 },
        });
        assert_eq!(entry(Some(&verdict)), expected);
    }

    #[test]
    fn an_entry_without_a_verdict_is_short() {
        let expected = json!({
            "point": "pre-turn", "session": "s1", "agent": "main", "turn": 1, "step": 2,
            "decision": "none", "changed-by": [], "facts": { "parts": 1 },
        });
        assert_eq!(entry(None), expected);
    }
}
