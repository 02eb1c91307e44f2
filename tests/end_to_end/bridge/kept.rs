//! The state that sessions keep, and the processes that have them open.

use std::sync::Arc;
use std::time::Duration;

use portcullis::contract::{ExecutionPolicy, HookRole};
use portcullis::points::{PreTurn, pre_turn};
use portcullis::{Hooks, NativeHook};
use portcullis_agent::SavedSessionError;
use portcullis_bridge::{Bridge, BridgeError, BridgeOptions, CallContext, CallRequest, ClaimWait};
use portcullis_store::RunFilter;
use portcullis_tests::HooksDir;
use serde_json::{Value, json};
use tokio::sync::Semaphore;

use super::{bridge, call, dir, store};

/// The hook counts its calls in its state, and answers with the count.
const COUNTS: &str = "pre-turn = 'remember'";

fn turn(session: &str) -> CallRequest {
    CallRequest {
        point: "pre-turn".into(),
        context: CallContext::new(session, "tests").turn(1),
        input: json!({"text-bytes": 5, "parts": 1}),
        views: json!({"content": [{"text": "hello"}]}),
    }
}

async fn counted(bridge: &Bridge, session: &str) -> Value {
    let reply = call(bridge, turn(session)).await;
    assert!(reply.decision.passed(), "{reply:?}");
    reply.payload[0]["text"].clone()
}

fn stored(dir: &HooksDir, kept: &tempfile::TempDir, claim_wait: Duration) -> Bridge {
    let options = BridgeOptions {
        store: Some(store(kept)),
        claim_wait: ClaimWait::For(claim_wait),
        ..BridgeOptions::default()
    };
    bridge(dir, options)
}

