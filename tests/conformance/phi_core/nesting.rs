//! "Hook Ordering": each hook stands around its paired event.
//!
//! | phi-core's event | ours |
//! | --- | --- |
//! | `AgentStart`, `AgentEnd` | turn-started, turn-ended |
//! | `TurnStart`, `TurnEnd` | step-started, step-ended |
//! | `MessageStart/Update/End` | text-delta |
//! | `ToolExecutionStart/Update/End` | tool-started, tool-progress, tool-finished |
//! | `CompactionStarted/Ended` | compaction-started, compacted |
//!
//! An observer is notified of the end of a tool and of a turn after the event, as in phi-core. A
//! hook that may change the result must come before the event, or the event would report an
//! outdated result (design.md).

use portcullis_agent::{AgentConfig, Deltas};

use super::{CALLBACKS, EVENTS};
use crate::harness::{Row, calls, fails, play, row, says, says_at_length};

fn callbacks(name: &'static str) -> Row {
    row(name)
        .points(CALLBACKS)
        .events(EVENTS)
        .config(|config| AgentConfig {
            deltas: Deltas::Always,
            ..config
        })
}

#[tokio::test]
async fn hooks_stand_around_their_events() {
    play([
        callbacks("the diagram")
            .model([calls("progress half"), says("done")])
            .turn("go")
            .expect_as(
                "observe",
                [
                    "session-start",
                    "(session-started)",
                    "pre-turn",
                    "(turn-started)",
                    "pre-step",
                    "(step-started)",
                    "pre-tool-call",
                    r#"(tool-started: c1 {"text":"progress half"})"#,
                    "(echo runs: progress half)",
                    "tool-update",
                    "(tool-progress: half)",
                    "tool-update-sent",
                    "(tool-finished: c1)",
                    "post-tool-call",
                    "(step-ended)",
                    "post-step",
                    "pre-step",
                    "(step-started)",
                    "(text-delta: done)",
                    "(step-ended)",
                    "post-step",
                    "(turn-ended: done)",
                    "post-turn",
                    "session-end",
                    "(session-ended: closed)",
                ],
            )
            .expect_as(
                "transform",
                [
                    "session-start",
                    "(session-started)",
                    "pre-turn",
                    "(turn-started)",
                    "pre-step",
                    "(step-started)",
                    "pre-tool-call",
                    r#"(tool-started: c1 {"text":"progress half"})"#,
                    "(echo runs: progress half)",
                    "tool-update",
                    "(tool-progress: half)",
                    "tool-update-sent",
                    "post-tool-call",
                    "(tool-finished: c1)",
                    "(step-ended)",
                    "post-step",
                    "pre-step",
                    "(step-started)",
                    "(text-delta: done)",
                    "(step-ended)",
                    "post-step",
                    "post-turn",
                    "(turn-ended: done)",
                    "session-end",
                    "(session-ended: closed)",
                ],
            ),
        // phi-core compacts at the end of a step that exceeded the budget, ours at the beginning of
        // the next, when it is known that there is one.
        callbacks("if the context budget is exceeded")
            .little_room()
            .model([says_at_length("one"), says("summary"), says("two")])
            .turn("1")
            .turn("2")
            .expect_as(
                "observe",
                [
                    "session-start",
                    "(session-started)",
                    "pre-turn",
                    "(turn-started)",
                    "pre-step",
                    "(step-started)",
                    "(text-delta: one)",
                    "(step-ended)",
                    "post-step",
                    "(turn-ended: one)",
                    "post-turn",
                    "pre-turn",
                    "(turn-started)",
                    "pre-step",
                    "(step-started)",
                    "pre-compaction",
                    "(compaction-started)",
                    "(compacted: 2)",
                    "post-compaction",
                    "(text-delta: two)",
                    "(step-ended)",
                    "post-step",
                    "(turn-ended: two)",
                    "post-turn",
                    "session-end",
                    "(session-ended: closed)",
                ],
            ),
        callbacks("on_error: the model's failure is told, then tried again or not")
            .model([fails("auth")])
            .turn("go")
            .expect_as(
                "observe",
                [
                    "session-start",
                    "(session-started)",
                    "pre-turn",
                    "(turn-started)",
                    "pre-step",
                    "(step-started)",
                    "llm-error",
                    "(turn-failed: the model call failed, attempt 1)",
                    "session-end",
                    "(session-ended: closed)",
                ],
            ),
    ])
    .await;
}
