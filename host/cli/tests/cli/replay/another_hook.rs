//! Recorded calls that are replayed with another hook.

use std::fs;

use serde_json::{Value, json};

use super::{recorded, refused, replay};
use crate::support::{built, directory, portcullis, run, text};

#[test]
fn the_calls_of_one_hook_are_made_by_another() {
    let (dir, store) = recorded();
    // The file's name does not matter.
    let component = dir.path().join("new.wasm");
    fs::copy(built().join("input-guardrail.wasm"), &component).unwrap();
    let ran = replay(&store, &component, &["--json"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    // The id does not matter either: another hook serves the same point, and answers differently.
    let ran = replay(&store, &component, &["--id", "canned-answer", "--json"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(!ran.err.contains("hooks.toml"), "{}", ran.err);

    // The recorded configuration does not fit another hook, which gets its own.
    let guard = xtask::root().join("target/guards/path-guard.wasm");
    let as_jail = ["--id", "path-jail", "--json"];
    let ran = replay(&store, &guard, &as_jail);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.err.contains("--config FILE"), "{}", ran.err);
    let config = dir.path().join("path-guard.toml");
    let with_config = [&as_jail[..], &["--config", text(&config)]].concat();
    fs::write(&config, "deny = [\"**/.env\"]\n").unwrap();
    let report = replay(&store, &guard, &with_config).json();
    assert_eq!(report["replayed"], report["calls"], "{report:#}");
    assert_eq!(report["config"], json!({ "deny": ["**/.env"] }));
    for (text, told) in [
        ("denied = []\n", "the given `config.denied`: unknown key"),
        (
            "deny = 3\n",
            "the given `config.deny`: value is not of type \"array\", and is a number",
        ),
    ] {
        fs::write(&config, text).unwrap();
        let ran = replay(&store, &guard, &with_config);
        assert!(ran.err.contains(told), "no `{told}` in:\n{}", ran.err);
    }
}

/// A turn that reads four files.
const READS: &str = r#"{ "model": "large-1", "responses": [
    { "tool_calls": [{ "name": "read_file", "arguments": { "path": "notes.md" } }] },
    { "tool_calls": [{ "name": "read_file", "arguments": { "path": ".env" } }] },
    { "tool_calls": [{ "name": "read_file", "arguments": { "path": "/opt/notes.md" } }] },
    { "tool_calls": [{ "name": "read_file", "arguments": { "path": "/etc/hosts" } }] },
    { "text": "Read." }
] }"#;

#[test]
fn another_hook_lists_exactly_the_calls_that_it_decides_otherwise() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    fs::write(at("script.json"), READS).unwrap();
    // The third path is in a directory that only the other hook allows.
    fs::write(at("path-guard.toml"), "roots = [\"/opt\"]\n").unwrap();
    fs::create_dir(at("work")).unwrap();
    let store = at("kept.sqlite");
    let hooks = directory(&["path-jail"], "[hooks.path-jail]\n");
    let mut command = portcullis(&["run", "--record", "--hooks", text(hooks.path())]);
    command.args(["--store", &format!("sqlite:{}", text(&store))]);
    command.args([
        "--provider",
        &format!("scripted:{}", text(&at("script.json"))),
    ]);
    let ran = run(command.current_dir(at("work")).arg("Read."));
    assert_eq!(
        (ran.code, ran.out.as_str()),
        (Some(0), "Read.\n"),
        "{ran:?}"
    );
    let before = refused(&store, "path-jail", "outside-working-dir");

    let guard = xtask::root().join("target/guards/path-guard.wasm");
    // Differences in fuel are not compared, since the guard does more.
    let config = at("path-guard.toml");
    let as_jail = |percent| {
        [
            "--id",
            "path-jail",
            "--config",
            text(&config),
            "--fuel-percent",
            percent,
        ]
    };
    let ample = as_jail("1000000");
    let ran = replay(&store, &guard, &[&ample[..], &["--json"]].concat());
    assert_eq!(ran.code, Some(1), "{ran:?}");
    let report = ran.json();
    assert_eq!(report["replayed"], 4, "{report:#}");
    for (result, calls) in [
        ("identical", 0),
        ("same", 1),
        ("changed", 1),
        ("newly-refused", 1),
        ("newly-allowed", 1),
        ("more-fuel", 0),
    ] {
        assert_eq!(report[result], calls, "{result}: {report:#}");
    }
    let differences = report["differences"].as_array().unwrap();
    let listed: Vec<Value> = differences
        .iter()
        .map(|it| {
            json!([
                it["step"],
                it["kind"],
                it["recorded"]["outcome"],
                it["now"]["outcome"]
            ])
        })
        .collect();
    let expected = [
        json!([2, "newly-refused", "continue", "reject"]),
        json!([3, "newly-allowed", "reject", "continue"]),
        // Both hooks refuse the call, with different codes.
        json!([4, "changed", "reject", "reject"]),
    ];
    assert_eq!(listed, expected, "{report:#}");
    assert_eq!(before.len(), 2);
    for run in &before {
        assert!(differences.iter().any(|it| it["run"] == run.as_str()));
    }

    let shown = replay(&store, &guard, &ample);
    assert_eq!(shown.code, Some(1), "{shown:?}");
    for difference in &differences[..2] {
        let kind = difference["kind"].as_str().unwrap().replace('-', " ");
        let named = format!("{kind} {} session", difference["run"].as_str().unwrap());
        assert!(shown.out.contains(&named), "{named}: {}", shown.out);
    }

    // Without an allowance, the call with the same answer is listed for its fuel.
    let report = replay(&store, &guard, &[&as_jail("0")[..], &["--json"]].concat()).json();
    assert_eq!(report["more-fuel"], 4, "{report:#}");
    let first = &report["differences"][0];
    assert_eq!(
        (&first["step"], &first["kind"]),
        (&json!(1), &json!("same"))
    );
    assert_eq!(first["more-fuel"], true, "{report:#}");
}
