//! Pieces of a response, and hooks that change or withhold them.

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use portcullis::Call;
use portcullis::contract::{ContentPart, StopKind, StopReason, StopSignal, Usage};
use portcullis::points::llm_delta::{DeltaKind, Outcome};
use portcullis::points::{LlmDelta, PostLlmCall, post_llm_call};
use portcullis::verdict::Failure;
use portcullis_agent::{
    AgentBuilder, AgentConfig, AgentEvent, ApiConfig, ApiKey, ApiKind, ApiProvider, Delta,
    DeltaSink, Deltas, LlmRequest, LlmResponse, Memory, MemoryError, MemoryTurn, PiecesConfig,
    Provider, ProviderError, TurnError, TurnOrigin,
};
use serde_json::json;

use crate::api_server::{Reply, Server};
use crate::support::{
    Bench, Trail, assert_whole, bench, hook, lines, quick, record_all, rejection, responses, text,
};

/// Returns a configuration with pieces of this many bytes and a long time limit, which are always
/// shown.
fn pieces(bytes: usize) -> AgentConfig {
    AgentConfig {
        deltas: Deltas::Always,
        pieces: PiecesConfig {
            bytes,
            millis: 60_000,
        },
        ..quick()
    }
}

fn piece(call: &Call<LlmDelta>) -> String {
    match &call.views.content[..] {
        [ContentPart::Text(text)] => text.clone(),
        other => panic!("{other:?}"),
    }
}

fn guarded<F>(script: &str, config: AgentConfig, guard: F) -> Bench
where
    F: Fn(&Call<LlmDelta>) -> Result<Outcome, Failure> + Clone + Send + Sync + 'static,
{
    guarded_with(script, config, guard, |builder, _| builder)
}

fn guarded_with<F>(
    script: &str,
    config: AgentConfig,
    guard: F,
    more: impl FnOnce(AgentBuilder, &Trail) -> AgentBuilder,
) -> Bench
where
    F: Fn(&Call<LlmDelta>) -> Result<Outcome, Failure> + Clone + Send + Sync + 'static,
{
    bench(script, |builder, trail| {
        let recorded = trail.clone();
        let builder = builder.config(config).prepare(move |session| {
            hook::<LlmDelta, _>(session, "guard", guard.clone());
            record_all(session, &recorded);
        });
        more(builder, trail)
    })
}

fn shown(bench: &mut Bench) -> Vec<String> {
    bench
        .events_so_far()
        .into_iter()
        .filter_map(|event| match event {
            AgentEvent::TextDelta { text } => Some(text),
            AgentEvent::ThinkingDelta { text } => Some(format!("({text})")),
            AgentEvent::DeltaWithheld { by } => Some(format!("withheld by {by}")),
            _ => None,
        })
        .collect()
}

