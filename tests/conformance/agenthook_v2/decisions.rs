//! The decisions of hooks besides the value: `RetryDecision`, `CompactionHint`; and the facts for
//! them: `TokenBudget`, `ExecutionGrant`, the attempt, the turn, the step.

use serde_json::{Value, json};

use crate::harness::{at, calls, fails, play, reject, retry, row, says, says_at_length};

/// Returns a provider that fails and another that answers.
fn two_providers() -> Value {
    json!({ "providers": [
        { "name": "first", "responses": [fails("auth"), says("from the first")] },
        { "name": "second", "responses": [says("from the second")] },
    ] })
}

const CALLS: &[&str] = &["llm-call-started", "retry"];

#[tokio::test]
async fn retry_decisions() {
    play([
        row("RetryDecision: retry, where the agent itself would give up")
            .answers([at("llm-error", retry(json!({ "retry": 1 })))])
            .points(&["llm-error"])
            .events(CALLS)
            .script(two_providers())
            .turn("go")
            .expect([
                "(llm-call-started: first 1)",
                "llm-error replace",
                "(retry: again)",
                "(llm-call-started: first 2)",
                "(turn-ended: from the first)",
            ]),
        row("RetryDecision: switch to a backup provider")
            .answers([at(
                "llm-error",
                retry(json!({ "switch-provider": { "provider": "second" } })),
            )])
            .points(&["llm-error", "pre-llm-call", "post-llm-call"])
            .events(CALLS)
            .script(two_providers())
            .turn("go")
            .expect([
                "pre-llm-call",
                "(llm-call-started: first 1)",
                "llm-error replace",
                "(retry: switch to second)",
                "pre-llm-call",
                "(llm-call-started: second 2)",
                "post-llm-call",
                "(turn-ended: from the second)",
            ]),
        row("RetryDecision: give up, where the agent itself would try again")
            .answers([at("llm-error", retry(json!("give-up")))])
            .points(&["llm-error", "turn-error"])
            .events(CALLS)
            .model([fails("overloaded"), says("never")])
            .turn("go")
            .expect([
                "(llm-call-started: scripted 1)",
                "llm-error replace",
                "(retry: give up)",
                "turn-error",
                "(turn-failed: the model call failed, attempt 1)",
            ]),
        row("the attempt is counted")
            .answers([
                at("llm-error", retry(json!({ "retry": 1 }))).when("first attempt"),
                at("llm-error", retry(json!("give-up"))).when("second attempt"),
            ])
            .points(&["llm-error"])
            .model([
                json!({ "error": { "kind": "auth", "message": "first attempt" } }),
                json!({ "error": { "kind": "auth", "message": "second attempt" } }),
            ])
            .turn("go")
            .expect([
                "llm-error replace",
                "llm-error replace",
                "(turn-failed: the model call failed, attempt 2)",
            ]),
    ])
    .await;
}

#[tokio::test]
async fn compaction_hints() {
    play([
        row("CompactionHint: words for the summary")
            .answers([at(
                "pre-compaction",
                json!({ "transform": { "keep": [], "instructions": "the file names" } }),
            )])
            .points(&["pre-compaction", "post-compaction"])
            .little_room()
            .model([
                says_at_length("one"),
                json!({ "text": "summary", "expect": "Hold on to: the file names" }),
                says("two"),
            ])
            .turn("1")
            .turn("2")
            .expect([
                "(turn-ended: one)",
                "pre-compaction transform",
                "post-compaction",
                "(turn-ended: two)",
            ])
            .conversation([
                "user: [Summary of the earlier conversation:]\nsummary",
                "user: 2",
                "assistant: two",
            ]),
        row("CompactionHint: messages to keep")
            .answers([at(
                "pre-compaction",
                json!({ "transform": { "keep": [0, 1] } }),
            )])
            .points(&["pre-compaction", "post-compaction"])
            .events(&["compaction-skipped"])
            .little_room()
            .model([says_at_length("one"), says("two")])
            .turn("1")
            .turn("2")
            .expect([
                "(turn-ended: one)",
                "pre-compaction transform",
                "(compaction-skipped)",
                "(turn-ended: two)",
            ]),
        row("TokenBudget: what there may be and what there is")
            .answers([at("pre-compaction", reject("over budget")).when("300")])
            .points(&["pre-compaction"])
            .little_room()
            .model([says_at_length("one"), says("two")])
            .turn("1")
            .turn("2")
            .expect([
                "(turn-ended: one)",
                "pre-compaction reject",
                "(turn-ended: two)",
            ]),
    ])
    .await;
}

#[tokio::test]
async fn what_there_is_to_decide_by() {
    play([
        row("ExecutionGrant: the policy's 60 s are seen at pre_tool_call")
            .answers([at("pre-tool-call", reject("too long")).when("60000")])
            .points(&["pre-tool-call"])
            .model([calls("hi"), says("done")])
            .turn("go")
            .expect(["pre-tool-call reject", "(turn-ended: done)"]),
        row("HookContext: turn_number and step_number")
            .answers([
                at("pre-llm-call", reject("second step")).turn(2).step(2),
                at("pre-tool-call", reject("first turn")).turn(1),
            ])
            .points(&["pre-llm-call", "pre-tool-call"])
            .model([calls("1"), says("one"), calls("2"), says("never")])
            .turn("1")
            .turn("2")
            .expect([
                "pre-llm-call",
                "pre-tool-call reject",
                "pre-llm-call",
                "(turn-ended: one)",
                "pre-llm-call",
                "pre-tool-call",
                "(echo runs: 2)",
                "pre-llm-call reject",
                "(turn-failed: hook `actor` refused at pre-llm-call: second step (no))",
            ]),
    ])
    .await;
}
