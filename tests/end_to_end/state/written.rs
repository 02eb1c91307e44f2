//! The times at which state is written to the store.

use std::sync::Arc;

use futures::FutureExt as _;
use portcullis::SessionOptions;
use portcullis_tests::{Does, TestStore, text, turn};

use super::{ask, host, session, spender};

fn row(session: &str, key: &str, value: &str) -> [String; 4] {
    [session, "spender", key, value].map(str::to_owned)
}

#[tokio::test]
async fn private_state_continues_in_another_host_for_the_same_session() {
    for isolation in ["session", "call", "shared"] {
        let dir = spender(&format!("isolation = \"{isolation}\""));
        let store = Arc::new(TestStore::default());
        let hooks = host(&dir, &store);
        let (one, two) = (session(&hooks, "one").await, session(&hooks, "two").await);
        assert_eq!(ask(&one, "remember").await, "1");
        assert_eq!(ask(&two, "remember").await, "1");
        assert_eq!(ask(&one, "remember").await, "2");
        assert_eq!(ask(&two, "set mine").await, "set");
        one.flush_state().await.expect("a store");
        drop((one, two, hooks));
        let hooks = host(&dir, &store);
        let (one, two) = (session(&hooks, "one").await, session(&hooks, "two").await);
        assert_eq!(ask(&one, "remember").await, "3");
        assert_eq!(ask(&one, "get").await, "");
        assert_eq!(ask(&two, "get").await, "mine");
        let other = session(&hooks, "other").await;
        assert_eq!(ask(&other, "remember").await, "1");
    }
}

#[tokio::test]
async fn a_session_that_is_not_kept_stays_in_memory() {
    let (dir, store) = (spender(""), Arc::new(TestStore::default()));
    let hooks = host(&dir, &store);
    let session = hooks.session(SessionOptions::new("one"));
    assert_eq!(ask(&session, "remember").await, "1");
    session.flush_state().await.expect("a store");
    assert!(store.private().is_empty());
}

#[tokio::test]
async fn an_answer_does_not_wait_unless_the_operator_says_so() {
    for (when, waits) in [
        ("after-answer", false),
        ("before-answer", true),
        ("never", false),
    ] {
        let dir = spender(&format!("write-state = \"{when}\""));
        let store = Arc::new(TestStore::default());
        let hooks = host(&dir, &store);
        let session = session(&hooks, "one").await;
        store.set(Does::Waits);
        let mut call = turn("remember");
        let mut run = Box::pin(session.run(&mut call));
        match waits {
            true => tokio::select! {
                verdict = &mut run => panic!("{when}: {verdict:?}"),
                () = store.is_waiting() => assert!((&mut run).now_or_never().is_none()),
            },
            false => assert!((&mut run).await.decision.passed(), "{when}"),
        }
        assert!(store.private().is_empty(), "{when}");
        store.set(Does::Works);
        if waits {
            assert!(run.await.decision.passed(), "{when}");
            assert_eq!(store.private(), [row("one", "calls", "1")], "at once");
        } else {
            drop(run);
        }
        assert_eq!(text(&call), "1");
        session.flush_state().await.expect("a store");
        let kept = match when {
            "never" => Vec::new(),
            _ => vec![row("one", "calls", "1")],
        };
        assert_eq!(store.private(), kept, "{when}");
    }
}

#[tokio::test]
async fn writes_of_many_calls_are_in_the_store_in_their_order() {
    let (dir, store) = (spender(""), Arc::new(TestStore::default()));
    let hooks = host(&dir, &store);
    let session = session(&hooks, "one").await;
    store.set(Does::Waits);
    for n in 0..20 {
        assert_eq!(ask(&session, &format!("set v{n}")).await, "set");
    }
    store.is_waiting().await;
    store.set(Does::Works);
    session.flush_state().await.expect("a store");
    assert_eq!(store.private(), [row("one", "value", "\"v19\"")]);
}
