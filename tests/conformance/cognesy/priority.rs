//! "Hook Priority". Cognesy runs high values first, at every trigger. Ours runs low ones first,
//! and high ones first after an operation, so a value from Cognesy is imported negated
//! (design.md).

use crate::harness::{Actor, play, row, says};

/// Returns hooks of Cognesy's ranges, with their values negated.
fn ranges() -> [Actor; 4] {
    [
        Actor::new("audit", []).priority(50),
        Actor::new("actor", []).priority(0),
        Actor::new("meter", []).priority(-100),
        Actor::new("guard", []).priority(-200),
    ]
}

#[tokio::test]
async fn guards_first_and_cleanup_last() {
    play([
        row("200+ before 100-199 before 0-99 before negative")
            .actors(ranges())
            .points(&["pre-turn", "pre-step"])
            .model([says("done")])
            .turn("go")
            .expect([
                "guard pre-turn",
                "meter pre-turn",
                "actor pre-turn",
                "audit pre-turn",
                "guard pre-step",
                "meter pre-step",
                "actor pre-step",
                "audit pre-step",
                "(turn-ended: done)",
            ]),
        row("AfterStep: reversed, as every post point")
            .actors(ranges())
            .points(&["post-step"])
            .model([says("done")])
            .turn("go")
            .expect([
                "audit post-step",
                "actor post-step",
                "meter post-step",
                "guard post-step",
                "(turn-ended: done)",
            ]),
        // Cognesy keeps the order of registration; ours is by id, the same on every machine.
        row("equals in a stable order")
            .actors([
                Actor::new("meter", []),
                Actor::new("audit", []),
                Actor::new("guard", []),
            ])
            .points(&["pre-turn"])
            .model([says("done")])
            .turn("go")
            .expect([
                "audit pre-turn",
                "guard pre-turn",
                "meter pre-turn",
                "(turn-ended: done)",
            ]),
    ])
    .await;
}
