//! Saving a checkpoint.

use std::sync::Arc;
use std::time::Duration;

use portcullis_agent::{CheckpointStore, NewSession};
use portcullis_store::Store;

use crate::support::{lines, responses};

use super::support::*;

#[tokio::test]
async fn a_turn_never_runs_both_here_and_from_its_checkpoint() {
    let store = Arc::new(Store::temporary().unwrap().checkpoints());
    let bench = careful(&responses(&[&calls(&[call("c1", "echo", "rm")])]));
    let slow = NewSession {
        checkpoints: Some(Arc::new(Slow(store.clone(), false))),
        ..new(&store)
    };
    let cancel = slow.cancel.clone();
    let mut session = bench.agent.session(slow).await.unwrap();
    let canceller = async {
        tokio::time::sleep(Duration::from_millis(60)).await;
        cancel.cancel();
    };
    let (ended, ()) = tokio::join!(session.turn("go"), canceller);
    let suspension = suspended(ended);
    assert_eq!(bench.trail.count("turn-suspended"), 1);
    assert_eq!(store.list(None).await.unwrap()[0].id, suspension.checkpoint);
}

#[tokio::test]
async fn a_turn_that_cannot_be_saved_fails() {
    let store = Arc::new(Store::temporary().unwrap().checkpoints());
    let bench = careful(&responses(&[
        &calls(&[call("c1", "echo", "rm")]),
        r#"{"text": "fresh"}"#,
    ]));
    let full = NewSession {
        checkpoints: Some(Arc::new(Slow(store.clone(), true))),
        ..new(&store)
    };
    let mut session = bench.agent.session(full).await.unwrap();
    let error = session.turn("go").await.unwrap_err();
    assert!(error.to_string().contains("the disk is full"), "{error}");
    assert_eq!(bench.trail.count("turn-error"), 1);
    session.turn("again").await.unwrap();
    assert_eq!(lines(&session), ["user: again", "assistant: fresh"]);
}