#[tokio::test]
async fn words_are_gathered_into_pieces() {
    let seen = Trail::default();
    let sees = seen.clone();
    let script = responses(&[r#"{"thinking": "hm hm hm", "text": "0123456789", "chunk": 2}"#]);
    let mut bench = guarded(&script, pieces(4), move |call| {
        let facts = &call.subject;
        let kind = if facts.kind == DeltaKind::Text {
            't'
        } else {
            'h'
        };
        assert_eq!(facts.bytes as usize, piece(call).len());
        sees.add(format!(
            "{kind}{} {} {}",
            facts.index,
            piece(call),
            facts.last
        ));
        Ok(Outcome::Continue)
    });
    let mut session = bench.session().await;
    session.turn("go").await.unwrap();
    assert_eq!(
        seen.take(),
        [
            "h0 hm h false",
            "h1 m hm false",
            "t0 0123 false",
            "t1 4567 false",
            "h2  true",
            "t2 89 true",
        ]
    );
    assert_eq!(
        shown(&mut bench),
        ["(hm h)", "(m hm)", "0123", "4567", "89"]
    );
}

/// A memory that records its observations.
struct Notes(Trail);

#[async_trait]
impl Memory for Notes {
    async fn pre_turn_context(
        &self,
        _: MemoryTurn<'_>,
        _: &[ContentPart],
    ) -> Result<Option<String>, MemoryError> {
        Ok(None)
    }

    async fn post_turn_observe(
        &self,
        _: MemoryTurn<'_>,
        _: &[ContentPart],
        output: &[ContentPart],
    ) -> Result<(), MemoryError> {
        self.0.add(format!("noted {output:?}"));
        Ok(())
    }
}

#[tokio::test]
async fn suppressed_text_is_nowhere() {
    let notes = Trail::default();
    let noted = notes.clone();
    let script = responses(&[
        r#"{"thinking": "hmm: 1234 is secret", "text": "Key: 1234, good", "chunk": 5,
            "tool_calls": [{"name": "echo", "arguments": {"text": "hi"}}]}"#,
        r#"{"expect_absent": "1234", "text": "done"}"#,
    ]);
    let mut bench = guarded_with(
        &script,
        pieces(5),
        |call| {
            Ok(if piece(call).contains("1234") {
                Outcome::Reject(rejection("secret", "no"))
            } else {
                Outcome::Continue
            })
        },
        move |builder, trail| {
            let sees = trail.clone();
            builder
                .memory(Arc::new(Notes(noted)))
                .prepare(move |session| {
                    let sees = sees.clone();
                    hook::<PostLlmCall, _>(session, "sees", move |call| {
                        sees.add(format!("post {:?}", call.views.content));
                        Ok(post_llm_call::Outcome::Continue)
                    });
                })
        },
    );
    let mut session = bench.session().await;
    session.turn("go").await.unwrap();
    let all = format!(
        "{:?} {:?} {:?} {:?}",
        session.conversation(),
        bench.trail.take(),
        notes.take(),
        bench.events_so_far()
    );
    assert!(!all.contains("1234"), "{all}");
    assert!(all.contains("DeltaWithheld"), "{all}");
    assert!(all.contains("Key: "), "{all}");
    assert_whole(session.conversation());
}

/// Returns a hook that withholds the last word of a piece, and adds it to the next piece or at the
/// end.
fn holds_back() -> impl Fn(&Call<LlmDelta>) -> Result<Outcome, Failure> + Clone {
    let held = Arc::new(Mutex::new(String::new()));
    move |call: &Call<LlmDelta>| {
        let mut held = held.lock().unwrap();
        if call.subject.index == 0 {
            held.clear();
        }
        held.push_str(&piece(call));
        let out = match (call.subject.last, held.rfind(' ')) {
            (true, _) => std::mem::take(&mut *held),
            (false, Some(at)) => held.drain(..=at).collect(),
            (false, None) => String::new(),
        };
        Ok(Outcome::Transform(out.replace("secret", "******")))
    }
}

#[tokio::test]
async fn a_hook_may_withhold_the_start_of_a_word_until_the_next_piece() {
    let script = responses(&[r#"{"text": "one secret word", "chunk": 3}"#]);
    let mut bench = guarded(&script, pieces(1), holds_back());
    let mut session = bench.session().await;
    let report = session.turn("go").await.unwrap().done().unwrap();
    assert_eq!(report.text(), "one ****** word");
    assert_eq!(shown(&mut bench).concat(), "one ****** word");
    assert_eq!(lines(&session)[1], "assistant: one ****** word");
}

#[tokio::test]
async fn a_stop_ends_the_turn_with_the_text_so_far() {
    let stop = |call: &Call<LlmDelta>| {
        Ok(if piece(call).contains("bad") {
            Outcome::Stop(StopSignal {
                kind: StopKind::Other("bad-words".into()),
                message: "no such words".into(),
            })
        } else {
            Outcome::Continue
        })
    };
    for (said, expected) in [("good bad worse", "good"), ("bad from the start", "")] {
        let script = responses(&[&format!(
            r#"{{"text": "{said}", "chunk": 4, "tool_calls": [{{"name": "echo", "arguments": {{"text": "x"}}}}]}}"#
        )]);
        let mut bench = guarded(&script, pieces(4), stop);
        let mut session = bench.session().await;
        let report = session.turn("go").await.unwrap().done().unwrap();
        assert_eq!(report.text().trim(), expected);
        assert!(
            matches!(&report.origin, TurnOrigin::Stopped { by, code, .. } if by == "guard" && code == "bad-words")
        );
        assert_eq!(report.steps, 1);
        for point in ["post-llm-call", "post-step", "turn-stopping", "post-turn"] {
            assert_eq!(bench.trail.count(point), 1, "{point}");
        }
        assert_eq!(bench.trail.count("pre-tool-call"), 0);
        assert_eq!(
            session.conversation().len(),
            1 + usize::from(!expected.is_empty())
        );
        assert!(!shown(&mut bench).concat().contains("bad"));
        assert_whole(session.conversation());
    }
}

#[tokio::test]
async fn a_guard_that_fails_closed_fails_the_turn() {
    let script = responses(&[r#"{"text": "one two", "chunk": 4}"#]);
    let mut bench = guarded(&script, pieces(4), |_| Err(Failure::Guest("broken".into())));
    let mut session = bench.session().await;
    let error = session.turn("go").await.unwrap_err();
    assert!(matches!(&error, TurnError::Hook(failed) if failed.hook.as_str() == "guard"));
    assert!(shown(&mut bench).is_empty());
    assert!(lines(&session).is_empty());
    assert_eq!(
        bench.trail.count("llm-error"),
        0,
        "the provider did not fail"
    );

    // A complete response counts.
    let usage = r#""usage": {"input_tokens": 7, "output_tokens": 3}"#;
    let script = responses(&[&format!(r#"{{"text": "one", {usage}}}"#)]);
    let bench = guarded(&script, pieces(100), |_| {
        Err(Failure::Guest("broken".into()))
    });
    let mut session = bench.session().await;
    session.turn("go").await.unwrap_err();
    assert_eq!(session.usage().input_tokens, 7);
}

/// A provider that streams a part of its response, or nothing.
struct Says {
    streamed: &'static str,
    whole: &'static str,
}

#[async_trait]
impl Provider for Says {
    fn default_model(&self) -> &str {
        "m"
    }

    async fn complete(
        &self,
        _: LlmRequest,
        deltas: &mut dyn DeltaSink,
    ) -> Result<LlmResponse, ProviderError> {
        if !self.streamed.is_empty() {
            let _ = deltas.push(Delta::Text(self.streamed)).await;
        }
        Ok(LlmResponse {
            content: text(self.whole),
            stop: StopReason::EndTurn,
            usage: Usage {
                input_tokens: 1,
                output_tokens: 1,
                cache_read_tokens: 0,
                cache_write_tokens: 0,
            },
        })
    }
}

#[tokio::test]
async fn hooks_see_text_that_was_not_streamed() {
    for (streamed, expected) in [
        ("", "all is *****"),
        ("all is", "all is *****"),
        ("all", "all is *****"),
        ("another thing", "another thing"),
    ] {
        let provider = Says {
            streamed,
            whole: "all is 12345",
        };
        let mut bench = guarded_with(
            r#"{"responses": []}"#,
            pieces(1),
            |call| Ok(Outcome::Transform(piece(call).replace("12345", "*****"))),
            |builder, _| {
                builder
                    .providers(Default::default())
                    .provider("p", Arc::new(provider))
            },
        );
        let mut session = bench.session().await;
        let report = session.turn("go").await.unwrap().done().unwrap();
        assert_eq!(report.text(), expected);
        let _ = shown(&mut bench);
    }
}

#[tokio::test]
async fn deltas_settings_hold_with_hooks_too() {
    for (deltas, expected) in [
        (Deltas::Always, &["one two"][..]),
        (Deltas::UnlessGuarded, &["one two"]),
        (Deltas::Never, &[]),
    ] {
        let config = AgentConfig {
            deltas,
            ..pieces(100)
        };
        let script = responses(&[r#"{"text": "one two", "chunk": 1}"#]);
        let mut bench = bench(&script, |builder, _| {
            builder.config(config).prepare(|session| {
                hook::<LlmDelta, _>(session, "guard", |_| Ok(Outcome::Continue));
            })
        });
        let mut session = bench.session().await;
        session.turn("go").await.unwrap();
        assert_eq!(shown(&mut bench), expected);
    }
}

fn api(server: &Server, kind: ApiKind) -> Arc<dyn Provider> {
    let mut config = ApiConfig::new(kind, "model-1");
    config.base_url = Some(server.url());
    config.key = Some(ApiKey::Value("sk-test".into()));
    Arc::new(ApiProvider::new(config).unwrap())
}

fn openai(delta: serde_json::Value, finish: Option<&str>) -> (&'static str, String) {
    let data = json!({
        "id": "c", "object": "chat.completion.chunk", "model": "model-1",
        "choices": [{ "index": 0, "delta": delta, "finish_reason": finish }]
    });
    ("", data.to_string())
}

#[tokio::test]
async fn a_real_stream_that_breaks_is_retried() {
    let server = Server::start([
        // The stream ends in the middle of a word that the hook withholds.
        Reply::events([openai(json!({"content": "I know a sec"}), None)]),
        Reply::events([
            openai(json!({"content": "The sec"}), None),
            openai(json!({"content": "ret is out"}), None),
            openai(json!({}), Some("stop")),
            (
                "",
                json!({"choices": [], "usage": {"prompt_tokens": 3, "completion_tokens": 4}})
                    .to_string(),
            ),
            ("", "[DONE]".into()),
        ]),
    ])
    .await;
    let mut bench = guarded_with(
        r#"{"responses": []}"#,
        pieces(1),
        holds_back(),
        |builder, _| {
            builder
                .providers(Default::default())
                .provider("p", api(&server, ApiKind::OpenAi))
        },
    );
    let mut session = bench.session().await;
    let report = session.turn("go").await.unwrap().done().unwrap();
    assert_eq!(report.text(), "The ****** is out");
    assert_eq!(report.usage.output_tokens, 4);
    assert_eq!(shown(&mut bench).concat(), "I know a The ****** is out");
    assert_eq!(bench.trail.count("llm-error"), 1);
    assert_eq!(bench.trail.count("post-llm-call"), 1);
    assert_eq!(
        lines(&session),
        ["user: go", "assistant: The ****** is out"]
    );
}

#[tokio::test]
async fn a_real_anthropic_stream_is_stopped() {
    let event = |name: &'static str, data: serde_json::Value| (name, data.to_string());
    let delta = |text: &str| {
        event(
            "content_block_delta",
            json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": text}}),
        )
    };
    let server = Server::start([Reply::events([
        event(
            "message_start",
            json!({"type": "message_start", "message": {"id": "m", "type": "message", "role": "assistant",
                "model": "model-1", "content": [], "usage": {"input_tokens": 5, "output_tokens": 1}}}),
        ),
        event(
            "content_block_start",
            json!({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}),
        ),
        delta("So far "),
        delta("so good. "),
        delta("Now bad"),
        delta("and worse"),
        event("content_block_stop", json!({"type": "content_block_stop", "index": 0})),
        event(
            "message_delta",
            json!({"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 9}}),
        ),
        event("message_stop", json!({"type": "message_stop"})),
    ])])
    .await;
    let mut bench = guarded_with(
        r#"{"responses": []}"#,
        pieces(1),
        |call| {
            Ok(if piece(call).contains("bad") {
                Outcome::Stop(StopSignal {
                    kind: StopKind::Other("bad".into()),
                    message: "bad".into(),
                })
            } else {
                Outcome::Continue
            })
        },
        |builder, _| {
            builder
                .providers(Default::default())
                .provider("p", api(&server, ApiKind::Anthropic))
        },
    );
    let mut session = bench.session().await;
    let report = session.turn("go").await.unwrap().done().unwrap();
    assert_eq!(report.text(), "So far so good. ");
    assert_eq!(shown(&mut bench).concat(), "So far so good. ");
    assert_eq!(bench.trail.count("llm-error"), 0);
    assert_eq!(server.asked().len(), 1);
}
