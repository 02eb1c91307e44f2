//! Turns that are cancelled or dropped.

use std::time::Duration;

use portcullis_agent::{AgentEvent, TurnError};
use tokio_util::sync::CancellationToken;

use crate::support::{bench, calls_echo, lines, record_all, responses};

#[tokio::test]
async fn a_token_cancels_a_turn_at_any_point() {
    let echo = calls_echo("hang");
    for slow in [r#"{"text": "late", "delay_ms": 60000}"#, echo.as_str()] {
        let script = responses(&[slow, r#"{"text": "fresh"}"#]);
        let mut bench = bench(&script, |builder, trail| {
            let trail = trail.clone();
            builder.prepare(move |session| record_all(session, &trail))
        });
        let mut session = bench.session().await;
        let cancel = CancellationToken::new();
        let canceller = cancel.clone();
        tokio::spawn(async move {
            tokio::time::sleep(Duration::from_millis(30)).await;
            canceller.cancel();
        });
        let error = session.turn_until("go", cancel).await.unwrap_err();
        assert!(matches!(error, TurnError::Cancelled), "{error}");
        assert!(lines(&session).is_empty());
        assert_eq!(
            bench.trail.count("turn-error"),
            0,
            "there is nothing to recover"
        );
        assert_eq!(bench.trail.count("post-turn"), 0);
        let failed = bench.events_so_far().into_iter().any(|event| {
            matches!(
                event,
                AgentEvent::TurnFailed {
                    cancelled: true,
                    ..
                }
            )
        });
        assert!(failed);

        // The session can be used again.
        assert_eq!(
            session.turn("again").await.unwrap().done().unwrap().text(),
            "fresh"
        );
        assert_eq!(lines(&session), ["user: again", "assistant: fresh"]);
    }
}

#[tokio::test]
async fn a_cancelled_session_runs_no_turns() {
    let bench = bench(&responses(&[r#"{"text": "a"}"#]), |builder, _| builder);
    let mut session = bench.session().await;
    session.cancel_token().cancel();
    let error = session.turn("go").await.unwrap_err();
    assert!(matches!(error, TurnError::Cancelled), "{error}");
    assert_eq!(bench.script.left(), 1);
}

#[tokio::test]
async fn a_dropped_turn_leaves_no_trace() {
    let script = responses(&[&calls_echo("hang"), r#"{"text": "fresh"}"#]);
    let bench = bench(&script, |builder, _| builder);
    let mut session = bench.session().await;
    let dropped = tokio::time::timeout(Duration::from_millis(50), session.turn("go")).await;
    assert!(dropped.is_err());
    assert_eq!(session.turn("again").await.unwrap().done().unwrap().turn, 2);
    assert_eq!(lines(&session), ["user: again", "assistant: fresh"]);
}
