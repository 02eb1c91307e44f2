//! "Updated runtime flow", and the places of the trait's twelve methods.

use serde_json::json;

use crate::harness::{at, calls, fails, play, reject, retry, row, says};

/// The trait's methods, but for those of errors and of the compaction.
const METHODS: &[&str] = &[
    "session-start",
    "session-end",
    "pre-turn",
    "post-turn",
    "turn-error",
    "pre-llm-call",
    "post-llm-call",
    "llm-error",
    "pre-tool-call",
    "post-tool-call",
    "pre-compaction",
    "post-compaction",
];

#[tokio::test]
async fn the_updated_runtime_flow() {
    play([row("run_turn(message)")
        .points(METHODS)
        .whole_flow()
        .model([calls("hi"), says("done")])
        .turn("go")
        .expect([
            "session-start",
            "pre-turn",
            "(the memory is asked)",
            "pre-llm-call",
            "post-llm-call",
            "(the policy is asked: echo)",
            "pre-tool-call",
            "(echo runs: hi)",
            "post-tool-call",
            "pre-llm-call",
            "post-llm-call",
            "(the memory takes note)",
            "post-turn",
            "(turn-ended: done)",
            "session-end",
        ])])
    .await;
}
