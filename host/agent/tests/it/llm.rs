//! Hooks around model calls and failed model calls.

use portcullis::contract::{ContentPart, Message, MessageEdit, Role, StopReason, ToolCall, Usage};
use portcullis::points::llm_error::{self, ProviderChoice, ProviderErrorKind, RetryDecision};
use portcullis::points::pre_llm_call::{LlmCallEdit, LlmResponse};
use portcullis::points::{
    LlmError, PostLlmCall, PreLlmCall, PreToolCall, post_llm_call, pre_llm_call, pre_tool_call,
};
use portcullis::verdict::Failure;
use portcullis_agent::{AgentConfig, AgentEvent, RetryAction, RetryConfig, TurnError};

use crate::support::{
    assert_whole, bench, calls_echo, hook, lines, quick, record_all, rejection, responses, said,
    text,
};

const NO_EDIT: LlmCallEdit = LlmCallEdit {
    model: None,
    temperature: None,
    max_output_tokens: None,
    tools: None,
    messages: Vec::new(),
};

#[tokio::test]
async fn edits_hold_for_the_call_and_not_for_the_conversation() {
    let script = responses(&[
        r#"{"expect": "only for you", "text": "a"}"#,
        r#"{"expect": "2", "expect_absent": "only for you", "text": "b"}"#,
    ]);
    let mut bench = bench(&script, |builder, _| {
        builder.prepare(|session| {
            hook::<PreLlmCall, _>(session, "whisper", |call| {
                if call.context.turn > 1 {
                    return Ok(pre_llm_call::Outcome::Continue);
                }
                let whispered = Message {
                    role: Role::User,
                    content: text("only for you"),
                };
                let end = call.subject.messages;
                Ok(pre_llm_call::Outcome::Transform(LlmCallEdit {
                    model: Some("small".into()),
                    messages: vec![MessageEdit::Insert((end, whispered))],
                    ..NO_EDIT
                }))
            });
        })
    });
    let mut session = bench.session().await;
    session.turn("1").await.unwrap();
    session.turn("2").await.unwrap();
    assert_eq!(
        lines(&session),
        ["user: 1", "assistant: a", "user: 2", "assistant: b"]
    );
    let models: Vec<String> = bench
        .events_so_far()
        .into_iter()
        .filter_map(|event| match event {
            AgentEvent::LlmCallStarted { model, .. } => Some(model),
            _ => None,
        })
        .collect();
    assert_eq!(models, ["small", "scripted"]);
}

#[tokio::test]
async fn a_tool_that_was_not_offered_does_not_run() {
    let script = responses(&[
        &calls_echo("x"),
        r#"{"expect": "no tool called `echo` was offered", "text": "ok"}"#,
    ]);
    let bench = bench(&script, |builder, trail| {
        let trail = trail.clone();
        builder.prepare(move |session| {
            hook::<PreLlmCall, _>(session, "fewer", |_| {
                Ok(pre_llm_call::Outcome::Transform(LlmCallEdit {
                    tools: Some(vec!["other".into()]),
                    ..NO_EDIT
                }))
            });
            record_all(session, &trail);
        })
    });
    let mut session = bench.session().await;
    session.turn("go").await.unwrap();
    assert_eq!(bench.trail.count("echo runs: x"), 0);
    assert_eq!(bench.trail.count("pre-tool-call"), 0);
}

#[tokio::test]
async fn an_answer_replaces_the_model_and_passes_its_guards() {
    let bench = bench(r#"{"responses": []}"#, |builder, _| {
        builder.prepare(|session| {
            hook::<PreLlmCall, _>(session, "cache", |_| {
                Ok(pre_llm_call::Outcome::Answer(LlmResponse {
                    content: text("cached"),
                    stop: StopReason::EndTurn,
                    usage: Usage {
                        input_tokens: 0,
                        output_tokens: 0,
                        cache_read_tokens: 0,
                        cache_write_tokens: 0,
                    },
                }))
            });
            hook::<PostLlmCall, _>(session, "guard", |call| {
                assert_eq!(call.subject.model, "scripted");
                Ok(post_llm_call::Outcome::Transform(text(
                    "cached and checked",
                )))
            });
        })
    });
    let mut session = bench.session().await;
    assert_eq!(
        session.turn("hi").await.unwrap().done().unwrap().text(),
        "cached and checked"
    );
    assert_eq!(
        lines(&session),
        ["user: hi", "assistant: cached and checked"]
    );
}

