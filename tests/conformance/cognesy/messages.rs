//! "Modifying Agent State": the message store, before the next model call. Changes persist.
//!
//! Cognesy's metadata is state that hooks keep: private to each, or shared by grant (see
//! `agenthook_v2::state`). A hook does not write into the session's metadata.

use serde_json::{Value, json};

use crate::harness::{Actor, at, calls, play, row, says};

fn said(role: &str, text: &str) -> Value {
    json!({ "role": role, "content": [{ "text": text }] })
}

fn edits(edits: &[Value]) -> Value {
    json!({ "transform": edits })
}

#[tokio::test]
async fn messages_change_before_the_next_call() {
    play([
        row("adding: a message is there from the next call on, and stays")
            .answers([at(
                "pre-step",
                edits(&[json!({ "insert": [1, said("user", "be brief")] })]),
            )
            .step(1)])
            .points(&["pre-step", "message-added"])
            .sent()
            .model([calls("hi"), says("done")])
            .turn("go")
            .expect([
                "message-added",
                "pre-step transform",
                "message-added",
                "(sent: user: go | user: be brief)",
                "message-added",
                "(echo runs: hi)",
                "message-added",
                "pre-step",
                "(sent: user: go | user: be brief | assistant: [echo] | tool: echo hi)",
                "message-added",
                "(turn-ended: done)",
            ])
            .conversation([
                "user: go",
                "user: be brief",
                "assistant: [echo]",
                "tool: echo hi",
                "assistant: done",
            ]),
        row("transforming and removing")
            .answers([
                at(
                    "pre-step",
                    edits(&[json!({ "set": [0, said("user", "please")] })]),
                )
                .turn(1),
                at("pre-step", edits(&[json!({ "remove": 0 })])).turn(2),
            ])
            .points(&["pre-step"])
            .sent()
            .model([says("one"), says("two")])
            .turn("1")
            .turn("2")
            .expect([
                "pre-step transform",
                "(sent: user: please)",
                "(turn-ended: one)",
                "pre-step transform",
                "(sent: assistant: one | user: 2)",
                "(turn-ended: two)",
            ])
            .conversation(["assistant: one", "user: 2", "assistant: two"]),
        row("each hook works on what the one before left")
            .actors([
                Actor::new(
                    "audit",
                    [at(
                        "pre-step",
                        edits(&[json!({ "insert": [1, said("user", "a")] })]),
                    )],
                ),
                Actor::new(
                    "guard",
                    [at(
                        "pre-step",
                        edits(&[json!({ "set": [1, said("user", "b")] })]),
                    )],
                ),
            ])
            .points(&["pre-step"])
            .model([says("done")])
            .turn("go")
            .expect([
                "audit pre-step transform",
                "guard pre-step transform",
                "(turn-ended: done)",
            ])
            .conversation(["user: go", "user: b", "assistant: done"]),
    ])
    .await;
}
