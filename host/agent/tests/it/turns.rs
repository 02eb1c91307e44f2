//! Hooks around a turn.

use portcullis::contract::{ContentPart, HookRole};
use portcullis::points::turn_error::ErrorKind;
use portcullis::points::{
    PointId, PostTurn, PreToolCall, PreTurn, TurnError as TurnErrorPoint, post_turn, pre_tool_call,
    pre_turn, turn_error,
};
use portcullis::verdict::Failure;
use portcullis::{Hooks, NativeHook};
use portcullis_agent::{AgentConfig, AgentEvent, TurnError, TurnOrigin};

use crate::support::{
    bench, calls_echo, hook, lines, quick, record_all, rejection, responses, text,
};

#[tokio::test]
async fn pre_turn_changes_what_the_user_said() {
    let script = responses(&[r#"{"expect": "please: hi", "text": "hello"}"#]);
    let bench = bench(&script, |builder, _| {
        builder.prepare(|session| {
            hook::<PreTurn, _>(session, "polite", |_| {
                Ok(pre_turn::Outcome::Transform(text("please: hi")))
            });
        })
    });
    let mut session = bench.session().await;
    session.turn("hi").await.unwrap();
    assert_eq!(lines(&session), ["user: please: hi", "assistant: hello"]);
}

#[tokio::test]
async fn a_refused_turn_leaves_no_trace() {
    let script = responses(&[r#"{"text": "hello"}"#]);
    let bench = bench(&script, |builder, trail| {
        let trail = trail.clone();
        builder.prepare(move |session| {
            hook::<PreTurn, _>(session, "guard", |call| {
                Ok(match call.context.turn {
                    1 => pre_turn::Outcome::Reject(rejection("bad", "not this")),
                    _ => pre_turn::Outcome::Continue,
                })
            });
            record_all(session, &trail);
        })
    });
    let mut session = bench.session().await;
    let error = session.turn("hi").await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "hook `guard` refused at pre-turn: not this (bad)"
    );
    assert_eq!(error.kind(), Some(ErrorKind::Rejected));
    assert_eq!(
        bench.trail.take(),
        ["session-start", "pre-turn", "turn-error"]
    );
    assert!(lines(&session).is_empty());
    session.turn("hi").await.unwrap();
    assert_eq!(lines(&session), ["user: hi", "assistant: hello"]);
}

#[tokio::test]
async fn a_pre_turn_answer_goes_through_post_turn() {
    let bench = bench(r#"{"responses": []}"#, |builder, trail| {
        let trail = trail.clone();
        builder.prepare(move |session| {
            hook::<PreTurn, _>(session, "cache", |_| {
                Ok(pre_turn::Outcome::Answer(text("known")))
            });
            hook::<PostTurn, _>(session, "stamp", |call| {
                assert_eq!((call.subject.steps, call.context.step), (0, 0));
                Ok(post_turn::Outcome::Transform(text("known!")))
            });
            record_all(session, &trail);
        })
    });
    let mut session = bench.session().await;
    let report = session.turn("hi").await.unwrap().done().unwrap();
    assert_eq!(report.text(), "known!");
    assert_eq!(report.origin, TurnOrigin::Answered { by: "cache".into() });
    assert_eq!(report.steps, 0);
    assert_eq!(lines(&session), ["user: hi", "assistant: known!"]);
    assert_eq!(
        bench.trail.take(),
        [
            "session-start",
            "pre-turn",
            "message-added",
            "message-added",
            "post-turn"
        ]
    );
}

#[tokio::test]
async fn post_turn_changes_reach_the_conversation() {
    let script = responses(&[
        r#"{"thinking": "the key is 1234", "text": "it is 1234", "usage": {"input_tokens": 7, "output_tokens": 3}}"#,
    ]);
    let bench = bench(&script, |builder, _| {
        builder.prepare(|session| {
            hook::<PostTurn, _>(session, "redact", |call| {
                assert_eq!(
                    *call.views.content,
                    text("it is 1234"),
                    "reasoning is no output"
                );
                assert_eq!(call.subject.usage.input_tokens, 7);
                Ok(post_turn::Outcome::Transform(text("it is ****")))
            });
        })
    });
    let mut session = bench.session().await;
    let report = session.turn("key?").await.unwrap().done().unwrap();
    assert_eq!((report.text().as_str(), report.steps), ("it is ****", 1));
    assert_eq!(lines(&session), ["user: key?", "assistant: it is ****"]);
    assert_eq!(session.usage().output_tokens, 3);
}

#[tokio::test]
async fn a_withheld_output_is_not_kept() {
    let script = responses(&[r#"{"text": "secret"}"#]);
    let bench = bench(&script, |builder, _| {
        builder.prepare(|session| {
            hook::<PostTurn, _>(session, "guard", |_| {
                Ok(post_turn::Outcome::Reject(rejection("leak", "no")))
            });
        })
    });
    let mut session = bench.session().await;
    let error = session.turn("hi").await.unwrap_err();
    let TurnError::Rejected { point, by, .. } = error else {
        panic!("{error}");
    };
    assert_eq!((point, by.as_str()), (PointId::PostTurn, "guard"));
    assert!(lines(&session).is_empty());
}

#[tokio::test]
async fn turn_error_recovers_and_post_turn_fires_once() {
    for refused_at_post_turn in [false, true] {
        let script = if refused_at_post_turn {
            responses(&[r#"{"text": "secret"}"#])
        } else {
            responses(&[r#"{"error": {"kind": "auth", "status": 401}}"#])
        };
        let bench = bench(&script, |builder, trail| {
            let trail = trail.clone();
            builder.prepare(move |session| {
                record_all(session, &trail);
                hook::<PostTurn, _>(session, "suppress", move |call| {
                    Ok(if *call.views.content == text("secret") {
                        post_turn::Outcome::Reject(rejection("leak", "no"))
                    } else {
                        post_turn::Outcome::Continue
                    })
                });
                hook::<TurnErrorPoint, _>(session, "sorry", |call| {
                    assert!(!call.subject.message.is_empty());
                    Ok(turn_error::Outcome::Replace(text("Sorry.")))
                });
            })
        });
        let mut session = bench.session().await;
        let report = session.turn("hi").await.unwrap().done().unwrap();
        assert_eq!(report.text(), "Sorry.");
        let TurnOrigin::Recovered { by, error } = &report.origin else {
            panic!("{:?}", report.origin);
        };
        assert_eq!(by, "sorry");
        assert!(!error.is_empty());
        assert_eq!(lines(&session), ["user: hi", "assistant: Sorry."]);
        assert_eq!(bench.trail.count("turn-error"), 1);
        assert_eq!(bench.trail.count("post-turn"), 1);
    }
}

#[tokio::test]
async fn a_refused_recovery_fails_the_turn() {
    let script = responses(&[r#"{"error": {"kind": "auth"}}"#]);
    let bench = bench(&script, |builder, trail| {
        let trail = trail.clone();
        builder.prepare(move |session| {
            hook::<PostTurn, _>(session, "guard", |_| {
                Ok(post_turn::Outcome::Reject(rejection("leak", "no")))
            });
            record_all(session, &trail);
            hook::<TurnErrorPoint, _>(session, "sorry", |_| {
                Ok(turn_error::Outcome::Replace(text("Sorry.")))
            });
        })
    });
    let mut session = bench.session().await;
    let error = session.turn("hi").await.unwrap_err();
    assert!(matches!(error, TurnError::Rejected { .. }), "{error}");
    assert_eq!(bench.trail.count("turn-error"), 1);
    assert!(lines(&session).is_empty());
}

#[tokio::test]
async fn a_guard_that_fails_closed_fails_the_turn() {
    let bench = bench(r#"{"responses": []}"#, |builder, _| {
        builder.prepare(|session| {
            hook::<PreTurn, _>(session, "guard", |_| Err(Failure::Guest("broken".into())));
            hook::<TurnErrorPoint, _>(session, "sorry", |_| Err(Failure::Guest("also".into())));
        })
    });
    let mut session = bench.session().await;
    let error = session.turn("hi").await.unwrap_err();
    let TurnError::Hook(failed) = &error else {
        panic!("{error}");
    };
    assert_eq!(
        failed.hook.as_str(),
        "guard",
        "the first failure is reported"
    );
    assert!(error.to_string().contains("broken"), "{error}");
}

#[tokio::test]
async fn steps_are_limited() {
    let echo = calls_echo("again");
    let bench = bench(&responses(&[&echo, &echo, &echo]), |builder, trail| {
        let trail = trail.clone();
        builder
            .config(AgentConfig {
                max_steps: 2.try_into().unwrap(),
                ..quick()
            })
            .prepare(move |session| record_all(session, &trail))
    });
    let mut session = bench.session().await;
    let error = session.turn("hi").await.unwrap_err();
    assert!(
        matches!(error, TurnError::StepLimit { limit: 2 }),
        "{error}"
    );
    assert_eq!(error.kind(), Some(ErrorKind::Limit));
    assert_eq!(bench.script.left(), 1);
    assert_eq!(bench.trail.count("echo runs: again"), 2);
    assert_eq!(bench.trail.count("turn-error"), 1);
}

/// All 16,000 calls of one response used to run.
#[tokio::test]
async fn the_tool_calls_of_a_response_are_limited() {
    let call = r#"{"name": "echo", "arguments": {"text": "again"}}"#;
    for (calls, runs) in [(128, true), (129, false), (16_000, false)] {
        let response = format!(r#"{{"tool_calls": [{}]}}"#, vec![call; calls].join(","));
        let script = responses(&[&response, r#"{"text": "done"}"#]);
        let bench = bench(&script, |builder, trail| {
            let trail = trail.clone();
            builder
                .config(quick())
                .prepare(move |session| record_all(session, &trail))
        });
        let mut session = bench.session().await;
        let ended = session.turn("hi").await;
        if runs {
            assert!(ended.is_ok(), "{ended:?}");
        } else {
            let error = ended.unwrap_err();
            let TurnError::ToolCallLimit { asked, limit: 128 } = error else {
                panic!("{error}");
            };
            assert_eq!(asked, calls);
            assert_eq!(error.kind(), Some(ErrorKind::Limit));
        }
        let ran = bench.trail.count("echo runs: again");
        assert_eq!(ran, if runs { calls } else { 0 });
    }
}

#[tokio::test]
async fn a_system_prompt_comes_first_and_once() {
    let script = responses(&[r#"{"text": "a"}"#, r#"{"text": "b"}"#]);
    let bench = bench(&script, |builder, _| {
        builder.config(AgentConfig {
            system_prompt: Some("Be brief.".into()),
            ..quick()
        })
    });
    let mut session = bench.session().await;
    session.turn("1").await.unwrap();
    session.turn("2").await.unwrap();
    assert_eq!(
        lines(&session),
        [
            "system: Be brief.",
            "user: 1",
            "assistant: a",
            "user: 2",
            "assistant: b"
        ]
    );
}

#[tokio::test]
async fn a_refused_turn_does_not_start() {
    let mut bench = bench(r#"{"responses": []}"#, |builder, _| {
        builder.prepare(|session| {
            hook::<PreTurn, _>(session, "guard", |_| {
                Ok(pre_turn::Outcome::Reject(rejection("bad", "not this")))
            });
        })
    });
    bench.session().await.turn("hi").await.unwrap_err();
    let began = |event: &AgentEvent| matches!(event, AgentEvent::TurnStarted);
    assert!(!bench.events_so_far().iter().any(began));
}

#[tokio::test]
async fn observing_hooks_run_after_the_end_of_a_turn() {
    let script = responses(&[r#"{"text": "hello"}"#]);
    let mut bench = bench(&script, |builder, _| {
        builder.prepare(|session| {
            hook::<PostTurn, _>(session, "stamp", |_| {
                Ok(post_turn::Outcome::Transform(text("hello!")))
            });
            let looker = NativeHook::new("looker")
                .role(HookRole::Observe)
                .on::<PostTurn>(|call| {
                    assert_eq!(*call.views.content, text("hello!"));
                    let last = call.views.conversation.last().map(|last| &last.content);
                    assert_eq!(last, Some(&text("hello!")));
                    Ok(post_turn::Outcome::Continue)
                });
            session.add(looker).unwrap();
        })
    });
    bench.session().await.turn("hi").await.unwrap();
    let events: Vec<String> = bench
        .events_so_far()
        .into_iter()
        .filter_map(|event| match event {
            AgentEvent::HookRun { run } => Some(run.hook.to_string()),
            AgentEvent::TurnEnded { text, .. } => Some(text),
            _ => None,
        })
        .collect();
    assert_eq!(events, ["stamp", "hello!", "looker"]);
}

#[tokio::test]
async fn a_turn_may_continue_without_new_input() {
    let script = responses(&[r#"{"text": "one"}"#, r#"{"text": "two"}"#]);
    let bench = bench(&script, |builder, _| builder);
    let mut session = bench.session().await;
    session.turn("count").await.unwrap();
    session.continue_turn().await.unwrap();
    assert_eq!(
        lines(&session),
        ["user: count", "assistant: one", "assistant: two"]
    );
}

#[tokio::test]
async fn a_failed_turn_tells_all_its_errors_and_which_tool_was_blocked() {
    let script = responses(&[
        r#"{"error": {"kind": "overloaded"}}"#,
        &calls_echo("x"),
        &calls_echo("fail"),
        r#"{"error": {"kind": "auth"}}"#,
    ]);
    let bench = bench(&script, |builder, _| builder);
    let mut session = bench.session().await;
    let seen = bench.trail.clone();
    let hooks = Hooks::none()
        .with([NativeHook::new("sees")
            .on::<PreToolCall>(|call| {
                Ok(match call.views.tool_arguments.contains(r#""x""#) {
                    true => pre_tool_call::Outcome::Reject(rejection("no", "not this one")),
                    false => pre_tool_call::Outcome::Continue,
                })
            })
            .on::<TurnErrorPoint>(move |call| {
                for part in call.views.content.iter() {
                    seen.add(match part {
                        ContentPart::Text(text) => text.clone(),
                        ContentPart::ToolResult(result) => {
                            format!("{}: {}", result.name, result.content)
                        }
                        other => format!("{other:?}"),
                    });
                }
                Ok(turn_error::Outcome::Continue)
            })])
        .unwrap();
    session.turn_with("go", &hooks).await.unwrap_err();
    let mut told = bench.trail.take();
    told.retain(|line| !line.contains("runs"));
    let [overloaded, blocked, failed, auth] = &told[..] else {
        panic!("{told:#?}");
    };
    assert!(
        overloaded.starts_with("scripted/scripted: overloaded"),
        "{overloaded}"
    );
    assert!(
        blocked.starts_with("echo: [The tool was not run: hook `sees`"),
        "{blocked}"
    );
    assert!(
        failed.starts_with("echo: ") && failed.contains("as asked"),
        "{failed}"
    );
    assert!(auth.starts_with("scripted/scripted: auth"), "{auth}");
}
