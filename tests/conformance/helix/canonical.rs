//! The canonical order around a tool: beforeTool, execute, onStateChange, onMessage, afterTool.

use portcullis_agent::{AgentConfig, ToolStrategy};

use super::{HOOKS, TOOL};
use crate::harness::{at, calls, calls_all, output, play, reject, row, says};

fn parallel(config: AgentConfig) -> AgentConfig {
    AgentConfig {
        tool_strategy: ToolStrategy::Parallel,
        ..config
    }
}

#[tokio::test]
async fn around_a_tool() {
    play([
        row("a whole run")
            .points(HOOKS)
            .model([calls("set key=value"), says("done")])
            .turn("go")
            .expect_as(
                "observe",
                [
                    "pre-turn",
                    // onMessage: user, assistant and tool messages.
                    "message-added",
                    "pre-llm-call",
                    "post-llm-call",
                    "message-added",
                    "pre-tool-call",
                    "(echo runs: set key=value)",
                    "state-changed",
                    "message-added",
                    "post-tool-call",
                    "pre-llm-call",
                    "post-llm-call",
                    "message-added",
                    "(turn-ended: done)",
                    "post-turn",
                ],
            )
            // A hook's change of the result must reach the message: the hook comes first
            // (design.md).
            .expect_as(
                "transform",
                [
                    "pre-turn",
                    "message-added",
                    "pre-llm-call",
                    "post-llm-call",
                    "message-added",
                    "pre-tool-call",
                    "(echo runs: set key=value)",
                    "post-tool-call",
                    "state-changed",
                    "message-added",
                    "pre-llm-call",
                    "post-llm-call",
                    "message-added",
                    "post-turn",
                    "(turn-ended: done)",
                ],
            ),
        row("onMessage: user, assistant and tool messages")
            .points(&["message-added"])
            .events(&["message-added"])
            .model([calls("hi"), says("done")])
            .turn("go")
            .expect_as(
                "observe",
                [
                    "(message-added: user)",
                    "message-added",
                    "(message-added: assistant)",
                    "message-added",
                    "(echo runs: hi)",
                    "(message-added: tool)",
                    "message-added",
                    "(message-added: assistant)",
                    "message-added",
                    "(turn-ended: done)",
                ],
            ),
        row("onStateChange: only where something changed")
            .points(TOOL)
            .events(&["state-changed"])
            .model([
                calls_all(&[("echo", "set key=1"), ("echo", "set key=1"), ("echo", "hi")]),
                says("done"),
            ])
            .turn("go")
            .expect_as(
                "observe",
                [
                    "message-added",
                    "message-added",
                    "pre-tool-call",
                    "(echo runs: set key=1)",
                    "(state-changed: key)",
                    "state-changed",
                    "message-added",
                    "post-tool-call",
                    "pre-tool-call",
                    "(echo runs: set key=1)",
                    "message-added",
                    "post-tool-call",
                    "pre-tool-call",
                    "(echo runs: hi)",
                    "message-added",
                    "post-tool-call",
                    "message-added",
                    "(turn-ended: done)",
                ],
            ),
        row("a tool that fails: afterTool with the failure, once")
            .points(TOOL)
            .model([calls("fail"), says("done")])
            .turn("go")
            .expect_as(
                "observe",
                [
                    "message-added",
                    "message-added",
                    "pre-tool-call",
                    "(echo runs: fail)",
                    "message-added",
                    "post-tool-call",
                    "message-added",
                    "(turn-ended: done)",
                ],
            ),
        // Observers also see calls that another hook refused.
        row("a tool that is refused: beforeTool, and no afterTool, for nothing ran")
            .points(TOOL)
            .answers([at("pre-tool-call", reject("no"))])
            .model([calls("hi"), says("done")])
            .turn("go")
            .expect_as(
                "transform",
                [
                    "message-added",
                    "message-added",
                    "pre-tool-call reject",
                    "message-added",
                    "message-added",
                    "(turn-ended: done)",
                ],
            ),
        row("a result that a hook gives: the same order without execute")
            .points(TOOL)
            .answers([at("pre-tool-call", output("answer", "known"))])
            .model([calls("hi"), says("done")])
            .turn("go")
            .expect_as(
                "transform",
                [
                    "message-added",
                    "message-added",
                    "pre-tool-call answer",
                    "post-tool-call",
                    "message-added",
                    "message-added",
                    "(turn-ended: done)",
                ],
            ),
    ])
    .await;
}

#[tokio::test]
async fn in_the_order_the_model_asked() {
    let slow_then_quick = || calls_all(&[("echo", "slow 60"), ("other", "set key=value")]);
    play([
        row("parallel tools: results and hooks in the model's order, whatever ends first")
            .points(TOOL)
            .events(&["tool-finished"])
            .config(parallel)
            .model([slow_then_quick(), says("done")])
            .turn("go")
            .expect_as(
                "observe",
                [
                    "message-added",
                    "message-added",
                    "pre-tool-call",
                    "pre-tool-call",
                    "(echo runs: slow 60)",
                    "(other runs: set key=value)",
                    "(echo is done: slow 60)",
                    "(tool-finished: c1)",
                    "message-added",
                    "post-tool-call",
                    "state-changed",
                    "(tool-finished: c2)",
                    "message-added",
                    "post-tool-call",
                    "message-added",
                    "(turn-ended: done)",
                ],
            )
            .expect_as(
                "transform",
                [
                    "message-added",
                    "message-added",
                    "pre-tool-call",
                    "pre-tool-call",
                    "(echo runs: slow 60)",
                    "(other runs: set key=value)",
                    "(echo is done: slow 60)",
                    "post-tool-call",
                    "(tool-finished: c1)",
                    "message-added",
                    "post-tool-call",
                    "state-changed",
                    "(tool-finished: c2)",
                    "message-added",
                    "message-added",
                    "(turn-ended: done)",
                ],
            )
            .conversation([
                "user: go",
                "assistant: [echo][other]",
                "tool: echo slow 60",
                "tool: echo set key=value",
                "assistant: done",
            ]),
    ])
    .await;
}
