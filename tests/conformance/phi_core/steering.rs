//! "Steering Checkpoints": the six, and the additions of each strategy.

use std::num::NonZeroUsize;

use portcullis_agent::{AgentConfig, Deltas, PiecesConfig, ToolStrategy};
use serde_json::json;

use crate::harness::{Meanwhile, Row, calls, calls_all, play, row, says};

const TIERS: &[&str] = &[
    "pre-turn",
    "pre-step",
    "post-step",
    "pre-tool-call",
    "post-tool-call",
    "post-turn",
];

fn steered(name: &'static str) -> Row {
    row(name).points(TIERS).events(&["steered"])
}

#[tokio::test]
async fn the_checkpoints_around_a_step() {
    play([
        steered("1, before turn: after before_turn, before the model")
            .during("pre-step", Meanwhile::Says("wait"))
            .sent()
            .model([says("done")])
            .turn("go")
            .expect([
                "pre-turn",
                "pre-step",
                "(steered: before-step wait)",
                "(sent: user: go | user: wait)",
                "post-step",
                "post-turn",
                "(turn-ended: done)",
            ]),
        steered("2, after turn: after after_turn, before the next")
            .during("post-step", Meanwhile::Says("wait"))
            .sent()
            .model([calls("hi"), says("done")])
            .turn("go")
            .expect([
                "pre-turn",
                "pre-step",
                "(sent: user: go)",
                "pre-tool-call",
                "(echo runs: hi)",
                "post-tool-call",
                "post-step",
                "(steered: after-step wait)",
                "pre-step",
                "(sent: user: go | assistant: [echo] | tool: echo hi | user: wait)",
                "post-step",
                "post-turn",
                "(turn-ended: done)",
            ]),
        steered("2, where the model was done: it is asked again")
            .during("post-step", Meanwhile::Says("wait"))
            .model([says("done"), says("waited")])
            .turn("go")
            .expect([
                "pre-turn",
                "pre-step",
                "post-step",
                "(steered: after-step wait)",
                "pre-step",
                "post-step",
                "post-turn",
                "(turn-ended: waited)",
            ])
            .conversation([
                "user: go",
                "assistant: done",
                "user: wait",
                "assistant: waited",
            ]),
        steered("6, on loop re-entry: before before_turn")
            .during("pre-turn", Meanwhile::Says("wait"))
            .sent()
            .model([says("done")])
            .turn("go")
            .expect([
                "pre-turn",
                "(steered: loop-entry wait)",
                "pre-step",
                "(sent: user: go | user: wait)",
                "post-step",
                "post-turn",
                "(turn-ended: done)",
            ]),
    ])
    .await;
}

/// Returns three calls; the user says something while the second runs.
fn three_calls() -> serde_json::Value {
    calls_all(&[("echo", "1"), ("echo", "steer wait"), ("echo", "3")])
}

#[tokio::test]
async fn each_strategy_has_its_checkpoint() {
    play([
        steered("3, sequential: between each two tools; the rest is not run")
            .model([three_calls(), says("waited")])
            .turn("go")
            .expect([
                "pre-turn",
                "pre-step",
                "pre-tool-call",
                "(echo runs: 1)",
                "post-tool-call",
                "pre-tool-call",
                "(echo runs: steer wait)",
                "post-tool-call",
                "(steered: between-tools wait)",
                "post-step",
                "pre-step",
                "post-step",
                "post-turn",
                "(turn-ended: waited)",
            ])
            .conversation([
                "user: go",
                "assistant: [echo][echo][echo]",
                "tool: echo 1",
                "tool: echo steer wait",
                "tool: [The tool was not run: the user spoke before the call began]",
                "user: wait",
                "assistant: waited",
            ]),
        steered("4, batched: after the batch, before the next")
            .config(|config| AgentConfig {
                tool_strategy: ToolStrategy::Batched(NonZeroUsize::MIN.saturating_add(1)),
                ..config
            })
            .model([three_calls(), says("waited")])
            .turn("go")
            .expect([
                "pre-turn",
                "pre-step",
                "pre-tool-call",
                "pre-tool-call",
                "(echo runs: 1)",
                "(echo runs: steer wait)",
                "post-tool-call",
                "post-tool-call",
                "(steered: between-batches wait)",
                "post-step",
                "pre-step",
                "post-step",
                "post-turn",
                "(turn-ended: waited)",
            ]),
        steered("5, parallel: once, after all tools")
            .config(|config| AgentConfig {
                tool_strategy: ToolStrategy::Parallel,
                ..config
            })
            .model([three_calls(), says("waited")])
            .turn("go")
            .expect([
                "pre-turn",
                "pre-step",
                "pre-tool-call",
                "pre-tool-call",
                "pre-tool-call",
                "(echo runs: 1)",
                "(echo runs: steer wait)",
                "(echo runs: 3)",
                "post-tool-call",
                "post-tool-call",
                "post-tool-call",
                "(steered: after-tools wait)",
                "post-step",
                "pre-step",
                "post-step",
                "post-turn",
                "(turn-ended: waited)",
            ]),
    ])
    .await;
}

#[tokio::test]
async fn never_within_a_response_or_a_tool() {
    play([
        steered("mid-stream: the response completes first")
            .points(&["llm-delta"])
            .during("llm-delta", Meanwhile::Says("wait"))
            .config(|config| AgentConfig {
                deltas: Deltas::Always,
                pieces: PiecesConfig {
                    bytes: 1,
                    millis: 1_000,
                },
                ..config
            })
            .events(&["text-delta"])
            .model([json!({ "text": "onetwo", "chunk": 3 }), says("waited")])
            .turn("go")
            .expect([
                "pre-turn",
                "pre-step",
                "llm-delta",
                "(text-delta: one)",
                "llm-delta",
                "(text-delta: two)",
                "llm-delta",
                "post-step",
                "(steered: after-step wait)",
                "pre-step",
                "llm-delta",
                "(text-delta: waited)",
                "llm-delta",
                "post-step",
                "post-turn",
                "(turn-ended: waited)",
            ]),
        steered("mid-tool: the tool returns first, and its result is the model's")
            .model([
                calls("steer wait"),
                json!({ "text": "waited", "expect": "wait" }),
            ])
            .turn("go")
            .expect([
                "pre-turn",
                "pre-step",
                "pre-tool-call",
                "(echo runs: steer wait)",
                "post-tool-call",
                "post-step",
                "(steered: after-step wait)",
                "pre-step",
                "post-step",
                "post-turn",
                "(turn-ended: waited)",
            ])
            .conversation([
                "user: go",
                "assistant: [echo]",
                "tool: echo steer wait",
                "user: wait",
                "assistant: waited",
            ]),
    ])
    .await;
}
