//! Suspended and resumed turns: each point fires once, in the canonical order, also if another
//! process continues.
//!
//! | Helix's reason | ours |
//! | --- | --- |
//! | `client_tool` | client-tool |
//! | approval | human |
//! | `awaiting_children` | children |
//! | `step_partial` | `partial`, beside any of them |

use portcullis::approval::ApprovalDecision;
use portcullis_agent::{AgentBuilder, AgentConfig, Resolution, ToolOutput, ToolStrategy};
use serde_json::json;

use super::{HOOKS, TOOL};
use crate::harness::{
    Actor, Does, Row, ask, at, calls, calls_all, does, hands, play, reject, row, says, spec,
};

fn yes() -> Resolution {
    Resolution::Decision(ApprovalDecision::Approve)
}

/// Returns a row in which a hook asks and a person decides later.
fn asked(name: &'static str, elsewhere: bool, given: Resolution) -> Row {
    row(name)
        .answers([at("pre-tool-call", ask("May it?"))])
        .points(HOOKS)
        .person(ApprovalDecision::Defer)
        .model([calls("set key=value"), says("done")])
        .turn("go")
        .resume(elsewhere, [("c1", given)])
}

const APPROVED: [&str; 19] = [
    "pre-turn",
    "message-added",
    "pre-llm-call",
    "post-llm-call",
    "message-added",
    "(a person is asked: May it?)",
    "pre-tool-call ask",
    "(turn-suspended: human c1)",
    "turn-suspended",
    "turn-resumed",
    "(echo runs: set key=value)",
    "post-tool-call",
    "state-changed",
    "message-added",
    "pre-llm-call",
    "post-llm-call",
    "message-added",
    "post-turn",
    "(turn-ended: done)",
];

#[tokio::test]
async fn the_approve_path() {
    play([
        asked("approved in the same process", false, yes()).expect_as("transform", APPROVED),
        asked("approved in another process", true, yes()).expect_as("transform", APPROVED),
        asked(
            "denied",
            true,
            Resolution::Decision(ApprovalDecision::Deny("not now".into())),
        )
        .expect_as(
            "transform",
            [
                "pre-turn",
                "message-added",
                "pre-llm-call",
                "post-llm-call",
                "message-added",
                "(a person is asked: May it?)",
                "pre-tool-call ask",
                "(turn-suspended: human c1)",
                "turn-suspended",
                "turn-resumed",
                "message-added",
                "pre-llm-call",
                "post-llm-call",
                "message-added",
                "post-turn",
                "(turn-ended: done)",
            ],
        ),
        row("observers are notified of the tool call once it is decided, and once")
            .actors([
                Actor::new("guard", [at("pre-tool-call", ask("May it?"))]),
                Actor::new("audit", []).role("observe"),
            ])
            .points(TOOL)
            .person(ApprovalDecision::Defer)
            .model([calls("set key=value"), says("done")])
            .turn("go")
            .resume(true, [("c1", yes())])
            .expect([
                "guard message-added",
                "audit message-added",
                "guard message-added",
                "audit message-added",
                "(a person is asked: May it?)",
                "guard pre-tool-call ask",
                "(turn-suspended: human c1)",
                "audit pre-tool-call",
                "(echo runs: set key=value)",
                "guard post-tool-call",
                "guard state-changed",
                "audit state-changed",
                "guard message-added",
                "audit message-added",
                "audit post-tool-call",
                "guard message-added",
                "audit message-added",
                "(turn-ended: done)",
            ]),
    ])
    .await;
}

/// Adds `client`, a tool that the client runs.
fn client_tool(builder: AgentBuilder) -> AgentBuilder {
    builder.client_tool(spec("client"))
}

fn result() -> Resolution {
    Resolution::Result(ToolOutput::ok("from the client"))
}

