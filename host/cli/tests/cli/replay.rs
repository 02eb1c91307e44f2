//! Calls that are recorded, made again, and written as cases.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::agent::loopback::Loopback;
use crate::support::{Ran, bare, built, demo, directory, portcullis, run, text};

const HELLO: &str = r#"{ "model": "large-1", "responses": [{ "text": "Hello." }] }"#;

/// The demo, with its calls recorded in a store.
fn recorded(store: &Path) {
    let dir = demo();
    let hooks = text(dir.path());
    let ran = run(&mut portcullis(&[
        "demo",
        "--json",
        "--hooks",
        hooks,
        "--record",
        text(store),
    ]));
    assert_eq!(ran.code, Some(0), "{ran:?}");
}

fn replay(store: &Path, component: &Path, more: &[&str]) -> Ran {
    let store = format!("sqlite:{}", text(store));
    let mut arguments = vec!["replay", "--store", &store, "--hook", text(component)];
    arguments.extend(more);
    run(&mut portcullis(&arguments))
}

/// The ids of the runs of a hook with this code of a refusal.
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
    let dir = tempfile::tempdir().unwrap();
    let store = dir.path().join("demo.sqlite");
    recorded(&store);
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
        // Twice, on one thread and on two: the same bytes.
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
    let dir = tempfile::tempdir().unwrap();
    let store = dir.path().join("demo.sqlite");
    recorded(&store);
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
fn what_the_operators_rules_find_is_not_kept() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    fs::write(
        at("agent.toml"),
        "[stores]\nurl = \"sqlite:kept.sqlite\"\nrecord = true\n\
         [stores.recording]\nredact = ['[0-9]{4}-[0-9]{4}']\nkeep-calls = 10\n",
    )
    .unwrap();
    let script =
        r#"{ "model": "large-1", "responses": [{ "text": "4711-0815 is ann@example.org's." }] }"#;
    fs::write(at("script.json"), script).unwrap();
    let hooks = demo();
    let chatted = run(&mut portcullis(&[
        "run",
        "--agent",
        text(&at("agent.toml")),
        "--provider",
        &format!("scripted:{}", text(&at("script.json"))),
        "--hooks",
        text(hooks.path()),
        "My number is 4711-0815.\u{202e}",
    ]));
    assert_eq!(chatted.code, Some(0), "{chatted:?}");
    let store = format!("sqlite:{}", text(&at("kept.sqlite")));
    let case_of = |options: &[&str]| {
        let listed = run(bare(&["runs", "--store", &store, "--json"]).args(options));
        let listed = listed.json();
        let id = format!("{}.{}", listed[0]["host"], listed[0]["id"]);
        run(&mut bare(&["case", "from", &id, "--store", &store]))
    };
    let case = case_of(&["--hook", "input-guardrail"]);
    // What is not seen is an escape of TOML.
    let said = "My number is [redacted].\\U0000202E";
    assert!(case.out.contains(said), "{case:?}");
    let component = built().join("input-guardrail.wasm");
    let ran = replay(&at("kept.sqlite"), &component, &["--json"]);
    assert_eq!(ran.json()["replayed"], 1, "{ran:?}");

    assert!(case.out.contains("outcome = "), "{case:?}");
    // The value is not expected of a call that a rule changed.
    let case = case_of(&["--hook", "output-guardrail", "--outcome", "transform"]);
    assert!(case.out.contains("outcome = \"transform\""), "{case:?}");
    let mut lines = case.out.lines();
    assert!(!lines.any(|line| line.starts_with("value") || line.starts_with("[expect.value")));

    // A rule that is none is found before anything runs.
    fs::write(
        at("agent.toml"),
        "[stores]\nrecord = true\nrecording.redact = ['(']\n",
    )
    .unwrap();
    let checked = run(&mut bare(&["check", "--agent", text(&at("agent.toml"))]));
    assert_ne!(checked.code, Some(0), "{checked:?}");
    assert!(
        format!("{}{}", checked.out, checked.err)
            .contains("the rule `(` is no regular expression: unclosed group"),
        "{checked:?}"
    );
}

/// The name of a hook, what it answered, and what the case of such a call has.
const ANSWERED: [(&str, &str, &str); 8] = [
    ("path-jail", "transform", "value = "),
    ("output-guardrail", "transform", "[REDACTED:email]"),
    ("compaction-hints", "transform", "[expect.value]"),
    ("canned-answer", "answer", "[[expect.value]]"),
    ("canned-answer", "replace", "[[expect.value]]"),
    ("provider-fallback", "replace", "retry = "),
    ("human-approval", "ask", "[expect.ask]"),
    (
        "memory-tools",
        "contribute",
        "# The recording does not have `contributed`",
    ),
];

