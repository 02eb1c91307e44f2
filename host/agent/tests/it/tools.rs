//! The effect of the policy and hooks on a tool call, and the result that the model gets.

use std::sync::Arc;

use portcullis::points::post_tool_call::ToolOutput;
use portcullis::points::pre_tool_call::ToolAnswer;
use portcullis::points::{PostToolCall, PreToolCall, post_tool_call, pre_tool_call};
use portcullis::verdict::Failure;
use portcullis_agent::{AgentConfig, AgentEvent, RulePolicy};

use crate::support::{
    Bench, bench, calls_echo, hook, lines, quick, record_all, rejection, responses,
};

/// Runs one turn in which the model calls `echo` with this text. Returns the tool's result.
async fn result(
    text: &str,
    prepare: impl Fn(&mut portcullis::Session) + Send + Sync + 'static,
) -> (Bench, String) {
    let bench = bench(
        &responses(&[&calls_echo(text), r#"{"text": "done"}"#]),
        |builder, trail| {
            let trail = trail.clone();
            builder
                .config(AgentConfig {
                    max_tool_output_bytes: 1_000,
                    ..quick()
                })
                .policy(Arc::new(RulePolicy {
                    timeout_ms: 50,
                    ..RulePolicy::default()
                }))
                .prepare(move |session| {
                    prepare(session);
                    record_all(session, &trail);
                })
        },
    );
    let mut session = bench.session().await;
    assert_eq!(
        session.turn("go").await.unwrap().done().unwrap().text(),
        "done"
    );
    let result = lines(&session)
        .into_iter()
        .find_map(|line| line.strip_prefix("tool: ").map(str::to_owned));
    (bench, result.unwrap())
}

#[tokio::test]
async fn the_turn_survives_any_tool() {
    for (text, expected) in [
        ("hi", "echo hi"),
        ("fail", "The tool failed: as asked"),
        (
            "panic",
            "The tool failed: the tool itself is broken and was stopped",
        ),
        (
            "hang",
            "The tool failed: it was stopped after its time limit of 50 ms",
        ),
    ] {
        let (bench, result) = result(text, |_| {}).await;
        assert_eq!(result, expected);
        assert_eq!(bench.trail.count("post-tool-call"), 1, "{text}");
    }
    let (_, result) = result("flood", |_| {}).await;
    assert!(
        result.len() < 1_100 && result.contains("bytes cut"),
        "{}",
        result.len()
    );
}

#[tokio::test]
async fn a_refused_tool_does_not_run_and_the_model_gets_the_reason() {
    let (mut bench, result) = result("hi", |session| {
        hook::<PreToolCall, _>(session, "jail", |call| {
            assert_eq!(call.subject.name, "echo");
            assert_eq!(call.subject.grant.timeout_ms, 50);
            Ok(pre_tool_call::Outcome::Reject(rejection(
                "outside",
                "stay inside",
            )))
        });
    })
    .await;
    assert_eq!(
        result,
        "[The tool was not run: hook `jail` refused the call. Its reason (outside): stay inside]"
    );
    assert_eq!(bench.trail.count("echo runs: hi"), 0);
    assert_eq!(bench.trail.count("post-tool-call"), 0);
    let finished = bench.events_so_far().into_iter().any(|event| {
        matches!(
            event,
            AgentEvent::ToolFinished {
                is_error: true,
                ran: false,
                ..
            }
        )
    });
    assert!(finished);
}

#[tokio::test]
async fn a_guard_that_fails_closed_blocks_the_tool_and_says_so() {
    let (bench, result) = result("hi", |session| {
        hook::<PreToolCall, _>(session, "jail", |_| {
            Err(Failure::Trap("unreachable".into()))
        });
    })
    .await;
    assert!(result.contains("hook `jail` failed (trap)"), "{result}");
    assert_eq!(bench.trail.count("echo runs: hi"), 0);

    let (bench, result) = self::result("hi", |session| {
        hook::<PostToolCall, _>(session, "redact", |_| Err(Failure::Fuel(10)));
    })
    .await;
    assert!(result.contains("hook `redact` failed (fuel)"), "{result}");
    assert!(!result.contains("echo hi"), "{result}");
    assert_eq!(bench.trail.count("echo runs: hi"), 1);
}

#[tokio::test]
async fn arguments_can_be_rewritten_within_the_schema() {
    let (bench, result) = result("hi", |session| {
        hook::<PreToolCall, _>(session, "rewrite", |call| {
            assert_eq!(&*call.views.tool_arguments, r#"{"text":"hi"}"#);
            Ok(pre_tool_call::Outcome::Transform(
                r#"{"text":"bye"}"#.into(),
            ))
        });
        hook::<PostToolCall, _>(session, "check", |call| {
            assert_eq!(&*call.views.tool_arguments, r#"{"text":"bye"}"#);
            Ok(post_tool_call::Outcome::Continue)
        });
    })
    .await;
    assert_eq!(result, "echo bye");
    assert_eq!(bench.trail.count("echo runs: bye"), 1);

    let (bench, result) = self::result("hi", |session| {
        hook::<PreToolCall, _>(session, "rewrite", |_| {
            Ok(pre_tool_call::Outcome::Transform(r#"{"txt":"bye"}"#.into()))
        });
    })
    .await;
    assert!(
        result.contains("hook `rewrite` failed (bad-output)"),
        "{result}"
    );
    assert_eq!(bench.trail.count("echo runs: hi"), 0);
}

#[tokio::test]
async fn an_answer_replaces_the_tool_and_passes_its_guards() {
    let (bench, result) = result("hi", |session| {
        hook::<PreToolCall, _>(session, "cache", |_| {
            Ok(pre_tool_call::Outcome::Answer(ToolAnswer {
                content: "cached key 1234".into(),
                is_error: false,
            }))
        });
        hook::<PostToolCall, _>(session, "redact", |call| {
            assert_eq!(call.subject.elapsed_us, 0);
            let output = call.views.tool_output.as_deref().unwrap_or_default();
            Ok(post_tool_call::Outcome::Transform(ToolOutput {
                content: output.replace("1234", "****"),
                is_error: false,
            }))
        });
    })
    .await;
    assert_eq!(result, "cached key ****");
    assert_eq!(bench.trail.count("echo runs: hi"), 0);
}

#[tokio::test]
async fn changed_and_withheld_outputs_are_committed_as_such() {
    let (_, result) = result("hi", |session| {
        hook::<PostToolCall, _>(session, "fail", |call| {
            assert!(!call.subject.is_error);
            Ok(post_tool_call::Outcome::Transform(ToolOutput {
                content: "nothing".into(),
                is_error: true,
            }))
        });
    })
    .await;
    assert_eq!(result, "nothing");
    let (_, result) = self::result("hi", |session| {
        hook::<PostToolCall, _>(session, "guard", |_| {
            Ok(post_tool_call::Outcome::Reject(rejection(
                "secret",
                "not for you",
            )))
        });
    })
    .await;
    assert_eq!(
        result,
        "[The tool ran, and hook `guard` withholds its output. Its reason (secret): not for you]"
    );
}

#[tokio::test]
async fn the_policy_comes_first() {
    let script = responses(&[
        &calls_echo("hi"),
        r#"{"expect": "deny list", "text": "done"}"#,
    ]);
    let bench = bench(&script, |builder, trail| {
        let trail = trail.clone();
        builder
            .policy(Arc::new(RulePolicy {
                deny: vec!["ec*".into()],
                ..RulePolicy::default()
            }))
            .prepare(move |session| record_all(session, &trail))
    });
    let mut session = bench.session().await;
    session.turn("go").await.unwrap();
    assert_eq!(bench.trail.count("pre-tool-call"), 0);
    assert_eq!(bench.trail.count("post-tool-call"), 0);
    assert_eq!(bench.trail.count("echo runs: hi"), 0);
}

#[tokio::test]
async fn invalid_calls_are_answered_and_do_not_run() {
    for (call, why) in [
        (r#"{"name": "nothing"}"#, "no tool called `nothing`"),
        (r#"{"name": "echo", "arguments": "{broken"}"#, "not JSON"),
        (
            r#"{"name": "echo", "arguments": "[1]"}"#,
            "not a JSON object",
        ),
        (
            r#"{"name": "echo", "arguments": {"text": 1}}"#,
            "break its schema",
        ),
        (r#"{"name": "echo", "arguments": ""}"#, "break its schema"),
    ] {
        let calls = format!(r#"{{"tool_calls": [{call}]}}"#);
        let answer = format!(r#"{{"expect": "{why}", "text": "done"}}"#);
        let bench = bench(&responses(&[&calls, &answer]), |builder, _| builder);
        let mut session = bench.session().await;
        session.turn("go").await.unwrap();
        assert!(bench.trail.take().is_empty(), "{call}");
    }
}

#[tokio::test]
async fn several_calls_are_committed_in_the_order_asked() {
    let script = responses(&[
        r#"{"text": "Two things.", "tool_calls": [
            {"id": "b", "name": "echo", "arguments": {"text": "one"}},
            {"id": "a", "name": "other", "arguments": {"text": "two"}},
            {"id": "c", "name": "echo", "arguments": {"text": "three"}}
        ]}"#,
        r#"{"text": "done"}"#,
    ]);
    let bench = bench(&script, |builder, trail| {
        let trail = trail.clone();
        builder.prepare(move |session| {
            hook::<PreToolCall, _>(session, "no-two", |call| {
                Ok(match call.subject.name.as_str() {
                    "other" => pre_tool_call::Outcome::Reject(rejection("no", "no")),
                    _ => pre_tool_call::Outcome::Continue,
                })
            });
            record_all(session, &trail);
        })
    });
    let mut session = bench.session().await;
    session.turn("go").await.unwrap();
    let lines = lines(&session);
    assert_eq!(lines[2], "tool: echo one");
    assert!(lines[3].contains("hook `no-two` refused"), "{}", lines[3]);
    assert_eq!(lines[4], "tool: echo three");
    let ids: Vec<String> = session
        .conversation()
        .iter()
        .flat_map(|message| &message.content)
        .filter_map(|part| match part {
            portcullis::contract::ContentPart::ToolResult(result) => Some(result.call_id.clone()),
            _ => None,
        })
        .collect();
    assert_eq!(ids, ["b", "a", "c"]);
    let trail = bench.trail.take();
    let from = trail
        .iter()
        .position(|what| what == "pre-tool-call")
        .unwrap();
    let to = trail.iter().position(|what| what == "post-step").unwrap();
    let of_tools = &trail[from..to];
    assert_eq!(
        of_tools,
        [
            "pre-tool-call",
            "echo runs: one",
            "post-tool-call",
            "message-added",
            "pre-tool-call",
            "message-added",
            "pre-tool-call",
            "echo runs: three",
            "post-tool-call",
            "message-added",
        ]
    );
}

#[tokio::test]
async fn progress_is_reported() {
    let (mut bench, _) = result("progress", |_| {}).await;
    let texts: Vec<String> = bench
        .events_so_far()
        .into_iter()
        .filter_map(|event| match event {
            AgentEvent::ToolProgress { text, .. } => Some(text),
            _ => None,
        })
        .collect();
    assert_eq!(texts, ["half way"]);
}
