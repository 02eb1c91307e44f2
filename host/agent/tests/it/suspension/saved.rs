//! Saved sessions with a suspended turn.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use futures::future::BoxFuture;
use portcullis::approval::ApprovalDecision;
use portcullis::hooks::{CacheChoice, StateStorage};
use portcullis::state::{Current, EditKey, PrivateEntry, StateStore, StateStoreError, Writes};
use portcullis::{Hooks, LoadOptions};
use portcullis_agent::{
    CheckpointId, CheckpointStore, NewSession, ResumeError, SessionError, discard_suspended,
};
use portcullis_store::{Store, StoreOptions, StoreUrl};

use crate::support::{bench, lines, responses};

use super::support::*;

/// A saved session: its first turn has ended, and its second one has counted once and is suspended.
async fn saved_and_suspended(file: &File) -> (Store, NewSession, CheckpointId) {
    let url = StoreUrl::sqlite(&file.path);
    let store = Store::open(url, StoreOptions::default()).await.unwrap();
    let new = NewSession {
        id: "s".into(),
        sessions: Some(Arc::new(store.sessions())),
        ..new(&Arc::new(store.checkpoints()))
    };
    let bench = counting(&responses(&[
        r#"{"text": "hello"}"#,
        &calls(&[call("c1", "count", "a")]),
        &calls(&[call("c2", "count", "rm")]),
    ]));
    let mut session = bench.agent.session(new.clone()).await.unwrap();
    session.turn("hi").await.unwrap();
    let suspension = suspended(session.turn("count").await);
    session.close().await;
    (store, new, suspension.checkpoint)
}

#[tokio::test]
async fn a_saved_session_with_a_suspended_turn_is_not_opened() {
    let file = File::new();
    let (store, new, checkpoint) = saved_and_suspended(&file).await;
    let bench = counting(&responses(&[r#"{"text": "done"}"#]));
    let error = bench.agent.session(new.clone()).await.unwrap_err();
    assert!(matches!(error, SessionError::Suspended { .. }), "{error}");
    for command in ["resume", "approvals discard"] {
        let command = format!("`portcullis {command} {checkpoint}`");
        assert!(error.to_string().contains(&command), "{error}");
    }
    let discarded = discard_suspended(&store.checkpoints(), &checkpoint).await;
    discarded.unwrap();
    let session = bench.agent.session(new).await.unwrap();
    assert_eq!(lines(&session), ["user: hi", "assistant: hello"]);
    session.close().await;
}

#[tokio::test]
async fn a_turn_is_not_resumed_once_its_session_has_had_another() {
    let file = File::new();
    let (store, new, checkpoint) = saved_and_suspended(&file).await;
    let bench = counting(&responses(&[r#"{"text": "noted"}"#]));
    // Without the store of checkpoints, the session does not know that its turn is suspended.
    let unaware = NewSession {
        checkpoints: None,
        ..new.clone()
    };
    let mut session = bench.agent.session(unaware.clone()).await.unwrap();
    session.turn("meanwhile").await.unwrap();
    session.close().await;
    let yes = decision("c2", ApprovalDecision::Approve);
    let resumed = bench.agent.resume(checkpoint.clone(), yes, new).await;
    let error = resumed.err().unwrap();
    assert!(
        matches!(
            error,
            ResumeError::SessionContinued {
                turn: 2,
                turns: 2,
                ..
            }
        ),
        "{error}"
    );
    let discard = format!("`portcullis approvals discard {checkpoint}`");
    assert!(error.to_string().contains(&discard), "{error}");
    let waiting = store.checkpoints().list(None).await.unwrap();
    assert_eq!(waiting.len(), 1, "it waits as before");
    // The session was released too.
    let session = bench.agent.session(unaware).await.unwrap();
    assert_eq!(
        lines(&session)[2..],
        ["user: meanwhile", "assistant: noted"]
    );
    session.close().await;
}

#[tokio::test]
async fn a_saved_session_is_resumed_with_the_state_of_the_suspended_turn() {
    let file = File::new();
    let (_store, new, checkpoint) = saved_and_suspended(&file).await;
    let bench = counting(&responses(&[r#"{"text": "done"}"#]));
    let yes = decision("c2", ApprovalDecision::Approve);
    let resumed = bench.agent.resume(checkpoint, yes, new.clone()).await;
    let (session, ended) = resumed.unwrap();
    ended.unwrap();
    session.close().await;
    let session = bench.agent.session(new).await.unwrap();
    assert_eq!(session.state()["n"], 2);
    session.close().await;
}

/// A store of hooks' state that never answers.
#[derive(Debug, Default)]
struct Stuck(tokio::sync::Notify);

impl StateStore for Stuck {
    fn private<'a>(&'a self, _: &'a str) -> Answer<'a, Vec<PrivateEntry>> {
        self.0.notify_one();
        Box::pin(std::future::pending())
    }

    fn get<'a>(&'a self, _: &'a str, _: &'a str) -> Answer<'a, Option<Vec<u8>>> {
        Box::pin(std::future::pending())
    }

    fn sizes<'a>(&'a self, _: &'a str) -> Answer<'a, BTreeMap<String, usize>> {
        Box::pin(std::future::pending())
    }

    fn update<'a>(&'a self, _: &'a str, _: &'a str, _: EditKey) -> Answer<'a, Current> {
        Box::pin(std::future::pending())
    }

    fn write<'a>(&'a self, _: &'a Writes) -> Answer<'a, ()> {
        Box::pin(std::future::pending())
    }
}

type Answer<'a, T> = BoxFuture<'a, Result<T, StateStoreError>>;

#[tokio::test]
async fn a_resume_that_is_dropped_while_it_opens_releases_its_session() {
    let file = File::new();
    let (store, new, checkpoint) = saved_and_suspended(&file).await;
    let (stuck, dir) = (Arc::new(Stuck::default()), tempfile::tempdir().unwrap());
    let options = LoadOptions {
        state: StateStorage::Store(stuck.clone()),
        cache: CacheChoice::None,
        ..LoadOptions::default()
    };
    let hooks = Hooks::load(dir.path(), &options).unwrap();
    let bench = bench(r#"{"responses": []}"#, |builder, _| builder.hooks(hooks));
    let yes = decision("c2", ApprovalDecision::Approve);
    let resume = bench.agent.resume(checkpoint.clone(), yes, new.clone());
    tokio::select! {
        resumed = resume => panic!("{:?}", resumed.map(drop)),
        () = stuck.0.notified() => {}
    }
    let released = async {
        while is_open(&store).await || !store.checkpoints().claimed().await.unwrap().is_empty() {
            tokio::task::yield_now().await;
        }
    };
    let waited = tokio::time::timeout(Duration::from_secs(300), released).await;
    waited.expect("the session and the checkpoint are released");
    let waiting = store.checkpoints().list(None).await.unwrap();
    let waiting: Vec<_> = waiting.into_iter().map(|turn| turn.id).collect();
    assert_eq!(waiting, [checkpoint], "its turn waits as before");
}

async fn is_open(store: &Store) -> bool {
    let saved = store.sessions().get("s").await.unwrap().unwrap();
    saved.open_in.is_some()
}