#[test]
fn a_case_expects_what_the_recording_has_of_the_result() {
    let dir = tempfile::tempdir().unwrap();
    let store = dir.path().join("demo.sqlite");
    recorded(&store);
    let url = format!("sqlite:{}", text(&store));
    for (hook, outcome, expected) in ANSWERED {
        let listed = run(&mut bare(&[
            "runs",
            "--store",
            &url,
            "--hook",
            hook,
            "--outcome",
            outcome,
            "--json",
        ]))
        .json();
        let id = format!("{}.{}", listed[0]["host"], listed[0]["id"]);
        let cases = dir.path().join(format!("{hook}-{outcome}"));
        let case = cases.join("recorded.toml");
        let wrote = run(&mut bare(&[
            "case",
            "from",
            &id,
            "--store",
            &url,
            "--out",
            text(&case),
        ]));
        assert_eq!(wrote.code, Some(0), "{wrote:?}");
        let written = fs::read_to_string(&case).unwrap();
        assert!(written.contains(expected), "{hook} {outcome}: {written}");
        let component = built().join(format!("{hook}.wasm"));
        let test = || {
            run(&mut portcullis(&[
                "test",
                "--component",
                text(&component),
                "--cases",
                text(&cases),
                "--update",
            ]))
        };
        let tested = test();
        assert_eq!(tested.code, Some(0), "{hook} {outcome}: {tested:?}");
        assert_eq!(fs::read_to_string(&case).unwrap(), written, "{tested:?}");
        // What is missing is added as the comment says.
        if written.contains("`contributed = ") {
            let named = written.replace("[expect]\n", "[expect]\ncontributed = \"\"\n");
            fs::write(&case, named).unwrap();
            let tested = test();
            assert_eq!(tested.code, Some(0), "{hook} {outcome}: {tested:?}");
            let updated = fs::read_to_string(&case).unwrap();
            assert!(
                updated.contains("expect.contributed.tools"),
                "{hook} {outcome}: {updated}"
            );
        }
    }
}

#[test]
fn what_is_not_recorded_is_an_error_with_a_fix() {
    let dir = tempfile::tempdir().unwrap();
    let store = dir.path().join("demo.sqlite");
    recorded(&store);
    let other = built().join("untrusted-content.wasm");
    let ran = replay(&store, &other, &[]);
    assert_ne!(ran.code, Some(0), "{ran:?}");
    assert!(ran.err.contains("--record"), "{}", ran.err);
    let url = format!("sqlite:{}", text(&store));
    let ran = run(&mut bare(&["case", "from", "9.9", "--store", &url]));
    assert!(ran.err.contains("`portcullis runs` lists"), "{}", ran.err);
    // What is listed names a run of which a case can be made.
    let listed = run(&mut bare(&["runs", "--store", &url, "--limit", "1000"]));
    let (_, named) = listed.out.split_once("such as ").expect("a run");
    let ran = run(&mut bare(&["case", "from", named.trim(), "--store", &url]));
    assert_eq!(ran.code, Some(0), "{ran:?}");
}

#[test]
fn the_calls_of_one_hook_are_made_by_another() {
    let dir = tempfile::tempdir().unwrap();
    let store = dir.path().join("demo.sqlite");
    recorded(&store);
    // The file's name means nothing.
    let component = dir.path().join("new.wasm");
    fs::copy(built().join("input-guardrail.wasm"), &component).unwrap();
    let ran = replay(&store, &component, &["--json"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    // Nor does the id: another hook serves the same point, and answers otherwise.
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
    fs::write(&config, "denied = []\n").unwrap();
    let ran = replay(&store, &guard, &with_config);
    assert!(ran.err.contains("the given `config.denied`"), "{}", ran.err);
}

#[test]
fn a_wrong_hook_or_session_is_answered_with_the_nearest() {
    let dir = tempfile::tempdir().unwrap();
    let store = dir.path().join("demo.sqlite");
    recorded(&store);
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

/// A turn that reads four files.
const READS: &str = r#"{ "model": "large-1", "responses": [
    { "tool_calls": [{ "name": "read_file", "arguments": { "path": "notes.md" } }] },
    { "tool_calls": [{ "name": "read_file", "arguments": { "path": ".env" } }] },
    { "tool_calls": [{ "name": "read_file", "arguments": { "path": "../%77ork/notes.md" } }] },
    { "tool_calls": [{ "name": "read_file", "arguments": { "path": "/etc/hosts" } }] },
    { "text": "Read." }
] }"#;

#[test]
fn another_hook_lists_exactly_the_calls_that_it_decides_otherwise() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    fs::write(at("script.json"), READS).unwrap();
    // The third path names this directory with an escape, which only the other hook resolves.
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
    // Fuel is no difference here: the guard has more to do.
    let as_jail = ["--id", "path-jail", "--fuel-percent", "1000000"];
    let ran = replay(&store, &guard, &[&as_jail[..], &["--json"]].concat());
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
        // Both refuse it, for reasons with other codes.
        json!([4, "changed", "reject", "reject"]),
    ];
    assert_eq!(listed, expected, "{report:#}");
    assert_eq!(before.len(), 2);
    for run in &before {
        assert!(differences.iter().any(|it| it["run"] == run.as_str()));
    }

    let shown = replay(&store, &guard, &as_jail);
    assert_eq!(shown.code, Some(1), "{shown:?}");
    for difference in &differences[..2] {
        let kind = difference["kind"].as_str().unwrap().replace('-', " ");
        let named = format!("{kind} {} session", difference["run"].as_str().unwrap());
        assert!(shown.out.contains(&named), "{named}: {}", shown.out);
    }

    // Without an allowance, the call with the same answer is listed for its fuel.
    let as_jail = ["--id", "path-jail", "--fuel-percent", "0", "--json"];
    let report = replay(&store, &guard, &as_jail).json();
    assert_eq!(report["more-fuel"], 4, "{report:#}");
    let first = &report["differences"][0];
    assert_eq!(
        (&first["step"], &first["kind"]),
        (&json!(1), &json!("same"))
    );
    assert_eq!(first["more-fuel"], true, "{report:#}");
}

