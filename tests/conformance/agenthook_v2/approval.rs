//! "Human-in-the-loop approval", and the policy that comes before all hooks.

use portcullis::approval::ApprovalDecision;
use portcullis_agent::{OtherTools, RulePolicy};
use serde_json::json;

use crate::harness::{Actor, Row, ask, at, calls, play, row, says};

/// Returns a row in which a hook with a low priority asks about the tool call.
fn asking(name: &'static str) -> Row {
    row(name)
        .actors([
            Actor::new("guard", [at("pre-tool-call", ask("May it?"))]).priority(5),
            Actor::new("audit", []),
        ])
        .points(&["pre-tool-call", "post-tool-call"])
}

#[tokio::test]
async fn a_person_decides() {
    play([
        asking("Approved: continue")
            .person(ApprovalDecision::Approve)
            .model([calls("hi"), says("done")])
            .turn("go")
            .expect([
                "(a person is asked: May it?)",
                "guard pre-tool-call ask",
                "audit pre-tool-call",
                "(echo runs: hi)",
                "audit post-tool-call",
                "guard post-tool-call",
                "(turn-ended: done)",
            ]),
        asking("Denied(reason): reject")
            .person(ApprovalDecision::Deny("not on a Friday".into()))
            .model([
                calls("hi"),
                json!({ "text": "done", "expect": "not on a Friday" }),
            ])
            .turn("go")
            .expect([
                "(a person is asked: May it?)",
                "guard pre-tool-call ask",
                "audit pre-tool-call",
                "(turn-ended: done)",
            ]),
        // The changed arguments pass all hooks again, so that no hook has agreed to different ones.
        asking("Modified(args): transform")
            .person(ApprovalDecision::Edit(r#"{"text":"ho"}"#.into()))
            .model([calls("hi"), says("done")])
            .turn("go")
            .expect([
                "(a person is asked: May it?)",
                "guard pre-tool-call ask",
                "audit pre-tool-call",
                "guard pre-tool-call ask",
                "audit pre-tool-call",
                "(echo runs: ho)",
                "audit post-tool-call",
                "guard post-tool-call",
                "(turn-ended: done)",
            ]),
    ])
    .await;
}

#[tokio::test]
async fn policy_is_the_first_gate() {
    play([
        row("tool requested, policy, hooks, execution")
            .points(&["pre-tool-call"])
            .whole_flow()
            .model([calls("hi"), says("done")])
            .turn("go")
            .expect([
                "(the memory is asked)",
                "(the policy is asked: echo)",
                "pre-tool-call",
                "(echo runs: hi)",
                "(the memory takes note)",
                "(turn-ended: done)",
            ]),
        row("no hook is asked about what the policy denies")
            .points(&["pre-tool-call", "post-tool-call"])
            .agent(|builder| {
                builder.policy(std::sync::Arc::new(RulePolicy {
                    others: Some(OtherTools::Deny),
                    ..RulePolicy::default()
                }))
            })
            .model([
                calls("hi"),
                json!({ "text": "done", "expect": "policy denies it" }),
            ])
            .turn("go")
            .expect(["(turn-ended: done)"]),
    ])
    .await;
}
