//! The record of runs: each begins once and ends once, whatever the result.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use portcullis::contract::{ExecutionPolicy, HookRole};
use portcullis::points::{PreTurn, pre_turn};
use portcullis::verdict::RunStatus;
use portcullis::{NativeHook, SessionOptions};
use portcullis_tests::{HooksDir, Watcher, hook, turn};

/// A chain of every sort of hook, in which the gate does this.
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
    // Each is given what the one before left; observers, the final value.
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
