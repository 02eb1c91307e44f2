//! Native hooks that answer later, and the time that a chain waits for them.

use std::sync::Arc;

use portcullis::contract::{ExecutionPolicy, FailurePolicy};
use portcullis::points::{PreTurn, pre_turn};
use portcullis::verdict::{Cause, RunStatus};
use portcullis::{Decision, NativeHook, Session, SessionOptions};
use portcullis_tests::{HooksDir, turn};
use tokio::sync::Notify;

/// Opens a session with one hook, which refuses once it is notified.
fn session(execution: ExecutionPolicy, failure: FailurePolicy, released: Arc<Notify>) -> Session {
    let hook = NativeHook::new("later")
        .execution(execution)
        .failure(failure)
        .on_async::<PreTurn>(move |_| {
            let released = released.clone();
            Box::pin(async move {
                released.notified().await;
                Ok(pre_turn::Outcome::Reject(portcullis::contract::Rejection {
                    code: "later".into(),
                    reason: "no".into(),
                    details: None,
                }))
            })
        });
    let settings = "[hooks.later.limits]\nwall-ms = 50\n";
    let hooks = HooksDir::new().settings(settings).load_beside([hook]);
    hooks.session(SessionOptions::new("session-1"))
}

#[tokio::test(start_paused = true)]
async fn a_blocking_hook_is_waited_for_and_one_with_a_deadline_is_not() {
    let released = Arc::new(Notify::new());
    let blocking = session(
        ExecutionPolicy::Blocking,
        FailurePolicy::FailClosed,
        released.clone(),
    );
    let mut call = turn("hello");
    let (verdict, ()) = tokio::join!(blocking.run(&mut call), async {
        // Far past the limit of the other.
        tokio::time::sleep(std::time::Duration::from_secs(3_600)).await;
        released.notify_one();
    });
    assert!(matches!(verdict.decision, Decision::Rejected { .. }));

    for (failure, passes) in [
        (FailurePolicy::FailOpen, true),
        (FailurePolicy::FailClosed, false),
    ] {
        let deadline = session(ExecutionPolicy::Deadline, failure, Arc::default());
        let verdict = deadline.run(&mut turn("hello")).await;
        assert_eq!(verdict.decision.passed(), passes);
        assert!(
            matches!(
                verdict.runs[0].status,
                RunStatus::Failed {
                    cause: Cause::Deadline,
                    ..
                }
            ),
            "{:?}",
            verdict.runs
        );
    }
}

#[tokio::test]
async fn a_hook_with_a_deadline_that_answers_in_time_decides() {
    let released = Arc::new(Notify::new());
    released.notify_one();
    let session = session(ExecutionPolicy::Deadline, FailurePolicy::FailOpen, released);
    let verdict = session.run(&mut turn("hello")).await;
    assert!(matches!(verdict.decision, Decision::Rejected { .. }));
}
