//! "Hook composition": the picture with three hooks, guardrail (10), logging (50) and metrics (100).

use crate::harness::{Actor, Kind, calls, fails, play, row, says};

/// Returns the picture's hooks, under ids of one length.
fn three() -> [Actor; 3] {
    [
        Actor::new("meter", []).priority(100),
        Actor::new("guard", []).priority(10),
        Actor::new("audit", []).priority(50),
    ]
}

/// Returns the same hooks, each of another kind.
fn three_kinds() -> [Actor; 3] {
    let [meter, guard, audit] = three();
    [
        meter.kind(Kind::Component),
        guard.kind(Kind::Script),
        audit.kind(Kind::Native),
    ]
}

const AROUND_A_TURN: [&str; 7] = [
    "guard pre-turn",
    "audit pre-turn",
    "meter pre-turn",
    "meter post-turn",
    "audit post-turn",
    "guard post-turn",
    "(turn-ended: done)",
];

#[tokio::test]
async fn low_priority_first_and_the_other_way_round_behind() {
    play([
        row("the picture: pre_turn in order, post_turn reversed")
            .actors(three())
            .points(&["pre-turn", "post-turn"])
            .model([says("done")])
            .turn("go")
            .expect(AROUND_A_TURN),
        row("the same with a script, a native hook and a component in one chain")
            .actors(three_kinds())
            .points(&["pre-turn", "post-turn"])
            .model([says("done")])
            .turn("go")
            .expect(AROUND_A_TURN),
        row("around model and tool calls")
            .actors(three())
            .points(&[
                "pre-llm-call",
                "post-llm-call",
                "pre-tool-call",
                "post-tool-call",
            ])
            .model([calls("hi"), says("done")])
            .turn("go")
            .expect([
                "guard pre-llm-call",
                "audit pre-llm-call",
                "meter pre-llm-call",
                "meter post-llm-call",
                "audit post-llm-call",
                "guard post-llm-call",
                "guard pre-tool-call",
                "audit pre-tool-call",
                "meter pre-tool-call",
                "(echo runs: hi)",
                "meter post-tool-call",
                "audit post-tool-call",
                "guard post-tool-call",
                "guard pre-llm-call",
                "audit pre-llm-call",
                "meter pre-llm-call",
                "meter post-llm-call",
                "audit post-llm-call",
                "guard post-llm-call",
                "(turn-ended: done)",
            ]),
        row("errors come back the other way too")
            .actors(three())
            .points(&["llm-error", "turn-error"])
            .model([fails("auth")])
            .turn("go")
            .expect([
                "meter llm-error",
                "audit llm-error",
                "guard llm-error",
                "meter turn-error",
                "audit turn-error",
                "guard turn-error",
                "(turn-failed: the model call failed, attempt 1)",
            ]),
        row("the default is 100: behind those that say less, and by id among equals")
            .actors([
                Actor::new("meter", []),
                Actor::new("guard", []).priority(99),
                Actor::new("audit", []),
            ])
            .points(&["pre-turn"])
            .model([says("done")])
            .turn("go")
            .expect([
                "guard pre-turn",
                "audit pre-turn",
                "meter pre-turn",
                "(turn-ended: done)",
            ]),
    ])
    .await;
}
