//! "Completion Path Hook Guarantees": onAgentComplete fires once on every path to completion.

use serde_json::json;

use super::HOOKS;
use crate::harness::{at, calls, content, fails, hands, play, row, says, stop};

const LIFECYCLE: &[&str] = &["pre-turn", "post-turn", "turn-error"];

#[tokio::test]
async fn however_it_completes() {
    play([
        row("normal completion")
            .points(LIFECYCLE)
            .model([says("done")])
            .turn("go")
            .expect_as("observe", ["pre-turn", "(turn-ended: done)", "post-turn"]),
        row("finishWith: a tool's result is the output, the model is not asked again")
            .points(HOOKS)
            .agent(|builder| builder.finish_tool("echo"))
            .model([calls("hi"), says("never")])
            .turn("go")
            .expect_as(
                "observe",
                [
                    "pre-turn",
                    "message-added",
                    "pre-llm-call",
                    "post-llm-call",
                    "message-added",
                    "pre-tool-call",
                    "(echo runs: hi)",
                    "message-added",
                    "post-tool-call",
                    // The text that the model would have said.
                    "message-added",
                    "(turn-ended tool: echo hi)",
                    "post-turn",
                ],
            ),
        row("a hook's early finish")
            .points(LIFECYCLE)
            .answers([at(
                "post-step",
                stop(json!({ "other": "enough" }), "enough"),
            )])
            .model([calls("hi"), says("never")])
            .turn("go")
            .expect_as(
                "transform",
                [
                    "pre-turn",
                    "(echo runs: hi)",
                    "post-turn",
                    "(turn-ended stopped enough: )",
                ],
            ),
        row("onAgentFail, in place of onAgentComplete")
            .points(LIFECYCLE)
            .model([fails("auth")])
            .turn("go")
            .expect_as(
                "observe",
                [
                    "pre-turn",
                    "turn-error",
                    "(turn-failed: the model call failed, attempt 1)",
                ],
            ),
        row("a failure that a hook recovers completes")
            .points(LIFECYCLE)
            .answers([at("turn-error", content("replace", "sorry"))])
            .model([fails("auth")])
            .turn("go")
            .expect_as(
                "transform",
                [
                    "pre-turn",
                    "turn-error replace",
                    "post-turn",
                    "(turn-ended recovered: sorry)",
                ],
            ),
        row("a sub-agent, normal completion: its own onAgentComplete, the stream continues")
            .points(LIFECYCLE)
            .model([hands("helper", "help"), says("done")])
            .sub([says("helped")], [], |builder| builder)
            .turn("go")
            .expect_as(
                "observe",
                [
                    "pre-turn",
                    "sub pre-turn",
                    "sub (turn-ended: helped)",
                    "sub post-turn",
                    "(turn-ended: done)",
                    "post-turn",
                ],
            ),
        row("a sub-agent, finishWith completion")
            .points(LIFECYCLE)
            .model([hands("helper", "help"), says("done")])
            .sub([calls("hi"), says("never")], [], |builder| {
                builder.finish_tool("echo")
            })
            .turn("go")
            .expect_as(
                "observe",
                [
                    "pre-turn",
                    "sub pre-turn",
                    "(echo runs: hi)",
                    "sub (turn-ended tool: echo hi)",
                    "sub post-turn",
                    "(turn-ended: done)",
                    "post-turn",
                ],
            ),
    ])
    .await;
}