/// A turn whose tool call a policy server and a model are asked about: the second response is for the judge.
const JUDGED: &str = r#"{ "responses": [
    { "tool_calls": [{ "id": "c-1", "name": "list_dir", "arguments": { "path": "." } }] },
    { "text": "allow" },
    { "text": "Done." }
] }"#;

#[test]
fn a_request_and_a_prompt_are_answered_by_the_recording() {
    let server = Loopback::new(|_| (200, json!({ "result": { "allow": true } })));
    let url = &server.url;
    let hooks = directory(
        &["policy-server", "llm-judge"],
        &format!(
            "[hooks.policy-server]\ngrants.http = [\"POST {url}\"]\nlimits.wall-ms = 30000\nconfig.url = \"{url}\"\n\
             [hooks.llm-judge]\ngrants.model = {{ tokens = 8000 }}\nlimits.wall-ms = 30000\n\
             config.tools = [\"list_dir\"]\nconfig.rules = \"Nothing is deleted.\"\n"
        ),
    );
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    fs::write(at("script.json"), JUDGED).unwrap();
    fs::write(
        at("agent.toml"),
        "[stores]\nurl = \"sqlite:kept.sqlite\"\nrecord = true\n[tools]\nbuilt-in = [\"list_dir\"]\n\
         [[providers]]\nkind = \"scripted\"\nscript = \"script.json\"\n",
    )
    .unwrap();
    let agent = at("agent.toml");
    let mut chat = portcullis(&["run", "--agent", text(&agent), "List."]);
    let ran = run(chat.args(["--hooks", text(hooks.path())]));
    assert_eq!(
        (ran.code, ran.out.as_str()),
        (Some(0), "Done.\n"),
        "{ran:?}"
    );
    assert_eq!(server.asked().len(), 1);
    for hook in ["policy-server", "llm-judge"] {
        let component = built().join(format!("{hook}.wasm"));
        let ran = replay(&at("kept.sqlite"), &component, &["--json"]);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        let report = ran.json();
        assert_eq!(report["identical"], 1, "{report:#}");
        assert_eq!(report["calls"], 1, "{report:#}");
    }
    // The server is there, and would have answered.
    assert_eq!(server.asked().len(), 1);
}

#[test]
fn the_files_of_granted_directories_are_kept_if_the_settings_say_so() {
    let settings = "[hooks.filer.grants]\nread = [\"rules\"]\n";
    let component = built().with_file_name("test-hooks").join("filer.wasm");
    for (keeps, code, key) in [(false, 1, "not-replayed"), (true, 0, "identical")] {
        let hooks = directory(&[], settings);
        fs::copy(&component, hooks.path().join("filer.wasm")).unwrap();
        fs::create_dir(hooks.path().join("rules")).unwrap();
        fs::write(hooks.path().join("rules/words.txt"), "frobnicate").unwrap();
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        fs::write(at("script.json"), HELLO).unwrap();
        let agent = format!(
            "[stores]\nurl = \"sqlite:kept.sqlite\"\nrecord = true\nrecording.directories = {keeps}\n\
             [[providers]]\nkind = \"scripted\"\nscript = \"script.json\"\n"
        );
        fs::write(at("agent.toml"), agent).unwrap();
        let agent = at("agent.toml");
        let mut chat = portcullis(&["run", "--agent", text(&agent), "read rules/words.txt"]);
        let ran = run(chat.args(["--hooks", text(hooks.path())]));
        assert_eq!(ran.code, Some(0), "{ran:?}");
        drop(hooks);
        let ran = replay(&at("kept.sqlite"), &component, &["--json"]);
        assert_eq!(ran.code, Some(code), "{ran:?}");
        let report = ran.json();
        match keeps {
            true => assert_eq!(report[key], report["calls"], "{report:#}"),
            false => assert!(report[key].to_string().contains("`directories = true`")),
        }
    }
}
