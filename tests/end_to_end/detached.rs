//! Detached runs: fired and recorded, or in the background.

use std::sync::Arc;
use std::time::Duration;

use portcullis::contract::{AuditNote, ContributionKind, ExecutionPolicy, HookRole};
use portcullis::hooks::{HooksError, LoadFault};
use portcullis::points::{MessageAdded, PostTurn, PreTurn, message_added, post_turn, pre_turn};
use portcullis::prompt::SideOutput;
use portcullis::verdict::{Cause, RunStatus};
use portcullis::{Hooks, NativeHook, Session, SessionOptions};
use portcullis_tests::{HooksDir, Sample, Watcher, hook, turn};

const LONG: Duration = Duration::from_secs(20);

fn watched(hooks: &Hooks) -> (Session, Arc<Watcher>) {
    let sink = Arc::new(Watcher::default());
    let session = hooks.session(SessionOptions {
        sink: sink.clone(),
        ..SessionOptions::new("test")
    });
    (session, sink)
}

fn detached_sleeper(execution: &str) -> Hooks {
    HooksDir::new()
        .with("sleeper")
        .settings(&format!(
            "[hooks.sleeper]\nrole = \"observe\"\nexecution = \"{execution}\"\n\
             [hooks.sleeper.limits]\nwall-ms = 10_000\n"
        ))
        .load()
}

#[tokio::test]
async fn a_background_run_outlives_its_session_and_its_end_is_told() {
    for execution in ["background", "fire-and-record"] {
        let hooks = detached_sleeper(execution);
        let (session, sink) = watched(&hooks);
        let verdict = session.run(&mut turn("300")).await;
        assert!(verdict.decision.passed());
        assert!(
            matches!(verdict.runs[0].status, RunStatus::Backgrounded),
            "{:?}",
            verdict.runs[0]
        );
        drop(session);
        assert_eq!(hooks.pending(), 1, "{execution}");
        assert_eq!(
            hooks.drain(Duration::from_millis(1)).await,
            1,
            "{execution}"
        );
        assert_eq!(hooks.drain(LONG).await, 0, "{execution}");
        let [first, last] = &sink.ends()[..] else {
            panic!("{:?}", sink.ends());
        };
        assert!(matches!(first.status, RunStatus::Backgrounded), "{first:?}");
        assert!(last.outcome().is_some(), "{last:?}");
        assert!(last.latency >= Duration::from_millis(250), "{last:?}");
        assert_eq!((first.id, first.input), (last.id, last.input));
        assert!(last.input.is_some() && last.component.is_some());
    }
}

#[tokio::test]
async fn what_a_background_run_writes_is_kept() {
    let settings = "role = \"observe\"\nexecution = \"background\"\nisolation = \"call\"";
    let hooks = HooksDir::new()
        .with("probe")
        .settings(&hook("probe", settings, "message-added = \"remember\""))
        .load();
    let (session, sink) = watched(&hooks);
    for _ in 0..3 {
        let _ = session.run(&mut MessageAdded::sample()).await;
    }
    assert_eq!(hooks.drain(LONG).await, 0);
    // Every call has an instance of its own: only committed state counts.
    assert_eq!(sink.logged(), ["1", "2", "3"]);
    let ended = |run: &&portcullis::verdict::HookRun| run.outcome().is_some();
    assert_eq!(sink.ends().iter().filter(ended).count(), 3);
}

#[tokio::test]
async fn a_background_run_that_fails_changes_nothing_and_says_so() {
    let settings = "role = \"observe\"\nexecution = \"background\"";
    let hooks = HooksDir::new()
        .with("probe")
        .settings(&hook("probe", settings, "pre-turn = \"panic\""))
        .load();
    let (session, sink) = watched(&hooks);
    let verdict = session.run(&mut turn("hello")).await;
    assert!(verdict.decision.passed());
    assert_eq!(hooks.drain(LONG).await, 0);
    let last = sink.ends().pop().expect("an end");
    assert_eq!(last.cause(), Some(Cause::Trap));
}

#[tokio::test]
async fn a_background_run_that_panics_has_an_end_too() {
    let hooks = Hooks::none()
        .with([
            background("careless").on::<PreTurn>(|call| match call.subject.text_bytes {
                0 => Ok(pre_turn::Outcome::Continue),
                _ => panic!("told to"),
            }),
        ])
        .expect("hooks");
    let (session, sink) = watched(&hooks);
    let _ = session.run(&mut turn("hello")).await;
    let _ = session.run(&mut turn("")).await;
    assert_eq!(hooks.drain(LONG).await, 0);
    let ends = sink.ends();
    let causes: Vec<_> = ends
        .iter()
        .filter_map(portcullis::verdict::HookRun::cause)
        .collect();
    assert_eq!(causes, [Cause::Host]);
    // The queue continues after it.
    assert!(ends.last().is_some_and(|run| run.outcome().is_some()));
}

fn background(id: &str) -> NativeHook {
    NativeHook::new(id)
        .role(HookRole::Observe)
        .execution(ExecutionPolicy::Background)
}

