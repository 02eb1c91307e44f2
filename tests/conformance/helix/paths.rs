//! Exactly once: all points on every path, and nothing else.

use portcullis::approval::ApprovalDecision;
use portcullis_agent::{Resolution, ToolOutput};
use serde_json::json;

use crate::harness::{
    Meanwhile, ask, at, calls, calls_all, content, fails, hands, play, reject, row, says,
    says_at_length, spec, stop,
};

/// From the session's start to the first step.
const BEGIN: &[&str] = &[
    "session-start",
    "pre-turn",
    "message-added",
    "prompt-policy",
    "prompt-context",
    "prompt-recall",
    "prompt-tools",
    "prompt-compile",
];
/// A step up to its tool calls.
const ASKS: &[&str] = &["pre-step", "pre-llm-call", "post-llm-call", "message-added"];
/// A step with a text, which is the last step.
const SAYS: &[&str] = &[
    "pre-step",
    "pre-llm-call",
    "llm-delta",
    "post-llm-call",
    "message-added",
    "post-step",
    "turn-stopping",
    "post-turn",
];
const DONE: &[&str] = &["(turn-ended: done)", "session-end"];

fn path(parts: &[&[&'static str]]) -> Vec<&'static str> {
    parts.concat()
}

#[tokio::test]
async fn ends_of_all_kinds() {
    let enough = stop(json!({ "other": "enough" }), "enough");
    play([
        row("normal, with a tool")
            .model([calls("set key=value"), says("done")])
            .turn("go")
            .expect(path(&[
                BEGIN,
                ASKS,
                &[
                    "pre-tool-call",
                    "(echo runs: set key=value)",
                    "post-tool-call",
                    "state-changed",
                    "message-added",
                    "post-step",
                ],
                SAYS,
                DONE,
            ])),
        row("streaming")
            .model([json!({ "thinking": "hm", "text": "done", "chunk": 1 })])
            .turn("go")
            .expect(path(&[
                BEGIN,
                // Thinking, and text: a short one is one piece.
                &["pre-step", "pre-llm-call", "llm-delta"],
                &SAYS[2..],
                DONE,
            ])),
        row("a tool that tells how far it is")
            .model([calls("progress half"), says("done")])
            .turn("go")
            .expect(path(&[
                BEGIN,
                ASKS,
                &[
                    "pre-tool-call",
                    "(echo runs: progress half)",
                    "tool-update",
                    "tool-update-sent",
                    "post-tool-call",
                    "message-added",
                    "post-step",
                ],
                SAYS,
                DONE,
            ])),
        row("an error")
            .model([fails("auth")])
            .turn("go")
            .expect(path(&[
                BEGIN,
                &["pre-step", "pre-llm-call", "llm-error", "turn-error"],
                &[
                    "(turn-failed: the model call failed, attempt 1)",
                    "session-end",
                ],
            ])),
        row("an error that is recovered")
            .answers([at("turn-error", content("replace", "done"))])
            .model([fails("auth")])
            .turn("go")
            .expect(path(&[
                BEGIN,
                &[
                    "pre-step",
                    "pre-llm-call",
                    "llm-error",
                    "turn-error replace",
                ],
                &["message-added", "post-turn"],
                &["(turn-ended recovered: done)", "session-end"],
            ])),
        row("an error that passes")
            .model([fails("overloaded"), says("done")])
            .turn("go")
            .expect(path(&[
                BEGIN,
                &["pre-step", "pre-llm-call", "llm-error"],
                &SAYS[1..],
                DONE,
            ])),
        row("early finish: by a tool")
            .agent(|builder| builder.finish_tool("echo"))
            .model([calls("hi")])
            .turn("go")
            .expect(path(&[
                BEGIN,
                ASKS,
                &["pre-tool-call", "(echo runs: hi)", "post-tool-call"],
                &["message-added", "post-step", "turn-stopping"],
                &["message-added", "post-turn"],
                &["(turn-ended tool: echo hi)", "session-end"],
            ])),
        row("early finish: by a hook")
            .answers([at("pre-step", enough)])
            .turn("go")
            .expect(path(&[
                BEGIN,
                &["pre-step stop", "turn-stopping", "post-turn"],
                &["(turn-ended stopped enough: )", "session-end"],
            ])),
        row("early finish: by an answer")
            .answers([at("pre-turn", content("answer", "done"))])
            .turn("go")
            .expect([
                "session-start",
                "pre-turn answer",
                "message-added",
                "message-added",
                "post-turn",
                "(turn-ended answered: done)",
                "session-end",
            ]),
        row("refusal of the turn")
            .answers([at("pre-turn", reject("no"))])
            .turn("go")
            .expect([
                "session-start",
                "pre-turn reject",
                "turn-error",
                "(turn-failed: hook `actor` refused at pre-turn: no (no))",
                "session-end",
            ]),
        row("refusal of a tool call")
            .answers([at("pre-tool-call", reject("no"))])
            .model([calls("hi"), says("done")])
            .turn("go")
            .expect(path(&[
                BEGIN,
                ASKS,
                &["pre-tool-call reject", "message-added", "post-step"],
                SAYS,
                DONE,
            ])),
        row("refusal of the output")
            .answers([at("post-turn", reject("no"))])
            .model([says("done")])
            .turn("go")
            .expect(path(&[
                BEGIN,
                &SAYS[..7],
                &["post-turn reject", "turn-error"],
                &["(turn-failed: hook `actor` refused at post-turn: no (no))"],
                &["session-end"],
            ])),
        row("cancelled")
            .model([calls("cancel")])
            .turn("go")
            .expect(path(&[
                BEGIN,
                ASKS,
                &["pre-tool-call", "(echo runs: cancel)", "(echo is stopped)"],
                &["(turn-failed: cancelled)", "session-end"],
            ])),
        row("steered")
            .during("post-step", Meanwhile::Says("wait"))
            .model([says("one"), says("done")])
            .turn("go")
            .expect(path(&[BEGIN, &SAYS[..6], &["message-added"], SAYS, DONE])),
        row("compacted")
            .little_room()
            .model([says_at_length("one"), says("summary"), says("done")])
            .turn("1")
            .turn("2")
            .expect(path(&[
                BEGIN,
                // A long thought comes in pieces.
                &["pre-step", "pre-llm-call", "llm-delta", "llm-delta"],
                &SAYS[2..],
                &["(turn-ended: one)"],
                &BEGIN[1..],
                &["pre-step", "pre-compaction"],
                // The summary: a model call, and a message.
                &["pre-llm-call", "post-llm-call", "message-added"],
                &["post-compaction"],
                &SAYS[1..],
                DONE,
            ])),
    ])
    .await;
}

#[tokio::test]
async fn suspended_and_resumed() {
    let result = || Resolution::Result(ToolOutput::ok("from the client"));
    play([
        row("suspended: the session does not end, it waits")
            .answers([at("pre-tool-call", ask("May it?"))])
            .person(ApprovalDecision::Defer)
            .model([calls("hi")])
            .turn("go")
            .expect(path(&[
                BEGIN,
                ASKS,
                &["(a person is asked: May it?)", "pre-tool-call ask"],
                &["(turn-suspended: human c1)", "turn-suspended"],
            ])),
        row("resumed: it continues normally, and ends once")
            .answers([at("pre-tool-call", ask("May it?"))])
            .person(ApprovalDecision::Defer)
            .model([calls("hi"), says("done")])
            .turn("go")
            .resume(
                true,
                [("c1", Resolution::Decision(ApprovalDecision::Approve))],
            )
            .expect(path(&[
                BEGIN,
                ASKS,
                &["(a person is asked: May it?)", "pre-tool-call ask"],
                &["(turn-suspended: human c1)", "turn-suspended"],
                &["turn-resumed", "(echo runs: hi)", "post-tool-call"],
                &["message-added", "post-step"],
                SAYS,
                DONE,
            ])),
        row("resumed, with a sub-agent that waited")
            .model([hands("helper", "help"), says("done")])
            .sub(
                [calls_all(&[("client", "hi")]), says("helped")],
                [],
                |builder| builder.client_tool(spec("client")),
            )
            .turn("go")
            .resume(true, [("c1/c1", result())])
            .expect(path(&[
                BEGIN,
                ASKS,
                &["pre-subagent"],
                &[
                    "sub session-start",
                    "sub pre-turn",
                    "sub message-added",
                    "sub prompt-policy",
                    "sub prompt-context",
                    "sub prompt-recall",
                    "sub prompt-tools",
                    "sub prompt-compile",
                    "sub pre-step",
                    "sub pre-llm-call",
                    "sub post-llm-call",
                    "sub message-added",
                    "sub pre-tool-call",
                    "sub (turn-suspended: client-tool c1)",
                    "sub turn-suspended",
                ],
                &["(turn-suspended: children c1)", "turn-suspended"],
                &["turn-resumed"],
                &[
                    "sub turn-resumed",
                    "sub post-tool-call",
                    "sub message-added",
                    "sub post-step",
                    "sub pre-step",
                    "sub pre-llm-call",
                    "sub llm-delta",
                    "sub post-llm-call",
                    "sub message-added",
                    "sub post-step",
                    "sub turn-stopping",
                    "sub post-turn",
                    "sub (turn-ended: helped)",
                    "sub session-end",
                ],
                &["post-subagent", "message-added", "post-step"],
                SAYS,
                DONE,
            ])),
    ])
    .await;
}

#[tokio::test]
async fn sub_agents() {
    play([
        row("a sub-agent fires its own, once each, in its own session")
            .model([hands("helper", "help"), says("done")])
            .sub([says("helped")], [], |builder| builder)
            .turn("go")
            .expect(path(&[
                BEGIN,
                ASKS,
                &["pre-subagent"],
                &[
                    "sub session-start",
                    "sub pre-turn",
                    "sub message-added",
                    "sub prompt-policy",
                    "sub prompt-context",
                    "sub prompt-recall",
                    "sub prompt-tools",
                    "sub prompt-compile",
                    "sub pre-step",
                    "sub pre-llm-call",
                    "sub llm-delta",
                    "sub post-llm-call",
                    "sub message-added",
                    "sub post-step",
                    "sub turn-stopping",
                    "sub post-turn",
                    "sub (turn-ended: helped)",
                    "sub session-end",
                ],
                &["post-subagent", "message-added", "post-step"],
                SAYS,
                DONE,
            ])),
        row("one that is cancelled with its parent: both sessions end, once each")
            .model([hands("helper", "help")])
            .sub([calls("cancel")], [], |builder| builder)
            .turn("go")
            .points(&[
                "session-start",
                "session-end",
                "post-turn",
                "post-subagent",
                "turn-error",
            ])
            .events(&["session-ended"])
            .expect([
                "session-start",
                "sub session-start",
                "(echo runs: cancel)",
                "(echo is stopped)",
                "(turn-failed: cancelled)",
                "sub session-end",
                "sub (session-ended: cancelled)",
                "session-end",
                "(session-ended: closed)",
            ]),
    ])
    .await;
}
