//! Hooks that exceed their limits: each ends with its own cause, and its neighbours and its own
//! next call are healthy.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use portcullis::observer::{HookEvent, HookObserver, LogLine};
use portcullis::points::{TurnError, turn_error};
use portcullis::verdict::{Cause, Failure};
use portcullis::{Call, Decision, SessionOptions, Views};
use portcullis_tests::{HooksDir, context, hook, probe_session, text, turn};

const LIMITS: &str = "[hooks.probe.limits]\nfuel = false\ndeadline-ms = 50\n";

async fn cause_of(action: &str, limits: &str) -> (Option<Cause>, Duration) {
    let dir = HooksDir::new()
        .with("probe")
        .settings(&(hook("probe", "", &format!("pre-turn = \"{action}\"")) + limits));
    let session = dir.load().session(SessionOptions::new("test"));
    // Warms up, so that neither compiling nor starting is measured.
    let _ = session.run(&mut turn("warm up")).await;
    let started = Instant::now();
    let verdict = session.run(&mut turn("hello")).await;
    let took = started.elapsed();
    assert!(
        matches!(verdict.decision, Decision::Failed(_)),
        "{action}: {:?}",
        verdict.decision
    );
    (verdict.runs[0].cause(), took)
}

#[tokio::test]
async fn an_endless_loop_ends_at_its_deadline() {
    let (cause, took) = cause_of("spin", LIMITS).await;
    assert_eq!(cause, Some(Cause::Deadline));
    // Not a timing test: the bounds are generous, but an unstopped loop would not end at all.
    assert!(took >= Duration::from_millis(40), "{took:?}");
    assert!(took < Duration::from_secs(5), "{took:?}");
}

#[tokio::test]
async fn an_endless_loop_runs_out_of_fuel_first_where_fuel_is_short() {
    let (cause, _) = cause_of("spin", "[hooks.probe.limits]\nfuel = 100_000\n").await;
    assert_eq!(cause, Some(Cause::Fuel));
}

#[tokio::test]
async fn fuel_is_counted_alike_every_time() {
    let session = probe_session("pre-turn = \"transform same\"");
    let mut spent = Vec::new();
    for _ in 0..3 {
        let verdict = session.run(&mut turn("hello")).await;
        spent.push(verdict.runs[0].fuel);
    }
    assert_eq!(spent[1], spent[2]);
}

#[tokio::test]
async fn memory_is_capped() {
    let limits = "[hooks.probe.limits]\nmemory-bytes = 8_000_000\n";
    let (cause, _) = cause_of("hoard", limits).await;
    assert_eq!(cause, Some(Cause::Memory));
}

#[tokio::test]
async fn deep_recursion_is_a_trap() {
    let (cause, _) = cause_of("recurse", "").await;
    assert_eq!(cause, Some(Cause::Trap));
}

#[tokio::test]
async fn leaving_the_process_is_a_trap_and_leaves_nothing() {
    let (cause, _) = cause_of("exit", "").await;
    assert_eq!(cause, Some(Cause::Trap));
}

#[tokio::test]
async fn an_oversized_answer_is_bad_output() {
    let (cause, _) = cause_of("huge", "").await;
    assert_eq!(cause, Some(Cause::BadOutput));
}

#[tokio::test]
async fn a_flood_of_log_lines_is_cut_and_the_call_goes_on() {
    #[derive(Default)]
    struct Bytes(AtomicUsize);
    impl HookObserver for Bytes {
        fn log(&self, line: LogLine<'_>) {
            self.0.fetch_add(line.message.len(), Ordering::Relaxed);
        }
        fn event(&self, _: HookEvent) {}
    }
    let settings = hook("probe", "", "pre-turn = \"flood\"")
        + "[hooks.probe.limits]\nlog-bytes = 20_000\nfuel = false\ndeadline-ms = 5_000\n";
    let sink = Arc::new(Bytes::default());
    let session = HooksDir::new()
        .with("probe")
        .settings(&settings)
        .load()
        .session(SessionOptions {
            sink: sink.clone(),
            ..SessionOptions::new("test")
        });
    let verdict = session.run(&mut turn("hello")).await;
    assert!(verdict.decision.passed(), "{:?}", verdict.decision);
    let logged = sink.0.load(Ordering::Relaxed);
    // The hook tries to log six million bytes.
    assert!((1..30_000).contains(&logged), "{logged}");
}

