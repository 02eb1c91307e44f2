//! Calls that are recorded, replayed, and written as cases.

mod another_hook;
mod cases;
mod damaged;
mod kept;

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use tempfile::TempDir;

use crate::support::{Ran, bare, built, demo, portcullis, run, text};

/// Plays the demo with recording. Returns its directory, and the store.
fn recorded() -> (TempDir, PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    let store = dir.path().join("demo.sqlite");
    let hooks = demo();
    let ran = run(&mut portcullis(&[
        "demo",
        "--json",
        "--hooks",
        text(hooks.path()),
        "--record",
        text(&store),
    ]));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    (dir, store)
}

/// Writes the case of a recorded call.
fn case_from(store: &Path, run_id: &str) -> Ran {
    let store = format!("sqlite:{}", text(store));
    run(&mut bare(&["case", "from", run_id, "--store", &store]))
}

fn replay(store: &Path, component: &Path, more: &[&str]) -> Ran {
    let store = format!("sqlite:{}", text(store));
    let mut arguments = vec!["replay", "--store", &store, "--hook", text(component)];
    arguments.extend(more);
    run(&mut portcullis(&arguments))
}

/// Returns the ids of a hook's runs with this refusal code.
fn refused(store: &Path, hook: &str, code: &str) -> Vec<String> {
    let store = format!("sqlite:{}", text(store));
    let listed = run(&mut bare(&[
        "runs", "--store", &store, "--hook", hook, "--json", "--limit", "1000",
    ]));
    let runs = listed.json();
    let runs = runs.as_array().unwrap().iter();
    let refused = runs.filter(|run| run["code"] == code);
    refused
        .map(|run| format!("{}.{}", run["host"], run["id"]))
        .collect()
}

#[test]
fn the_same_component_does_the_same_in_every_call_of_the_demo() {
    let (_dir, store) = recorded();
    let (mut hooks, mut calls) = (0, 0);
    let directory = demo();
    for file in fs::read_dir(directory.path()).unwrap() {
        let file = file.unwrap().path();
        if file.extension().is_none_or(|ending| ending != "wasm") {
            continue;
        }
        let ran = replay(&store, &file, &["--json"]);
        assert_eq!(ran.code, Some(0), "{}: {ran:?}", file.display());
        let report = ran.json();
        let skipped: u64 = report["not-replayed"]
            .as_object()
            .unwrap()
            .values()
            .filter_map(Value::as_u64)
            .sum();
        let all = report["calls"].as_u64().unwrap();
        assert_eq!(
            report["identical"].as_u64().unwrap() + skipped,
            all,
            "{report:#}"
        );
        assert_eq!(report["fuel"]["recorded"], report["fuel"]["now"]);
        hooks += 1;
        calls += all;
        // A replay on one thread and on two has the same output.
        let again = replay(&store, &file, &["--json", "--threads", "2"]);
        let alone = replay(&store, &file, &["--json", "--threads", "1"]);
        assert_eq!(again.out, ran.out);
        assert_eq!(alone.out, ran.out);
    }
    assert_eq!(hooks, 16);
    assert!(calls > 50, "{calls}");
}

#[test]
fn an_altered_guardrail_lists_exactly_the_calls_whose_verdict_changed() {
    let (dir, store) = recorded();
    // The guardrail with another code for its refusals.
    let mut component = fs::read(built().join("input-guardrail.wasm")).unwrap();
    let mut altered = 0;
    for at in 0..component.len() - 13 {
        if &component[at..at + 13] == b"blocked-input" {
            component[at..at + 13].copy_from_slice(b"refused-input");
            altered += 1;
        }
    }
    assert!(altered > 0);
    let altered = dir.path().join("input-guardrail.wasm");
    fs::write(&altered, component).unwrap();
    let ran = replay(&store, &altered, &["--json"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    let report = ran.json();
    let differing: Vec<&str> = report["differences"]
        .as_array()
        .unwrap()
        .iter()
        .map(|difference| difference["run"].as_str().unwrap())
        .collect();
    let refused = refused(&store, "input-guardrail", "blocked-input");
    assert!(!refused.is_empty());
    assert_eq!(differing, refused);
    assert_eq!(report["changed"], refused.len());
    let shown = replay(&store, &altered, &[]);
    assert!(shown.out.contains("refused-input"), "{}", shown.out);

    // The call as a case: it passes with the component that made it, and fails with the altered one.
    let cases = dir.path().join("cases");
    fs::create_dir(&cases).unwrap();
    let case = cases.join("refused.toml");
    let url = format!("sqlite:{}", text(&store));
    let write = || {
        run(&mut bare(&[
            "case",
            "from",
            &refused[0],
            "--store",
            &url,
            "--out",
            text(&case),
        ]))
    };
    let wrote = write();
    assert_eq!(wrote.code, Some(0), "{wrote:?}");
    assert_eq!(wrote.out, format!("wrote {}\n", text(&case)));
    let again = write();
    assert_eq!(again.code, Some(1), "{again:?}");
    assert!(again.err.contains("it exists already"), "{again:?}");
    let written = fs::read_to_string(&case).unwrap();
    assert!(written.contains("code = \"blocked-input\""), "{written}");
    assert!(written.contains("reason = "), "{written}");
    let original = built().join("input-guardrail.wasm");
    for (component, code) in [(&original, 0), (&altered, 1)] {
        let tested = run(&mut portcullis(&[
            "test",
            "--component",
            text(component),
            "--cases",
            text(&cases),
        ]));
        assert_eq!(tested.code, Some(code), "{tested:?}");
    }
}

#[test]
fn what_is_not_recorded_is_an_error_with_a_fix() {
    let (_dir, store) = recorded();
    let other = built().join("untrusted-content.wasm");
    let ran = replay(&store, &other, &[]);
    assert_ne!(ran.code, Some(0), "{ran:?}");
    assert!(ran.err.contains("--record"), "{}", ran.err);
    let url = format!("sqlite:{}", text(&store));
    let ran = case_from(&store, "9.9");
    assert!(ran.err.contains("`portcullis runs` lists"), "{}", ran.err);
    // The suggestion names a run that has a case.
    let listed = run(&mut bare(&["runs", "--store", &url, "--limit", "1000"]));
    let (_, named) = listed.out.split_once("such as ").expect("a run");
    let ran = case_from(&store, named.trim());
    assert_eq!(ran.code, Some(0), "{ran:?}");
}

#[test]
fn a_wrong_hook_or_session_is_answered_with_the_nearest() {
    let (_dir, store) = recorded();
    let component = built().join("path-jail.wasm");
    for (more, said) in [
        (
            &["--id", "path-jal"][..],
            "there is no recorded call of `path-jal`; did you mean `path-jail`? Calls are recorded of: audit-log",
        ),
        (
            &["--session", "nope"],
            "there is no session `nope` in the recorded calls of `path-jail`",
        ),
        (&["--until", "2020-01-01"], "change --since or --until"),
    ] {
        let ran = replay(&store, &component, more);
        assert_eq!(ran.code, Some(1), "{ran:?}");
        assert!(ran.err.contains(said), "{more:?}: {}", ran.err);
    }
}
