//! Memory across sessions.

use std::sync::Arc;

use async_trait::async_trait;
use portcullis::contract::ContentPart;
use portcullis_agent::{
    AgentEvent, Memory, MemoryConfig, MemoryError, MemoryTurn, NewSession, RecallMemory,
};
use portcullis_store::Store;

use crate::support::{bench, lines, responses};

#[tokio::test]
async fn a_later_session_recalls_an_earlier_one() {
    let script = responses(&[
        r#"{"text": "Milo is a nice name."}"#,
        r#"{"text": "He is called Milo."}"#,
        r#"{"expect_absent": "Milo", "text": "I do not know."}"#,
    ]);
    let memory = RecallMemory::new(
        Arc::new(Store::temporary().unwrap().past_turns()),
        MemoryConfig::default(),
    );
    let bench = bench(&script, |builder, _| builder.memory(Arc::new(memory)));
    let open = |user: &str| {
        bench.agent.session(NewSession {
            user: Some(user.into()),
            ..NewSession::default()
        })
    };
    let mut first = open("ann").await.unwrap();
    first.turn("My cat is called Milo.").await.unwrap();
    let mut second = open("ann").await.unwrap();
    second.turn("What is my cat called?").await.unwrap();
    let messages = lines(&second);
    assert!(
        messages[0].starts_with("user: [From earlier"),
        "{}",
        messages[0]
    );
    assert!(
        messages[0].contains("Milo is a nice name."),
        "{}",
        messages[0]
    );
    assert_eq!(messages[1], "user: What is my cat called?");
    let mut other = open("bob").await.unwrap();
    other.turn("What is my cat called?").await.unwrap();
}

struct Broken;

#[async_trait]
impl Memory for Broken {
    async fn pre_turn_context(
        &self,
        _: MemoryTurn<'_>,
        _: &[ContentPart],
    ) -> Result<Option<String>, MemoryError> {
        Err(MemoryError("asked".into()))
    }

    async fn post_turn_observe(
        &self,
        _: MemoryTurn<'_>,
        _: &[ContentPart],
        _: &[ContentPart],
    ) -> Result<(), MemoryError> {
        Err(MemoryError("observe".into()))
    }
}

#[tokio::test]
async fn a_broken_memory_does_not_fail_the_turn() {
    let mut bench = bench(&responses(&[r#"{"text": "hi"}"#]), |builder, _| {
        builder.memory(Arc::new(Broken))
    });
    let mut session = bench.session().await;
    assert_eq!(
        session.turn("hi").await.unwrap().done().unwrap().text(),
        "hi"
    );
    let failures = bench
        .events_so_far()
        .into_iter()
        .filter(|event| matches!(event, AgentEvent::MemoryFailed { .. }))
        .count();
    assert_eq!(failures, 2);
}
