//! Calls in flight during a reload.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use futures::FutureExt as _;
use futures::future::BoxFuture;
use portcullis::approval::{ApprovalDecision, Approver, Question};
use portcullis::points::{PostTurn, PreTurn};
use portcullis::reload::ChangeKind;
use portcullis::verdict::Cause;
use portcullis::{Decision, Session, SessionOptions};
use portcullis_tests::{
    HooksDir, Sample, Watcher, digest, hook, probe, soon, tool_call, turn, variant,
};

use super::{done, of_file, say, told};

const LONG: Duration = Duration::from_secs(20);

fn watched(hooks: &portcullis::Hooks) -> (Arc<Session>, Arc<Watcher>) {
    let sink = Arc::new(Watcher::default());
    let session = hooks.session(SessionOptions {
        sink: sink.clone(),
        ..SessionOptions::new("test")
    });
    (Arc::new(session), sink)
}

const WAITS: &str = "[hooks.sleeper.limits]\nwall-ms = 20_000\n";

#[tokio::test(flavor = "multi_thread")]
async fn a_call_in_flight_ends_on_the_old_version_and_the_next_is_not_kept_waiting() {
    let dir = HooksDir::new().with("sleeper").settings(WAITS);
    let old = of_file(&dir, "sleeper.wasm");
    let hooks = dir.load();
    // Compiled beforehand, so that the reload ends long before the call does.
    let new = variant("sleeper", "new");
    drop(HooksDir::new().with_file("sleeper.wasm", &new).load());
    let (session, sink) = watched(&hooks);
    session.run(&mut turn("0")).await;
    // An instance holds the sink.
    let one_instance = Arc::strong_count(&sink);
    let flying = tokio::spawn({
        let session = session.clone();
        async move { session.run(&mut turn("4000")).await }
    });
    soon("the call begins", || {
        (sink.starts().len() == 2).then_some(())
    })
    .await;
    dir.put("sleeper.wasm", &new);
    done(hooks.reload());
    let new = of_file(&dir, "sleeper.wasm");
    let verdict = session.run(&mut turn("0")).await;
    assert_eq!(digest(&verdict), new);
    assert!(!flying.is_finished(), "the old call still sleeps");
    let verdict = flying.await.expect("no panic");
    assert_eq!(digest(&verdict), old);
    assert!(verdict.runs[0].outcome().is_some(), "{:?}", verdict.runs[0]);
    // The journal's rows agree.
    let ended: Vec<_> = sink.ends().iter().map(|run| run.component).collect();
    assert_eq!(ended, [Some(old), Some(new), Some(old)]);
    let instances = Arc::strong_count(&sink);
    assert_eq!(instances, one_instance, "the old one went with its call");
}

#[tokio::test]
async fn a_removed_hook_ends_what_it_began() {
    let dir = HooksDir::new().with("sleeper").settings(WAITS);
    let hooks = dir.load();
    let (session, _) = watched(&hooks);
    let mut call = turn("200");
    let mut flying = Box::pin(session.run(&mut call));
    assert!((&mut flying).now_or_never().is_none(), "it sleeps");
    dir.take("sleeper.wasm");
    assert_eq!(
        told(&done(hooks.reload()).changes),
        [("sleeper", ChangeKind::Removed)]
    );
    assert!(!session.serves::<PreTurn>());
    assert!(flying.await.runs[0].outcome().is_some());
}

/// Defers questions.
struct Later;

impl Approver for Later {
    fn ask<'a>(&'a self, _: Question<'a>) -> BoxFuture<'a, ApprovalDecision> {
        Box::pin(std::future::ready(ApprovalDecision::Defer))
    }
}

