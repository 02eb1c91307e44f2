//! `message-added`: once for every message that is in the conversation at the end.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use portcullis::Session;
use portcullis::contract::{ContentPart, Message, MessageEdit, Role};
use portcullis::points::{
    MessageAdded, PreStep, StateChanged, TurnError as TurnErrorPoint, TurnStopping, message_added,
    pre_step, turn_error, turn_stopping,
};
use portcullis::verdict::Failure;
use portcullis_agent::{
    AgentConfig, AgentEvent, CompactionConfig, Memory, MemoryError, MemoryTurn, ToolOutput,
};

use crate::support::{
    Bench, Does, assert_whole, bench, calls_echo, hook, lines, quick, responses, said, text,
    toolbox_with,
};

/// The messages that `message-added` reported.
type Reported = Arc<Mutex<Vec<(usize, String)>>>;

fn reports(session: &mut Session, reported: &Reported) {
    let reported = reported.clone();
    hook::<MessageAdded, _>(session, "a-reports", move |call| {
        let index = call.subject.index as usize;
        let message = &call.views.conversation[index];
        assert_eq!(*call.views.content, message.content);
        assert_eq!(call.subject.role, message.role);
        assert_eq!(call.subject.parts as usize, message.content.len());
        reported.lock().unwrap().push((index, said(message)));
        Ok(message_added::Outcome::Continue)
    });
}

fn user(text: &str) -> Message {
    Message {
        role: Role::User,
        content: vec![ContentPart::Text(text.into())],
    }
}

/// Checks that all messages except the system prompt were reported once, and otherwise only `gone`.
fn assert_reported(reported: &Reported, messages: &[Message], gone: &[&str]) {
    let mut times: BTreeMap<String, i32> = BTreeMap::new();
    for (_, what) in reported.lock().unwrap().iter() {
        *times.entry(what.clone()).or_default() += 1;
    }
    for message in messages.iter().filter(|m| m.role != Role::System) {
        *times.entry(said(message)).or_default() -= 1;
    }
    for gone in gone {
        *times.entry((*gone).to_owned()).or_default() -= 1;
    }
    times.retain(|_, times| *times != 0);
    assert!(times.is_empty(), "{times:?} of {messages:#?}");
}

struct Remembers;

#[async_trait]
impl Memory for Remembers {
    async fn pre_turn_context(
        &self,
        _: MemoryTurn<'_>,
        _: &[ContentPart],
    ) -> Result<Option<String>, MemoryError> {
        Ok(Some("you know Ann".into()))
    }

    async fn post_turn_observe(
        &self,
        _: MemoryTurn<'_>,
        _: &[ContentPart],
        _: &[ContentPart],
    ) -> Result<(), MemoryError> {
        Ok(())
    }
}

#[tokio::test]
async fn each_message_is_reported_once() {
    let reported = Reported::default();
    let report = reported.clone();
    let script = responses(&[
        &calls_echo("one"),
        r#"{"text": "two"}"#,
        r#"{"text": "three"}"#,
        r#"{"error": {"kind": "auth"}}"#,
    ]);
    let mut bench = bench(&script, |builder, _| {
        builder.memory(Arc::new(Remembers)).prepare(move |session| {
            reports(session, &report);
            hook::<PreStep, _>(session, "edits", |call| {
                let insert = |at, text| MessageEdit::Insert((at, user(text)));
                Ok(match (call.context.turn, call.subject.steps) {
                    // A copy of a message is also a message.
                    (1, 0) => {
                        pre_step::Outcome::Transform(vec![insert(0, "in front"), insert(1, "go")])
                    }
                    _ => pre_step::Outcome::Continue,
                })
            });
            hook::<TurnStopping, _>(session, "keeps-going", |call| {
                Ok(match (call.context.turn, call.subject.kept_going) {
                    (1, 0) => turn_stopping::Outcome::KeepGoing("and?".into()),
                    _ => turn_stopping::Outcome::Continue,
                })
            });
            hook::<TurnErrorPoint, _>(session, "sorry", |_| {
                Ok(turn_error::Outcome::Replace(text("Sorry.")))
            });
        })
    });
    let mut session = bench.session().await;
    session.steering().say("by the way");
    session.turn("go").await.unwrap();
    session.turn("again").await.unwrap();
    assert_eq!(
        lines(&session),
        [
            "user: in front",
            "user: go",
            "user: you know Ann",
            "user: go",
            "user: by the way",
            "assistant: echo({\"text\":\"one\"})",
            "tool: echo one",
            "assistant: two",
            "user: and?",
            "assistant: three",
            "user: you know Ann",
            "user: again",
            "assistant: Sorry.",
        ]
    );
    assert_reported(&reported, session.conversation(), &[]);
    let events = bench.events_so_far();
    let added = events
        .iter()
        .filter(|e| matches!(e, AgentEvent::MessageAdded { .. }));
    assert_eq!(added.count(), session.conversation().len());
}

