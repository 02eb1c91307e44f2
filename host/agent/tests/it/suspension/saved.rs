//! Saved sessions with a suspended turn.

use std::sync::Arc;

use portcullis::approval::ApprovalDecision;
use portcullis_agent::{
    CheckpointId, CheckpointStore, NewCheckpoint, NewSession, ResumeError, SessionError,
    discard_suspended,
};
use portcullis_store::{Store, StoreOptions, StoreUrl};

use crate::support::{lines, responses};

use super::support::*;

/// Returns a saved session: its first turn has ended, and its second one has counted once and is
/// suspended.
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
async fn a_saved_session_whose_resumed_turn_has_not_ended_is_not_opened() {
    let file = File::new();
    let (store, new, checkpoint) = saved_and_suspended(&file).await;
    let checkpoints = store.checkpoints();
    // A process claims the checkpoint and dies.
    let claimed = checkpoints.claim(&checkpoint).await.unwrap();
    let bench = counting(&responses(&[r#"{"text": "done"}"#]));
    let error = bench.agent.session(new.clone()).await.unwrap_err();
    assert!(
        matches!(error, SessionError::Claimed { turn: 2, .. }),
        "{error}"
    );
    for command in ["approvals release", "resume", "approvals discard"] {
        let command = format!("`portcullis {command} {checkpoint}`");
        assert!(error.to_string().contains(&command), "{error}");
    }
    checkpoints.release(&checkpoint).await.unwrap();
    let yes = decision("c2", ApprovalDecision::Approve);
    let resumed = bench.agent.resume(checkpoint, yes, new.clone()).await;
    let (session, ended) = resumed.unwrap();
    ended.unwrap();
    session.close().await;

    // A process saves the turn, and dies before it discards the checkpoint.
    let left = checkpoints.save(NewCheckpoint {
        session: "s".into(),
        root_session: "s".into(),
        agent: claimed.info.agent,
        turn: 2,
        reason: claimed.info.reason,
        pending: claimed.info.pending,
        of_subagent: false,
        until_ms: None,
        data: claimed.data,
    });
    checkpoints.claim(&left.await.unwrap()).await.unwrap();
    let session = bench.agent.session(new).await.unwrap();
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
    // The session was also released.
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
