//! The host calls of hooks: `run --trace`, the journal, and `audit`.

use std::process::Command;

use serde_json::Value;

use super::scene::Scene;
use crate::support::{Ran, run, text};

const SECRET: &str = "a-real-key-4711";

/// Returns an agent whose hook gives a secret to a tool. The hook was granted more than it uses.
fn scene() -> Scene {
    let call = "{ tool_calls = [{ name = \"weather\", arguments = { place = \"Oslo\" } }] }";
    let tools = "[client-tools.weather]\ndescription = \"Says the weather.\"\n";
    let settings = "[secrets]\nWEATHER_KEY = { env = \"REACHED_KEY\" }\nOTHER_KEY = { env = \"REACHED_OTHER\" }\n\
                    [hooks.key-giver.grants]\nsecrets = [\"WEATHER_KEY\", \"OTHER_KEY\"]\n\
                    shared-state = [\"common\"]\n";
    Scene::scripted(call, tools).hook("book-hooks/key-giver.wasm", settings)
}

fn with_secrets(command: &mut Command) -> Ran {
    run(command
        .env("REACHED_KEY", SECRET)
        .env("REACHED_OTHER", "another-real-key"))
}

fn weather(scene: &Scene, more: &[&str]) -> Ran {
    let store = format!("sqlite:{}", text(&scene.path("store.sqlite")));
    let mut command = scene.command(&["run", "--store", &store]);
    with_secrets(command.args(more).arg("Weather?"))
}

/// Returns the run of the hook among the lines of JSON.
fn hook_run(ran: &Ran) -> Value {
    let lines = ran.lines();
    let found = lines.iter().find(|line| line["hook"] == "key-giver");
    found.unwrap_or_else(|| panic!("{ran:?}")).clone()
}

#[test]
fn a_trace_has_the_calls_of_each_run_and_no_secrets() {
    let scene = scene();
    let shown = weather(&scene, &["--trace"]).err;
    // The client is given the whole call.
    let trace: Vec<&str> = shown
        .lines()
        .filter(|line| !line.contains("weather {"))
        .collect();
    let trace = trace.join("\n");
    assert!(!trace.contains(SECRET), "{trace}");
    for part in [
        "secrets.get(\"WEATHER_KEY\") → \"[secret WEATHER_K",
        "tool-data.",
        "pre-tool-call-answer.",
        "+ key: \"[secret WEATHER_KEY]\"",
    ] {
        assert!(trace.contains(part), "no {part} in:\n{trace}");
    }
    let traced = hook_run(&weather(&scene, &["--trace", "--json"]));
    assert!(!traced.to_string().contains(SECRET), "{traced}");
    let calls = traced["calls"].as_array().unwrap();
    assert!(
        calls.iter().any(|call| call["function"] == "get"),
        "{traced}"
    );
    assert!(calls.iter().all(|call| call["fuel"].is_u64()), "{traced}");
    let untraced = hook_run(&weather(&scene, &["--json"]));
    assert!(untraced.get("calls").is_none(), "{untraced}");
}

#[test]
fn the_journal_has_what_a_run_used_and_audit_names_what_none_did() {
    let scene = scene();
    weather(&scene, &[]);
    let store = format!("sqlite:{}", text(&scene.path("store.sqlite")));
    let journal = |more: &[&str]| {
        let mut command = scene.uncached(&["runs", "--hook", "key-giver", "--store", &store]);
        run(command.args(more))
    };
    let runs = journal(&["--json"]).json();
    let used = serde_json::json!(["secrets = \"WEATHER_KEY\""]);
    assert_eq!(runs[0]["used"], used, "{runs}");
    let shown = journal(&[]).out;
    assert!(shown.contains("used secrets = \"WEATHER_KEY\""), "{shown}");

    let (found, _) = audit(&scene);
    for (grant, is_unused) in [
        ("secrets = \"OTHER_KEY\"", true),
        ("shared-state = \"common\"", true),
        ("WEATHER_KEY", false),
    ] {
        assert_eq!(found.contains(grant), is_unused, "{grant} {found}");
    }
    // Another secret is used, and the namespace is not imported, so the hook loads without both.
    let unused = found.lines().find(|line| line.contains("OTHER_KEY"));
    let unused = unused.unwrap();
    for part in ["shared-state", "take it out"] {
        assert!(unused.contains(part), "no {part} in {found}");
    }
}

/// Returns the findings of an audit, and its notes.
fn audit(scene: &Scene) -> (String, String) {
    let store = format!("sqlite:{}", text(&scene.path("store.sqlite")));
    let command = |arguments: &[&str]| with_secrets(&mut scene.command(arguments));
    let locked = command(&["hooks", "lock", "--hooks", "hooks"]);
    assert_eq!(locked.code, Some(0), "{locked:?}");
    let audit = [
        "audit",
        "--offline",
        "--json",
        "--hooks",
        "hooks",
        "--store",
    ];
    let audited = command(&[&audit[..], &[&store]].concat());
    let found = audited.json();
    let messages = found.as_array().unwrap().iter();
    let messages: Vec<&str> = messages.filter_map(|one| one["message"].as_str()).collect();
    (messages.join("\n"), audited.err)
}

#[test]
fn contributions_and_changes_of_the_agents_state_are_among_what_was_used() {
    let done = || Scene::scripted("{ text = \"Done.\" }", "");
    let granted =
        "[hooks.editor.grants]\nevents = true\nagent-state-edit = [\"plan\", \"risk/*\"]\n";
    for (scene, message, used, unused, advice, not_kept) in [
        (
            done().probe("post-turn = \"contribute note seen\""),
            "Hello",
            "contribute = \"note\"",
            "contribute = \"job\"",
            "keep the grant",
            &["events", "state"][..],
        ),
        (
            done().hook("test-hooks/editor.wasm", granted),
            "set plan 1",
            "agent-state-edit = \"plan\"",
            "agent-state-edit = \"risk/*\"",
            "take it out",
            &["events"],
        ),
    ] {
        let store = format!("sqlite:{}", text(&scene.path("store.sqlite")));
        let ran = scene.run(&["--store", &store, message]);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        let runs = run(&mut scene.uncached(&["runs", "--json", "--store", &store])).json();
        let mut grants = runs.as_array().unwrap().iter();
        let is_there = grants.any(|run| run["used"] == serde_json::json!([used]));
        assert!(is_there, "no {used} in {runs}");
        let (found, notes) = audit(&scene);
        let unused_line = found.lines().find(|line| line.contains(unused));
        let unused_line = unused_line.unwrap_or_else(|| panic!("no {unused} in {found}"));
        assert!(unused_line.contains(advice), "{found}");
        assert!(!found.contains(used), "{used} in {found}");
        for grant in ["events", "state", "views"] {
            let is_noted = notes.contains(&format!("use their grant `{grant}`: "));
            assert_eq!(is_noted, not_kept.contains(&grant), "{grant} in {notes}");
        }
    }
}
