//! "Short-Circuit Rules": the effect of `false`, which is `reject` here.
//!
//! In phi-core, `before_turn` = false means both "abort the loop" and "skip the turn". Ours has
//! `reject` (the turn fails) and `stop` (it ends without an error) for the two (design.md).

use serde_json::json;

use super::{CALLBACKS, EVENTS};
use crate::harness::{Row, at, calls, play, reject, row, says, stop};

fn callbacks(name: &'static str) -> Row {
    let points: Vec<&str> = CALLBACKS
        .iter()
        .copied()
        .filter(|point| !point.starts_with("session"))
        .collect();
    let events: Vec<&str> = EVENTS
        .iter()
        .copied()
        .filter(|event| !event.starts_with("session"))
        .collect();
    row(name).points(&points).events(&events)
}

#[tokio::test]
async fn what_false_does() {
    play([
        callbacks("before_loop: aborts before AgentStart, and the end has no messages")
            .answers([at("pre-turn", reject("no"))])
            .turn("go")
            .expect([
                "pre-turn reject",
                "(turn-failed: hook `actor` refused at pre-turn: no (no))",
            ])
            .conversation([]),
        callbacks("before_turn: neither TurnStart nor TurnEnd; abort")
            .answers([at("pre-step", reject("no"))])
            .turn("go")
            .expect([
                "pre-turn",
                "(turn-started)",
                "pre-step reject",
                "(turn-failed: hook `actor` refused at pre-step: no (no))",
            ]),
        callbacks("before_turn: neither TurnStart nor TurnEnd; skip")
            .answers([at("pre-step", stop(json!({ "other": "ten" }), "ten turns")).step(2)])
            .model([calls("hi"), says("never")])
            .turn("go")
            .expect([
                "pre-turn",
                "(turn-started)",
                "pre-step",
                "(step-started)",
                "pre-tool-call",
                r#"(tool-started: c1 {"text":"hi"})"#,
                "(echo runs: hi)",
                "post-tool-call",
                "(tool-finished: c1)",
                "(step-ended)",
                "post-step",
                "pre-step stop",
                "post-turn",
                "(turn-ended stopped ten: )",
            ]),
        callbacks("before_tool_execution: an error end without execute()")
            .answers([at("pre-tool-call", reject("no"))])
            .model([calls("hi"), says("done")])
            .turn("go")
            .expect([
                "pre-turn",
                "(turn-started)",
                "pre-step",
                "(step-started)",
                "pre-tool-call reject",
                "(tool-finished: c1 not run, error)",
                "(step-ended)",
                "post-step",
                "pre-step",
                "(step-started)",
                "(step-ended)",
                "post-step",
                "post-turn",
                "(turn-ended: done)",
            ]),
        callbacks("before_tool_execution_update: no update, the tool continues, its result stays")
            .answers([at("tool-update", reject("no"))])
            .model([
                calls("progress half"),
                json!({ "text": "done", "expect": "echo progress half" }),
            ])
            .turn("go")
            .expect([
                "pre-turn",
                "(turn-started)",
                "pre-step",
                "(step-started)",
                "pre-tool-call",
                r#"(tool-started: c1 {"text":"progress half"})"#,
                "(echo runs: progress half)",
                "tool-update reject",
                "post-tool-call",
                "(tool-finished: c1)",
                "(step-ended)",
                "post-step",
                "pre-step",
                "(step-started)",
                "(step-ended)",
                "post-step",
                "post-turn",
                "(turn-ended: done)",
            ]),
    ])
    .await;
}
