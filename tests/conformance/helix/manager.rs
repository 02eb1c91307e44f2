//! "HookManager Implementation": order, error propagation, exactly once, and no cost without hooks.

use portcullis::points::{MessageAdded, PostToolCall, PreToolCall, PreTurn, pre_turn};
use portcullis::{Hooks, NativeHook, SessionOptions};

use crate::harness::{ACTOR, Actor, Does, Row, calls, does, play, row, says};

/// Helix's errors always fail the agent; ours do if the operator chooses so (design.md).
fn failing(name: &'static str, point: &'static str) -> Row {
    row(name)
        .actors([Actor::new(ACTOR, [does(point, Does::Fail("broken"))])])
        .points(&["pre-turn", "post-tool-call", "message-added", "turn-error"])
        .model([calls("hi"), says("done")])
        .turn("go")
}

#[tokio::test]
async fn errors_propagate() {
    play([
        failing("onAgentStart throws: the agent fails", "pre-turn").expect_as(
            "transform",
            [
                "pre-turn fails closed",
                "turn-error",
                "(turn-failed: hook `actor` failed at pre-turn)",
            ],
        ),
        failing("onMessage throws: the agent fails", "message-added").expect_as(
            "transform",
            [
                "pre-turn",
                "message-added fails closed",
                "turn-error",
                "(turn-failed: hook `actor` failed at message-added)",
            ],
        ),
        failing("an observer does not fail it", "pre-turn").expect_as(
            "observe",
            [
                "pre-turn fails open",
                "message-added",
                "message-added",
                "(echo runs: hi)",
                "message-added",
                "post-tool-call",
                "message-added",
                "(turn-ended: done)",
            ],
        ),
    ])
    .await;
}

#[tokio::test]
async fn exactly_once() {
    play([
        // In Helix, `afterTool` fires a second time for a handler that throws after success.
        failing(
            "afterTool throws after success: it does not fire again",
            "post-tool-call",
        )
        .expect_as(
            "transform",
            [
                "pre-turn",
                "message-added",
                "message-added",
                "(echo runs: hi)",
                "post-tool-call fails closed",
                "message-added",
                "message-added",
                "(turn-ended: done)",
            ],
        )
        .expect_as(
            "observe",
            [
                "pre-turn",
                "message-added",
                "message-added",
                "(echo runs: hi)",
                "message-added",
                "post-tool-call fails open",
                "message-added",
                "(turn-ended: done)",
            ],
        ),
        row("onAgentComplete throws: it does not fire again for what is recovered")
            .answers([
                does("post-turn", Does::Fail("broken")),
                crate::harness::at("turn-error", crate::harness::content("replace", "sorry")),
            ])
            .points(&["post-turn", "turn-error"])
            .model([says("done")])
            .turn("go")
            .expect([
                "post-turn fails closed",
                "turn-error replace",
                "(turn-ended recovered: sorry)",
            ])
            .conversation(["user: go", "assistant: sorry"]),
    ])
    .await;
}

#[tokio::test]
async fn sequential_execution() {
    // Helix's order is that of registration; ours is by priority and id (design.md).
    play([row("one after another, each awaited before the next")
        .actors([
            Actor::new("audit", []).priority(1),
            Actor::new("guard", []).priority(2),
            Actor::new("meter", []).priority(3),
        ])
        .points(&["pre-turn", "message-added"])
        .model([says("done")])
        .turn("go")
        .expect([
            "audit pre-turn",
            "guard pre-turn",
            "meter pre-turn",
            "audit message-added",
            "guard message-added",
            "meter message-added",
            "audit message-added",
            "guard message-added",
            "meter message-added",
            "(turn-ended: done)",
        ])])
    .await;
}

/// `NoopHookManager` and `hasHooks()`: a point without hooks is one branch, and its call is not
/// built. (An event without a subscriber is not built either: `events::sender` in host/agent tests
/// it.)
#[test]
fn no_hooks_cost_nothing() {
    let none = Hooks::none().session(SessionOptions::new("none"));
    assert!(!none.serves::<PreTurn>());
    assert!(!none.serves::<PreToolCall>());
    assert!(!none.serves::<PostToolCall>());
    assert!(!none.serves::<MessageAdded>());

    let one = NativeHook::new("one").on::<PreTurn>(|_| Ok(pre_turn::Outcome::Continue));
    let one = Hooks::none().with([one]).unwrap();
    let one = one.session(SessionOptions::new("one"));
    assert!(one.serves::<PreTurn>());
    assert!(!one.serves::<PreToolCall>());
}

#[tokio::test]
async fn no_hooks_change_nothing() {
    play([row("noopHookManager")
        .actors([])
        .model([calls("set key=value"), says("done")])
        .turn("go")
        .expect(["(echo runs: set key=value)", "(turn-ended: done)"])
        .conversation([
            "user: go",
            "assistant: [echo]",
            "tool: echo set key=value",
            "assistant: done",
        ])])
    .await;
}
