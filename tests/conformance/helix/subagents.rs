//! "Sub-Agent Hook Inheritance": the parent's hooks first, then the child's, in one stream.

use serde_json::json;

use crate::harness::{Actor, Row, at, calls, fails, hands, output, play, reject, row, says, text};

/// Returns a row with the parent's hook `audit` and the child's hook `guard`. By id, the child's
/// hook would come first or last; it comes after its parent's.
fn family(name: &'static str) -> Row {
    row(name)
        .actors([Actor::new("guard", [])])
        .model([hands("helper", "help"), says("done")])
        .turn("go")
}

fn child() -> [Actor; 1] {
    [Actor::new("audit", [])]
}

#[tokio::test]
async fn parents_first() {
    play([
        family("the invocation order")
            .points(&[
                "session-start",
                "session-end",
                "pre-turn",
                "pre-tool-call",
                "post-turn",
                "pre-subagent",
                "post-subagent",
            ])
            .events(&["subagent-started", "subagent-finished"])
            .sub([calls("hi"), says("helped")], child(), |builder| builder)
            .expect_as(
                "observe",
                [
                    "guard session-start",
                    "guard pre-turn",
                    "guard pre-subagent",
                    "(subagent-started: helper)",
                    "sub guard session-start",
                    "sub audit session-start",
                    "sub guard pre-turn",
                    "sub audit pre-turn",
                    "sub guard pre-tool-call",
                    "sub audit pre-tool-call",
                    "(echo runs: hi)",
                    "sub (turn-ended: helped)",
                    "sub guard post-turn",
                    "sub audit post-turn",
                    "sub guard session-end",
                    "sub audit session-end",
                    "(subagent-finished: helper)",
                    "guard post-subagent",
                    "(turn-ended: done)",
                    "guard post-turn",
                    "guard session-end",
                ],
            ),
        family("a sub-agent that fails: afterSubAgent with the failure")
            .points(&["pre-turn", "turn-error", "post-subagent", "post-turn"])
            .sub([fails("auth")], child(), |builder| builder)
            .expect_as(
                "observe",
                [
                    "guard pre-turn",
                    "sub guard pre-turn",
                    "sub audit pre-turn",
                    "sub guard turn-error",
                    "sub audit turn-error",
                    "sub (turn-failed: the model call failed, attempt 1)",
                    "guard post-subagent",
                    "(turn-ended: done)",
                    "guard post-turn",
                ],
            ),
    ])
    .await;
}

/// Not in Helix: the outcomes that design.md permits around a sub-agent.
#[tokio::test]
async fn around_a_sub_agent() {
    const POINTS: &[&str] = &["pre-subagent", "post-subagent", "pre-turn"];
    let one = |name, answer| row(name).answers([answer]).points(POINTS).turn("go");
    play([
        one(
            "refused: the sub-agent is not started, the model is told",
            at("pre-subagent", reject("no")),
        )
        .model([
            hands("helper", "help"),
            json!({ "text": "done", "expect": "refused the call" }),
        ])
        .sub([], [], |builder| builder)
        .expect(["pre-turn", "pre-subagent reject", "(turn-ended: done)"]),
        one(
            "answered: afterSubAgent fires for what was given",
            at("pre-subagent", output("answer", "known")),
        )
        .model([
            hands("helper", "help"),
            json!({ "text": "done", "expect": "known" }),
        ])
        .sub([], [], |builder| builder)
        .expect([
            "pre-turn",
            "pre-subagent answer",
            "post-subagent",
            "(turn-ended: done)",
        ]),
        one(
            "another task",
            at("pre-subagent", text("transform", "help him")),
        )
        .model([hands("helper", "help"), says("done")])
        .sub(
            [json!({ "text": "helped", "expect": "help him" })],
            [],
            |builder| builder,
        )
        .expect([
            "pre-turn",
            "pre-subagent transform",
            "sub pre-turn",
            "sub (turn-ended: helped)",
            "post-subagent",
            "(turn-ended: done)",
        ]),
        one(
            "another result",
            at("post-subagent", text("transform", "***")),
        )
        .model([
            hands("helper", "help"),
            json!({ "text": "done", "expect": "***" }),
        ])
        .sub([says("helped")], [], |builder| builder)
        .expect([
            "pre-turn",
            "pre-subagent",
            "sub pre-turn",
            "sub (turn-ended: helped)",
            "post-subagent transform",
            "(turn-ended: done)",
        ]),
    ])
    .await;
}