#[tokio::test]
async fn a_summary_is_a_message_too() {
    let reported = Reported::default();
    let report = reported.clone();
    let script = responses(&[
        r#"{"text": "a long answer", "usage": {"input_tokens": 150, "output_tokens": 10}}"#,
        r#"{"text": "they talked"}"#,
        r#"{"text": "second"}"#,
    ]);
    let config = AgentConfig {
        compaction: CompactionConfig {
            limit_tokens: 100.try_into().unwrap(),
            keep_recent: 1,
            ..CompactionConfig::default()
        },
        ..quick()
    };
    let bench = bench(&script, |builder, _| {
        builder
            .config(config)
            .prepare(move |session| reports(session, &report))
    });
    let mut session = bench.session().await;
    let long = "report me something that is long enough to be worth a summary, please";
    session.turn(long).await.unwrap();
    session.turn("and now?").await.unwrap();
    assert!(lines(&session)[0].ends_with("they talked"));
    assert_reported(&reported, session.conversation(), &[long, "a long answer"]);
}

/// Returns an agent whose first turn fails after hooks have changed the messages before it.
fn failing(script: &str, prepare: impl Fn(&mut Session) + Send + Sync + 'static) -> Bench {
    bench(script, |builder, trail| {
        let set = Does::tool("set", |_, run| async move {
            run.state.set("key", 1);
            Ok(ToolOutput::ok("set"))
        });
        builder.tools(toolbox_with(trail, [set])).prepare(prepare)
    })
}

#[tokio::test]
async fn the_edits_of_a_failed_turn_are_rolled_back() {
    let script = responses(&[
        r#"{"text": "one"}"#,
        r#"{"tool_calls": [{"name": "set"}]}"#,
        r#"{"error": {"kind": "auth"}}"#,
        r#"{"text": "two"}"#,
    ]);
    let bench = failing(&script, |session| {
        hook::<PreStep, _>(session, "edits", |call| {
            Ok(match (call.context.turn, call.subject.steps) {
                (2, 0) => pre_step::Outcome::Transform(vec![
                    MessageEdit::Insert((0, user("in front"))),
                    MessageEdit::Set((2, user("not what it said"))),
                    MessageEdit::Insert((3, user("more"))),
                ]),
                _ => pre_step::Outcome::Continue,
            })
        });
    });
    let mut session = bench.session().await;
    session.turn("first").await.unwrap();
    session.turn("second").await.unwrap_err();
    assert_eq!(lines(&session), ["user: first", "assistant: one"]);
    assert!(session.state().is_empty(), "the state too");
    session.turn("third").await.unwrap();
    assert_eq!(lines(&session)[2..], ["user: third", "assistant: two"]);
}

#[tokio::test]
async fn a_recovered_turn_leaves_no_call_without_a_result() {
    let script = responses(&[
        r#"{"text": "Well.", "tool_calls": [{"name": "set"}, {"name": "set"}]}"#,
        r#"{"text": "fresh"}"#,
    ]);
    let bench = failing(&script, |session| {
        hook::<StateChanged, _>(session, "strict", |_| Err(Failure::Guest("broken".into())));
        hook::<TurnErrorPoint, _>(session, "sorry", |_| {
            Ok(turn_error::Outcome::Replace(text("Sorry.")))
        });
    });
    let mut session = bench.session().await;
    let report = session.turn("go").await.unwrap().done().unwrap();
    assert_eq!(report.text(), "Sorry.");
    assert_whole(session.conversation());
    session.turn("again").await.unwrap();
    assert_whole(session.conversation());
}
