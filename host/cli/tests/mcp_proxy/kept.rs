//! The proxy's data in a store.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

use super::peers::{call, hooks_of, text};
use super::running::Running;

const SETTINGS: &str = r#"
[hooks.probe.grants]
state = true
events = true
contribute = ["policy", "context", "section", "tools", "note", "job"]
[hooks.probe.config]
post-tool-call = "remember"
"#;

#[test]
fn a_named_session_is_continued_and_every_run_is_in_the_journal() {
    let dir = hooks_of("probe", SETTINGS);
    let place = tempfile::tempdir().expect("a directory");
    let store = format!("sqlite:{}", place.path().join("store.sqlite").display());
    let named = ["--store", &store, "--session", "mine"];
    let unnamed = ["--store", &store];
    for (options, times) in [
        (&named[..], "1"),
        (&named[..], "2"),
        (&unnamed[..], "1"),
        (&unnamed[..], "1"),
        (&["--no-store"][..], "1"),
        (&named[..], "3"),
    ] {
        assert_eq!(text(&call(dir.path(), options)), times, "{options:?}");
    }
    let journal = Command::new(env!("CARGO_BIN_EXE_portcullis"))
        .args([
            "runs",
            "--json",
            "--point",
            "post-tool-call",
            "--store",
            &store,
        ])
        .output()
        .expect("the command runs");
    let runs = String::from_utf8(journal.stdout).expect("text");
    assert_eq!(runs.matches("\"probe\"").count(), 5, "{runs}");
}

#[test]
fn a_session_is_explained_with_what_became_of_its_calls() {
    for (does, ran, why) in [
        ("continue", true, Value::Null),
        ("reject no", false, "hook-refused".into()),
        ("panic", false, "hook-failed".into()),
        ("answer done", false, "hook-answered".into()),
    ] {
        let settings = SETTINGS.replace("post-tool-call = \"remember\"", "");
        let settings = format!("{settings}pre-tool-call = \"{does}\"\n");
        let dir = hooks_of("probe", &settings);
        let place = tempfile::tempdir().expect("a directory");
        let store = format!("sqlite:{}", place.path().join("store.sqlite").display());
        call(dir.path(), &["--store", &store, "--session", "mine"]);
        let explained = portcullis(&["explain", "mine", "--json", "--store", &store]);
        let explained: Value = serde_json::from_slice(&explained.stdout).expect("JSON");
        let turns = explained["turns"].as_array().expect("turns").iter();
        let steps = turns.flat_map(|turn| turn["steps"].as_array().expect("steps"));
        let mut items = steps.flat_map(|step| step["items"].as_array().expect("items"));
        let tool = items.find(|item| item["kind"] == "tool");
        let tool = tool.unwrap_or_else(|| panic!("{explained:#}"));
        assert_eq!(
            (&tool["ran"], &tool["not-run"]),
            (&ran.into(), &why),
            "{does}"
        );
        assert_eq!(tool["unknown"], false, "{tool:#}");
        assert!(tool["name"].is_string(), "{tool:#}");
    }
}

#[test]
fn a_call_of_another_connection_is_another_call_although_its_id_is_the_same() {
    let dir = hooks_of("probe", SETTINGS);
    let place = tempfile::tempdir().expect("a directory");
    let store = format!("sqlite:{}", place.path().join("store.sqlite").display());
    let named = ["--store", &store, "--session", "mine"];
    call(dir.path(), &named);
    let settings = SETTINGS.to_owned() + "pre-tool-call = \"reject no\"\n";
    let refusing = hooks_of("probe", &settings);
    call(refusing.path(), &named);
    let explained = portcullis(&["explain", "mine", "--json", "--store", &store]);
    let explained: Value = serde_json::from_slice(&explained.stdout).expect("JSON");
    let turns = explained["turns"].as_array().expect("turns").iter();
    let steps = turns.flat_map(|turn| turn["steps"].as_array().expect("steps"));
    let items = steps.flat_map(|step| step["items"].as_array().expect("items"));
    let ran: Vec<_> = items
        .filter(|item| item["kind"] == "tool")
        .map(|tool| tool["ran"].as_bool())
        .collect();
    assert_eq!(ran, [Some(true), Some(false)], "{explained:#}");
}

