//! "Blocking Tool Execution": the tool does not run, and the model receives the reason.

use serde_json::json;

use super::TRIGGERS;
use crate::harness::{Actor, at, calls, calls_all, play, reject, row, says};

#[tokio::test]
async fn a_blocked_tool_does_not_run() {
    play([
        row("the rejection is the tool's result, and the execution continues")
            .points(TRIGGERS)
            .events(&["tool-finished"])
            .answers([at("pre-tool-call", reject("not on a Friday"))])
            .model([calls("hi"), says("then not")])
            .turn("go")
            .expect([
                "pre-turn",
                "pre-step",
                "pre-tool-call reject",
                "(tool-finished: c1 not run, error)",
                "post-step",
                "pre-step",
                "post-step",
                "turn-stopping",
                "post-turn",
                "(turn-ended: then not)",
            ])
            .conversation([
                "user: go",
                "assistant: [echo]",
                "tool: [The tool was not run: hook `actor` refused the call. \
                 Its reason (no): not on a Friday]",
                "assistant: then not",
            ]),
        row("one of two tools")
            .points(&["pre-tool-call", "post-tool-call"])
            .answers([at("pre-tool-call", reject("not this one")).when("c1")])
            .model([
                calls_all(&[("echo", "1"), ("other", "2")]),
                json!({ "text": "done", "expect": "echo 2" }),
            ])
            .turn("go")
            .expect([
                "pre-tool-call reject",
                "pre-tool-call",
                "(other runs: 2)",
                "post-tool-call",
                "(turn-ended: done)",
            ]),
        // Cognesy: "a high priority to ensure it runs before other hooks".
        row("a blocker that runs first keeps the others out")
            .actors([
                Actor::new("guard", [at("pre-tool-call", reject("blocked"))]).priority(-200),
                Actor::new("audit", []).priority(0),
            ])
            .points(&["pre-tool-call", "post-tool-call"])
            .model([calls("hi"), says("done")])
            .turn("go")
            .expect([
                "guard pre-tool-call reject",
                "audit pre-tool-call skipped",
                "(turn-ended: done)",
            ]),
    ])
    .await;
}