#[tokio::test]
async fn calls_that_hooks_make_have_ids_that_differ_before_any_hook_sees_them() {
    let call = |text: &str| {
        ContentPart::ToolCall(ToolCall {
            id: "again".into(),
            name: "echo".into(),
            arguments: format!(r#"{{"text": "{text}"}}"#),
        })
    };
    let bench = bench(&responses(&[r#"{"text": "done"}"#]), |builder, trail| {
        let trail = trail.clone();
        builder.prepare(move |session| {
            hook::<PreLlmCall, _>(session, "answers", move |call_of_model| {
                if call_of_model.context.step > 1 {
                    return Ok(pre_llm_call::Outcome::Continue);
                }
                Ok(pre_llm_call::Outcome::Answer(LlmResponse {
                    content: vec![call("1"), call("2")],
                    stop: StopReason::ToolUse,
                    usage: Usage {
                        input_tokens: 0,
                        output_tokens: 0,
                        cache_read_tokens: 0,
                        cache_write_tokens: 0,
                    },
                }))
            });
            // The hook sees unique ids, and repeats one.
            hook::<PostLlmCall, _>(session, "repeats", |call| {
                let mut content = call.views.content.to_vec();
                let ids = content.iter_mut().filter_map(|part| match part {
                    ContentPart::ToolCall(call) => Some(&mut call.id),
                    _ => None,
                });
                let ids: Vec<&mut String> = ids.collect();
                if ids.is_empty() {
                    return Ok(post_llm_call::Outcome::Continue);
                }
                assert_ne!(ids[0], ids[1]);
                ids.into_iter().for_each(|id| *id = "mine".into());
                Ok(post_llm_call::Outcome::Transform(content))
            });
            let trail = trail.clone();
            hook::<PreToolCall, _>(session, "hears", move |call| {
                trail.add(format!("asks about {}", call.subject.call_id));
                Ok(pre_tool_call::Outcome::Continue)
            });
        })
    });
    let mut session = bench.session().await;
    session.turn("go").await.unwrap();
    assert_whole(session.conversation());
    let trail = bench.trail.take();
    let asked: Vec<&String> = trail.iter().filter(|it| it.starts_with("asks")).collect();
    assert_eq!(asked, ["asks about mine", "asks about mine-2"]);
}

#[tokio::test]
async fn a_refused_call_or_response_fails_the_turn() {
    for at_post in [false, true] {
        let script = responses(&[r#"{"text": "bad"}"#]);
        let bench = bench(&script, |builder, _| {
            builder.prepare(move |session| {
                hook::<PreLlmCall, _>(session, "pre", move |_| {
                    Ok(if at_post {
                        pre_llm_call::Outcome::Continue
                    } else {
                        pre_llm_call::Outcome::Reject(rejection("over-budget", "no money"))
                    })
                });
                hook::<PostLlmCall, _>(session, "post", |call| {
                    assert_eq!(call.subject.text_bytes, 3);
                    Ok(post_llm_call::Outcome::Reject(rejection(
                        "bad",
                        "bad words",
                    )))
                });
            })
        });
        let mut session = bench.session().await;
        let error = session.turn("hi").await.unwrap_err().to_string();
        let expected = if at_post {
            "hook `post` refused at post-llm-call: bad words (bad)"
        } else {
            "hook `pre` refused at pre-llm-call: no money (over-budget)"
        };
        assert_eq!(error, expected);
        assert_eq!(bench.script.left(), usize::from(!at_post));
        assert!(lines(&session).is_empty());
    }
}

#[tokio::test]
async fn only_temporary_failures_are_retried() {
    let script = responses(&[
        r#"{"error": {"kind": "overloaded", "status": 529, "retry_after_ms": 2}}"#,
        r#"{"error": {"kind": "network"}}"#,
        r#"{"text": "at last"}"#,
        r#"{"error": {"kind": "auth", "status": 401, "message": "who are you?"}}"#,
    ]);
    let mut bench = bench(&script, |builder, trail| {
        let trail = trail.clone();
        builder.prepare(move |session| record_all(session, &trail))
    });
    let mut session = bench.session().await;
    assert_eq!(
        session.turn("hi").await.unwrap().done().unwrap().text(),
        "at last"
    );
    assert_eq!(
        bench.trail.count("pre-llm-call"),
        3,
        "every attempt is a call"
    );
    assert_eq!(bench.trail.count("post-llm-call"), 1);
    assert_eq!(bench.trail.count("llm-error"), 2);

    let error = session.turn("hi").await.unwrap_err();
    let TurnError::Provider {
        attempts, error, ..
    } = &error
    else {
        panic!("{error}");
    };
    assert_eq!((*attempts, error.kind), (1, ProviderErrorKind::Auth));
    let retries = bench
        .events_so_far()
        .into_iter()
        .filter(|event| matches!(event, AgentEvent::Retry { by: None, .. }))
        .count();
    assert_eq!(retries, 3);
}

#[tokio::test]
async fn hooks_decide_on_failures() {
    let script = r#"{"providers": [
        {"name": "main", "model": "large", "responses": [
            {"error": {"kind": "auth", "status": 401}}, {"text": "from main"},
            {"error": {"kind": "server"}}
        ]},
        {"name": "backup", "model": "small", "responses": [
            {"error": {"kind": "overloaded"}}, {"text": "from backup"}
        ]}
    ]}"#;
    let mut bench = bench(script, |builder, _| {
        builder.prepare(|session| {
            hook::<LlmError, _>(session, "fallback", |call| {
                let failure = &call.subject;
                assert_eq!(failure.providers, ["main", "backup"]);
                let switch = |provider: &str, model: Option<&str>| {
                    RetryDecision::SwitchProvider(ProviderChoice {
                        provider: provider.into(),
                        model: model.map(Into::into),
                    })
                };
                let decision = match (
                    call.context.turn,
                    failure.provider.as_str(),
                    failure.attempt,
                ) {
                    (1, "main", 1) => switch("backup", None),
                    (1, "backup", 2) => RetryDecision::Retry(1),
                    (2, ..) => RetryDecision::GiveUp,
                    (3, ..) => switch("nowhere", None),
                    other => panic!("{other:?}"),
                };
                Ok(llm_error::Outcome::Replace(decision))
            });
        })
    });
    let mut session = bench.session().await;
    assert_eq!(
        session.turn("1").await.unwrap().done().unwrap().text(),
        "from backup"
    );
    let actions: Vec<RetryAction> = bench
        .events_so_far()
        .into_iter()
        .filter_map(|event| match event {
            AgentEvent::Retry { action, by } => {
                assert_eq!(by.as_deref(), Some("fallback"));
                Some(action)
            }
            _ => None,
        })
        .collect();
    assert_eq!(
        actions,
        [
            RetryAction::SwitchProvider {
                provider: "backup".into(),
                model: "small".into()
            },
            RetryAction::Retry { delay_ms: 1 },
        ]
    );
    // The switch applies to that call. The next call starts with the first provider again.
    assert_eq!(
        session.turn("1b").await.unwrap().done().unwrap().text(),
        "from main"
    );
    let error = session.turn("3").await.unwrap_err().to_string();
    assert!(error.contains("asks for the provider `nowhere`"), "{error}");
}

#[tokio::test]
async fn attempts_are_limited_even_if_a_hook_asks_for_more() {
    let failing = r#"{"error": {"kind": "server"}}"#;
    let bench = bench(&responses(&[failing; 10]), |builder, trail| {
        let trail = trail.clone();
        builder
            .config(AgentConfig {
                retry: RetryConfig {
                    max_attempts: 4.try_into().unwrap(),
                    max_delay_ms: 1,
                    ..RetryConfig::default()
                },
                ..quick()
            })
            .prepare(move |session| {
                let trail = trail.clone();
                hook::<LlmError, _>(session, "stubborn", move |_| {
                    trail.add("llm-error");
                    Ok(llm_error::Outcome::Replace(RetryDecision::Retry(u32::MAX)))
                });
            })
    });
    let mut session = bench.session().await;
    let error = session.turn("hi").await.unwrap_err().to_string();
    assert!(error.contains("limit of 4 attempts is reached"), "{error}");
    assert_eq!(bench.script.left(), 6);
    assert_eq!(
        bench.trail.count("llm-error"),
        4,
        "once for each failed call"
    );
}

#[tokio::test]
async fn a_broken_fallback_fails_the_turn() {
    let script = responses(&[r#"{"error": {"kind": "server"}}"#]);
    let bench = bench(&script, |builder, _| {
        builder.prepare(|session| {
            hook::<LlmError, _>(session, "fallback", |_| Err(Failure::Guest("oh".into())));
        })
    });
    let mut session = bench.session().await;
    let error = session.turn("hi").await.unwrap_err();
    assert!(matches!(error, TurnError::Hook(_)), "{error}");
}

#[tokio::test]
async fn a_model_that_takes_too_long_fails() {
    let script = responses(&[r#"{"text": "late", "delay_ms": 10000}"#]);
    let bench = bench(&script, |builder, _| {
        builder.config(AgentConfig {
            llm_timeout_ms: 20,
            retry: RetryConfig {
                retries: 0,
                ..RetryConfig::default()
            },
            ..quick()
        })
    });
    let mut session = bench.session().await;
    let error = session.turn("hi").await.unwrap_err();
    let TurnError::Provider { error, .. } = &error else {
        panic!("{error}");
    };
    assert_eq!(error.kind, ProviderErrorKind::Timeout);
}

#[tokio::test]
async fn hooks_see_the_messages_about_to_be_sent() {
    let script = responses(&[&calls_echo("x"), r#"{"text": "done"}"#]);
    let bench = bench(&script, |builder, trail| {
        let trail = trail.clone();
        builder.prepare(move |session| {
            let trail = trail.clone();
            hook::<PreLlmCall, _>(session, "watch", move |call| {
                let last = call.views.conversation.last().map(said);
                trail.add(format!(
                    "step {}: {} messages, {} tools, last {}",
                    call.context.step,
                    call.subject.messages,
                    call.subject.tools,
                    last.unwrap_or_default()
                ));
                assert!(call.subject.estimated_tokens > 0);
                Ok(pre_llm_call::Outcome::Continue)
            });
        })
    });
    let mut session = bench.session().await;
    session.turn("go").await.unwrap();
    assert_eq!(
        bench.trail.take(),
        [
            "step 1: 1 messages, 2 tools, last go",
            "echo runs: x",
            "step 2: 3 messages, 2 tools, last echo x",
        ]
    );
}
