use portcullis_sdk::prelude::*;
use portcullis_sdk::testing::Host;
use serde_json::json;

use super::CostTracker;

#[test]
fn a_call_after_the_budget_is_spent_is_refused() {
    let prices = json!({ "m": { "input": 1.0, "output": 1.0 } });
    let host = Host::new()
        .shared("costs")
        .config(json!({ "budget_usd": 1.0, "prices": prices }));
    let call = pre_llm_call::Facts {
        model: "m".into(),
        ..Default::default()
    };
    let made = post_llm_call::Facts {
        provider: "p".into(),
        model: "m".into(),
        attempt: 1,
        stop: StopReason::EndTurn,
        usage: Usage {
            input_tokens: 1_000_000,
            ..Usage::default()
        },
        text_bytes: 0,
        tool_calls: Vec::new(),
        elapsed_us: 0,
    };
    let before = host.call(CostTracker::pre_llm_call, call.clone());
    assert_eq!(before, Ok(pre_llm_call::Outcome::Continue));
    let spent = host.call(CostTracker::post_llm_call, made);
    assert_eq!(spent, Ok(post_llm_call::Outcome::Continue));
    let refused = pre_llm_call::Outcome::Reject {
        code: "over-budget".into(),
        reason: "The budget of $1.00 is spent: $1.00 so far.".into(),
        details: None,
    };
    assert_eq!(host.call(CostTracker::pre_llm_call, call), Ok(refused));
}
