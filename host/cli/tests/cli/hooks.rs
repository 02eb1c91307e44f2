use std::fs;

use portcullis::points::PointId;
use serde_json::{Value, json};

use crate::support::{all, built, directory, ids, portcullis, run, text};

/// What the hook `flaky` requires.
const FLAKY: &str = "[hooks.flaky.config]\nfail_on = 1\nhow = \"error\"\n";

#[test]
fn inspect_shows_points_and_imports_of_every_example() {
    let dir = all();
    for id in ids() {
        let file = dir.path().join(format!("{id}.wasm"));
        let ran = run(&mut portcullis(&[
            "hooks",
            "inspect",
            text(&file),
            "--json",
        ]));
        assert_eq!(ran.code, Some(0), "{ran:?}");
        let report = ran.json();
        assert_eq!(report["id"], id.as_str());
        assert!(!report["points"].as_array().unwrap().is_empty(), "{report}");
        assert!(
            !report["imports"].as_array().unwrap().is_empty(),
            "{report}"
        );
        assert_eq!(report["not-granted"], json!([]), "{id}");
        assert!(report["limits"]["fuel"].is_u64(), "{report}");
        let people = run(&mut portcullis(&["hooks", "inspect", text(&file)]));
        for said in [
            id.as_str(),
            "Serves",
            "Can",
            "Imports",
            "Limits",
            "50,000,000",
        ] {
            assert!(people.out.contains(said), "no `{said}` in:\n{}", people.out);
        }
    }
}

#[test]
fn inspect_names_what_a_lone_file_was_not_granted() {
    let dir = directory(&["audit-log"], "");
    let file = dir.path().join("audit-log.wasm");
    let ran = run(&mut portcullis(&[
        "hooks",
        "inspect",
        text(&file),
        "--json",
    ]));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let missing = ran.json()["not-granted"].to_string();
    assert!(
        missing.contains("[hooks.audit-log.grants] events = true"),
        "{missing}"
    );
    // In the directory of the file, its name alone must do.
    let ran = run(portcullis(&["hooks", "inspect", "audit-log.wasm"]).current_dir(dir.path()));
    assert!(ran.out.contains("Not granted"), "{ran:?}");
}

