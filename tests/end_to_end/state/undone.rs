//! The effects of a failed call.

use std::sync::Arc;

use portcullis::verdict::Cause;
use portcullis_tests::{Does, TestStore, turn};

use super::{ask, host, session, spender, tell};

const ENDINGS: [(&str, &str, Cause); 3] = [
    ("then-panic", "", Cause::Trap),
    (
        "then-loop",
        "[hooks.spender.limits]\nfuel = 5_000_000",
        Cause::Fuel,
    ),
    // Its answer is one that its role does not allow.
    ("", "role = \"gate\"", Cause::BadOutput),
];

#[tokio::test]
async fn a_call_that_fails_leaves_no_state() {
    for (then, settings, cause) in ENDINGS {
        for when in ["after-answer", "before-answer"] {
            let dir = spender(&format!("write-state = \"{when}\"\n{settings}"));
            let store = Arc::new(TestStore::default());
            let hooks = host(&dir, &store);
            let session = session(&hooks, "one").await;
            for what in ["remember", "set x", "add 5", "put x", "take me"] {
                let (_, verdict) = tell(&session, &format!("{what} {then}")).await;
                assert_eq!(verdict.runs[0].cause(), Some(cause), "{what} {then}");
            }
            session.flush_state().await.expect("a store");
            assert!(store.private().is_empty(), "{then} {when}");
            for key in ["sum", "value", "owner"] {
                assert_eq!(store.shared("sums", key), None, "{key} {then} {when}");
            }
        }
    }
}

#[tokio::test]
async fn a_refusal_is_an_answer_and_keeps_its_state() {
    let (dir, store) = (spender(""), Arc::new(TestStore::default()));
    let hooks = host(&dir, &store);
    let session = session(&hooks, "one").await;
    let (_, verdict) = tell(&session, "add 5 then-reject").await;
    assert!(!verdict.decision.passed());
    assert_eq!(ask(&session, "sum").await, "5");
}

#[tokio::test]
async fn what_others_added_since_stays() {
    let (dir, store) = (spender(""), Arc::new(TestStore::default()));
    let (here, there) = (host(&dir, &store), host(&dir, &store));
    let (one, two) = (session(&here, "one").await, session(&there, "two").await);
    assert_eq!(ask(&two, "add 10").await, "10");
    let _ = tell(&one, "add 5 then-panic").await;
    assert_eq!(
        ask(&two, "add 1").await.parse::<i64>().map(|sum| sum >= 11),
        Ok(true)
    );
    one.flush_state().await.expect("a store");
    assert_eq!(ask(&two, "sum").await, "11");
}

#[tokio::test]
async fn the_next_call_does_not_see_what_is_still_to_be_undone() {
    let (dir, store) = (spender(""), Arc::new(TestStore::default()));
    let hooks = host(&dir, &store);
    let session = session(&hooks, "one").await;
    for n in 1..=20 {
        let _ = tell(&session, "add 5 then-panic").await;
        assert_eq!(ask(&session, "add 1").await, n.to_string());
    }
}

#[tokio::test]
async fn an_operation_whose_call_is_dropped_is_undone() {
    let (dir, store) = (spender(""), Arc::new(TestStore::default()));
    let hooks = host(&dir, &store);
    let session = session(&hooks, "one").await;
    assert_eq!(ask(&session, "add 1").await, "1");
    store.set(Does::Waits);
    let mut call = turn("add 5");
    tokio::select! {
        verdict = session.run(&mut call) => panic!("{verdict:?}"),
        () = store.is_waiting() => {}
    }
    store.set(Does::Works);
    // The operation itself was not dropped: it ends, and is undone then.
    store.is_idle().await;
    session.flush_state().await.expect("a store");
    assert_eq!(ask(&session, "sum").await, "1");
}