#[tokio::test]
async fn waiting_counts_against_the_wall_clock_and_not_against_computing() {
    let dir = HooksDir::new()
        .with("sleeper")
        .settings("[hooks.sleeper.limits]\ndeadline-ms = 20\nwall-ms = 300\n");
    let session = dir.load().session(SessionOptions::new("test"));
    let slept = session.run(&mut turn("60")).await;
    assert!(slept.decision.passed(), "{:?}", slept.decision);
    let verdict = session.run(&mut turn("60000")).await;
    assert_eq!(verdict.runs[0].cause(), Some(Cause::Deadline));
    let verdict = session.run(&mut turn("60 spin")).await;
    let Decision::Failed(failed) = verdict.decision else {
        panic!("{:?}", verdict.decision);
    };
    assert!(matches!(failed.failure, Failure::Deadline(_)), "{failed}");
    let healthy = session.run(&mut turn("1")).await;
    assert!(healthy.decision.passed(), "{:?}", healthy.decision);
}

#[tokio::test]
async fn a_call_that_has_waited_computes_no_longer_than_its_wall_clock_allows() {
    let dir = HooksDir::new()
        .with("sleeper")
        .settings("[hooks.sleeper.limits]\nfuel = false\ndeadline-ms = 60_000\nwall-ms = 1_500\n");
    let session = dir.load().session(SessionOptions::new("test"));
    let verdict = session.run(&mut turn("1000 spin")).await;
    let Decision::Failed(failed) = verdict.decision else {
        panic!("{:?}", verdict.decision);
    };
    assert!(matches!(failed.failure, Failure::WallClock(_)), "{failed}");
}

#[tokio::test]
async fn after_a_failure_the_next_call_is_healthy() {
    for action in ["spin", "panic", "hoard", "recurse", "exit", "huge"] {
        let dir = HooksDir::new().with("probe").settings(
            &(hook(
                "probe",
                "",
                &format!("pre-turn = \"{action}\"\npost-turn = \"transform fine\""),
            ) + LIMITS
                + "memory-bytes = 16_000_000\n"),
        );
        let session = dir.load().session(SessionOptions::new("test"));
        let verdict = session.run(&mut turn("hello")).await;
        assert!(!verdict.decision.passed(), "{action}");
        let mut next = portcullis::Call::<portcullis::points::PostTurn>::new(
            context(),
            portcullis::points::post_turn::TurnOutput {
                text_bytes: 0,
                steps: 1,
                stop: portcullis::contract::StopReason::EndTurn,
                usage: portcullis::contract::Usage {
                    input_tokens: 0,
                    output_tokens: 0,
                    cache_read_tokens: 0,
                    cache_write_tokens: 0,
                },
                elapsed_us: 0,
            },
            portcullis::Views::default(),
        );
        let verdict = session.run(&mut next).await;
        assert!(
            verdict.decision.passed(),
            "{action}: {:?}",
            verdict.decision
        );
        assert_eq!(text(&next), "fine", "{action}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_spinning_neighbour_causes_no_false_timeouts() {
    // One engine, one ticker: the spinner spins at one point, the others work at another.
    let dir = HooksDir::new().with("probe").settings(
        &(hook(
            "probe",
            "",
            "turn-error = \"spin\"\npre-turn = \"transform fine\"",
        ) + "[hooks.probe.limits]\nfuel = false\ndeadline-ms = 500\n"),
    );
    let hooks = dir.load();
    let spinning = hooks.session(SessionOptions::new("spinning"));
    let spins = tokio::spawn(async move {
        for _ in 0..3 {
            let mut call = Call::<TurnError>::new(
                context(),
                turn_error::Failure {
                    kind: turn_error::ErrorKind::Internal,
                    message: "x".into(),
                },
                Views::default(),
            );
            let verdict = spinning.run(&mut call).await;
            assert_eq!(verdict.runs[0].cause(), Some(Cause::Deadline));
        }
    });
    let mut sessions = Vec::new();
    for index in 0..50 {
        let session = hooks.session(SessionOptions::new(format!("working-{index}")));
        sessions.push(tokio::spawn(async move {
            for _ in 0..20 {
                let verdict = session.run(&mut turn("hello")).await;
                assert!(verdict.decision.passed(), "{:?}", verdict.decision);
            }
        }));
    }
    for session in sessions {
        session.await.expect("a healthy session");
    }
    spins.await.expect("every spin ends");
}
