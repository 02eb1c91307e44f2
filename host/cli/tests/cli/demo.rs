use std::collections::BTreeSet;

use serde_json::Value;

use crate::support::{built, demo, ids_of_the_demo, portcullis, run, text};

fn has(runs: &[Value], hook: &str, point: &str, outcome: &str) -> bool {
    runs.iter()
        .any(|run| run["hook"] == hook && run["point"] == point && run["outcome"] == outcome)
}

#[test]
fn as_json_every_kind_of_answer_is_there() {
    let dir = demo();
    let ran = run(&mut portcullis(&[
        "demo",
        "--json",
        "--hooks",
        text(dir.path()),
    ]));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let runs = ran.lines();
    for run in &runs {
        for key in [
            "point", "hook", "outcome", "cause", "micros", "session", "turn", "step", "fuel",
        ] {
            assert!(run.get(key).is_some(), "no `{key}` in {run}");
        }
    }
    for (hook, point, outcome) in [
        ("audit-log", "session-start", "continue"),
        ("audit-log", "session-end", "continue"),
        ("output-guardrail", "post-tool-call", "transform"),
        ("path-jail", "pre-tool-call", "transform"),
        ("compaction-hints", "pre-compaction", "transform"),
        ("human-approval", "pre-tool-call", "ask"),
        ("input-guardrail", "pre-turn", "reject"),
        ("cost-tracker", "pre-llm-call", "reject"),
        ("canned-answer", "pre-turn", "answer"),
        ("canned-answer", "pre-turn", "replace"),
        ("provider-fallback", "llm-error", "replace"),
    ] {
        assert!(
            has(&runs, hook, point, outcome),
            "no {outcome} of {hook} at {point}"
        );
    }
    let acting: BTreeSet<&str> = runs.iter().filter_map(|run| run["hook"].as_str()).collect();
    let known = ids_of_the_demo();
    assert_eq!(known.len(), 16);
    assert_eq!(acting, known.iter().map(String::as_str).collect());
}

#[test]
fn as_json_a_trap_is_survived() {
    let dir = demo();
    let ran = run(&mut portcullis(&[
        "demo",
        "--json",
        "--hooks",
        text(dir.path()),
    ]));
    let runs = ran.lines();
    let flaky: Vec<&Value> = runs.iter().filter(|run| run["hook"] == "flaky").collect();
    let trapped: Vec<usize> = (0..flaky.len())
        .filter(|i| flaky[*i]["cause"] == "trap")
        .collect();
    // A new instance counts from 1 again.
    let [at, _] = trapped[..] else {
        panic!("{} traps: {flaky:?}", trapped.len());
    };
    assert_eq!(flaky[at]["outcome"], Value::Null);
    assert_eq!(flaky[at]["fatal"], false);
    assert_eq!(flaky[at]["status"], "failed");
    assert_eq!(
        flaky[at + 1]["outcome"],
        "continue",
        "the next call is healthy"
    );
    // The turn continued after the trap.
    let turn = &flaky[at]["turn"];
    assert!(
        runs.iter()
            .any(|run| run["turn"] == *turn && run["point"] == "post-turn")
    );
}

#[test]
fn for_people_the_timeline_shows_what_changed() {
    let dir = demo();
    let ran = run(&mut portcullis(&["demo", "--hooks", text(dir.path())]));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    for said in [
        "+ path: \"$WORK/RELEASE.md\"",
        "[REDACTED:aws-key]",
        "approved",
        "denied: keep the drafts until Friday",
        "fails open: continues without the hook",
        "switch to backup/small-1",
        "over-budget",
        "RELEASE.md is inside the working directory, and none is outside",
        "the drafts are still there",
        "2 failures survived",
    ] {
        assert!(ran.out.contains(said), "no `{said}` in:\n{}", ran.out);
    }
    assert!(
        !ran.out.contains('\u{1b}'),
        "colours where there is no terminal"
    );
    let wide = ran.out.lines().find(|line| line.chars().count() > 100);
    assert_eq!(wide, None);
}

#[test]
fn without_settings_it_brings_its_own() {
    let known = ids_of_the_demo();
    let known: Vec<&str> = known.iter().map(String::as_str).collect();
    let dir = crate::support::directory(&known, "");
    let ran = run(&mut portcullis(&[
        "demo",
        "--json",
        "--hooks",
        text(dir.path()),
    ]));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(built().is_dir());
}

#[test]
fn a_recording_that_cannot_be_written_is_named_with_its_option() {
    let dir = crate::support::demo();
    let file = dir.path().join("missing/demo.sqlite/below");
    std::fs::write(dir.path().join("missing"), "a file").unwrap();
    let mut command = portcullis(&["demo", "--hooks", text(dir.path())]);
    let ran = run(command.args(["--record", text(&file)]));
    assert_eq!(ran.code, Some(1), "{ran:?}");
    let said = format!("--record {}", file.display());
    assert!(ran.err.contains(&said), "{}", ran.err);
}

#[test]
fn a_directory_of_other_hooks_is_said_to_be_one() {
    let dir = crate::support::directory(&["path-jail"], "");
    let ran = run(&mut portcullis(&["demo", "--hooks", text(dir.path())]));
    assert_eq!(ran.code, Some(1), "{ran:?}");
    for said in [
        "is not the directory of the demo's hooks",
        "`audit-log`",
        "and 12 more",
        "cargo xtask demo",
    ] {
        assert!(ran.err.contains(said), "{said}: {}", ran.err);
    }
    // The settings are in the program, so nobody can edit them.
    assert!(!ran.err.contains("hooks.toml"), "{}", ran.err);
}

#[test]
fn without_hooks_it_says_how_to_build_them() {
    let ran = run(&mut portcullis(&["demo", "--hooks", "no/such/directory"]));
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.contains("cargo xtask hooks"), "{}", ran.err);
}
