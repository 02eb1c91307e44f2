//! Every limit that ends a call, just kept and just broken, and the limits that cut a value
//! instead.

use std::sync::Arc;

use portcullis::points::PostTurn;
use portcullis::verdict::{Cause, RunStatus};
use portcullis::{Session, SessionOptions};
use portcullis_tests::{HooksDir, Sample, Watcher, hook, turn};

fn session(action: &str, limit: &str, sink: Option<Arc<Watcher>>) -> Session {
    let actions = format!("pre-turn = \"{action}\"");
    let settings = hook("probe", "", &actions) + "[hooks.probe.limits]\n" + limit + "\n";
    let hooks = HooksDir::new().with("probe").settings(&settings).load();
    let options = SessionOptions::new("test");
    match sink {
        Some(sink) => hooks.session(SessionOptions { sink, ..options }),
        None => hooks.session(options),
    }
}

/// Returns the least limit under which the action succeeds, between one that is too small and one
/// that is large enough. Any smaller limit fails with this cause.
async fn least(key: &str, action: &str, mut little: u64, mut enough: u64, cause: Cause) -> u64 {
    while enough - little > 1 {
        let middle = little + (enough - little) / 2;
        let session = session(action, &format!("{key} = {middle}"), None);
        let verdict = session.run(&mut turn("hello")).await;
        match verdict.runs[0].cause() {
            None => enough = middle,
            Some(other) => {
                assert_eq!(other, cause, "{key} = {middle}: {:?}", verdict.decision);
                little = middle;
            }
        }
    }
    enough
}

/// Checks that a call just under the limit fails, the next one is healthy, and one at the limit
/// passes.
async fn holds(key: &str, action: &str, least: u64, cause: Cause) {
    let broken = session(action, &format!("{key} = {}", least - 1), None);
    let verdict = broken.run(&mut turn("hello")).await;
    assert_eq!(verdict.runs[0].cause(), Some(cause), "{key}: {verdict:?}");
    assert!(!verdict.decision.passed(), "{key}");
    let next = broken.run(&mut PostTurn::sample()).await;
    assert!(next.decision.passed(), "{key}: {:?}", next.decision);
    let kept = session(action, &format!("{key} = {least}"), None);
    for _ in 0..2 {
        let verdict = kept.run(&mut turn("hello")).await;
        assert!(verdict.decision.passed(), "{key}: {:?}", verdict.decision);
    }
}

#[tokio::test]
async fn limits_of_a_call() {
    for (key, action, little, enough, cause) in [
        ("host-calls", "calls 1000", 999, 1_100, Cause::HostCalls),
        ("handles", "handles 20", 19, 60, Cause::Handles),
        (
            "memory-bytes",
            "take 8000000",
            8_000_000,
            64 << 20,
            Cause::Memory,
        ),
    ] {
        let least = least(key, action, little, enough, cause).await;
        holds(key, action, least, cause).await;
    }
}

#[tokio::test]
async fn fuel() {
    let least = least("fuel", "calls 1000", 1_000, 50_000_000, Cause::Fuel).await;
    holds("fuel", "calls 1000", least, Cause::Fuel).await;
}

#[tokio::test]
async fn output_bytes() {
    let action = format!("transform {}", "x".repeat(5_000));
    let cause = Cause::BadOutput;
    let least = least("output-bytes", &action, 4_000, 100_000, cause).await;
    holds("output-bytes", &action, least, cause).await;
    let broken = session(&action, &format!("output-bytes = {}", least - 1), None);
    let verdict = broken.run(&mut turn("hello")).await;
    let RunStatus::Failed { message, .. } = &verdict.runs[0].status else {
        panic!("{verdict:?}");
    };
    let named = format!("{} bytes (`output-bytes` of its limits)", least - 1);
    assert!(message.contains(&named), "{message}");
}

#[tokio::test]
async fn what_a_component_is_made_of() {
    for (key, enough, cause) in [
        ("table-elements", 100_000, Cause::Tables),
        ("instances", 64, Cause::Instances),
    ] {
        let least = least(key, "continue", 1, enough, cause).await;
        let broken = session("continue", &format!("{key} = {}", least - 1), None);
        for _ in 0..2 {
            let verdict = broken.run(&mut turn("hello")).await;
            assert_eq!(verdict.runs[0].cause(), Some(cause), "{key}: {verdict:?}");
        }
    }
}