#[tokio::test]
async fn a_client_tool() {
    play([
        row("client_tool: the client's result goes the way of any other")
            .points(HOOKS)
            .agent(client_tool)
            .model([
                calls_all(&[("client", "hi")]),
                json!({ "text": "done", "expect": "from the client" }),
            ])
            .turn("go")
            .resume(true, [("c1", result())])
            .expect_as(
                "observe",
                [
                    "pre-turn",
                    "message-added",
                    "pre-llm-call",
                    "post-llm-call",
                    "message-added",
                    "pre-tool-call",
                    "(turn-suspended: client-tool c1)",
                    "turn-suspended",
                    "turn-resumed",
                    "message-added",
                    "post-tool-call",
                    "pre-llm-call",
                    "post-llm-call",
                    "message-added",
                    "(turn-ended: done)",
                    "post-turn",
                ],
            ),
        row("step_partial: what was done is kept, and settled in the model's order")
            .points(&[
                "turn-suspended",
                "pre-tool-call",
                "state-changed",
                "message-added",
                "post-tool-call",
            ])
            .agent(client_tool)
            .answers([does("turn-suspended", Does::Fail("it is partial")).holds("partial", true)])
            .config(|config| AgentConfig {
                tool_strategy: ToolStrategy::Parallel,
                ..config
            })
            .model([
                calls_all(&[("client", "1"), ("echo", "set key=2")]),
                says("done"),
            ])
            .turn("go")
            .resume(true, [("c1", result())])
            .expect_as(
                "observe",
                [
                    "message-added",
                    "message-added",
                    "pre-tool-call",
                    "pre-tool-call",
                    "(echo runs: set key=2)",
                    "(turn-suspended: client-tool c1)",
                    // The hook was informed that it is partial.
                    "turn-suspended fails open",
                    "message-added",
                    "post-tool-call",
                    "state-changed",
                    "message-added",
                    "post-tool-call",
                    "message-added",
                    "(turn-ended: done)",
                ],
            )
            .conversation([
                "user: go",
                "assistant: [client][echo]",
                "tool: from the client",
                "tool: echo set key=2",
                "assistant: done",
            ]),
        row("two that wait, given one by one: suspended twice, each point once for each")
            .points(&[
                "pre-tool-call",
                "post-tool-call",
                "turn-suspended",
                "turn-resumed",
            ])
            .agent(client_tool)
            .config(|config| AgentConfig {
                tool_strategy: ToolStrategy::Parallel,
                ..config
            })
            .model([calls_all(&[("client", "1"), ("client", "2")]), says("done")])
            .turn("go")
            .resume(true, [("c2", result())])
            .resume(true, [("c1", result())])
            .expect_as(
                "observe",
                [
                    "pre-tool-call",
                    "pre-tool-call",
                    "(turn-suspended: client-tool c1 c2)",
                    "turn-suspended",
                    "turn-resumed",
                    "(turn-suspended: client-tool c1)",
                    "turn-suspended",
                    "turn-resumed",
                    "post-tool-call",
                    "post-tool-call",
                    "(turn-ended: done)",
                ],
            ),
    ])
    .await;
}

#[tokio::test]
async fn awaiting_children() {
    play([
        row("awaiting_children: the sub-agent waits, so its parent does")
            .points(&[
                "pre-turn",
                "turn-suspended",
                "turn-resumed",
                "pre-subagent",
                "pre-tool-call",
                "post-tool-call",
                "post-subagent",
                "post-turn",
            ])
            .model([hands("helper", "help"), says("done")])
            .sub(
                [calls_all(&[("client", "hi")]), says("helped")],
                [],
                client_tool,
            )
            .turn("go")
            .resume(true, [("c1/c1", result())])
            .expect_as(
                "observe",
                [
                    "pre-turn",
                    "pre-subagent",
                    "sub pre-turn",
                    "sub pre-tool-call",
                    "sub (turn-suspended: client-tool c1)",
                    "sub turn-suspended",
                    "(turn-suspended: children c1)",
                    "turn-suspended",
                    "turn-resumed",
                    "sub turn-resumed",
                    "sub post-tool-call",
                    "sub (turn-ended: helped)",
                    "sub post-turn",
                    "post-subagent",
                    "(turn-ended: done)",
                    "post-turn",
                ],
            ),
    ])
    .await;
}

#[tokio::test]
async fn errors_at_both_ends_are_not_fatal() {
    let suspended_and_resumed = |name, point| {
        row(name)
            .answers([does(point, Does::Fail("broken"))])
            .points(&["turn-suspended", "turn-resumed", "post-turn"])
            .agent(client_tool)
            .model([calls_all(&[("client", "hi")]), says("done")])
            .turn("go")
            .resume(true, [("c1", result())])
    };
    play([
        suspended_and_resumed("onAgentSuspended throws", "turn-suspended").expect_as(
            "transform",
            [
                "(turn-suspended: client-tool c1)",
                "turn-suspended fails open",
                "turn-resumed",
                "post-turn",
                "(turn-ended: done)",
            ],
        ),
        suspended_and_resumed("onAgentResumed throws", "turn-resumed").expect_as(
            "transform",
            [
                "(turn-suspended: client-tool c1)",
                "turn-suspended",
                "turn-resumed fails open",
                "post-turn",
                "(turn-ended: done)",
            ],
        ),
        row("what fires after a resume may still refuse")
            .answers([at("post-turn", reject("no"))])
            .points(&["turn-suspended", "turn-resumed", "post-turn", "turn-error"])
            .agent(client_tool)
            .model([calls_all(&[("client", "hi")]), says("done")])
            .turn("go")
            .resume(true, [("c1", result())])
            .expect_as(
                "transform",
                [
                    "(turn-suspended: client-tool c1)",
                    "turn-suspended",
                    "turn-resumed",
                    "post-turn reject",
                    "turn-error",
                    "(turn-failed: hook `actor` refused at post-turn: no (no))",
                ],
            ),
    ])
    .await;
}
