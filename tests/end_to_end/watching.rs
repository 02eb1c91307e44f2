//! The record of runs: each begins once and ends once, whatever the result.

use std::collections::BTreeMap;
use std::pin::pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use portcullis::contract::{ExecutionPolicy, HookRole};
use portcullis::observer::{HookEvent, HookObserver, LogLine, RunStarted};
use portcullis::points::{PreTurn, pre_turn};
use portcullis::verdict::{HookRun, RunStatus};
use portcullis::{Hooks, NativeHook, Session, SessionOptions};
use portcullis_tests::{HooksDir, Watcher, hook, tool_call, turn};

/// Runs a chain of every kind of hook, in which the gate performs this action.
async fn watched(gate: &str) -> Arc<Watcher> {
    let settings = hook("first", "priority = 1", "pre-turn = \"append -one\"")
        + &hook(
            "guard",
            "priority = 2\nrole = \"gate\"",
            &format!("pre-turn = \"{gate}\""),
        )
        + &hook("later", "priority = 3", "pre-turn = \"append -two\"")
        + &hook("watch", "role = \"observe\"", "");
    let detached = NativeHook::new("scribe")
        .role(HookRole::Observe)
        .execution(ExecutionPolicy::Background)
        .on::<PreTurn>(|_| Ok(pre_turn::Outcome::Continue));
    let mut dir = HooksDir::new().settings(&settings);
    for id in ["first", "guard", "later", "watch"] {
        dir = dir.with_renamed("probe", id);
    }
    let sink = Arc::new(Watcher::default());
    let hooks = dir.load_beside([detached]);
    let session = hooks.session(SessionOptions {
        sink: sink.clone(),
        ..SessionOptions::new("test")
    });
    for _ in 0..2 {
        let verdict = session.run(&mut turn("hello")).await;
        assert_eq!(verdict.runs.len(), 5);
        assert!(verdict.runs.iter().all(|run| run.id > 0));
    }
    assert_eq!(hooks.drain(Duration::from_secs(20)).await, 0);
    sink
}

#[tokio::test]
async fn every_run_begins_once_and_ends_once() {
    for gate in ["continue", "reject", "panic"] {
        let sink = watched(gate).await;
        let (starts, ends) = (sink.starts(), sink.ends());
        assert_eq!(starts.len(), 10, "{gate}");
        let mut by_id: BTreeMap<u64, Vec<&RunStatus>> = BTreeMap::new();
        for start in &starts {
            assert!(
                by_id.insert(start.id, Vec::new()).is_none(),
                "{gate}: twice"
            );
        }
        for end in &ends {
            by_id
                .get_mut(&end.id)
                .expect("an end of a run that began")
                .push(&end.status);
        }
        for start in &starts {
            let statuses = &by_id[&start.id];
            match (start.hook.as_str(), statuses.as_slice()) {
                ("scribe", [RunStatus::Backgrounded, RunStatus::Completed { .. }]) => {}
                ("scribe", other) => panic!("{gate}: {other:?}"),
                (_, [RunStatus::Backgrounded]) => panic!("{gate}: never ended"),
                (_, one) => assert_eq!(one.len(), 1, "{gate}: {start:?}"),
            }
        }
        let skipped: Vec<_> = ends
            .iter()
            .filter(|run| matches!(run.status, RunStatus::Skipped))
            .map(|run| run.hook.as_str())
            .collect();
        let expected: &[&str] = if gate == "continue" {
            &[]
        } else {
            &["later", "later"]
        };
        assert_eq!(skipped, expected, "{gate}");
    }
}

#[tokio::test]
async fn a_record_says_what_a_run_was_given() {
    let sink = watched("continue").await;
    let starts = sink.starts();
    for start in &starts {
        assert!(start.input.is_some(), "{start:?}");
        assert_eq!(
            start.component.is_some(),
            start.hook != "scribe",
            "{start:?}"
        );
        let ended = sink.ends();
        for end in ended.iter().filter(|end| end.id == start.id) {
            assert_eq!(
                (end.input, end.component),
                (start.input, start.component),
                "{end:?}"
            );
        }
    }
    let input = |hook: &str| {
        let start = starts.iter().find(|start| start.hook == hook);
        start.and_then(|start| start.input).expect("a digest")
    };
    // Each hook receives the value that the one before left; observers, the final value.
    assert_ne!(input("first"), input("guard"));
    assert_eq!(input("guard"), input("later"));
    assert_ne!(input("later"), input("watch"));
    assert_eq!(input("watch"), input("scribe"));
    let ends = sink.ends();
    let change = ends
        .iter()
        .find_map(|run| run.change.as_ref())
        .expect("a change");
    assert_eq!(Some(change.before), ends[0].input);
    assert_eq!(change.after, input("guard"));
}