#[tokio::test]
async fn contributions_of_an_answer() {
    for (most, cause) in [(3, None), (2, Some(Cause::Contributions))] {
        let actions = "post-turn = \"contribute note a; note b; note c\"";
        let settings =
            hook("probe", "", actions) + &format!("[hooks.probe.limits]\ncontributions = {most}\n");
        let hooks = HooksDir::new().with("probe").settings(&settings).load();
        let session = hooks.session(SessionOptions::new("test"));
        let verdict = session.run(&mut PostTurn::sample()).await;
        assert_eq!(verdict.runs[0].cause(), cause, "{most}");
        let taken = if cause.is_none() { 3 } else { 0 };
        assert_eq!(verdict.side_outputs.len(), taken, "{most}");
        assert!(session.run(&mut turn("hello")).await.decision.passed());
    }
}

#[tokio::test]
async fn log_lines_are_dropped_and_that_is_said_once_a_call() {
    for (action, lines) in [("lines 5", 5), ("lines 6", 6), ("lines 100", 6)] {
        let sink = Arc::new(Watcher::default());
        let session = session(action, "log-lines = 5", Some(sink.clone()));
        for call in 1..=2 {
            let verdict = session.run(&mut turn("hello")).await;
            assert!(
                verdict.decision.passed(),
                "{action}: {:?}",
                verdict.decision
            );
            let logged = sink.logged();
            assert_eq!(logged.len(), lines * call, "{action}: {logged:?}");
            let dropped = logged.iter().filter(|line| line.contains("dropped"));
            assert_eq!(dropped.count(), (lines - 5) * call, "{action}: {logged:?}");
        }
    }
}

#[tokio::test]
async fn events_are_left_out_once_there_are_too_many_bytes() {
    // An event weighs 64 bytes beside its name (5) and its data (12).
    for (most, events) in [(3 * 81, 3), (3 * 81 - 1, 2)] {
        let sink = Arc::new(Watcher::default());
        let session = session(
            "emit 3",
            &format!("event-bytes = {most}"),
            Some(sink.clone()),
        );
        for call in 1..=2 {
            let verdict = session.run(&mut turn("hello")).await;
            assert!(verdict.decision.passed(), "{:?}", verdict.decision);
            assert_eq!(sink.events().len(), events * call, "{most}");
        }
    }
}

#[tokio::test]
async fn state_that_is_full_is_said_to_the_hook() {
    for (action, limit, cause) in [
        // A number takes room for twenty digits beside its key.
        ("remember", "state-bytes = 25", None),
        ("remember", "state-bytes = 24", Some(Cause::GuestError)),
        // It writes two keys before it traps.
        ("remember-and-panic", "state-keys = 2", Some(Cause::Trap)),
        (
            "remember-and-panic",
            "state-keys = 1",
            Some(Cause::GuestError),
        ),
    ] {
        let session = session(action, limit, None);
        let verdict = session.run(&mut turn("hello")).await;
        assert_eq!(verdict.runs[0].cause(), cause, "{limit}: {verdict:?}");
        let next = session.run(&mut PostTurn::sample()).await;
        assert!(next.decision.passed(), "{limit}: {:?}", next.decision);
    }
}

#[test]
fn a_budget_of_nothing_or_less_is_a_mistake_and_the_key_is_named() {
    for (section, key) in [
        ("engine", "compile-ms"),
        ("engine", "compile-memory-bytes"),
        ("engine", "component-bytes"),
        ("engine", "concurrent-calls"),
        ("engine", "queued-calls"),
        ("engine", "memory-bytes"),
        ("engine", "memory-mappings"),
        ("turn", "hooks-ms"),
        ("turn", "fuel"),
        ("quarantine", "failures"),
        ("quarantine", "seconds"),
        ("defaults.limits", "host-calls"),
        ("defaults.limits", "log-lines"),
        ("defaults.limits", "event-bytes"),
        ("defaults.limits", "contributions"),
    ] {
        for value in [0, -1] {
            let dir = HooksDir::new().settings(&format!("[{section}]\n{key} = {value}\n"));
            let error = dir.try_load().expect_err("a mistake").to_string();
            let said = format!("`{key}` must be from 1 to");
            assert!(error.contains(&said) && error.contains(":2:"), "{error}");
        }
        let dir = HooksDir::new().settings(&format!("[{section}]\n{key}x = 1\n"));
        let error = dir.try_load().expect_err("a mistake").to_string();
        assert!(error.contains(&format!("`{key}`")), "{error}");
    }
}
