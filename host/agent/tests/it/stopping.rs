//! Stopping a turn, and keeping it going.

use std::time::Duration;

use portcullis::contract::{StopKind, StopSignal};
use portcullis::points::{
    PostStep, PostToolCall, PostTurn, PreStep, PreToolCall, TurnStopping, post_step,
    post_tool_call, post_turn, pre_step, pre_tool_call, turn_stopping,
};
use portcullis_agent::{AgentConfig, Guards, ToolOutput, TurnOrigin, TurnReport};

use crate::support::{
    Bench, Does, assert_whole, bench, calls_echo, hook, lines, quick, record_all, rejection,
    responses, text, toolbox_with,
};

fn stop(code: &str) -> StopSignal {
    StopSignal {
        kind: StopKind::Other(code.into()),
        message: "enough".into(),
    }
}

fn code(report: &TurnReport) -> &str {
    match &report.origin {
        TurnOrigin::Stopped { code, .. } => code,
        other => panic!("{other:?}"),
    }
}

fn guarded(script: &str, guards: Guards) -> Bench {
    bench(script, |builder, trail| {
        let trail = trail.clone();
        let config = AgentConfig {
            guards: Some(guards),
            ..quick()
        };
        builder.config(config).prepare(move |session| {
            // No hook can continue a turn that a guard stops.
            hook::<TurnStopping, _>(session, "keeps-going", |_| {
                Ok(turn_stopping::Outcome::KeepGoing("continue".into()))
            });
            record_all(session, &trail);
        })
    })
}

#[tokio::test]
async fn guards_stop_the_turn() {
    let off = Guards {
        max_steps: None,
        max_tokens: None,
        max_seconds: None,
        finish_reasons: Vec::new(),
    };
    let again = r#"{"text": "Again.", "tool_calls": [{"name": "echo", "arguments": {"text": "x"}}],
        "usage": {"input_tokens": 40, "output_tokens": 10}}"#;
    let cut = r#"{"text": "cut", "stop": "max-tokens"}"#;
    for (guards, responses, expected, steps) in [
        (
            Guards {
                max_steps: Some(2),
                ..off.clone()
            },
            [again; 3],
            "steps-limit",
            2,
        ),
        (
            Guards {
                max_tokens: Some(60),
                ..off.clone()
            },
            [again; 3],
            "token-limit",
            2,
        ),
        (
            Guards {
                max_seconds: Some(0),
                ..off.clone()
            },
            [again; 3],
            "time-limit",
            0,
        ),
        (
            Guards {
                finish_reasons: vec!["max-tokens".into()],
                ..off.clone()
            },
            [cut; 3],
            "finish-reason:max-tokens",
            1,
        ),
    ] {
        let bench = guarded(&self::responses(&responses), guards);
        let mut session = bench.session().await;
        let report = session.turn("go").await.unwrap().done().unwrap();
        assert_eq!((code(&report), report.steps), (expected, steps));
        let said = match steps {
            0 => "",
            1 => "cut",
            _ => "Again.",
        };
        assert_eq!(report.text(), said);
        assert_eq!(bench.trail.count("post-step"), steps as usize);
        assert_eq!(bench.trail.count("pre-llm-call"), steps as usize);
        assert_eq!(bench.trail.count("post-turn"), 1);
        assert_whole(session.conversation());
    }
}

