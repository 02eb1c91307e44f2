//! Compaction by a token budget.

use portcullis::points::pre_compaction::CompactionHint;
use portcullis::points::{
    PostCompaction, PostLlmCall, PreCompaction, PreLlmCall, post_compaction, post_llm_call,
    pre_compaction, pre_llm_call,
};
use portcullis::verdict::Failure;
use portcullis_agent::{AgentConfig, AgentEvent, CompactionConfig};

use crate::support::{
    Bench, bench, calls_echo, hook, lines, quick, record_all, rejection, responses, said, text,
};

fn small(limit: u64) -> AgentConfig {
    AgentConfig {
        system_prompt: Some("Be brief.".into()),
        compaction: CompactionConfig {
            limit_tokens: limit.try_into().unwrap(),
            keep_recent: 2,
            ..CompactionConfig::default()
        },
        ..quick()
    }
}

/// Returns a script of two turns, the second of which is over the limit.
fn two_turns(summary: &str) -> String {
    responses(&[
        &calls_echo("first"),
        r#"{"text": "a long answer", "usage": {"input_tokens": 150, "output_tokens": 10}}"#,
        summary,
        r#"{"text": "second answer", "usage": {"input_tokens": 30, "output_tokens": 10}}"#,
    ])
}

const LONG: &str = "tell me something that is long enough to be worth a summary, please";

async fn run(bench: &Bench) -> Vec<String> {
    let mut session = bench.session().await;
    session.turn(LONG).await.unwrap();
    let report = session.turn("and now?").await.unwrap().done().unwrap();
    assert_eq!(report.text(), "second answer");
    lines(&session)
}

