//! "HookAction" and the short-circuit rules: the effect of each action at each point.
//!
//! AgentHook v2 counts two gates and eight observers, while its own guardrail refuses at `pre_turn`.
//! The table in design.md defines the legal outcomes at each point, and the types enforce it.

use serde_json::{Value, json};

use super::METHODS;
use crate::harness::{
    Actor, Answer, Row, at, calls, content, fails, output, play, reject, row, says, text,
};

/// Returns two hooks. `guard` comes first at points in forward order, `audit` at reversed ones.
fn guard_and_audit(answers: [Answer; 1]) -> [Actor; 2] {
    let reversed = answers[0].point.starts_with("post-") || answers[0].point.ends_with("-error");
    let (guard, audit) = match reversed {
        false => (answers.to_vec(), Vec::new()),
        true => (Vec::new(), answers.to_vec()),
    };
    [
        Actor::new("guard", guard).priority(10),
        Actor::new("audit", audit).priority(50),
    ]
}

/// Returns a row in which one of two hooks acts and only its point shows.
fn action(name: &'static str, answer: Answer) -> Row {
    let point = answer.point;
    row(name).actors(guard_and_audit([answer])).points(&[point])
}

#[tokio::test]
async fn continue_passes_on() {
    play([row("Continue: pass to the next hook, everywhere")
        .actors([
            Actor::new("guard", []).priority(10),
            Actor::new("audit", []).priority(50),
        ])
        .points(&["pre-turn", "pre-tool-call", "post-turn"])
        .model([calls("hi"), says("done")])
        .turn("go")
        .expect([
            "guard pre-turn",
            "audit pre-turn",
            "guard pre-tool-call",
            "audit pre-tool-call",
            "(echo runs: hi)",
            "audit post-turn",
            "guard post-turn",
            "(turn-ended: done)",
        ])])
    .await;
}

