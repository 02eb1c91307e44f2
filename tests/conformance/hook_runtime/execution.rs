//! "Execution Policy": how the agent waits for a hook.

use crate::harness::{ACTOR, Actor, Does, Kind, does, play, row, says};

fn observer(execution: &'static str) -> [Actor; 1] {
    [Actor::new(ACTOR, []).role("observe").execution(execution)]
}

/// Returns a hook that takes too long at the first phase. A closure cannot be stopped: native hooks
/// have no deadline.
fn slow(failure: &'static str) -> [Actor; 1] {
    [Actor::new(ACTOR, [does("prompt-policy", Does::Hang)])
        .execution("deadline")
        .failure(failure)]
}

const STOPPABLE: &[Kind] = &[Kind::Component, Kind::Script];

#[tokio::test]
async fn how_long_the_agent_waits() {
    play([
        row("Blocking: until it answers")
            .actors([Actor::new(ACTOR, []).execution("blocking")])
            .points(&["pre-turn", "post-turn"])
            .model([says("done")])
            .turn("go")
            .expect(["pre-turn", "post-turn", "(turn-ended: done)"]),
        row("Deadline: kept")
            .actors([Actor::new(ACTOR, []).execution("deadline")])
            .points(&["pre-turn", "post-turn"])
            .model([says("done")])
            .turn("go")
            .expect(["pre-turn", "post-turn", "(turn-ended: done)"]),
        row("Deadline: passed, and the failure policy lets the turn continue")
            .kinds(STOPPABLE)
            .actors(slow("fail-open"))
            .points(&["prompt-policy"])
            .model([says("done")])
            .turn("go")
            .expect(["prompt-policy fails open", "(turn-ended: done)"]),
        row("Deadline: passed, and the failure policy fails the turn")
            .kinds(STOPPABLE)
            .actors(slow("fail-closed"))
            .points(&["prompt-policy"])
            .turn("go")
            .expect([
                "prompt-policy fails closed",
                "(turn-failed: hook `actor` failed at prompt-policy)",
            ]),
        row("FireAndRecord: the turn does not wait, the run is recorded")
            .actors(observer("fire-and-record"))
            .points(&["post-turn"])
            .model([says("done")])
            .turn("go")
            .expect(["(turn-ended: done)", "post-turn backgrounded", "post-turn"]),
        row("Background: the turn does not wait, the run is queued")
            .actors(observer("background"))
            .points(&["post-turn"])
            .model([says("done")])
            .turn("go")
            .expect(["(turn-ended: done)", "post-turn backgrounded", "post-turn"]),
    ])
    .await;
}

/// A detached hook decides nothing: only observers may be detached.
#[test]
fn who_decides_is_waited_for() {
    for execution in ["fire-and-record", "background"] {
        for kind in crate::harness::KINDS {
            let actor = Actor::new(ACTOR, []).role("gate").execution(execution);
            let error = crate::harness::try_load(&[actor], kind).map(drop);
            assert!(error.is_err(), "{kind:?} {execution}");
        }
    }
}
