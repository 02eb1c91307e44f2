//! The start and the end of sessions.

use std::sync::Arc;
use std::time::Duration;

use portcullis::points::session_end::EndReason;
use portcullis::points::{SessionEnd, SessionStart, session_end, session_start};
use portcullis::verdict::Failure;
use portcullis_agent::{AgentEvent, NewSession, SessionEndReason, SessionError};
use portcullis_store::Store;

use crate::support::{Trail, bench, calls_echo, hook, rejection, responses};

/// Records each end of a session, with its reason and turns.
fn record_ends(session: &mut portcullis::Session, trail: &Trail) {
    let trail = trail.clone();
    hook::<SessionEnd, _>(session, "ends", move |call| {
        let reason = match call.subject.reason {
            EndReason::Closed => "closed",
            EndReason::Rejected => "rejected",
            EndReason::Cancelled => "cancelled",
            EndReason::Failed => "failed",
        };
        trail.add(format!("{reason} after {}", call.subject.turns));
        Ok(session_end::Outcome::Continue)
    });
}

#[tokio::test]
async fn the_end_fires_once_however_a_session_ends() {
    let script = responses(&[r#"{"text": "a"}"#, r#"{"text": "b"}"#, &calls_echo("hang")]);
    let mut bench = bench(&script, |builder, trail| {
        let trail = trail.clone();
        builder.prepare(move |session| record_ends(session, &trail))
    });

    let mut closed = bench.session().await;
    closed.turn("1").await.unwrap();
    closed.turn("2").await.unwrap();
    closed.close().await;
    assert_eq!(bench.trail.take(), ["closed after 2"]);

    let failed = bench.session().await;
    failed.close_as(SessionEndReason::Failed).await;
    assert_eq!(bench.trail.take(), ["failed after 0"]);

    let cancelled = bench.session().await;
    cancelled.cancel_token().cancel();
    cancelled.close().await;
    assert_eq!(bench.trail.take(), ["cancelled after 0"]);

    let dropped = bench.session().await;
    drop(dropped);
    assert_eq!(bench.agent.drain(Duration::from_secs(10)).await, 0);
    assert_eq!(bench.trail.take(), ["cancelled after 0"]);

    let ends: Vec<SessionEndReason> = bench
        .events_so_far()
        .into_iter()
        .filter_map(|event| match event {
            AgentEvent::SessionEnded { reason, .. } => Some(reason),
            _ => None,
        })
        .collect();
    use SessionEndReason::{Cancelled, Closed, Failed};
    assert_eq!(ends, [Closed, Failed, Cancelled, Cancelled]);
}

#[tokio::test]
async fn a_refused_session_ends_as_rejected() {
    let bench = bench(r#"{"responses": []}"#, |builder, trail| {
        let trail = trail.clone();
        builder.prepare(move |session| {
            hook::<SessionStart, _>(session, "door", |call| {
                assert_eq!(call.subject.tools, 2);
                Ok(match call.views.session.user.as_deref() {
                    Some("eve") => session_start::Outcome::Reject(rejection("who", "not you")),
                    Some("mallory") => return Err(Failure::Guest("broken".into())),
                    _ => session_start::Outcome::Continue,
                })
            });
            record_ends(session, &trail);
        })
    });
    let open = |user: &str| {
        let new = NewSession {
            user: Some(user.into()),
            ..NewSession::default()
        };
        bench.agent.session(new)
    };
    let error = open("eve").await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "hook `door` refused the session: not you (who)"
    );
    assert_eq!(bench.trail.take(), ["rejected after 0"]);

    let error = open("mallory").await.unwrap_err();
    assert!(matches!(error, SessionError::Hook(_)), "{error}");
    assert_eq!(bench.trail.take(), ["failed after 0"]);

    open("ann").await.unwrap().close().await;
    assert_eq!(bench.trail.take(), ["closed after 0"]);
}

#[tokio::test]
async fn a_session_cancelled_before_it_starts_ends_as_cancelled() {
    let bench = bench(r#"{"responses": []}"#, |builder, trail| {
        let trail = trail.clone();
        builder.prepare(move |session| record_ends(session, &trail))
    });
    let new = NewSession::default();
    new.cancel.cancel();
    let error = bench.agent.session(new).await.unwrap_err();
    assert!(matches!(error, SessionError::Cancelled), "{error}");
    assert_eq!(bench.trail.take(), ["cancelled after 0"]);
}

#[tokio::test]
async fn a_broken_hook_does_not_keep_a_session_from_ending() {
    let bench = bench(r#"{"responses": []}"#, |builder, trail| {
        let trail = trail.clone();
        builder.prepare(move |session| {
            hook::<SessionEnd, _>(session, "broken", |_| Err(Failure::Guest("oh".into())));
            record_ends(session, &trail);
        })
    });
    bench.session().await.close().await;
    assert_eq!(bench.trail.take(), ["closed after 0"]);
}

#[tokio::test]
async fn ids_are_generated_and_history_is_continued() {
    let script = responses(&[r#"{"expect": "hi", "text": "a"}"#]);
    let bench = bench(&script, |builder, _| builder);
    let mut first = bench.session().await;
    let second = bench.session().await;
    assert_ne!(first.id(), second.id());
    first.turn("hi").await.unwrap();
    let resumed = bench
        .agent
        .session(NewSession {
            id: "again".into(),
            history: first.conversation().to_vec(),
            ..NewSession::default()
        })
        .await
        .unwrap();
    assert_eq!(resumed.id(), "again");
    assert_eq!(resumed.conversation(), first.conversation());
}

#[tokio::test]
async fn a_session_cancelled_before_it_starts_does_not_release_one_that_is_open() {
    let store = Store::temporary().unwrap();
    let bench = bench(r#"{"responses": []}"#, |builder, _| builder);
    let new = || NewSession {
        id: "s".into(),
        sessions: Some(Arc::new(store.sessions())),
        ..NewSession::default()
    };
    let open = bench.agent.session(new()).await.unwrap();
    let cancelled = new();
    cancelled.cancel.cancel();
    let error = bench.agent.session(cancelled).await.unwrap_err();
    assert!(matches!(error, SessionError::Cancelled), "{error}");
    let row = store.sessions().get("s").await.unwrap().unwrap();
    assert!(row.open_in.is_some(), "{row:?}");
    open.close().await;
}
