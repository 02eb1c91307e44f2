//! "Hard Abort with CancellationToken": the turn ends at once, and none of its other hooks fires.

use portcullis_agent::{AgentConfig, Deltas, PiecesConfig, ToolStrategy};
use serde_json::json;

use crate::harness::{Meanwhile, Row, calls, calls_all, play, row, says};

const POINTS: &[&str] = &[
    "pre-turn",
    "pre-step",
    "llm-delta",
    "post-llm-call",
    "llm-error",
    "pre-tool-call",
    "post-tool-call",
    "post-step",
    "turn-stopping",
    "post-turn",
    "turn-error",
    "session-end",
];

fn aborted(name: &'static str) -> Row {
    row(name)
        .points(POINTS)
        .events(&["text-delta", "tool-started", "tool-finished"])
}

#[tokio::test]
async fn a_cancelled_turn_just_ends() {
    play([
        aborted("the model's stream is dropped, its partial response discarded")
            .during("llm-delta", Meanwhile::Cancels)
            .config(|config| AgentConfig {
                deltas: Deltas::Always,
                pieces: PiecesConfig {
                    bytes: 1,
                    millis: 1_000,
                },
                ..config
            })
            .model([json!({ "text": "onetwo", "chunk": 3, "chunk_delay_ms": 10_000 })])
            .turn("go")
            .expect([
                "pre-turn",
                "pre-step",
                "llm-delta",
                "(text-delta: one)",
                "(turn-failed: cancelled)",
                "session-end",
            ])
            .conversation([]),
        aborted("a running tool is cancelled")
            .model([calls("cancel"), says("never")])
            .turn("go")
            .expect([
                "pre-turn",
                "pre-step",
                "post-llm-call",
                "pre-tool-call",
                r#"(tool-started: c1 {"text":"cancel"})"#,
                "(echo runs: cancel)",
                "(echo is stopped)",
                "(turn-failed: cancelled)",
                "session-end",
            ])
            .conversation([]),
        aborted("so are those beside it; what was done stays done")
            .config(|config| AgentConfig {
                tool_strategy: ToolStrategy::Parallel,
                ..config
            })
            .model([
                calls_all(&[("echo", "slow 10000"), ("other", "cancel")]),
                says("never"),
            ])
            .turn("go")
            .expect([
                "pre-turn",
                "pre-step",
                "post-llm-call",
                "pre-tool-call",
                "pre-tool-call",
                r#"(tool-started: c1 {"text":"slow 10000"})"#,
                "(echo runs: slow 10000)",
                r#"(tool-started: c2 {"text":"cancel"})"#,
                "(other runs: cancel)",
                "(other is stopped)",
                "(turn-failed: cancelled)",
                "session-end",
            ]),
        aborted("no further turns: one that begins with the token cancelled ends at once")
            .model([calls("cancel"), says("never")])
            .turn("1")
            .turn("2")
            .expect([
                "pre-turn",
                "pre-step",
                "post-llm-call",
                "pre-tool-call",
                r#"(tool-started: c1 {"text":"cancel"})"#,
                "(echo runs: cancel)",
                "(echo is stopped)",
                "(turn-failed: cancelled)",
                "(turn-failed: cancelled)",
                "session-end",
            ]),
    ])
    .await;
}
