//! `portcullis hooks lock`, and the checks against it.

use std::fs;

use serde_json::Value;

use super::FLAKY;
use crate::support::{built, capped, directory, portcullis, run, text};

#[test]
fn a_lock_is_written_held_to_and_updated() {
    let dir = directory(&["flaky", "path-jail"], "");
    let hooks = |command: &str, more: &[&str]| {
        let mut ran = portcullis(&["hooks", command, "--hooks", text(dir.path())]);
        run(ran.args(more))
    };
    let changes = |ran: &crate::support::Ran| -> Vec<(String, String)> {
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let changes = ran.json()["changes"].clone();
        changes
            .as_array()
            .unwrap()
            .iter()
            .map(|change| (text(&change["file"]), text(&change["change"])))
            .collect()
    };
    let change = |file: &str, change: &str| (file.to_owned(), change.to_owned());

    let first = hooks("lock", &["--json"]);
    assert_eq!(first.code, Some(0), "{first:?}");
    assert_eq!(first.json()["written"], true);
    assert_eq!(
        changes(&first),
        [
            change("flaky.wasm", "added"),
            change("path-jail.wasm", "added")
        ]
    );
    let again = hooks("lock", &[]);
    assert_eq!(again.code, Some(0), "{again:?}");
    assert!(again.out.contains("unchanged"), "{again:?}");

    fs::copy(
        built().join("canned-answer.wasm"),
        dir.path().join("flaky.wasm"),
    )
    .unwrap();
    fs::remove_file(dir.path().join("path-jail.wasm")).unwrap();
    let checked = hooks("check", &["--json"]);
    assert_eq!(checked.code, Some(1));
    let problems = checked.json();
    assert_eq!(problems.as_array().unwrap().len(), 2, "{problems:#}");
    for problem in problems.as_array().unwrap() {
        assert_eq!(problem["stage"], "lock", "{problem}");
        let (file, fix) = (&problem["file"], problem["fix"].as_str().unwrap());
        let told = match file.as_str().unwrap().ends_with("path-jail.wasm") {
            true => "portcullis remove path-jail",
            false => "hooks lock --update",
        };
        assert!(fix.contains(told), "{problem}");
    }
    let inspected = run(&mut portcullis(&[
        "hooks",
        "inspect",
        text(&dir.path().join("flaky.wasm")),
        "--json",
    ]));
    assert_eq!(inspected.json()["pin"], "differs", "{inspected:?}");

    // A pinned entry is not changed without an option.
    let left = hooks("lock", &[]);
    assert_eq!(left.code, Some(1), "{left:?}");
    assert!(
        left.out.contains("changed") && left.out.contains("removed"),
        "{left:?}"
    );
    assert_eq!(hooks("check", &[]).code, Some(1));
    let updated = hooks("lock", &["--update", "--json"]);
    assert_eq!(updated.code, Some(0), "{updated:?}");
    assert_eq!(
        changes(&updated),
        [
            change("flaky.wasm", "changed"),
            change("path-jail.wasm", "removed")
        ]
    );
    assert_eq!(hooks("check", &[]).code, Some(0));
}

#[test]
fn check_finds_that_a_damaged_file_is_not_the_pinned_one() {
    let dir = directory(&["path-jail"], "");
    let hooks = ["--hooks", text(dir.path())];
    let locked = run(portcullis(&["hooks", "lock"]).args(hooks));
    assert_eq!(locked.code, Some(0), "{locked:?}");
    let file = dir.path().join("path-jail.wasm");
    let mut damaged = fs::read(&file).unwrap();
    damaged.extend(b"and more");
    fs::write(&file, damaged).unwrap();
    let problems = run(portcullis(&["hooks", "check", "--json"]).args(hooks)).json();
    let problems = problems.as_array().unwrap().iter();
    let mut stages: Vec<&str> = problems
        .map(|problem| problem["stage"].as_str().unwrap())
        .collect();
    stages.sort_unstable();
    assert_eq!(stages, ["compile", "lock"]);
}

#[test]
fn a_file_in_the_place_of_a_pinned_one_is_not_to_be_trusted_first() {
    let dir = capped(&["input-guardrail"], "[hooks.input-guardrail]\n");
    let hooks = |command: &[&str]| {
        let mut ran = portcullis(&[&["hooks"][..], command].concat());
        run(ran.args(["--hooks", text(dir.path())]))
    };
    assert_eq!(hooks(&["lock"]).code, Some(0));
    let file = dir.path().join("input-guardrail.wasm");
    fs::copy(built().join("path-jail.wasm"), file).unwrap();
    let problems = hooks(&["check", "--json"]).json();
    assert_eq!(problems.as_array().unwrap().len(), 1, "{problems:#}");
    assert_eq!(problems[0]["stage"], "lock", "{problems:#}");
    let cause = problems[0]["cause"].as_str().unwrap();
    assert!(
        cause.ends_with("it is another hook, `path-jail`"),
        "{cause}"
    );
    // Differences from the lock come before all other faults.
    fs::remove_file(dir.path().join("input-guardrail.wasm")).unwrap();
    fs::write(dir.path().join("empty.wasm"), b"").unwrap();
    let problems = hooks(&["check", "--json"]).json();
    assert_eq!(problems[0]["stage"], "lock", "{problems:#}");
    assert!(
        problems[1]["file"]
            .as_str()
            .unwrap()
            .ends_with("empty.wasm")
    );
}

#[test]
fn check_names_what_is_loaded_against_the_lock() {
    let settings = format!("[integrity]\non-mismatch = \"report\"\n{FLAKY}");
    let dir = directory(&["flaky"], &settings);
    let hooks = |command: &str, more: &[&str]| {
        let mut ran = portcullis(&["hooks", command, "--hooks", text(dir.path())]);
        run(ran.args(more))
    };
    assert_eq!(hooks("lock", &[]).code, Some(0));
    fs::copy(built().join("path-jail.wasm"), dir.path().join("more.wasm")).unwrap();
    let ran = hooks("check", &["--json"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let problems = ran.json();
    assert_eq!(problems.as_array().unwrap().len(), 1, "{problems}");
    assert!(problems[0]["file"].as_str().unwrap().ends_with("more.wasm"));
    let listed = hooks("list", &[]);
    assert!(listed.err.contains("not in hooks.lock"), "{listed:?}");
}
