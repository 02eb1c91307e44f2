//! "Lifecycle Events": when each of the eight triggers fires.

use serde_json::json;

use super::TRIGGERS;
use crate::harness::{at, calls, calls_all, content, fails, play, reject, row, says};

#[tokio::test]
async fn each_trigger_fires_at_its_moment() {
    play([
        row("an execution of two steps")
            .points(TRIGGERS)
            .model([calls("hi"), says("done")])
            .turn("go")
            .expect([
                "pre-turn",
                "pre-step",
                "pre-tool-call",
                "(echo runs: hi)",
                "post-tool-call",
                "post-step",
                "pre-step",
                "post-step",
                "turn-stopping",
                "post-turn",
                "(turn-ended: done)",
            ]),
        row("BeforeToolUse and AfterToolUse: each individual tool")
            .points(TRIGGERS)
            .model([calls_all(&[("echo", "1"), ("other", "2")]), says("done")])
            .turn("go")
            .expect([
                "pre-turn",
                "pre-step",
                "pre-tool-call",
                "(echo runs: 1)",
                "post-tool-call",
                "pre-tool-call",
                "(other runs: 2)",
                "post-tool-call",
                "post-step",
                "pre-step",
                "post-step",
                "turn-stopping",
                "post-turn",
                "(turn-ended: done)",
            ]),
        row("a tool that fails is a tool that was used")
            .points(TRIGGERS)
            .model([calls("fail"), says("done")])
            .turn("go")
            .expect([
                "pre-turn",
                "pre-step",
                "pre-tool-call",
                "(echo runs: fail)",
                "post-tool-call",
                "post-step",
                "pre-step",
                "post-step",
                "turn-stopping",
                "post-turn",
                "(turn-ended: done)",
            ]),
        row("OnError: in place of all that would have come")
            .points(TRIGGERS)
            .model([fails("auth")])
            .turn("go")
            .expect([
                "pre-turn",
                "pre-step",
                "turn-error",
                "(turn-failed: the model call failed, attempt 1)",
            ]),
        row("OnError with a way out: AfterExecution fires for it")
            .points(TRIGGERS)
            .answers([at("turn-error", content("replace", "sorry"))])
            .model([fails("auth")])
            .turn("go")
            .expect([
                "pre-turn",
                "pre-step",
                "turn-error replace",
                "post-turn",
                "(turn-ended recovered: sorry)",
            ]),
        row("triggers tell their own: the tool call, the tool execution, the error")
            .points(TRIGGERS)
            .answers([
                at("pre-tool-call", reject("it is `other`")).when("other"),
                at("post-tool-call", reject("it is `echo`")).when("echo"),
                at("turn-error", content("replace", "sorry")).when("the model call failed"),
            ])
            .model([
                calls_all(&[("echo", "1"), ("other", "2")]),
                json!({ "error": { "kind": "auth" } }),
            ])
            .turn("go")
            .expect([
                "pre-turn",
                "pre-step",
                "pre-tool-call",
                "(echo runs: 1)",
                "post-tool-call reject",
                "pre-tool-call reject",
                "post-step",
                "pre-step",
                "turn-error replace",
                "post-turn",
                "(turn-ended recovered: sorry)",
            ]),
    ])
    .await;
}
