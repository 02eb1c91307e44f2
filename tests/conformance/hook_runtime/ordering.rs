//! "Dependencies And Ordering": by priority and id, and explicit dependencies before both.

use crate::harness::{Actor, KINDS, Kind, play, row, says, try_load};

#[tokio::test]
async fn dependencies_come_before_priority() {
    play([
        row("after: at points in order and at reversed ones, as it is written")
            .actors([
                Actor::new("audit", []).priority(1).after(&["meter"]),
                Actor::new("guard", []).priority(50),
                Actor::new("meter", []).priority(99),
            ])
            .points(&["prompt-context", "prompt-recall", "post-turn"])
            .model([says("done")])
            .turn("go")
            .expect([
                "guard prompt-context",
                "meter prompt-context",
                "audit prompt-context",
                "guard prompt-recall",
                "meter prompt-recall",
                "audit prompt-recall",
                "meter post-turn",
                "guard post-turn",
                "audit post-turn",
                "(turn-ended: done)",
            ]),
        row("after, from one kind of hook to another")
            .actors([
                Actor::new("audit", []).kind(Kind::Script).after(&["guard"]),
                Actor::new("guard", [])
                    .kind(Kind::Component)
                    .after(&["meter"]),
                Actor::new("meter", []).kind(Kind::Native),
            ])
            .kinds(&[Kind::Native])
            .points(&["prompt-policy"])
            .model([says("done")])
            .turn("go")
            .expect([
                "meter prompt-policy",
                "guard prompt-policy",
                "audit prompt-policy",
                "(turn-ended: done)",
            ]),
    ])
    .await;
}

#[test]
fn dependencies_that_cannot_be_kept_are_refused() {
    for kind in KINDS {
        for (name, actors, says) in [
            (
                "missing",
                vec![Actor::new("audit", []).after(&["meter"])],
                "is not in the hooks directory",
            ),
            (
                "disabled",
                vec![
                    Actor::new("audit", []).after(&["meter"]),
                    Actor::new("meter", []).off(),
                ],
                "is disabled",
            ),
            (
                "cyclic",
                vec![
                    Actor::new("audit", []).after(&["meter"]),
                    Actor::new("guard", []).after(&["audit"]),
                    Actor::new("meter", []).after(&["guard"]),
                ],
                "audit",
            ),
        ] {
            let error = match try_load(&actors, kind) {
                Ok(_) => panic!("{name} ({kind:?}) is taken"),
                Err(error) => error.to_string(),
            };
            assert!(error.contains(says), "{name} ({kind:?}): {error}");
            if name == "cyclic" {
                let path = error.contains("meter") && error.contains("guard");
                assert!(path, "{name} ({kind:?}): {error}");
            }
        }
    }
}
