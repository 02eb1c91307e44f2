//! `onTextDelta` and `onThinking`: types without a caller in Helix, a point here. Suppressions
//! and changes apply to all later steps (design.md).

use portcullis_agent::{AgentConfig, Deltas, PiecesConfig};
use serde_json::json;

use crate::harness::{Row, at, play, reject, row, stop, text};

fn streamed(name: &'static str) -> Row {
    row(name)
        .points(&["llm-delta", "post-llm-call", "post-turn"])
        .events(&["text-delta", "thinking-delta", "delta-withheld"])
        .config(|config| AgentConfig {
            deltas: Deltas::Always,
            pieces: PiecesConfig {
                bytes: 1,
                millis: 1_000,
            },
            ..config
        })
        .model([json!({ "thinking": "hm", "text": "onetwo", "chunk": 3 })])
        .turn("go")
}

#[tokio::test]
async fn pieces_pass_the_hooks() {
    play([
        streamed("thinking, then text, piece by piece").expect_as(
            "observe",
            [
                "llm-delta",
                "(thinking-delta: hm)",
                "llm-delta",
                "(text-delta: one)",
                "llm-delta",
                "(text-delta: two)",
                "llm-delta",
                "llm-delta",
                "post-llm-call",
                "(turn-ended: onetwo)",
                "post-turn",
            ],
        ),
        streamed("a piece that is suppressed")
            .answers([at("llm-delta", reject("no"))])
            .expect([
                "llm-delta reject",
                "(delta-withheld: by actor)",
                "llm-delta reject",
                "(delta-withheld: by actor)",
                "llm-delta reject",
                "(delta-withheld: by actor)",
                "llm-delta reject",
                "(delta-withheld: by actor)",
                "llm-delta reject",
                "(delta-withheld: by actor)",
                "post-llm-call",
                "post-turn",
                "(turn-ended: )",
            ]),
        row("a piece that is changed")
            .points(&["llm-delta"])
            .events(&["text-delta"])
            .config(|config| AgentConfig {
                deltas: Deltas::Always,
                ..config
            })
            .answers([at("llm-delta", text("transform", "***"))])
            .model([json!({ "text": "secret" })])
            .turn("go")
            .expect([
                "llm-delta transform",
                "(text-delta: ***)",
                "(turn-ended: ***)",
            ])
            .conversation(["user: go", "assistant: ***"]),
        streamed("a response that is cut off ends the turn without an error")
            .answers([at(
                "llm-delta",
                stop(json!({ "other": "enough" }), "enough"),
            )])
            .expect([
                "llm-delta stop",
                "post-llm-call",
                "post-turn",
                "(turn-ended stopped enough: )",
            ]),
    ])
    .await;
}
