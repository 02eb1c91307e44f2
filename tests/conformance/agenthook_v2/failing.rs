//! `fail_open`: whether a hook's errors are fatal.
//!
//! AgentHook v2's default is open for all hooks. Ours depends on the role: hooks that may refuse or
//! change something fail closed, observers fail open (design.md).

use serde_json::json;

use crate::harness::{ACTOR, Actor, Does, calls, does, play, row, says};

/// Returns a hook that fails at this point, with this failure policy.
fn failing(point: &'static str, failure: &'static str) -> [Actor; 1] {
    [Actor::new(ACTOR, [does(point, Does::Fail("broken"))]).failure(failure)]
}

#[tokio::test]
async fn open_goes_on() {
    play([
        row("fail_open: pre_turn")
            .actors(failing("pre-turn", "fail-open"))
            .points(&["pre-turn", "turn-error"])
            .model([says("done")])
            .turn("go")
            .expect(["pre-turn fails open", "(turn-ended: done)"]),
        row("fail_open: pre_tool_call")
            .actors(failing("pre-tool-call", "fail-open"))
            .points(&["pre-tool-call"])
            .model([calls("hi"), says("done")])
            .turn("go")
            .expect([
                "pre-tool-call fails open",
                "(echo runs: hi)",
                "(turn-ended: done)",
            ]),
        row("an observer fails open, and the next ones run")
            .actors([
                Actor::new("guard", [does("pre-turn", Does::Fail("broken"))]).role("observe"),
                Actor::new("meter", []).role("observe"),
            ])
            .points(&["pre-turn"])
            .model([says("done")])
            .turn("go")
            .expect([
                "guard pre-turn fails open",
                "meter pre-turn",
                "(turn-ended: done)",
            ]),
    ])
    .await;
}

#[tokio::test]
async fn closed_blocks() {
    play([
        row("fail_closed: pre_turn")
            .actors(failing("pre-turn", "fail-closed"))
            .points(&["pre-turn", "turn-error", "post-turn"])
            .turn("go")
            .expect([
                "pre-turn fails closed",
                "turn-error",
                "(turn-failed: hook `actor` failed at pre-turn)",
            ]),
        row("fail_closed: pre_llm_call")
            .actors(failing("pre-llm-call", "fail-closed"))
            .points(&["pre-llm-call", "llm-error", "post-llm-call"])
            .turn("go")
            .expect([
                "pre-llm-call fails closed",
                "(turn-failed: hook `actor` failed at pre-llm-call)",
            ]),
        row("fail_closed: post_turn")
            .actors(failing("post-turn", "fail-closed"))
            .points(&["post-turn", "turn-error"])
            .model([says("done")])
            .turn("go")
            .expect([
                "post-turn fails closed",
                "turn-error",
                "(turn-failed: hook `actor` failed at post-turn)",
            ]),
        row("approval failures must block: pre_tool_call")
            .actors(failing("pre-tool-call", "fail-closed"))
            .points(&["pre-tool-call", "post-tool-call"])
            .model([
                calls("hi"),
                json!({ "text": "done", "expect": "no tool runs without it" }),
            ])
            .turn("go")
            .expect(["pre-tool-call fails closed", "(turn-ended: done)"]),
        row("an unseen output is withheld: post_tool_call")
            .actors(failing("post-tool-call", "fail-closed"))
            .points(&["post-tool-call"])
            .model([
                calls("hi"),
                json!({
                    "text": "done",
                    "expect": "no output is shown without it",
                    "expect_absent": "echo hi",
                }),
            ])
            .turn("go")
            .expect([
                "(echo runs: hi)",
                "post-tool-call fails closed",
                "(turn-ended: done)",
            ]),
        row("it is never fatal where the session ends")
            .actors(failing("session-end", "fail-closed"))
            .points(&["session-end"])
            .events(&["session-ended"])
            .model([says("done")])
            .turn("go")
            .expect([
                "(turn-ended: done)",
                "session-end fails open",
                "(session-ended: closed)",
            ]),
    ])
    .await;
}
