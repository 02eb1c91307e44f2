//! "HookContext and shared state": hooks share the namespaces that they are granted.
//!
//! AgentHook v2's state is one map behind a lock. Ours has namespaces that the operator grants, with
//! atomic sums (design.md). Native hooks share state in Rust, scripts share a file.

use serde_json::json;

use crate::harness::{Actor, Does, calls, does, play, row, says};

/// Returns a response with these tokens.
fn costs(mut response: serde_json::Value, input: u64, output: u64) -> serde_json::Value {
    response["usage"] = json!({ "input_tokens": input, "output_tokens": output });
    response
}

#[tokio::test]
async fn hooks_share_state() {
    play([
        row("the cost tracker: post_llm_call adds up, another hook reads the sum at post_turn")
            .actors([
                Actor::new("meter", [does("post-llm-call", Does::Add)]),
                Actor::new("audit", [does("post-turn", Does::Tell)]),
            ])
            .points(&["post-llm-call"])
            .model([
                costs(calls("1"), 100, 10),
                costs(says("one"), 200, 20),
                costs(says("two"), 300, 30),
            ])
            .turn("1")
            .turn("2")
            .expect([
                "audit post-llm-call",
                "meter post-llm-call",
                "(echo runs: 1)",
                "audit post-llm-call",
                "meter post-llm-call",
                "(turn-ended: 330 tokens)",
                "audit post-llm-call",
                "meter post-llm-call",
                "(turn-ended: 660 tokens)",
            ]),
    ])
    .await;
}