#[tokio::test]
async fn a_turn_is_kept_going_up_to_the_limit() {
    let guard = |max_steps| Guards {
        max_steps: Some(max_steps),
        ..Guards::default()
    };
    for (max_keep_going, max_steps, guards, kept) in [
        (2, 20, None, 2),
        (0, 20, None, 0),
        (9, 2, None, 1),
        // A guard's number replaces the limit, whether higher or lower.
        (9, 2, Some(guard(3)), 2),
        (9, 3, Some(guard(2)), 1),
    ] {
        let script = responses(&[r#"{"text": "done?"}"#; 5]);
        let bench = bench(&script, |builder, trail| {
            let trail = trail.clone();
            let config = AgentConfig {
                max_keep_going,
                max_steps: max_steps.try_into().unwrap(),
                guards,
                ..quick()
            };
            builder.config(config).prepare(move |session| {
                let asked = trail.clone();
                hook::<TurnStopping, _>(session, "keeps-going", move |call| {
                    asked.add(format!(
                        "{} {}",
                        call.subject.kept_going, call.subject.may_keep_going
                    ));
                    Ok(turn_stopping::Outcome::KeepGoing("not yet".into()))
                });
            })
        });
        let mut session = bench.session().await;
        let report = session.turn("go").await.unwrap().done().unwrap();
        assert_eq!(report.steps, kept + 1);
        assert_eq!(report.origin, TurnOrigin::Model);
        let asked = bench.trail.take();
        assert_eq!(asked.len(), kept as usize + 1);
        assert_eq!(asked.last().unwrap(), &format!("{kept} false"));
        let said = lines(&session).into_iter().filter(|l| l == "user: not yet");
        assert_eq!(said.count(), kept as usize);
    }
}

#[tokio::test]
async fn a_tool_may_finish_the_turn() {
    let calls = |text: &str| {
        format!(
            r#"{{"text": "Well.", "tool_calls": [
                {{"name": "other", "arguments": {{"text": "first"}}}},
                {{"name": "answer", "arguments": {{"text": "{text}"}}}},
                {{"name": "other", "arguments": {{"text": "last"}}}}
            ]}}"#
        )
    };
    // The case of the tool or a hook, and the output if the tool's result becomes it.
    for (text, finishes) in [
        ("42", Some("it is 42")),
        ("fail", None),
        ("answered", Some("known")),
        ("withheld", None),
        ("changed", Some("it is ****")),
    ] {
        let script = responses(&[&calls(text), r#"{"text": "after all"}"#]);
        let bench = bench(&script, |builder, trail| {
            let recorded = trail.clone();
            let answer = Does::tool("answer", |arguments, _| async move {
                Ok(match arguments["text"].as_str().unwrap_or_default() {
                    "fail" => ToolOutput::error("cannot"),
                    text => ToolOutput::ok(format!("it is {text}")),
                })
            });
            builder
                .tools(toolbox_with(trail, [answer]))
                .finish_tool("answer")
                .prepare(move |session| {
                    hook::<PreToolCall, _>(session, "cache", |call| {
                        Ok(if call.views.tool_arguments.contains("answered") {
                            pre_tool_call::Outcome::Answer(pre_tool_call::ToolAnswer {
                                content: "known".into(),
                                is_error: false,
                            })
                        } else {
                            pre_tool_call::Outcome::Continue
                        })
                    });
                    hook::<PostToolCall, _>(session, "redact", |call| {
                        let output = call.views.tool_output.as_deref().unwrap_or_default();
                        Ok(match output {
                            "it is withheld" => {
                                post_tool_call::Outcome::Reject(rejection("no", "no"))
                            }
                            "it is changed" => {
                                post_tool_call::Outcome::Transform(post_tool_call::ToolOutput {
                                    content: "it is ****".into(),
                                    is_error: false,
                                })
                            }
                            _ => post_tool_call::Outcome::Continue,
                        })
                    });
                    record_all(session, &recorded);
                })
        });
        let mut session = bench.session().await;
        let report = session.turn("go").await.unwrap().done().unwrap();
        assert_eq!(report.text(), finishes.unwrap_or("after all"), "{text}");
        let name = "answer".to_owned();
        let by_tool = report.origin == TurnOrigin::Tool { name };
        assert_eq!(by_tool, finishes.is_some(), "{text}");
        let last_ran = bench.trail.count("other runs: last");
        assert_eq!(last_ran, usize::from(finishes.is_none()), "{text}");
        assert_eq!(bench.trail.count("post-step"), report.steps as usize);
        assert_whole(session.conversation());
        let said = format!("assistant: {}", report.text());
        assert_eq!(lines(&session).last(), Some(&said));
    }
}

#[tokio::test]
async fn a_stop_before_the_first_call_gives_an_empty_output() {
    let bench = bench(&responses(&[r#"{"text": "fresh"}"#]), |builder, trail| {
        let trail = trail.clone();
        builder.prepare(move |session| {
            hook::<PreStep, _>(session, "stops", |call| {
                Ok(match call.context.turn {
                    1 => pre_step::Outcome::Stop(stop("early")),
                    _ => pre_step::Outcome::Continue,
                })
            });
            hook::<PostTurn, _>(session, "says", |call| {
                Ok(if call.views.content.is_empty() {
                    post_turn::Outcome::Transform(text("I was stopped."))
                } else {
                    post_turn::Outcome::Continue
                })
            });
            record_all(session, &trail);
        })
    });
    let mut session = bench.session().await;
    let report = session.turn("go").await.unwrap().done().unwrap();
    assert_eq!((report.steps, code(&report)), (0, "early"));
    assert_eq!(report.text(), "I was stopped.");
    for (point, times) in [
        ("pre-llm-call", 0),
        ("post-step", 0),
        ("turn-stopping", 1),
        ("post-turn", 1),
    ] {
        assert_eq!(bench.trail.count(point), times, "{point}");
    }
    session.turn("again").await.unwrap();
    assert_eq!(
        lines(&session),
        [
            "user: go",
            "assistant: I was stopped.",
            "user: again",
            "assistant: fresh"
        ]
    );
}

#[tokio::test]
async fn post_turn_changes_of_a_stopped_output_reach_the_conversation() {
    let calls = calls_echo("x").replacen('{', r#"{"text": "the key is 1234", "#, 1);
    let bench = bench(&responses(&[&calls]), |builder, _| {
        builder.prepare(move |session| {
            hook::<PostStep, _>(session, "stops", |_| {
                Ok(post_step::Outcome::Stop(stop("enough")))
            });
            hook::<PostTurn, _>(session, "redact", |_| {
                Ok(post_turn::Outcome::Transform(text("the key is ****")))
            });
        })
    });
    let mut session = bench.session().await;
    let report = session.turn("go").await.unwrap().done().unwrap();
    assert_eq!(report.text(), "the key is ****");
    assert!(
        !lines(&session).concat().contains("1234"),
        "{:?}",
        lines(&session)
    );
    assert_whole(session.conversation());
    assert!(report.elapsed < Duration::from_secs(5));
}

#[tokio::test]
async fn a_turn_stopped_after_a_finish_tool_ends_with_its_result() {
    let bench = bench(&responses(&[&calls_echo("42")]), |builder, _| {
        builder.finish_tool("echo").prepare(|session| {
            hook::<PostStep, _>(session, "stops", |_| {
                Ok(post_step::Outcome::Stop(stop("enough")))
            });
        })
    });
    let mut session = bench.session().await;
    let report = session.turn("go").await.unwrap().done().unwrap();
    assert_eq!(
        (code(&report), report.text().as_str()),
        ("enough", "echo 42")
    );
    assert_eq!(lines(&session).last().unwrap(), "assistant: echo 42");
}