/// The store accepts no state for a released session, so that no other process loses its writes.
#[test]
fn a_result_whose_state_cannot_be_kept_is_not_given() {
    for answered in ["", "pre-tool-call = \"answer done\"\n"] {
        let dir = hooks_of("probe", &format!("{SETTINGS}{answered}"));
        let place = tempfile::tempdir().expect("a directory");
        let store = format!("sqlite:{}", place.path().join("store.sqlite").display());
        let mut proxy = Running::start(dir.path(), &["--store", &store, "--session", "mine"]);
        let kept = proxy.call(1);
        assert_eq!((kept.len(), text(&kept[0])), (1, "1"), "{kept:?}");
        let released = Command::new(env!("CARGO_BIN_EXE_portcullis"))
            .args(["sessions", "release", "mine", "--store", &store])
            .output()
            .expect("the command runs");
        assert!(released.status.success(), "{released:?}");
        let came = proxy.call(2);
        assert_eq!(came.len(), 1, "{came:?}");
        assert_eq!(came[0]["id"], 2, "{came:?}");
        let error = came[0]["error"]["message"].as_str().unwrap_or_default();
        assert!(error.contains("cannot be kept"), "{came:?}");
        proxy.end();
    }
}

fn portcullis(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_portcullis"))
        .args(arguments)
        .output()
        .expect("the command runs")
}

fn replay(hooks: &Path, store: &str) -> Output {
    let component = hooks.join("probe.wasm");
    let component = component.to_str().expect("text");
    let cache = concat!(env!("CARGO_TARGET_TMPDIR"), "/compiled");
    let words = ["replay", "--hook", component, "--store", store, "--json"];
    portcullis(&[&words[..], &["--cache-dir", cache]].concat())
}

#[test]
fn calls_are_recorded_with_the_option_or_by_the_settings() {
    let recording = "[recording]\nkeep-days = 30\n".to_owned() + SETTINGS;
    for (settings, more, calls) in [
        (SETTINGS, &[][..], None),
        (SETTINGS, &["--record"], Some(1)),
        (&recording, &[], Some(1)),
    ] {
        let dir = hooks_of("probe", settings);
        let place = tempfile::tempdir().expect("a directory");
        let store = format!("sqlite:{}", place.path().join("store.sqlite").display());
        call(dir.path(), &[more, &["--store", &store]].concat());
        let ran = replay(dir.path(), &store);
        let Some(calls) = calls else {
            let why = String::from_utf8_lossy(&ran.stderr);
            assert!(why.contains("--record"), "{ran:?}");
            continue;
        };
        assert!(ran.status.success(), "{ran:?}");
        let report: Value = serde_json::from_slice(&ran.stdout).expect("JSON");
        assert!(report["calls"].as_u64() >= Some(calls), "{report:#}");
        assert_eq!(report["identical"], report["calls"], "{report:#}");
    }
}

#[test]
fn a_guard_that_did_not_run_is_told_to_a_command() {
    let settings = "[hooks.probe]\nfailure = \"fail-open\"\n[hooks.probe.grants]\nstate = true\nevents = true\n\
        contribute = [\"policy\", \"context\", \"section\", \"tools\", \"note\", \"job\"]\n\
        [hooks.probe.config]\npre-tool-call = \"panic\"\n";
    let dir = hooks_of("probe", settings);
    let place = tempfile::tempdir().expect("a directory");
    let told = place.path().join("told");
    let alerts = place.path().join("alerts.toml");
    let text = format!(
        "[[alerts]]\nname = \"guards\"\nwhen = \"not-run\"\ncommand = [\"sh\", \"-c\", \"cat >> {}\"]\n",
        told.display()
    );
    std::fs::write(&alerts, text).expect("the alerts");
    let alerts = alerts.to_str().expect("text");
    // The proxy waits for its deliveries at its end.
    call(dir.path(), &["--no-store", "--alerts", alerts]);
    let told = std::fs::read_to_string(told).expect("somebody was told");
    let alert: Value = serde_json::from_str(told.trim()).expect("one line of JSON");
    assert_eq!(alert["alert"], "guards", "{alert:#}");
    assert_eq!(alert["causes"]["trap"], 1, "{alert:#}");
}
