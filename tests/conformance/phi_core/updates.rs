//! The pair around each `ToolExecutionUpdate`.

use crate::harness::{Does, at, calls, calls_all, does, play, reject, row, says};

const POINTS: &[&str] = &["tool-update", "tool-update-sent"];
const EVENTS: &[&str] = &["tool-started", "tool-progress", "tool-finished"];

#[tokio::test]
async fn a_pair_around_each_update() {
    play([
        row("update by update")
            .points(POINTS)
            .events(EVENTS)
            .model([calls("progress one two"), says("done")])
            .turn("go")
            .expect([
                r#"(tool-started: c1 {"text":"progress one two"})"#,
                "(echo runs: progress one two)",
                "tool-update",
                "(tool-progress: one)",
                "tool-update-sent",
                "tool-update",
                "(tool-progress: two)",
                "tool-update-sent",
                "(tool-finished: c1)",
                "(turn-ended: done)",
            ]),
        row("\"only forward updates for bash\": by tool")
            .points(POINTS)
            .events(&["tool-progress", "tool-update-withheld"])
            .answers([at("tool-update", reject("not this tool")).when("other")])
            .model([
                calls_all(&[("echo", "progress seen"), ("other", "progress unseen")]),
                says("done"),
            ])
            .turn("go")
            .expect([
                "(echo runs: progress seen)",
                "tool-update",
                "(tool-progress: seen)",
                "tool-update-sent",
                "(other runs: progress unseen)",
                "tool-update reject",
                "(tool-update-withheld: by actor)",
                "(turn-ended: done)",
            ]),
        row("what a guard that failed has not seen is not shown, and the tool continues")
            .points(POINTS)
            .events(&["tool-progress", "tool-finished"])
            .answers([does("tool-update", Does::Fail("broken"))])
            .model([calls("progress half"), says("done")])
            .turn("go")
            .expect([
                "(echo runs: progress half)",
                "tool-update fails closed",
                "(tool-finished: c1)",
                "(turn-ended: done)",
            ]),
    ])
    .await;
}