#[tokio::test(flavor = "multi_thread")]
async fn what_hooks_remember_and_the_memo_outlive_the_process() {
    let (dir, kept) = (dir(COUNTS), tempfile::tempdir().expect("a directory"));
    for expected in ["1", "2"] {
        let bridge = stored(&dir, &kept, Duration::ZERO);
        let memo = bridge.memo("s", "tests").await.expect("a session");
        let before = if expected == "1" {
            Value::Null
        } else {
            json!({"turn": "1"})
        };
        assert_eq!(memo, before);
        assert_eq!(counted(&bridge, "s").await, expected);
        let memo = json!({"turn": expected});
        bridge
            .set_memo("s", "tests", memo)
            .await
            .expect("a session");
        assert_eq!(bridge.close(Duration::ZERO).await.expect("saved"), 0);
    }
    let journal = store(&kept).journal().expect("a journal");
    let runs = journal.runs(&RunFilter::default()).expect("runs");
    assert_eq!(runs.len(), 2, "each run is in the journal");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_that_another_process_has_open_is_waited_for_or_an_error() {
    let (dir, kept) = (dir(COUNTS), tempfile::tempdir().expect("a directory"));
    let first = stored(&dir, &kept, Duration::ZERO);
    assert_eq!(counted(&first, "s").await, "1");

    let impatient = stored(&dir, &kept, Duration::ZERO);
    let refused = impatient.call(turn("s")).await;
    assert!(
        matches!(
            refused,
            Err(BridgeError::Session(SavedSessionError::Held { .. }))
        ),
        "{refused:?}"
    );

    let patient = stored(&dir, &kept, Duration::from_secs(600));
    let (count, closed) = tokio::join!(counted(&patient, "s"), first.close(Duration::ZERO));
    closed.expect("saved");
    assert_eq!(count, "2", "it sees what the first wrote");
}

#[tokio::test]
async fn a_session_whose_close_is_dropped_is_closed() {
    let kept = tempfile::tempdir().expect("a directory");
    let runs = Arc::new(Semaphore::new(0));
    let ends = runs.clone();
    let late = NativeHook::new("late")
        .role(HookRole::Observe)
        .execution(ExecutionPolicy::Background)
        .on_async::<PreTurn>(move |_| {
            let ends = ends.clone();
            Box::pin(async move {
                ends.acquire().await.expect("open").forget();
                Ok(pre_turn::Outcome::Continue)
            })
        });
    let hooks = Hooks::none().with([late]).expect("a hook");
    let options = |wait| BridgeOptions {
        store: Some(store(&kept)),
        claim_wait: ClaimWait::For(Duration::from_secs(wait)),
        ..BridgeOptions::default()
    };
    let bridge = Bridge::new(hooks, options(0)).expect("a bridge");
    call(&bridge, turn("s")).await;
    let mut closing = Box::pin(bridge.close_session("s"));
    assert!(futures::poll!(&mut closing).is_pending());
    drop(closing);
    runs.add_permits(1);
    let other = Bridge::new(Hooks::none(), options(30)).expect("a bridge");
    assert_eq!(other.memo("s", "tests").await.expect("free"), Value::Null);
}

#[tokio::test]
async fn sessions_end_are_evicted_and_make_room() {
    let dir = dir(COUNTS);
    let options = BridgeOptions {
        most_sessions: 2,
        ..BridgeOptions::default()
    };
    let bridge = bridge(&dir, options);
    for session in ["a", "b", "c"] {
        assert_eq!(counted(&bridge, session).await, "1");
    }
    assert_eq!(bridge.open_sessions(), 2);
    assert_eq!(counted(&bridge, "c").await, "2", "the newest stays open");
    assert_eq!(
        counted(&bridge, "a").await,
        "1",
        "without a store, it is forgotten"
    );

    let end = CallRequest {
        point: "session-end".into(),
        context: CallContext::new("c", "tests"),
        input: json!({
            "reason": "closed", "turns": 1,
            "usage": {
                "input-tokens": 0, "output-tokens": 0, "cache-read-tokens": 0, "cache-write-tokens": 0,
            },
        }),
        views: json!({}),
    };
    call(&bridge, end).await;
    assert_eq!(bridge.open_sessions(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_that_is_not_used_is_closed_without_another_call() {
    let (dir, kept) = (dir(COUNTS), tempfile::tempdir().expect("a directory"));
    let options = BridgeOptions {
        store: Some(store(&kept)),
        idle: Duration::from_millis(1),
        ..BridgeOptions::default()
    };
    let bridge = bridge(&dir, options);
    for expected in ["1", "2"] {
        // The timer continues after it has closed all sessions.
        assert_eq!(counted(&bridge, "a").await, expected);
        while bridge.open_sessions() > 0 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }
    let other = stored(&dir, &kept, Duration::from_secs(600));
    assert_eq!(counted(&other, "a").await, "3", "another process has it");
}

#[tokio::test]
async fn a_bridge_that_was_closed_opens_no_session() {
    let bridge = bridge(&dir(COUNTS), BridgeOptions::default());
    counted(&bridge, "a").await;
    bridge.close(Duration::ZERO).await.expect("closed");
    let refused = bridge.call(turn("a")).await;
    assert!(matches!(refused, Err(BridgeError::Closed)), "{refused:?}");
    assert_eq!(bridge.open_sessions(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn no_call_is_lost_while_its_session_is_closed() {
    const CALLS: usize = 40;
    let (dir, kept) = (dir(COUNTS), tempfile::tempdir().expect("a directory"));
    let bridge = Arc::new(stored(&dir, &kept, Duration::from_secs(600)));
    let calls = (0..CALLS).map(|at| {
        let bridge = bridge.clone();
        tokio::spawn(async move {
            if at % 4 == 0 {
                bridge.close_session("s").await.expect("closed");
            }
            counted(&bridge, "s").await
        })
    });
    for call in futures::future::join_all(calls).await {
        call.expect("a count");
    }
    assert_eq!(counted(&bridge, "s").await, (CALLS + 1).to_string());
}
