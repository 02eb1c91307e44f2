//! `portcullis hooks`.

mod check;
mod lock;

use std::fs;

use portcullis::points::PointId;
use serde_json::json;

use crate::support::{all, directory, ids, portcullis, run, text};

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
