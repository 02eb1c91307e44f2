//! "Updated runtime flow", and the places of the trait's twelve methods.

use super::METHODS;
use crate::harness::{at, calls, calls_all, fails, play, reject, row, says, says_at_length};

#[tokio::test]
async fn each_method_fires_at_its_place() {
    play([
        row("run_turn(message), as in the picture")
            .points(METHODS)
            .whole_flow()
            .model([calls("hi"), says("done")])
            .turn("go")
            .expect([
                "session-start",
                "pre-turn",
                "(the memory is asked)",
                "pre-llm-call",
                "post-llm-call",
                "(the policy is asked: echo)",
                "pre-tool-call",
                "(echo runs: hi)",
                "post-tool-call",
                "pre-llm-call",
                "post-llm-call",
                "(the memory takes note)",
                "post-turn",
                "(turn-ended: done)",
                "session-end",
            ]),
        row("pre_tool_call and post_tool_call, per tool")
            .points(&["pre-tool-call", "post-tool-call"])
            .model([calls_all(&[("echo", "1"), ("other", "2")]), says("done")])
            .turn("go")
            .expect([
                "pre-tool-call",
                "(echo runs: 1)",
                "post-tool-call",
                "pre-tool-call",
                "(other runs: 2)",
                "post-tool-call",
                "(turn-ended: done)",
            ]),
        row("on_session_start and on_session_end, once around all turns")
            .points(&["session-start", "session-end", "pre-turn", "post-turn"])
            .model([says("one"), says("two")])
            .turn("1")
            .turn("2")
            .expect([
                "session-start",
                "pre-turn",
                "post-turn",
                "(turn-ended: one)",
                "pre-turn",
                "post-turn",
                "(turn-ended: two)",
                "session-end",
            ]),
        row("on_llm_error and on_turn_error, where the provider fails for good")
            .points(METHODS)
            .model([fails("auth")])
            .turn("go")
            .expect([
                "session-start",
                "pre-turn",
                "pre-llm-call",
                "llm-error",
                "turn-error",
                "(turn-failed: the model call failed, attempt 1)",
                "session-end",
            ]),
        row("on_llm_error, where trying again helps")
            .points(METHODS)
            .model([fails("overloaded"), says("done")])
            .turn("go")
            .expect([
                "session-start",
                "pre-turn",
                "pre-llm-call",
                "llm-error",
                "pre-llm-call",
                "post-llm-call",
                "post-turn",
                "(turn-ended: done)",
                "session-end",
            ]),
        row("pre_compaction and post_compaction, around the summary")
            .points(METHODS)
            .events(&["compacted"])
            .little_room()
            .model([says_at_length("one"), says("summary"), says("two")])
            .turn("1")
            .turn("2")
            .expect([
                "session-start",
                "pre-turn",
                "pre-llm-call",
                "post-llm-call",
                "post-turn",
                "(turn-ended: one)",
                "pre-turn",
                "pre-compaction",
                // The summary is an ordinary model call.
                "pre-llm-call",
                "post-llm-call",
                "(compacted: 2)",
                "post-compaction",
                "pre-llm-call",
                "post-llm-call",
                "post-turn",
                "(turn-ended: two)",
                "session-end",
            ]),
        row("on_session_start may refuse: a gate")
            .points(METHODS)
            .answers([at("session-start", reject("closed today"))])
            .turn("go")
            .expect([
                "session-start reject",
                // A session that opens also closes.
                "session-end",
                "(no session: hook `actor` refused the session: closed today (no))",
            ]),
    ])
    .await;
}