#[tokio::test]
async fn old_messages_are_replaced_by_a_summary() {
    let script = two_turns(r#"{"expect": "tell me something", "text": "they talked"}"#);
    let mut bench = bench(&script, |builder, trail| {
        let trail = trail.clone();
        builder.config(small(100)).prepare(move |session| {
            hook::<PostCompaction, _>(session, "post", |call| {
                assert_eq!(call.subject.removed, 3);
                assert_eq!(*call.views.content, text("they talked"));
                assert_eq!(
                    call.subject.messages as usize,
                    call.views.conversation.len()
                );
                Ok(post_compaction::Outcome::Continue)
            });
            record_all(session, &trail);
        })
    });
    assert_eq!(
        run(&bench).await,
        [
            "system: Be brief.",
            "user: [Summary of the earlier conversation:]\nthey talked",
            "assistant: a long answer",
            "user: and now?",
            "assistant: second answer",
        ]
    );
    let trail = bench.trail.take();
    let second_turn = trail.iter().rposition(|what| what == "pre-turn").unwrap();
    assert_eq!(
        trail[second_turn..],
        [
            "pre-turn",
            "message-added",
            "prompt-policy",
            "prompt-context",
            "prompt-recall",
            "prompt-tools",
            "prompt-compile",
            "pre-step",
            "pre-compaction",
            "pre-llm-call",
            "post-llm-call",
            "message-added",
            "post-compaction",
            "pre-llm-call",
            "llm-delta",
            "post-llm-call",
            "message-added",
            "post-step",
            "turn-stopping",
            "post-turn"
        ]
    );
    let compacted = bench
        .events_so_far()
        .into_iter()
        .find_map(|event| match event {
            AgentEvent::Compacted {
                removed,
                tokens_before,
                tokens_after,
                ..
            } => Some((removed, tokens_after < tokens_before)),
            _ => None,
        });
    assert_eq!(compacted, Some((3, true)));
}

#[tokio::test]
async fn a_hint_keeps_messages_and_instructs_the_summary() {
    let script = two_turns(
        r#"{"expect": "Hold on to: the names", "expect_absent": "tell me something", "text": "s"}"#,
    );
    let bench = bench(&script, |builder, _| {
        builder.config(small(100)).prepare(|session| {
            hook::<PreCompaction, _>(session, "pin", |call| {
                assert_eq!(call.subject.budget.limit, 100);
                assert!(call.subject.budget.used > 100);
                // Including the messages that are always kept.
                assert_eq!(call.subject.budget.messages, 6);
                assert_eq!(call.views.conversation.len(), 6);
                let pinned = call
                    .views
                    .conversation
                    .iter()
                    .position(|message| said(message) == LONG)
                    .unwrap();
                Ok(pre_compaction::Outcome::Transform(CompactionHint {
                    keep: vec![pinned as u32],
                    instructions: Some("the names".into()),
                }))
            });
        })
    });
    let kept = run(&bench).await;
    assert_eq!(kept[1], format!("user: {LONG}"));
    assert_eq!(kept[2], "user: [Summary of the earlier conversation:]\ns");
    assert_eq!(kept[3], "assistant: a long answer");
}

#[tokio::test]
async fn a_veto_or_a_broken_hook_keeps_everything() {
    for veto in [true, false] {
        let script = responses(&[
            &calls_echo("first"),
            r#"{"text": "a long answer", "usage": {"input_tokens": 150, "output_tokens": 10}}"#,
            r#"{"text": "second answer"}"#,
        ]);
        let mut bench = bench(&script, |builder, _| {
            builder.config(small(100)).prepare(move |session| {
                hook::<PreCompaction, _>(session, "keep", move |_| {
                    if veto {
                        Ok(pre_compaction::Outcome::Reject(rejection("no", "keep it")))
                    } else {
                        Err(Failure::Guest("oh".into()))
                    }
                });
            })
        });
        assert_eq!(run(&bench).await.len(), 7);
        let skipped = bench.events_so_far().into_iter().any(|event| {
            matches!(event, AgentEvent::CompactionSkipped { reason } if reason.contains("`keep`"))
        });
        assert!(skipped);
    }
}

#[tokio::test]
async fn a_summary_that_fails_keeps_everything() {
    for broken in [r#"{"error": {"kind": "bad-request"}}"#, r#"{"text": "  "}"#] {
        let bench = bench(&two_turns(broken), |builder, _| builder.config(small(100)));
        assert_eq!(run(&bench).await.len(), 7);
    }
}

#[tokio::test]
async fn hooks_guard_the_summary_like_any_call() {
    let script = two_turns(r#"{"text": "the key is 1234"}"#);
    let bench = bench(&script, |builder, _| {
        builder.config(small(100)).prepare(|session| {
            hook::<PreLlmCall, _>(session, "watch", |call| {
                if said(&call.views.conversation[0]).contains("compact") {
                    assert_eq!((call.subject.tools, call.subject.messages), (0, 2));
                    assert_eq!(call.subject.max_output_tokens, Some(1024));
                }
                Ok(pre_llm_call::Outcome::Continue)
            });
            hook::<PostLlmCall, _>(session, "redact", |call| {
                Ok(if *call.views.content == text("the key is 1234") {
                    post_llm_call::Outcome::Transform(text("the key is ****"))
                } else {
                    post_llm_call::Outcome::Continue
                })
            });
        })
    });
    assert!(run(&bench).await[1].ends_with("the key is ****"));
}

#[tokio::test]
async fn a_turn_that_fails_after_a_compaction_is_rolled_back() {
    let script = responses(&[
        &calls_echo("first"),
        r#"{"text": "a long answer", "usage": {"input_tokens": 150, "output_tokens": 10}}"#,
        r#"{"text": "they talked"}"#,
        r#"{"error": {"kind": "auth"}}"#,
    ]);
    let bench = bench(&script, |builder, _| builder.config(small(100)));
    let mut session = bench.session().await;
    session.turn(LONG).await.unwrap();
    session.turn("and now?").await.unwrap_err();
    assert_eq!(
        lines(&session),
        [
            "system: Be brief.",
            "user: [Summary of the earlier conversation:]\nthey talked",
            "assistant: a long answer",
        ]
    );
}

#[tokio::test]
async fn the_turns_input_is_never_compacted() {
    let calls = |text: &str, tokens: u32| {
        format!(
            r#"{{"tool_calls": [{{"name": "echo", "arguments": {{"text": "{text}"}}}}],
                "usage": {{"input_tokens": {tokens}, "output_tokens": 5}}}}"#
        )
    };
    let script = responses(&[
        &calls("the first thing", 10),
        &calls("the second thing", 20),
        &calls("the third thing", 200),
        r#"{"expect": "echo gave: echo the first thing", "expect_absent": "remember me", "text": "s"}"#,
        r#"{"expect": "the third thing", "text": "done"}"#,
    ]);
    let mut config = small(100);
    config.system_prompt = None;
    let bench = bench(&script, |builder, _| builder.config(config));
    let mut session = bench.session().await;
    session.turn("remember me").await.unwrap();
    assert_eq!(
        lines(&session),
        [
            "user: remember me",
            "user: [Summary of the earlier conversation:]\ns",
            "assistant: echo({\"text\":\"the third thing\"})",
            "tool: echo the third thing",
            "assistant: done",
        ]
    );
}
