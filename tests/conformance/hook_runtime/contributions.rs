//! "Contributions": typed, aggregated, visible to later phases, each kind with its own grant.

use portcullis_tests::HooksDir;
use serde_json::{Value, json};

use crate::harness::{Actor, Kind, at, calls_all, contribute, output, play, reject, row, says};

fn policy(domain: &str) -> Value {
    contribute(&[json!({ "policy": { "domain": domain, "rules": "{\"read\":true}" } })])
}

fn knows(text: &str) -> Value {
    contribute(&[json!({ "context": { "kind": "note", "text": text, "data": null } })])
}

fn section(id: &str, order: i32, text: &str) -> Value {
    contribute(&[json!({ "section": {
        "id": id, "title": null, "text": text, "order": order,
        "max-tokens": null, "essential": false,
    } })])
}

/// Returns a bundle with one tool: `notes`.
fn bundle(route: Value) -> Value {
    let schema = r#"{"type":"object","properties":{"text":{"type":"string"}}}"#;
    contribute(&[json!({ "tools": { "name": "memory", "tools": [{
        "spec": { "name": "notes", "description": "Takes notes.", "schema": schema },
        "route": route,
    }] } })])
}

#[tokio::test]
async fn each_kind_is_visible_to_later_phases() {
    play([
        row("policy, then context, then recalled context, then tools, then a section")
            .answers([
                at("prompt-policy", policy("memory")).holds("policies", 0),
                at("prompt-context", knows("a")).holds("policies", 1),
                at("prompt-recall", knows("b")).holds("items", 1),
                at("prompt-tools", bundle(json!({ "agent": "echo" }))).holds("tools", 2),
                at("prompt-compile", section("s", 0, "be brief")).holds("items", 2),
            ])
            .points(&[
                "prompt-policy",
                "prompt-context",
                "prompt-recall",
                "prompt-tools",
                "prompt-compile",
            ])
            .sent()
            .model([says("done")])
            .turn("go")
            .expect([
                "prompt-policy contribute",
                "prompt-context contribute",
                "prompt-recall contribute",
                "prompt-tools contribute",
                "prompt-compile contribute",
                "(sent: system: be brief | user: go)",
                "(turn-ended: done)",
            ])
            // Contributions apply to the turn and are not kept.
            .conversation(["user: go", "assistant: done"]),
        row("tools: the model is offered its own two and the contributed one")
            .answers([
                at("prompt-tools", bundle(json!({ "agent": "echo" }))),
                at("pre-llm-call", reject("three tools")).holds("tools", 3),
            ])
            .points(&["prompt-tools", "pre-llm-call"])
            .turn("go")
            .expect([
                "prompt-tools contribute",
                "pre-llm-call reject",
                "(turn-failed: hook `actor` refused at pre-llm-call: three tools (no))",
            ]),
        row("what several hooks contribute is added up, and each sees what is there so far")
            .actors([
                Actor::new(
                    "audit",
                    [
                        at("prompt-policy", policy("memory")).holds("policies", 0),
                        at("prompt-compile", section("b", 2, "second")).holds("sections", 0),
                    ],
                ),
                Actor::new(
                    "guard",
                    [
                        at("prompt-policy", policy("skills")).holds("policies", 1),
                        at("prompt-context", knows("a")).holds("policies", 2),
                        at("prompt-compile", section("a", 1, "first")).holds("sections", 1),
                    ],
                ),
            ])
            .points(&["prompt-policy", "prompt-context", "prompt-compile"])
            .sent()
            .model([says("done")])
            .turn("go")
            .expect([
                "audit prompt-policy contribute",
                "guard prompt-policy contribute",
                "audit prompt-context",
                "guard prompt-context contribute",
                "audit prompt-compile contribute",
                "guard prompt-compile contribute",
                "(sent: system: first\n\nsecond | user: go)",
                "(turn-ended: done)",
            ]),
        row("the next turn starts anew")
            .answers([at("prompt-compile", section("s", 0, "be brief")).turn(1)])
            .points(&["prompt-compile"])
            .sent()
            .model([says("one"), says("two")])
            .turn("1")
            .turn("2")
            .expect([
                "prompt-compile contribute",
                "(sent: system: be brief | user: 1)",
                "(turn-ended: one)",
                "prompt-compile",
                "(sent: user: 1 | assistant: one | user: 2)",
                "(turn-ended: two)",
            ]),
    ])
    .await;
}

