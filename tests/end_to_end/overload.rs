//! More calls than a host runs at once.

use std::time::Duration;

use portcullis::{Cause, Hooks, SessionOptions};
use portcullis_tests::{HooksDir, turn};

fn sleepers(settings: &str) -> Hooks {
    HooksDir::new().with("sleeper").settings(settings).load()
}

async fn sleep(hooks: &Hooks, ms: u32) -> Option<Cause> {
    let session = hooks.session(SessionOptions::new("test"));
    let verdict = session.run(&mut turn(&ms.to_string())).await;
    let cause = verdict.runs[0].cause();
    assert_eq!(verdict.decision.passed(), cause.is_none());
    cause
}

const ONE: &str = "[engine]\nconcurrent-calls = 1\nqueued-calls = 1\n";

#[tokio::test]
async fn one_waits_and_the_next_finds_no_room() {
    let hooks = sleepers(&(ONE.to_owned() + "[hooks.sleeper.limits]\nwall-ms = 5_000\n"));
    let (first, second, third) =
        tokio::join!(sleep(&hooks, 100), sleep(&hooks, 1), sleep(&hooks, 1),);
    assert_eq!([first, second, third], [None, None, Some(Cause::Overload)]);
    assert_eq!(sleep(&hooks, 1).await, None, "the next one is healthy");
}

#[tokio::test]
async fn a_wait_longer_than_a_call_may_take_is_refused() {
    let hooks = sleepers(&(ONE.to_owned() + "[hooks.sleeper.limits]\nwall-ms = 300\n"));
    let late = async {
        tokio::time::sleep(Duration::from_millis(100)).await;
        sleep(&hooks, 250).await
    };
    // The second waits for 150 ms, and what is left of its wall clock is less than it sleeps.
    let (first, late) = tokio::join!(sleep(&hooks, 250), late);
    assert_eq!((first, late), (None, Some(Cause::Deadline)));
    assert_eq!(sleep(&hooks, 1).await, None);
}

#[tokio::test(flavor = "multi_thread")]
async fn many_sessions_share_few_places() {
    let hooks =
        sleepers("[engine]\nconcurrent-calls = 4\n[hooks.sleeper.limits]\nwall-ms = 20_000\n");
    let calls = (0..60).map(|_| sleep(&hooks, 5));
    let causes = futures::future::join_all(calls).await;
    assert!(causes.iter().all(Option::is_none), "{causes:?}");
}