#[tokio::test]
async fn a_question_goes_on_with_the_hooks_that_it_stood_among() {
    let dir = HooksDir::new()
        .with("probe")
        .settings(&probe("pre-tool-call = \"ask\""));
    let old = of_file(&dir, "probe.wasm");
    let hooks = dir.load();
    let session = hooks.session(SessionOptions {
        approver: Arc::new(Later),
        ..SessionOptions::new("test")
    });
    let mut call = tool_call(r#"{"path":"a"}"#);
    let decided = session.decide(&mut call).await;
    let Decision::Pending(_) = decided.verdict.decision else {
        panic!("{:?}", decided.verdict.decision);
    };
    dir.put("probe.wasm", &variant("probe", "new"));
    dir.put("hooks.toml", probe("pre-tool-call = \"reject\"").as_bytes());
    done(hooks.reload());
    assert!(
        !session
            .run(&mut tool_call(r#"{"path":"a"}"#))
            .await
            .decision
            .passed()
    );
    // A person's change runs through the chain once more: the old one.
    let change = ApprovalDecision::Edit(r#"{"path":"mine"}"#.into());
    let verdict = session.answer(&mut call, decided, change).await.verdict;
    assert!(verdict.decision.passed(), "{:?}", verdict.decision);
    assert_eq!(digest(&verdict), old);
    // A new call with the same record is a new call.
    let verdict = session.run(&mut call).await;
    assert_eq!(digest(&verdict), of_file(&dir, "probe.wasm"));
}

#[tokio::test]
async fn those_who_look_on_are_of_the_time_of_those_who_decided() {
    let settings = |id: &str| hook(id, "role = \"observe\"", "");
    let dir = HooksDir::new()
        .with_renamed("probe", "watch")
        .settings(&settings("watch"));
    let hooks = dir.load();
    let session = hooks.session(SessionOptions::new("test"));
    let mut call = PostTurn::sample();
    let mut decided = session.decide(&mut call).await;
    dir.take("watch.wasm");
    dir.put("other.wasm", &portcullis_tests::renamed("probe", "other"));
    dir.put("hooks.toml", settings("other").as_bytes());
    done(hooks.reload());
    session.observe(&mut call, &mut decided).await;
    assert_eq!(decided.verdict.runs[0].hook.as_str(), "watch");
    let verdict = session.run(&mut PostTurn::sample()).await;
    assert_eq!(verdict.runs[0].hook.as_str(), "other");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_that_nobody_waits_for_ends_on_the_old_version_and_the_next_comes_behind_it() {
    let settings =
        "[hooks.sleeper]\nrole = \"observe\"\nexecution = \"background\"\n".to_owned() + WAITS;
    let dir = HooksDir::new().with("sleeper").settings(&settings);
    let old = of_file(&dir, "sleeper.wasm");
    let hooks = dir.load();
    let (session, sink) = watched(&hooks);
    session.run(&mut turn("500")).await;
    dir.put("sleeper.wasm", &variant("sleeper", "new"));
    done(hooks.reload());
    session.run(&mut turn("0")).await;
    assert_eq!(hooks.drain(LONG).await, 0);
    let new = of_file(&dir, "sleeper.wasm");
    let ends = sink.ends();
    let ended = ends.iter().filter(|run| run.outcome().is_some());
    let ended: Vec<_> = ended.map(|run| run.component).collect();
    assert_eq!(ended, [Some(old), Some(new)], "in their order");
}

#[tokio::test]
async fn a_quarantine_ends_with_what_it_was_entered_under() {
    let settings = |more: &str, action: &str, tables: &str| {
        "[quarantine]\nfailures = 1\n".to_owned()
            + &hook("probe", more, &format!("pre-turn = \"{action}\""))
            + tables
    };
    let panics = settings("", "panic", "");
    let dir = HooksDir::new().with("probe").settings(&panics);
    let hooks = dir.load();
    let session = hooks.session(SessionOptions::new("test"));
    let fails_with = async |cause: Cause| {
        assert_eq!(say(&session).await.0.runs[0].cause(), Some(cause));
        assert_eq!(hooks.quarantined().len(), 1);
    };
    fails_with(Cause::Trap).await;
    // Its position in its chains changes nothing about its failures.
    let put = |settings: &str| {
        dir.put("hooks.toml", settings.as_bytes());
        done(hooks.reload());
    };
    put(&settings("priority = 7", "panic", ""));
    fails_with(Cause::Quarantined).await;
    // With other limits, another configuration or another component, the count starts again.
    put(&settings(
        "",
        "panic",
        "[hooks.probe.limits]\nfuel = 40_000_000\n",
    ));
    assert!(hooks.quarantined().is_empty());
    fails_with(Cause::Trap).await;
    put(&settings("", "continue", ""));
    assert!(hooks.quarantined().is_empty());
    assert!(say(&session).await.0.decision.passed());
    put(&panics);
    fails_with(Cause::Trap).await;
    dir.put("probe.wasm", &variant("probe", "fixed"));
    done(hooks.reload());
    assert!(hooks.quarantined().is_empty());
    fails_with(Cause::Trap).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_never_fail_while_hooks_change_under_them() {
    let dir = HooksDir::new()
        .with("probe")
        .settings(&probe("pre-turn = \"remember\""));
    let hooks = dir.load();
    let session = Arc::new(hooks.session(SessionOptions::new("test")));
    let stop = Arc::new(AtomicBool::new(false));
    let callers: Vec<_> = (0..4)
        .map(|_| {
            let (session, stop) = (session.clone(), stop.clone());
            tokio::spawn(async move {
                let mut calls = 0;
                while !stop.load(Ordering::Relaxed) {
                    let mut call = turn("hello");
                    // Outside any turn, so that no turn's budget is used up.
                    call.context.turn = 0;
                    let verdict = session.run(&mut call).await;
                    assert!(verdict.decision.passed(), "{:?}", verdict.decision);
                    calls += 1;
                    tokio::task::yield_now().await;
                }
                calls
            })
        })
        .collect();
    for mark in ["a", "b", "c", "d", "e"] {
        dir.put("probe.wasm", &variant("probe", mark));
        let reloading = hooks.clone();
        let reloaded = tokio::task::spawn_blocking(move || reloading.reload()).await;
        assert_eq!(done(reloaded.expect("no panic")).changes.len(), 1);
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    stop.store(true, Ordering::Relaxed);
    let mut calls = 0;
    for caller in callers {
        calls += caller.await.expect("no panic");
    }
    // All calls counted in one state, in every version.
    assert_eq!(say(&session).await.1, (calls + 1).to_string());
}
