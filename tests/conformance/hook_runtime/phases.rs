//! "Turn Phases": the six, in order, once in a turn.

use portcullis::approval::ApprovalDecision;
use portcullis_agent::Resolution;

use super::PHASES;
use crate::harness::{Does, ask, at, calls, content, does, fails, play, row, says};

#[tokio::test]
async fn six_phases_once_a_turn() {
    play([
        row("a turn of two steps")
            .points(PHASES)
            .sent()
            .model([calls("hi"), says("done")])
            .turn("go")
            .expect_as(
                "transform",
                [
                    "prompt-policy",
                    "prompt-context",
                    "prompt-recall",
                    "prompt-tools",
                    "prompt-compile",
                    "(sent: user: go)",
                    "(echo runs: hi)",
                    "(sent: user: go | assistant: [echo] | tool: echo hi)",
                    "post-turn",
                    "(turn-ended: done)",
                ],
            ),
        row("their place: after pre-turn, before the first step")
            .points(&[
                "pre-turn",
                "prompt-policy",
                "prompt-compile",
                "pre-step",
                "post-turn",
            ])
            .model([says("done")])
            .turn("go")
            .expect([
                "pre-turn",
                "prompt-policy",
                "prompt-compile",
                "pre-step",
                "post-turn",
                "(turn-ended: done)",
            ]),
        row("a turn that a hook answers has no prompt, and a post-turn phase")
            .answers([at("pre-turn", content("answer", "known"))])
            .points(PHASES)
            .turn("go")
            .expect(["post-turn", "(turn-ended answered: known)"]),
        row("a turn that fails has no post-turn phase")
            .points(PHASES)
            .model([fails("auth")])
            .turn("go")
            .expect([
                "prompt-policy",
                "prompt-context",
                "prompt-recall",
                "prompt-tools",
                "prompt-compile",
                "(turn-failed: the model call failed, attempt 1)",
            ]),
        row("a phase that fails closed fails the turn, and the rest do not come")
            .answers([does("prompt-context", Does::Fail("broken"))])
            .points(PHASES)
            .turn("go")
            .expect([
                "prompt-policy",
                "prompt-context fails closed",
                "(turn-failed: hook `actor` failed at prompt-context)",
            ]),
        row("a resumed turn continues with its prompt: the phases do not come again")
            .answers([at("pre-tool-call", ask("May it?"))])
            .points(PHASES)
            .person(ApprovalDecision::Defer)
            .model([calls("hi"), says("done")])
            .turn("go")
            .resume(
                true,
                [("c1", Resolution::Decision(ApprovalDecision::Approve))],
            )
            .expect([
                "prompt-policy",
                "prompt-context",
                "prompt-recall",
                "prompt-tools",
                "prompt-compile",
                "(a person is asked: May it?)",
                "(turn-suspended: human c1)",
                "(echo runs: hi)",
                "post-turn",
                "(turn-ended: done)",
            ]),
    ])
    .await;
}