#[tokio::test]
async fn what_a_background_run_leaves_is_told_to_the_sink() {
    let hooks = Hooks::none()
        .with([background("scribe")
            .contributes([ContributionKind::Note])
            .on::<PostTurn>(|_| {
                let note = AuditNote {
                    code: "seen".into(),
                    data: "1".into(),
                };
                Ok(post_turn::Outcome::Contribute(vec![
                    post_turn::Contribution::Note(note),
                ]))
            })])
        .expect("hooks");
    let (session, sink) = watched(&hooks);
    let verdict = session.run(&mut PostTurn::sample()).await;
    assert_eq!(hooks.drain(LONG).await, 0);
    assert!(verdict.side_outputs.is_empty());
    let side_outputs = sink.side_outputs();
    assert_eq!(side_outputs[0].by.as_str(), "scribe");
    assert!(matches!(&side_outputs[0].value, SideOutput::Note(note) if note.code == "seen"));
}

#[test]
fn only_a_hook_that_looks_on_may_be_detached() {
    for (role, execution) in [
        ("gate", "background"),
        ("transform", "background"),
        ("gate", "fire-and-record"),
        ("transform", "fire-and-record"),
    ] {
        let settings = format!("role = \"{role}\"\nexecution = \"{execution}\"");
        let loaded = HooksDir::new()
            .with("probe")
            .settings(&hook("probe", &settings, ""))
            .try_load();
        match loaded {
            Err(HooksError::Load(errors)) => {
                assert_eq!(errors.0[0].fault, LoadFault::NobodyWaits);
                assert!(
                    errors.to_string().contains("the role `observe`"),
                    "{errors}"
                );
            }
            other => panic!("{role} {execution}: {other:?}"),
        }
    }
    let native = NativeHook::new("native")
        .execution(ExecutionPolicy::Background)
        .on::<PreTurn>(|_| Ok(pre_turn::Outcome::Continue));
    let errors = Hooks::none().with([native]).expect_err("an error");
    assert_eq!(errors.0[0].fault, LoadFault::NobodyWaits);
}

#[tokio::test]
async fn more_than_fit_is_overload_and_recorded() {
    let hooks = detached_sleeper("fire-and-record");
    let (session, sink) = watched(&hooks);
    let mut asked = 0;
    let run = loop {
        let text = if asked == 0 { "500" } else { "0" };
        let mut verdict = session.run(&mut turn(text)).await;
        assert!(verdict.decision.passed());
        asked += 1;
        let run = verdict.runs.remove(0);
        match run.status {
            RunStatus::Backgrounded => assert!(asked < 1_000, "there is no end"),
            _ => break run,
        }
    };
    assert_eq!(run.cause(), Some(Cause::Overload), "{run:?}");
    assert!(matches!(
        &run.status,
        RunStatus::Failed { fatal: false, .. }
    ));
    assert_eq!(sink.starts().len(), asked);
    let recorded = sink.ends().pop().expect("an end");
    assert_eq!(
        (recorded.id, recorded.cause()),
        (run.id, Some(Cause::Overload))
    );
    // The accepted runs all complete.
    assert_eq!(hooks.drain(LONG).await, 0);
    let done = sink
        .ends()
        .iter()
        .filter(|run| run.outcome().is_some())
        .count();
    assert_eq!(done, asked - 1);
}

#[tokio::test]
async fn a_detached_hook_sees_the_verdict_and_the_final_value() {
    let observer = "role = \"observe\"\nexecution = \"background\"";
    let settings = hook(
        "first",
        "",
        "message-added = \"continue\"\npre-turn = \"transform bye\"",
    ) + &hook(
        "later",
        observer,
        "message-added = \"look\"\npre-turn = \"look\"",
    );
    let hooks = HooksDir::new()
        .with_renamed("probe", "first")
        .with_renamed("probe", "later")
        .settings(&settings)
        .load();
    let (session, sink) = watched(&hooks);
    let _ = session.run(&mut MessageAdded::sample()).await;
    assert_eq!(hooks.drain(LONG).await, 0);
    let seen = sink.logged().pop().expect("a look");
    assert!(
        seen.contains("verdict=Some(\"Decision::Passed\")"),
        "{seen}"
    );
    // At a point with a value, its role forbids its answer, and the value stays.
    let mut call = turn("hello");
    let verdict = session.run(&mut call).await;
    assert_eq!(hooks.drain(LONG).await, 0);
    assert_eq!(portcullis_tests::text(&call), "bye");
    assert_eq!(verdict.changed_by().count(), 1);
    let last = sink.ends().pop().expect("an end");
    assert_eq!(last.cause(), Some(Cause::BadOutput));
}

#[tokio::test]
async fn without_hooks_there_is_nothing_to_wait_for() {
    let hooks = Hooks::none();
    let heard = background("idle").on::<MessageAdded>(|_| Ok(message_added::Outcome::Continue));
    let hooks = hooks.with([heard]).expect("hooks");
    assert_eq!(hooks.pending(), 0);
    assert_eq!(hooks.drain(Duration::ZERO).await, 0);
}