#[tokio::test]
async fn where_nobody_watches_runs_have_no_numbers() {
    let session = portcullis_tests::probe_session("");
    let verdict = session.run(&mut turn("hello")).await;
    assert_eq!((verdict.runs[0].id, verdict.runs[0].input), (0, None));
}

/// Needs no starts, and records how runs were reported to it.
#[derive(Default)]
struct Whole(Mutex<Vec<String>>);

impl Whole {
    fn add(&self, how: &str, hook: &str) {
        let mut told = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        told.push(format!("{how} {hook}"));
    }

    fn told(&self) -> Vec<String> {
        let mut told = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut told)
    }
}

impl HookObserver for Whole {
    fn log(&self, _: LogLine<'_>) {}

    fn event(&self, _: HookEvent) {}

    fn watches_runs(&self) -> bool {
        true
    }

    fn watches_starts(&self) -> bool {
        false
    }

    fn digests_inputs(&self) -> bool {
        false
    }

    fn started(&self, run: &RunStarted<'_>) {
        self.add("started", run.hook.as_str());
    }

    fn ended(&self, _: &str, run: &HookRun) {
        self.add("ended", run.hook.as_str());
    }

    fn ran(&self, start: &RunStarted<'_>, run: &HookRun) {
        assert_eq!(start.id, run.id);
        if let Some(change) = &run.change {
            assert_eq!(start.given().digest(), change.before);
        }
        self.add("ran", run.hook.as_str());
    }
}

fn whole(hooks: &Hooks) -> (Session, Arc<Whole>) {
    let sink = Arc::new(Whole::default());
    let session = hooks.session(SessionOptions {
        sink: sink.clone(),
        ..SessionOptions::new("test")
    });
    (session, sink)
}

#[tokio::test]
async fn a_run_that_ends_soon_is_told_when_it_has_ended() {
    let settings = hook("first", "priority = 1", "pre-turn = \"append -one\"")
        + &hook("guard", "priority = 2", "pre-turn = \"reject\"")
        + &hook("later", "priority = 3", "")
        + &hook("watch", "role = \"observe\"", "")
        + "[hooks.watch.limits]\ndeadline-ms = 200\n";
    let native = NativeHook::new("scribe")
        .role(HookRole::Observe)
        .on::<PreTurn>(|_| Ok(pre_turn::Outcome::Continue));
    let mut dir = HooksDir::new().settings(&settings);
    for id in ["first", "guard", "later", "watch"] {
        dir = dir.with_renamed("probe", id);
    }
    let (session, sink) = whole(&dir.load_beside([native]));
    let verdict = session.run(&mut turn("hello")).await;
    assert!(verdict.runs.iter().all(|run| run.id > 0));
    let told = sink.told();
    let (deciding, observing) = told.split_at(3);
    assert_eq!(deciding, ["ran first", "ran guard", "ran later"]);
    let mut observing = observing.to_vec();
    observing.sort();
    let both = |hook: &str| [format!("ended {hook}"), format!("started {hook}")];
    let mut expected = [both("scribe"), both("watch")].concat();
    expected.sort();
    assert_eq!(observing, expected);
}

#[tokio::test]
async fn the_start_of_a_run_that_must_wait_is_told_before() {
    let settings = "[engine]\nconcurrent-calls = 1\n\
                    [hooks.sleeper]\nrole = \"gate\"\n\
                    [hooks.sleeper.limits]\nwall-ms = 20_000\n"
        .to_owned()
        + &hook("probe", "", "")
        + "[hooks.probe.limits]\nwall-ms = 20_000\n";
    let dir = HooksDir::new().with("sleeper").with("probe");
    let hooks = dir.settings(&settings).load();
    let ((sleeping, _), (session, sink)) = (whole(&hooks), whole(&hooks));
    let (mut asleep, mut call) = (turn("200"), tool_call("{}"));
    {
        let mut sleeps = pin!(sleeping.run(&mut asleep));
        assert!(futures::poll!(sleeps.as_mut()).is_pending());
        let mut waits = pin!(session.run(&mut call));
        assert!(futures::poll!(waits.as_mut()).is_pending());
        assert_eq!(sink.told(), ["started probe"]);
        tokio::join!(sleeps, waits);
    }
    assert_eq!(sink.told(), ["ended probe"]);
    session.run(&mut tool_call("{}")).await;
    assert_eq!(sink.told(), ["ran probe"]);
}
