//! A component that keeps failing.

use std::sync::Arc;
use std::time::Duration;

use portcullis::points::PostTurn;
use portcullis::verdict::Cause;
use portcullis::{Hooks, Session, SessionOptions};
use portcullis_tests::{HooksDir, Sample, Watcher, hook, turn};

fn load(quarantine: &str, more: &str, actions: &str) -> Hooks {
    let settings = format!("[quarantine]\n{quarantine}\n") + &hook("probe", more, actions);
    HooksDir::new().with("probe").settings(&settings).load()
}

fn session(hooks: &Hooks, sink: &Arc<Watcher>) -> Session {
    hooks.session(SessionOptions {
        sink: sink.clone(),
        ..SessionOptions::new("test")
    })
}

const ACTIONS: &str = "pre-turn = \"panic\"\npost-turn = \"continue\"";

#[tokio::test]
async fn it_is_left_alone_in_all_sessions_and_tried_again_later() {
    let hooks = load("failures = 3\nseconds = 1", "", ACTIONS);
    let sink = Arc::new(Watcher::default());
    for _ in 0..3 {
        assert!(hooks.quarantined().is_empty());
        let verdict = session(&hooks, &sink).run(&mut turn("hello")).await;
        assert_eq!(verdict.runs[0].cause(), Some(Cause::Trap));
    }
    let entered = ("probe".to_owned(), Some(Cause::Trap));
    assert_eq!(sink.quarantine(), std::slice::from_ref(&entered));
    let [quarantined] = &hooks.quarantined()[..] else {
        panic!("{:?}", hooks.quarantined());
    };
    assert_eq!((quarantined.failures, quarantined.cause), (3, Cause::Trap));
    // The hook fails closed, so it keeps refusing, also at points where it does not fail.
    let other = session(&hooks, &sink);
    let verdict = other.run(&mut PostTurn::sample()).await;
    assert_eq!(verdict.runs[0].cause(), Some(Cause::Quarantined));
    assert!(!verdict.decision.passed());
    tokio::time::sleep(Duration::from_millis(1_100)).await;
    // The hook traps on the trial call: it is quarantined for the same time again.
    let verdict = other.run(&mut turn("hello")).await;
    assert_eq!(verdict.runs[0].cause(), Some(Cause::Trap));
    let verdict = other.run(&mut PostTurn::sample()).await;
    assert_eq!(verdict.runs[0].cause(), Some(Cause::Quarantined));
    tokio::time::sleep(Duration::from_millis(1_100)).await;
    assert!(other.run(&mut PostTurn::sample()).await.decision.passed());
    assert!(hooks.quarantined().is_empty());
    assert_eq!(sink.quarantine(), [entered, ("probe".to_owned(), None)]);
}

#[tokio::test]
async fn one_failure_less_and_it_is_called() {
    let hooks = load("failures = 3", "", ACTIONS);
    let session = session(&hooks, &Arc::default());
    for _ in 0..3 {
        for _ in 0..2 {
            session.run(&mut turn("hello")).await;
        }
        assert!(session.run(&mut PostTurn::sample()).await.decision.passed());
    }
    assert!(hooks.quarantined().is_empty());
}

#[tokio::test]
async fn a_hook_that_says_that_it_failed_is_not_put_there() {
    let hooks = load("failures = 1", "", "pre-turn = \"fail sorry\"");
    let session = session(&hooks, &Arc::default());
    for _ in 0..3 {
        let verdict = session.run(&mut turn("hello")).await;
        assert_eq!(verdict.runs[0].cause(), Some(Cause::GuestError));
    }
    assert!(hooks.quarantined().is_empty());
}

#[tokio::test]
async fn bad_output_and_limits_count_too() {
    for (action, limits) in [
        ("huge", ""),
        ("spin", "fuel = 100_000"),
        ("hoard", "memory-bytes = 8_000_000"),
        ("calls 100", "host-calls = 50"),
    ] {
        let settings = "[quarantine]\nfailures = 1\n".to_owned()
            + &hook("probe", "", &format!("pre-turn = \"{action}\""))
            + &format!("[hooks.probe.limits]\n{limits}\n");
        let hooks = HooksDir::new().with("probe").settings(&settings).load();
        session(&hooks, &Arc::default())
            .run(&mut turn("hello"))
            .await;
        assert_eq!(hooks.quarantined().len(), 1, "{action}");
    }
}

#[tokio::test]
async fn one_that_fails_open_is_reported_as_not_running() {
    let hooks = load("failures = 1", "failure = \"fail-open\"", ACTIONS);
    let sink = Arc::new(Watcher::default());
    let session = session(&hooks, &sink);
    for cause in [Cause::Trap, Cause::Quarantined] {
        let verdict = session.run(&mut turn("hello")).await;
        assert!(verdict.decision.passed());
        assert_eq!(sink.not_run().last(), Some(&("probe".into(), cause, false)));
    }
}