#[test]
fn list_shows_every_hook() {
    let dir = all();
    let ran = run(&mut portcullis(&[
        "hooks",
        "list",
        "--hooks",
        text(dir.path()),
        "--json",
    ]));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let listed: Vec<String> = ran
        .json()
        .as_array()
        .unwrap()
        .iter()
        .map(|report| report["id"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(listed, ids());
    let people = run(&mut portcullis(&[
        "hooks",
        "list",
        "--hooks",
        text(dir.path()),
    ]));
    assert!(
        ids().iter().all(|id| people.out.contains(id.as_str())),
        "{}",
        people.out
    );
}

#[test]
fn order_is_that_of_the_priorities_with_observers_last() {
    let dir = all();
    let ran = run(&mut portcullis(&[
        "hooks",
        "order",
        "--hooks",
        text(dir.path()),
        "--json",
    ]));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let orders = ran.json();
    let at = |point: &str| -> Vec<&str> {
        let order = orders
            .as_array()
            .unwrap()
            .iter()
            .find(|order| order["point"] == point);
        let hooks = order.unwrap()["hooks"].as_array().unwrap();
        hooks
            .iter()
            .map(|place| place["hook"].as_str().unwrap())
            .collect()
    };
    assert_eq!(
        at("pre-tool-call"),
        ["human-approval", "path-jail", "memory-tools", "audit-log"]
    );
    assert_eq!(
        at("pre-turn"),
        ["input-guardrail", "canned-answer", "audit-log"]
    );
    // Post points run in reverse: the redactor sees what the others left.
    assert_eq!(
        at("post-llm-call"),
        ["cost-tracker", "flaky", "output-guardrail", "audit-log"]
    );
    assert_eq!(orders.as_array().unwrap().len(), PointId::ALL.len());
}

#[test]
fn check_finds_nothing_wrong_with_the_examples() {
    let dir = all();
    let ran = run(&mut portcullis(&[
        "hooks",
        "check",
        "--hooks",
        text(dir.path()),
        "--json",
    ]));
    assert_eq!((ran.code, ran.json()), (Some(0), json!([])), "{ran:?}");
}

#[test]
fn check_names_file_cause_and_fix_of_every_error() {
    let dir = directory(
        &["flaky", "audit-log"],
        "[hooks.flaky]\nfailure = \"fail-open\"\n[hooks.flaky.config]\nfail_on = 1\nhow = \"error\"\n",
    );
    let whole = fs::read(built().join("flaky.wasm")).unwrap();
    for (name, bytes) in [
        ("empty.wasm", &b""[..]),
        ("module.wasm", b"\0asm\x01\0\0\0"),
        ("native.wasm", b"\x7fELF\x02\x01\x01\0"),
        ("script.wasm", b"#!/bin/sh\necho hello\n"),
        ("truncated.wasm", &whole[..whole.len() / 2]),
        ("twin.wasm", &whole),
    ] {
        fs::write(dir.path().join(name), bytes).unwrap();
    }
    fs::create_dir(dir.path().join("folder.wasm")).unwrap();
    let ran = run(&mut portcullis(&[
        "hooks",
        "check",
        "--hooks",
        text(dir.path()),
        "--json",
    ]));
    assert_eq!(ran.code, Some(1));
    let problems = ran.json();
    let problems = problems.as_array().unwrap();
    for (file, cause, fix) in [
        ("audit-log.wasm", "not granted", "events = true"),
        ("empty.wasm", "empty", "Copy it again"),
        ("folder.wasm", "not a regular file", "hooks directory"),
        ("module.wasm", "core wasm module", "wasm32-wasip2"),
        ("native.wasm", "native code", "wasm32-wasip2"),
        ("script.wasm", "not WebAssembly", "wasm32-wasip2"),
        ("truncated.wasm", "not a valid component", "copy it again"),
        ("twin.wasm", "has the id `flaky`", "remove one"),
    ] {
        let of_file = |problem: &&Value| problem["file"].as_str().unwrap().ends_with(file);
        let found: Vec<&Value> = problems.iter().filter(of_file).collect();
        assert!(
            found
                .iter()
                .any(|problem| problem["cause"].as_str().unwrap().contains(cause)
                    && problem["fix"].as_str().unwrap().contains(fix)),
            "{file}: {found:?}"
        );
    }
    assert_eq!(problems.len(), 8, "{problems:#?}");
    let people = run(&mut portcullis(&[
        "hooks",
        "check",
        "--hooks",
        text(dir.path()),
    ]));
    assert_eq!(people.code, Some(1));
    assert!(people.out.contains("8 problems"), "{}", people.out);
}

#[test]
fn check_continues_after_bad_settings() {
    let dir = directory(&["flaky"], "[hooks.flaky]\npriorty = 3\nenabled = true\n");
    fs::write(dir.path().join("empty.wasm"), b"").unwrap();
    let ran = run(&mut portcullis(&[
        "hooks",
        "check",
        "--hooks",
        text(dir.path()),
        "--json",
    ]));
    assert_eq!(ran.code, Some(1));
    let problems = ran.json();
    assert_eq!(problems[0]["line"], 2, "{problems}");
    assert!(
        problems[0]["cause"]
            .as_str()
            .unwrap()
            .contains("unknown key `priorty`")
    );
    assert!(problems[0]["fix"].as_str().unwrap().contains("`priority`"));
    assert!(
        problems[1]["file"]
            .as_str()
            .unwrap()
            .ends_with("empty.wasm"),
        "{problems}"
    );
    assert_eq!(problems.as_array().unwrap().len(), 2);
}

#[test]
fn a_broken_hook_is_skipped_only_if_that_is_said() {
    let dir = directory(&["flaky"], FLAKY);
    fs::write(dir.path().join("empty.wasm"), b"").unwrap();
    let strict = run(&mut portcullis(&[
        "hooks",
        "list",
        "--hooks",
        text(dir.path()),
    ]));
    assert_eq!(strict.code, Some(1));
    assert!(strict.err.contains("empty.wasm"), "{}", strict.err);
    let skipping = run(&mut portcullis(&[
        "hooks",
        "list",
        "--hooks",
        text(dir.path()),
        "--skip-broken",
    ]));
    assert_eq!(skipping.code, Some(0), "{skipping:?}");
    assert!(skipping.out.contains("flaky"));
    assert!(skipping.err.contains("empty.wasm"), "{}", skipping.err);
}

#[test]
fn a_missing_directory_is_named() {
    for command in ["list", "order", "check"] {
        let ran = run(&mut portcullis(&[
            "hooks",
            command,
            "--hooks",
            "no/such/directory",
        ]));
        assert_eq!(ran.code, Some(1), "{ran:?}");
        assert!(
            format!("{}{}", ran.out, ran.err).contains("no/such/directory"),
            "{ran:?}"
        );
    }
}

#[test]
fn a_usage_error_has_a_code_of_its_own() {
    let ran = run(&mut portcullis(&["hooks", "inspct"]));
    assert_eq!(ran.code, Some(2));
}

#[test]
fn the_settings_to_start_from_are_right() {
    let settings = fs::read_to_string(xtask::root().join("example-hooks/hooks.toml")).unwrap();
    let ids = ids();
    let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    let dir = directory(&ids, &settings);
    let ran = run(&mut portcullis(&[
        "hooks",
        "check",
        "--hooks",
        text(dir.path()),
    ]));
    assert_eq!(ran.code, Some(0), "{}", ran.out);
}

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
        let fix = problem["fix"].as_str().unwrap();
        assert!(fix.contains("hooks lock --update"), "{problem}");
    }
    let inspected = run(&mut portcullis(&[
        "hooks",
        "inspect",
        text(&dir.path().join("flaky.wasm")),
        "--json",
    ]));
    assert_eq!(inspected.json()["pin"], "differs", "{inspected:?}");

    // What is pinned is not changed unless that is said.
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

#[test]
fn exfiltration_risks_are_reported_everywhere() {
    let grants =
        "[hooks.memory-extractor.grants]\nshared-state = [\"memory\"]\ncontribute = [\"note\"]\n";
    let dir = directory(&["memory-extractor"], grants);
    let said = "could carry what it reads out";
    for command in ["list", "check"] {
        let ran = run(&mut portcullis(&[
            "hooks",
            command,
            "--hooks",
            text(dir.path()),
        ]));
        assert_eq!(ran.code, Some(0), "{ran:?}");
        assert!(format!("{}{}", ran.out, ran.err).contains(said), "{ran:?}");
    }
    let file = dir.path().join("memory-extractor.wasm");
    let people = run(&mut portcullis(&["hooks", "inspect", text(&file)]));
    assert!(people.out.contains(said), "{}", people.out);
    let report = run(&mut portcullis(&[
        "hooks",
        "inspect",
        text(&file),
        "--json",
    ]))
    .json();
    assert_eq!(
        report["exfiltration-risk"]["sends"],
        json!(["shared-state (memory)"]),
        "{report}"
    );
    for key in ["see", "change", "reach"] {
        assert!(report[key].is_array(), "{key}: {report}");
    }
}

#[test]
fn check_finds_every_badly_typed_value_and_scripts_without_a_program() {
    let check = |settings: &str| {
        let dir = directory(&[], settings);
        let ran = run(&mut portcullis(&[
            "hooks",
            "check",
            "--hooks",
            text(dir.path()),
            "--json",
        ]));
        assert_eq!(ran.code, Some(1), "{ran:?}");
        ran.json()
    };
    let problems = check("[engine]\ntick-ms = \"x\"\n[turn]\nfuel = true\nhooks-ms = []\n");
    let lines: Vec<u64> = problems
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|problem| problem["line"].as_u64())
        .collect();
    assert_eq!(lines, [2, 4, 5], "{problems:#}");

    let script = "points = [\"pre-turn\"]\n";
    let problems = check(&format!(
        "[scripts.a]\ncommand = [\"no-such-program-here\"]\n{script}\
         [scripts.b]\ncommand = [\"./not-there.py\"]\n{script}\
         [scripts.c]\nenabled = false\ncommand = [\"./not-there.py\"]\n{script}"
    ));
    assert_eq!(problems.as_array().map(Vec::len), Some(2), "{problems:#}");
    assert_eq!(problems[0]["line"], 2, "{problems:#}");
    assert!(
        problems[0]["cause"]
            .as_str()
            .unwrap()
            .contains("in no directory of PATH")
    );
    assert!(problems[0]["fix"].as_str().unwrap().contains("install it"));
    assert_eq!(problems[1]["line"], 5, "{problems:#}");
    assert!(
        problems[1]["cause"]
            .as_str()
            .unwrap()
            .contains("does not exist")
    );
}
