//! Claims of checkpoints, and failed resumes.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use portcullis::approval::ApprovalDecision;
use portcullis_agent::{
    AgentConfig, CheckpointStore, NewSession, ResumeError, SavedSessionError, TurnError,
};

use crate::support::{bench, lines, quick, responses};

use super::support::*;

#[tokio::test]
async fn invalid_resolutions_leave_the_checkpoint_waiting() {
    let file = File::new();
    let (suspension, _) = suspend(&file, &calls(&[call("c1", "echo", "rm")])).await;
    let store = file.open();
    let id = suspension.checkpoint;
    let bench = careful(&responses(&[r#"{"text": "done"}"#]));
    for (resolutions, why) in [
        (
            decision("c9", ApprovalDecision::Approve),
            "no call `c9` waits",
        ),
        (given("c1", "x"), "waits for a decision"),
    ] {
        let error = bench
            .agent
            .resume(id.clone(), resolutions, new(&store))
            .await;
        assert!(
            error.as_ref().unwrap_err().to_string().contains(why),
            "{error:?}"
        );
        assert_eq!(store.list(None).await.unwrap().len(), 1, "{why}");
    }
    let cancelled = new(&store);
    cancelled.cancel.cancel();
    let error = bench
        .agent
        .resume(id.clone(), BTreeMap::new(), cancelled)
        .await;
    assert!(matches!(error, Err(ResumeError::Cancelled)));
    let nowhere = bench
        .agent
        .resume(id.clone(), BTreeMap::new(), NewSession::default());
    assert!(matches!(nowhere.await, Err(ResumeError::NoStore)));
    let other = self::bench(r#"{"responses": []}"#, |builder, _| {
        builder.config(AgentConfig {
            name: "other".into(),
            ..quick()
        })
    });
    let error = other
        .agent
        .resume(id.clone(), BTreeMap::new(), new(&store))
        .await;
    assert!(
        matches!(error, Err(ResumeError::OtherAgent { .. })),
        "{error:?}"
    );
    assert_eq!(store.list(None).await.unwrap().len(), 1);

    // Without a resolution the turn is suspended again, in a new checkpoint.
    let (_, ended) = bench
        .agent
        .resume(id.clone(), BTreeMap::new(), new(&store))
        .await
        .unwrap();
    let again = suspended(ended);
    assert_ne!(again.checkpoint, id);
    assert_eq!(again.pending, suspension.pending);
    let waiting: Vec<_> = store
        .list(None)
        .await
        .unwrap()
        .into_iter()
        .map(|c| c.id)
        .collect();
    assert_eq!(waiting, [again.checkpoint]);
    assert!(store.claimed(None).await.unwrap().is_empty());
}

#[tokio::test]
async fn a_turn_is_resumed_as_the_user_of_its_session() {
    for (here, is_refused) in [(None, false), (Some("bob"), false), (Some("alice"), true)] {
        let file = File::new();
        let store = file.open();
        let of = |user: Option<&str>| NewSession {
            user: user.map(str::to_owned),
            ..new(&store)
        };
        let asks = calls(&[call("c1", "echo", "rm")]);
        let bench = careful(&responses(&[asks.as_str(), r#"{"text": "done"}"#]));
        let mut session = bench.agent.session(of(Some("bob"))).await.unwrap();
        let checkpoint = suspended(session.turn("go").await).checkpoint;
        session.close().await;
        let yes = decision("c1", ApprovalDecision::Approve);
        match bench.agent.resume(checkpoint, yes, of(here)).await {
            Err(ResumeError::Session(SavedSessionError::OtherUser { .. })) => {
                assert!(is_refused, "{here:?}");
            }
            resumed => {
                let (_, ended) = resumed.unwrap();
                assert_eq!(ended.unwrap().done().unwrap().text(), "done");
                assert!(!is_refused, "{here:?}");
            }
        }
        let waiting = store.list(None).await.unwrap().len();
        assert_eq!(waiting, usize::from(is_refused), "{here:?}");
    }
}

#[tokio::test]
async fn a_turn_that_a_dead_process_resumed_can_be_released_and_resumed() {
    let file = File::new();
    let (suspension, _) = suspend(&file, &calls(&[call("c1", "echo", "rm")])).await;
    // A process claims the checkpoint and dies.
    file.open().claim(&suspension.checkpoint).await.unwrap();

    let store = file.open();
    let bench = careful(&responses(&[r#"{"expect": "echo rm", "text": "done"}"#]));
    let yes = || decision("c1", ApprovalDecision::Approve);
    let refused = bench
        .agent
        .resume(suspension.checkpoint.clone(), yes(), new(&store))
        .await;
    let why = refused.unwrap_err().to_string();
    assert!(why.contains("release the checkpoint"), "{why}");
    let held = store.claimed(None).await.unwrap().remove(0);
    assert_eq!((&held.id, held.turn), (&suspension.checkpoint, 1));
    assert!(held.claim.is_some());
    store.release(&held.id).await.unwrap();
    let (_, ended) = bench
        .agent
        .resume(held.id, yes(), new(&store))
        .await
        .unwrap();
    assert_eq!(ended.unwrap().done().unwrap().text(), "done");
}

#[tokio::test]
async fn a_resumed_turn_that_is_cancelled_or_dropped_is_over() {
    for dropped in [false, true] {
        let file = File::new();
        let hangs = calls(&[call("c1", "echo", "rm"), call("c2", "echo", "hang")]);
        let (suspension, _) = suspend(&file, &hangs).await;
        let store = file.open();
        let bench = careful(&responses(&[r#"{"text": "fresh"}"#]));
        let session = new(&store);
        let cancel = session.cancel.clone();
        let yes = decision("c1", ApprovalDecision::Approve);
        let resumed = bench
            .agent
            .resume(suspension.checkpoint.clone(), yes, session);
        if dropped {
            let timeout = tokio::time::timeout(Duration::from_millis(100), resumed).await;
            assert!(timeout.is_err());
            while !store.claimed(None).await.unwrap().is_empty() {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        } else {
            let canceller = async {
                tokio::time::sleep(Duration::from_millis(50)).await;
                cancel.cancel();
            };
            let (resumed, ()) = tokio::join!(resumed, canceller);
            let (session, ended) = resumed.unwrap();
            assert!(matches!(ended, Err(TurnError::Cancelled)));
            assert!(lines(&session).is_empty(), "the whole turn is taken back");
        }
        assert!(store.list(None).await.unwrap().is_empty());
        assert!(store.claimed(None).await.unwrap().is_empty());
    }
}

#[tokio::test]
async fn a_resume_dropped_before_it_started_leaves_the_checkpoint_waiting() {
    let file = File::new();
    let (suspension, _) = suspend(&file, &calls(&[call("c1", "echo", "rm")])).await;
    let store = file.open();
    let bench = careful(&responses(&[r#"{"text": "done"}"#]));
    let slow = NewSession {
        checkpoints: Some(Arc::new(Slow(store.clone(), false))),
        ..new(&store)
    };
    let yes = decision("c1", ApprovalDecision::Approve);
    let resumed = bench.agent.resume(suspension.checkpoint, yes, slow);
    let dropped = tokio::time::timeout(Duration::from_millis(20), resumed).await;
    assert!(dropped.is_err());
    tokio::time::timeout(Duration::from_secs(10), async {
        while store.list(None).await.unwrap().is_empty() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    })
    .await
    .expect("it waits again");
    assert!(store.claimed(None).await.unwrap().is_empty());
    assert!(bench.trail.take().is_empty());
}
