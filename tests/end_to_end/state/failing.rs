//! A store that fails.

use std::sync::Arc;

use portcullis::Decision;
use portcullis::verdict::Cause;
use portcullis_tests::{Does, TestStore, text};

use super::{ask, host, session, spender, tell};

/// The actions that need the store during the call, or before the answer counts.
const NEED_IT: [&str; 4] = ["add 1", "sum", "keys", "remember"];

#[tokio::test]
async fn a_store_that_fails_is_a_failure_of_the_hook_by_its_own_policy() {
    for failure in ["fail-closed", "fail-open"] {
        let dir = spender(&format!(
            "failure = \"{failure}\"\nwrite-state = \"before-answer\""
        ));
        let store = Arc::new(TestStore::default());
        let hooks = host(&dir, &store);
        let session = session(&hooks, "one").await;
        store.set(Does::Fails);
        for what in NEED_IT {
            let (call, verdict) = tell(&session, what).await;
            assert_eq!(verdict.runs[0].cause(), Some(Cause::StateStore), "{what}");
            let failed = matches!(verdict.decision, Decision::Failed(_));
            assert_eq!(failed, failure == "fail-closed", "{what}");
            assert_eq!(text(&call), what, "the answer does not count");
        }
        store.set(Does::Works);
        assert_eq!(
            ask(&session, "remember").await,
            "1",
            "nothing of the failed calls stays"
        );
        assert_eq!(ask(&session, "add 1").await, "1");
        assert_eq!(store.private().len(), 1);
    }
}

#[tokio::test]
async fn shared_state_that_is_not_written_fails_the_call() {
    let (dir, store) = (spender(""), Arc::new(TestStore::default()));
    let hooks = host(&dir, &store);
    let session = session(&hooks, "one").await;
    assert_eq!(ask(&session, "put before").await, "put");
    store.set(Does::Fails);
    let (_, verdict) = tell(&session, "put after").await;
    assert_eq!(verdict.runs[0].cause(), Some(Cause::StateStore));
    store.set(Does::Works);
    session.flush_state().await.expect("a store");
    assert_eq!(ask(&session, "read").await, "before");
}

#[tokio::test]
async fn while_writes_are_left_calls_that_write_more_fail() {
    for failure in ["fail-closed", "fail-open"] {
        let dir = spender(&format!("failure = \"{failure}\""));
        let store = Arc::new(TestStore::default());
        let hooks = host(&dir, &store);
        let session = session(&hooks, "one").await;
        store.set(Does::Fails);
        // Its answer counts before the store is asked.
        assert_eq!(ask(&session, "remember").await, "1");
        let error = session.flush_state().await.expect_err("a store that fails");
        assert!(error.to_string().contains("told to"), "{error}");
        let (_, verdict) = tell(&session, "remember").await;
        assert_eq!(verdict.runs[0].cause(), Some(Cause::StateStore));
        assert_eq!(verdict.decision.passed(), failure == "fail-open");
        // A call that does not write is not affected.
        assert_eq!(ask(&session, "get").await, "");
        store.set(Does::Works);
        session
            .flush_state()
            .await
            .expect("a store that works again");
        assert_eq!(
            ask(&session, "remember").await,
            "2",
            "the failed call did not count"
        );
        session.flush_state().await.expect("a store");
        assert_eq!(store.private()[0][3], "2");
    }
}

#[tokio::test]
async fn a_session_is_not_opened_without_its_state() {
    let (dir, store) = (spender(""), Arc::new(TestStore::default()));
    let hooks = host(&dir, &store);
    store.set(Does::Fails);
    assert!(hooks.stored_state("one").await.is_err());
}
