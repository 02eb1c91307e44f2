//! Long tool outputs in the record of a turn.

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use portcullis_agent::{
    AgentConfig, NewSession, NewTurn, RecordedEffect, TurnStore, TurnStoreError, UnfinishedTurn,
};
use portcullis_store::{Store, Turns};

use crate::support::{bench, calls_echo, lines, quick, responses};

/// Turns of a store, and the effects that are recorded of them.
struct Overheard {
    turns: Turns,
    recorded: Mutex<Vec<RecordedEffect>>,
}

#[async_trait]
impl TurnStore for Overheard {
    async fn begin(&self, turn: NewTurn) -> Result<(), TurnStoreError> {
        self.turns.begin(turn).await
    }
    async fn record(&self, id: &str, effect: RecordedEffect) -> Result<(), TurnStoreError> {
        self.recorded.lock().unwrap().push(effect.clone());
        self.turns.record(id, effect).await
    }
    async fn is_there(&self, id: &str) -> Result<bool, TurnStoreError> {
        self.turns.is_there(id).await
    }
    async fn unfinished(&self, session: &str) -> Result<Option<UnfinishedTurn>, TurnStoreError> {
        self.turns.unfinished(session).await
    }
    async fn end(&self, id: &str) -> Result<(), TurnStoreError> {
        self.turns.end(id).await
    }
}

/// A runtime may take no long values, so that an effect with one would never be recorded.
#[tokio::test]
async fn an_output_is_cut_before_it_is_recorded() {
    let store = Store::temporary().unwrap();
    let turns = Arc::new(Overheard {
        turns: store.turns(),
        recorded: Mutex::default(),
    });
    let bench = bench(
        &responses(&[&calls_echo("flood"), r#"{"text": "done"}"#]),
        |builder, _| {
            builder.config(AgentConfig {
                max_tool_output_bytes: 1_000,
                ..quick()
            })
        },
    );
    let new = NewSession {
        id: "s".into(),
        sessions: Some(Arc::new(store.sessions())),
        turns: Some(turns.clone()),
        ..NewSession::default()
    };
    let mut session = bench.agent.session(new).await.unwrap();
    session.turn("go").await.unwrap();
    let recorded = std::mem::take(&mut *turns.recorded.lock().unwrap());
    let of_tool: Vec<&str> = recorded
        .iter()
        .filter(|effect| effect.place.name == "tool echo")
        .map(|effect| effect.value.as_str())
        .collect();
    let [value] = of_tool[..] else {
        panic!("{recorded:#?}");
    };
    assert!(value.len() < 1_500, "{} bytes", value.len());
    assert!(value.contains("bytes cut"), "{value}");
    let result = &lines(&session)[2];
    assert!(result.starts_with("tool: "), "{result}");
    // Once.
    assert_eq!(result.matches("bytes cut").count(), 1, "{result}");
    assert!(result.len() < 1_100, "{result}");
    session.close().await;
}