#[tokio::test]
async fn tool_bundles_are_routed() {
    play([
        row("to one of the agent's own tools")
            .answers([at("prompt-tools", bundle(json!({ "agent": "echo" })))])
            .points(&["prompt-tools", "pre-tool-call", "post-tool-call"])
            .model([calls_all(&[("notes", "hi")]), says("done")])
            .turn("go")
            .expect([
                "prompt-tools contribute",
                "pre-tool-call",
                "(echo runs: hi)",
                "post-tool-call",
                "(turn-ended: done)",
            ]),
        row("to the hook itself, which answers the call")
            .answers([
                at("prompt-tools", bundle(json!("hook"))),
                at("pre-tool-call", output("answer", "noted")),
            ])
            .points(&["prompt-tools", "pre-tool-call", "post-tool-call"])
            .model([
                calls_all(&[("notes", "hi")]),
                json!({ "text": "done", "expect": "noted" }),
            ])
            .turn("go")
            .expect([
                "prompt-tools contribute",
                "pre-tool-call answer",
                "post-tool-call",
                "(turn-ended: done)",
            ]),
    ])
    .await;
}

#[tokio::test]
async fn remarks_and_jobs() {
    let aside = contribute(&[
        json!({ "note": { "code": "seen", "data": "{\"n\":1}" } }),
        json!({ "job": { "name": "extract", "input": "{}" } }),
    ]);
    play([
        row("audit and background job: after the turn, from its post-turn phase")
            .answers([at("post-turn", aside.clone())])
            .points(&["post-turn"])
            .events(&["note", "job-skipped"])
            .model([says("done")])
            .turn("go")
            .expect([
                "post-turn contribute",
                "(note: seen {\"n\":1})",
                // No worker performs such jobs here.
                "(job-skipped: extract)",
                "(turn-ended: done)",
            ]),
        row("observers may make them too")
            .answers([at("prompt-policy", aside)])
            .points(&["prompt-policy"])
            .events(&["note", "job-skipped"])
            .model([says("done")])
            .turn("go")
            .expect_as(
                "observe",
                [
                    "prompt-policy contribute",
                    "(note: seen {\"n\":1})",
                    "(job-skipped: extract)",
                    "(turn-ended: done)",
                ],
            ),
    ])
    .await;
}

const CONTRIBUTIONS: [&str; 6] = ["policy", "context", "section", "tools", "note", "job"];

/// A component, a native hook or a script declares its contributions; the operator grants each
/// kind.
#[test]
fn each_kind_needs_its_own_grant() {
    for missing in CONTRIBUTIONS {
        let granted: Vec<&str> = CONTRIBUTIONS
            .into_iter()
            .filter(|kind| *kind != missing)
            .collect();
        let error = HooksDir::new()
            .with("actor")
            .settings(&format!(
                "[hooks.actor.grants]\nshared-state = [\"costs\"]\ncontribute = {granted:?}\n"
            ))
            .try_load()
            .unwrap_err()
            .to_string();
        assert!(error.contains(missing), "{missing}: {error}");
    }
}

#[tokio::test]
async fn what_is_not_granted_is_not_taken() {
    play([row("a script that contributes what it was not granted has failed")
        .kinds(&[Kind::Script])
        .actors([Actor::script(
            r#"[ $PORTCULLIS_POINT = prompt-policy ] && printf '%s' '{"contribute": [{"policy": {"domain": "memory", "rules": "{}"}}]}'
            exit 0"#,
        )
        .contributes(&["note"])])
        .points(&["prompt-policy"])
        .turn("go")
        .expect([
            "prompt-policy fails closed",
            "(turn-failed: hook `actor` failed at prompt-policy)",
        ])])
    .await;
}