#[tokio::test]
async fn transform_is_what_the_next_hook_sees() {
    let sees = |point, size: &'static str| at(point, reject("seen")).when(size);
    play([
        row("pre_turn: the next hook sees the transformed input")
            .actors([
                Actor::new(
                    "guard",
                    [at("pre-turn", content("transform", "thirteen char"))],
                )
                .priority(10),
                Actor::new("audit", [sees("pre-turn", "13")]).priority(50),
            ])
            .points(&["pre-turn"])
            .turn("go")
            .expect([
                "guard pre-turn transform",
                "audit pre-turn reject",
                "(turn-failed: hook `audit` refused at pre-turn: seen (no))",
            ]),
        row("post_tool_call: the same, in reverse")
            .actors([
                Actor::new("guard", [sees("post-tool-call", "13")]).priority(10),
                Actor::new(
                    "audit",
                    [at("post-tool-call", output("transform", "thirteen char"))],
                )
                .priority(50),
            ])
            .points(&["post-tool-call"])
            .model([calls("hi"), says("done")])
            .turn("go")
            .expect([
                "(echo runs: hi)",
                "audit post-tool-call transform",
                "guard post-tool-call reject",
                "(turn-ended: done)",
            ]),
        action(
            "pre_turn: Transform",
            at("pre-turn", content("transform", "please")),
        )
        .model([says("done")])
        .turn("go")
        .expect([
            "guard pre-turn transform",
            "audit pre-turn",
            "(turn-ended: done)",
        ])
        .conversation(["user: please", "assistant: done"]),
        action(
            "post_turn: Transform",
            at("post-turn", content("transform", "DONE")),
        )
        .model([says("done")])
        .turn("go")
        .expect([
            "audit post-turn transform",
            "guard post-turn",
            "(turn-ended: DONE)",
        ])
        .conversation(["user: go", "assistant: DONE"]),
        action(
            "pre_llm_call: Transform, of this call only",
            at("pre-llm-call", edit("transform", "and be brief")),
        )
        .model([json!({ "text": "done", "expect": "and be brief" })])
        .turn("go")
        .expect([
            "guard pre-llm-call transform",
            "audit pre-llm-call",
            "(turn-ended: done)",
        ])
        .conversation(["user: go", "assistant: done"]),
        action(
            "post_llm_call: Transform",
            at("post-llm-call", content("transform", "DONE")),
        )
        .model([says("done")])
        .turn("go")
        .expect([
            "audit post-llm-call transform",
            "guard post-llm-call",
            "(turn-ended: DONE)",
        ])
        .conversation(["user: go", "assistant: DONE"]),
        action(
            "pre_tool_call: Transform rewrites the arguments",
            at("pre-tool-call", text("transform", r#"{"text":"ho"}"#)),
        )
        .model([calls("hi"), says("done")])
        .turn("go")
        .expect([
            "guard pre-tool-call transform",
            "audit pre-tool-call",
            "(echo runs: ho)",
            "(turn-ended: done)",
        ]),
        action(
            "post_tool_call: Transform reaches the message that is committed",
            at("post-tool-call", output("transform", "***")),
        )
        .model([calls("hi"), says("done")])
        .turn("go")
        .expect([
            "(echo runs: hi)",
            "audit post-tool-call transform",
            "guard post-tool-call",
            "(turn-ended: done)",
        ])
        .conversation([
            "user: go",
            "assistant: [echo]",
            "tool: ***",
            "assistant: done",
        ]),
    ])
    .await;
}

#[tokio::test]
async fn reject_skips_the_rest_and_fails_the_operation() {
    let refused = |point| at(point, reject("not this"));
    play([
        action("pre_turn: Reject", refused("pre-turn"))
            .turn("go")
            .expect([
                "guard pre-turn reject",
                "audit pre-turn skipped",
                "(turn-failed: hook `guard` refused at pre-turn: not this (no))",
            ])
            .conversation([]),
        action("post_turn: Reject", refused("post-turn"))
            .model([says("done")])
            .turn("go")
            .expect([
                "audit post-turn reject",
                "guard post-turn skipped",
                "(turn-failed: hook `audit` refused at post-turn: not this (no))",
            ])
            .conversation([]),
        action("pre_llm_call: Reject", refused("pre-llm-call"))
            .turn("go")
            .expect([
                "guard pre-llm-call reject",
                "audit pre-llm-call skipped",
                "(turn-failed: hook `guard` refused at pre-llm-call: not this (no))",
            ]),
        action("post_llm_call: Reject", refused("post-llm-call"))
            .model([says("done")])
            .turn("go")
            .expect([
                "audit post-llm-call reject",
                "guard post-llm-call skipped",
                "(turn-failed: hook `audit` refused at post-llm-call: not this (no))",
            ]),
        // A tool call that is refused does not fail the turn: the model is told (design.md).
        action("pre_tool_call: Reject", refused("pre-tool-call"))
            .model([
                calls("hi"),
                json!({ "text": "done", "expect": "hook `guard` refused the call" }),
            ])
            .turn("go")
            .expect([
                "guard pre-tool-call reject",
                "audit pre-tool-call skipped",
                "(turn-ended: done)",
            ]),
        action(
            "post_tool_call: Reject withholds the output",
            refused("post-tool-call"),
        )
        .model([
            calls("hi"),
            json!({ "text": "done", "expect": "withholds its output", "expect_absent": "echo hi" }),
        ])
        .turn("go")
        .expect([
            "(echo runs: hi)",
            "audit post-tool-call reject",
            "guard post-tool-call skipped",
            "(turn-ended: done)",
        ]),
        action("on_session_start: Reject", refused("session-start"))
            .turn("go")
            .expect([
                "guard session-start reject",
                "audit session-start skipped",
                "(no session: hook `guard` refused the session: not this (no))",
            ]),
        action(
            "pre_compaction: Reject, and the turn continues",
            refused("pre-compaction"),
        )
        .events(&["compacted", "compaction-skipped"])
        .little_room()
        .model([crate::harness::says_at_length("one"), says("two")])
        .turn("1")
        .turn("2")
        .expect([
            "(turn-ended: one)",
            "guard pre-compaction reject",
            "audit pre-compaction skipped",
            "(compaction-skipped)",
            "(turn-ended: two)",
        ]),
    ])
    .await;
}

#[tokio::test]
async fn replace_is_final_and_every_later_hook_still_runs_as_a_gate() {
    play([
        action(
            "pre_turn: Replace",
            at("pre-turn", content("replace", "please")),
        )
        .model([says("done")])
        .turn("go")
        .expect([
            "guard pre-turn replace",
            "audit pre-turn",
            "(turn-ended: done)",
        ])
        .conversation(["user: please", "assistant: done"]),
        action(
            "post_turn: Replace",
            at("post-turn", content("replace", "DONE")),
        )
        .model([says("done")])
        .turn("go")
        .expect([
            "audit post-turn replace",
            "guard post-turn",
            "(turn-ended: DONE)",
        ]),
        action(
            "pre_llm_call: Replace",
            at("pre-llm-call", edit("replace", "be brief")),
        )
        .model([json!({ "text": "done", "expect": "be brief" })])
        .turn("go")
        .expect([
            "guard pre-llm-call replace",
            "audit pre-llm-call",
            "(turn-ended: done)",
        ]),
        action(
            "post_llm_call: Replace",
            at("post-llm-call", content("replace", "DONE")),
        )
        .model([says("done")])
        .turn("go")
        .expect([
            "audit post-llm-call replace",
            "guard post-llm-call",
            "(turn-ended: DONE)",
        ]),
        action(
            "pre_tool_call: Replace",
            at("pre-tool-call", text("replace", r#"{"text":"ho"}"#)),
        )
        .model([calls("hi"), says("done")])
        .turn("go")
        .expect([
            "guard pre-tool-call replace",
            "audit pre-tool-call",
            "(echo runs: ho)",
            "(turn-ended: done)",
        ]),
        action(
            "post_tool_call: Replace",
            at("post-tool-call", output("replace", "***")),
        )
        .model([calls("hi"), json!({ "text": "done", "expect": "***" })])
        .turn("go")
        .expect([
            "(echo runs: hi)",
            "audit post-tool-call replace",
            "guard post-tool-call",
            "(turn-ended: done)",
        ]),
        row("a later transform is not applied")
            .actors([
                Actor::new("guard", [at("pre-turn", content("replace", "please"))]).priority(10),
                Actor::new("audit", [at("pre-turn", content("transform", "now"))]).priority(50),
            ])
            .points(&["pre-turn"])
            .model([says("done")])
            .turn("go")
            .expect([
                "guard pre-turn replace",
                "audit pre-turn not applied",
                "(turn-ended: done)",
            ])
            .conversation(["user: please", "assistant: done"]),
        row("a later transform's refusal counts")
            .actors([
                Actor::new("guard", [at("pre-turn", content("replace", "please"))]).priority(10),
                Actor::new("audit", [at("pre-turn", reject("seen"))]).priority(50),
            ])
            .points(&["pre-turn"])
            .turn("go")
            .expect([
                "guard pre-turn replace",
                "audit pre-turn reject",
                "(turn-failed: hook `audit` refused at pre-turn: seen (no))",
            ]),
        action(
            "on_turn_error: Replace gives an output to continue with",
            at("turn-error", content("replace", "sorry")),
        )
        .model([fails("auth")])
        .turn("go")
        .expect([
            "audit turn-error replace",
            "guard turn-error skipped",
            "(turn-ended recovered: sorry)",
        ])
        .conversation(["user: go", "assistant: sorry"]),
    ])
    .await;
}

/// Not in AgentHook v2: the actions that design.md added to the four.
#[tokio::test]
async fn answer_stands_in_for_the_operation() {
    play([
        row("pre_turn: Answer; the post point fires for it")
            .points(METHODS)
            .answers([at("pre-turn", content("answer", "known"))])
            .turn("go")
            .expect([
                "session-start",
                "pre-turn answer",
                "post-turn",
                "(turn-ended answered: known)",
                "session-end",
            ]),
        row("pre_llm_call: Answer; the post point fires for it")
            .points(METHODS)
            .answers([at(
                "pre-llm-call",
                json!({ "answer": {
                    "content": [{ "text": "known" }],
                    "stop": "end-turn",
                    "usage": {
                        "input-tokens": 0, "output-tokens": 0,
                        "cache-read-tokens": 0, "cache-write-tokens": 0
                    },
                } }),
            )])
            .turn("go")
            .expect([
                "session-start",
                "pre-turn",
                "pre-llm-call answer",
                "post-llm-call",
                "post-turn",
                "(turn-ended: known)",
                "session-end",
            ]),
        row("pre_tool_call: Answer; the tool does not run, the post point fires")
            .points(&["pre-tool-call", "post-tool-call"])
            .answers([at("pre-tool-call", output("answer", "known"))])
            .model([calls("hi"), json!({ "text": "done", "expect": "known" })])
            .turn("go")
            .expect([
                "pre-tool-call answer",
                "post-tool-call",
                "(turn-ended: done)",
            ]),
    ])
    .await;
}

/// Returns an edit that appends a message to the request.
fn edit(case: &str, said: &str) -> Value {
    let message = json!({ "role": "user", "content": [{ "text": said }] });
    json!({ case: { "messages": [{ "insert": [1, message] }] } })
}
