//! `OnStop`: the loop detects a stop condition of any kind.

use serde_json::{Value, json};

use super::TRIGGERS;
use crate::harness::{at, calls, fails, play, row, says, stop, text};

fn enough() -> Value {
    stop(json!({ "other": "enough" }), "that is enough")
}

#[tokio::test]
async fn on_stop_fires_once_at_every_stop() {
    play([
        row("the model is done")
            .points(TRIGGERS)
            .model([says("done")])
            .turn("go")
            .expect([
                "pre-turn",
                "pre-step",
                "post-step",
                "turn-stopping",
                "post-turn",
                "(turn-ended: done)",
            ]),
        row("a hook stops before a step")
            .points(TRIGGERS)
            .answers([at("pre-step", enough()).step(2)])
            .model([calls("hi"), says("never")])
            .turn("go")
            .expect([
                "pre-turn",
                "pre-step",
                "pre-tool-call",
                "(echo runs: hi)",
                "post-tool-call",
                "post-step",
                "pre-step stop",
                "turn-stopping",
                "post-turn",
                "(turn-ended stopped enough: )",
            ]),
        row("a hook stops after a step")
            .points(TRIGGERS)
            .answers([at("post-step", enough())])
            .model([calls("hi"), says("never")])
            .turn("go")
            .expect([
                "pre-turn",
                "pre-step",
                "pre-tool-call",
                "(echo runs: hi)",
                "post-tool-call",
                "post-step stop",
                "turn-stopping",
                "post-turn",
                "(turn-ended stopped enough: )",
            ]),
        row("a tool whose result is the output")
            .points(TRIGGERS)
            .agent(|builder| builder.finish_tool("echo"))
            .model([calls("hi"), says("never")])
            .turn("go")
            .expect([
                "pre-turn",
                "pre-step",
                "pre-tool-call",
                "(echo runs: hi)",
                "post-tool-call",
                "post-step",
                "turn-stopping",
                "post-turn",
                "(turn-ended tool: echo hi)",
            ]),
        // Not in Cognesy: a hook may keep the turn going, a limited number of times (design.md).
        row("keep going: the loop continues, and stops again")
            .points(TRIGGERS)
            .answers([at("turn-stopping", text("keep-going", "and then?")).step(1)])
            .model([says("one"), says("two")])
            .turn("go")
            .expect([
                "pre-turn",
                "pre-step",
                "post-step",
                "turn-stopping keep-going",
                "pre-step",
                "post-step",
                "turn-stopping",
                "post-turn",
                "(turn-ended: two)",
            ])
            .conversation([
                "user: go",
                "assistant: one",
                "user: and then?",
                "assistant: two",
            ]),
        row("what a guard stops, no hook keeps going")
            .points(TRIGGERS)
            .answers([
                at("pre-step", enough()).step(2),
                at("turn-stopping", text("keep-going", "and then?")),
            ])
            .model([calls("hi"), says("never")])
            .turn("go")
            .expect([
                "pre-turn",
                "pre-step",
                "pre-tool-call",
                "(echo runs: hi)",
                "post-tool-call",
                "post-step",
                "pre-step stop",
                "turn-stopping keep-going",
                "post-turn",
                "(turn-ended stopped enough: )",
            ]),
        row("an error is no stop: OnError, and no OnStop")
            .points(TRIGGERS)
            .model([calls("hi"), fails("auth")])
            .turn("go")
            .expect([
                "pre-turn",
                "pre-step",
                "pre-tool-call",
                "(echo runs: hi)",
                "post-tool-call",
                "post-step",
                "pre-step",
                "turn-error",
                "(turn-failed: the model call failed, attempt 1)",
            ]),
    ])
    .await;
}
