//! More concurrent calls than a host runs.

use std::task::Poll;
use std::time::Duration;

use portcullis::verdict::{Cause, RunStatus};
use portcullis::{Hooks, SessionOptions};
use portcullis_tests::{HooksDir, hook, tool_call, turn};

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
    let hooks = sleepers(&(ONE.to_owned() + "[hooks.sleeper.limits]\nwall-ms = 2_000\n"));
    // The second call waits for a second, and its remaining wall clock is less than it sleeps.
    let (first, late) = tokio::join!(sleep(&hooks, 1_000), sleep(&hooks, 1_500));
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

/// Loads a guard beside an observer that sleeps as long as its input says, with room for four
/// calls.
fn guarded(execution: &str) -> Hooks {
    let guard = hook("probe", "role = \"gate\"", "pre-turn = \"continue\"")
        + "[hooks.probe.limits]\nwall-ms = 300\n";
    let observer = format!(
        "[hooks.sleeper]\nrole = \"observe\"\nexecution = \"{execution}\"\n\
         [hooks.sleeper.limits]\nwall-ms = 20_000\n"
    );
    HooksDir::new()
        .with("probe")
        .with("sleeper")
        .settings(&format!(
            "[engine]\nconcurrent-calls = 4\n{guard}{observer}"
        ))
        .load()
}

/// Returns the number of failures in 50 calls of a guard.
async fn failures_of_guards(hooks: &Hooks) -> usize {
    let session = hooks.session(SessionOptions::new("guarded"));
    let mut failures = 0;
    for _ in 0..50 {
        let decided = session.decide(&mut turn("0")).await;
        failures += usize::from(!decided.verdict.decision.passed());
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    failures
}

#[tokio::test(flavor = "multi_thread")]
async fn observers_that_are_waited_for_take_no_room_from_guards() {
    let hooks = guarded("blocking");
    let sleeping: Vec<_> = (0..12)
        .map(|_| {
            let session = hooks.session(SessionOptions::new("asleep"));
            tokio::spawn(async move { session.run(&mut turn("2000")).await })
        })
        .collect();
    tokio::time::sleep(Duration::from_millis(50)).await;
    assert_eq!(failures_of_guards(&hooks).await, 0);
    sleeping.iter().for_each(tokio::task::JoinHandle::abort);
}

#[tokio::test(flavor = "multi_thread")]
async fn detached_runs_take_no_room_from_guards() {
    let hooks = guarded("fire-and-record");
    let sessions: Vec<_> = (0..12)
        .map(|_| hooks.session(SessionOptions::new("asleep")))
        .collect();
    for session in &sessions {
        let verdict = session.run(&mut turn("500")).await;
        assert!(verdict.decision.passed(), "{verdict:?}");
    }
    assert_eq!(failures_of_guards(&hooks).await, 0);
    // All of them run, one after another where there is room for one.
    assert_eq!(hooks.drain(Duration::from_secs(60)).await, 0);
}

/// Calls a sleeper in three sessions while the calls before are asleep. Returns the causes of the
/// failures, in order, and checks a guard beside them if there is one.
async fn asleep_at_once(hooks: &Hooks, guarded: bool) -> Vec<Option<Cause>> {
    let sessions = [0, 1, 2].map(|n| hooks.session(SessionOptions::new(format!("session-{n}"))));
    let mut calls = [(); 3].map(|()| turn("60000"));
    let (mut asleep, mut causes) = (Vec::new(), Vec::new());
    for (session, call) in sessions.iter().zip(&mut calls) {
        let mut running = Box::pin(session.run(call));
        match futures::poll!(&mut running) {
            Poll::Pending => {
                asleep.push(running);
                causes.push(None);
            }
            Poll::Ready(verdict) => {
                if let RunStatus::Failed { message, .. } = &verdict.runs[0].status {
                    assert!(message.contains("[engine] memory-bytes"), "{message}");
                }
                causes.push(verdict.runs[0].cause());
            }
        }
    }
    if guarded {
        let session = hooks.session(SessionOptions::new("guarded"));
        let verdict = session.run(&mut tool_call(r#"{"path":"a"}"#)).await;
        assert!(verdict.decision.passed(), "{verdict:?}");
    }
    causes
}

const LONG: &str = "[hooks.sleeper.limits]\nwall-ms = 120_000\n";

/// The resources of calls are free again when the calls end.
#[tokio::test]
async fn all_sessions_together_have_no_more_memory_than_they_may() {
    // An instance of it has a little more than a mebibyte.
    let hooks = sleepers(&format!("[engine]\nmemory-bytes = 3_000_000\n{LONG}"));
    let causes = asleep_at_once(&hooks, false).await;
    assert_eq!(causes, [None, None, Some(Cause::Overload)]);
    assert_eq!(sleep(&hooks, 0).await, None, "the others have ended");
}

/// Instances of observers prevent no guard from being started.
#[tokio::test]
async fn observers_leave_half_of_the_memory_to_guards() {
    // An instance of either hook has a little more than a mebibyte.
    let settings =
        format!("[engine]\nmemory-bytes = 3_000_000\n[hooks.sleeper]\nrole = \"observe\"\n{LONG}");
    let dir = HooksDir::new().with("tiny").with("sleeper");
    let hooks = dir.settings(&settings).load();
    let causes = asleep_at_once(&hooks, true).await;
    assert_eq!(causes, [None, Some(Cause::Overload), Some(Cause::Overload)]);
}

#[tokio::test]
async fn an_instance_that_waits_for_its_next_call_is_given_up_for_memory() {
    // Two instances of it fit.
    let hooks = sleepers("[engine]\nmemory-bytes = 3_000_000\n");
    let sessions = [0, 1, 2].map(|n| hooks.session(SessionOptions::new(format!("session-{n}"))));
    let mut restarted = 0;
    for session in sessions.iter().chain(&sessions) {
        let verdict = session.run(&mut turn("0")).await;
        assert_eq!(verdict.runs[0].cause(), None);
        restarted += usize::from(verdict.runs[0].restarted);
    }
    assert!(restarted > 0, "none was evicted");
}
