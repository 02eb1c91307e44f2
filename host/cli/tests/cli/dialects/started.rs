//! Sessions and sub-agents whose start was not decided. Agents continue without a decision.

use std::fs;

use serde_json::{Value, json};

use super::daemon::by;
use super::{Place, prompt, tool_call};
use crate::support::{Ran, run, run_with_input, text};

const COMMAND: &str = env!("CARGO_BIN_EXE_portcullis");
const CLIENT: &str = env!("CARGO_BIN_EXE_portcullis-client");

fn hook(place: &Place, program: &str, more: &[&str], event: &Value) -> Ran {
    let hooks = text(place.hooks.path());
    let arguments = [&["hook", "--dialect", "claude", "--hooks", hooks][..], more].concat();
    let mut command = by(program, &place.command(&arguments));
    run_with_input(&mut command, &event.to_string())
}

fn session_start() -> Value {
    json!({
        "session_id": "s", "cwd": "/work", "hook_event_name": "SessionStart", "source": "startup",
    })
}

/// Answers an event while the settings are half written.
fn with_half_of_the_settings(place: &Place, program: &str, event: &Value) -> Ran {
    let settings = place.hooks.path().join("hooks.toml");
    let whole = fs::read(&settings).expect("the settings");
    fs::write(&settings, "[hooks").expect("the settings");
    let ran = hook(place, program, &[], event);
    fs::write(&settings, whole).expect("the settings");
    ran
}

/// Answers an event while there is no hooks directory.
fn without_the_directory(place: &Place, program: &str, event: &Value) -> Ran {
    let away = place.state().join("away");
    fs::rename(place.hooks.path(), &away).expect("the directory");
    let ran = hook(place, program, &[], event);
    fs::rename(&away, place.hooks.path()).expect("the directory");
    ran
}

#[track_caller]
fn is_blocked(ran: &Ran, why: &str) {
    assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{ran:?}");
    assert!(ran.err.contains(why), "{ran:?}");
}

#[track_caller]
fn is_refused(ran: &Ran) {
    let specific = &ran.json()["hookSpecificOutput"];
    assert_eq!(specific["permissionDecision"], "deny", "{ran:?}");
    let reason = specific["permissionDecisionReason"].as_str();
    let reason = reason.unwrap_or_default();
    assert!(
        reason.contains("refused at its start") && reason.contains("`portcullis hooks check`"),
        "{reason}"
    );
}

#[track_caller]
fn is_passed(ran: &Ran) {
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), ""), "{ran:?}");
}

#[test]
fn a_session_whose_hooks_did_not_load_at_its_start_is_refused() {
    let place = Place::new("");
    let start = session_start();
    for program in [COMMAND, CLIENT] {
        let hook = |event: &Value| hook(&place, program, &[], event);
        let check = |ran: &Ran| {
            is_blocked(ran, "do not load");
            is_refused(&hook(&tool_call("ls")));
            assert_eq!(hook(&prompt("hello")).json()["decision"], "block");
            // The next start is decided.
            is_passed(&hook(&start));
            is_passed(&hook(&tool_call("ls")));
        };
        check(&with_half_of_the_settings(&place, program, &start));
        check(&without_the_directory(&place, program, &start));
    }
}

#[test]
fn a_session_whose_start_is_too_late_is_refused() {
    let place = Place::new("");
    is_passed(&hook(&place, COMMAND, &[], &prompt("hello")));
    let ran = hook(&place, COMMAND, &["--until", "1"], &session_start());
    is_blocked(&ran, "nothing was decided within 50 s");
    is_refused(&hook(&place, COMMAND, &[], &tool_call("ls")));
}

#[test]
fn a_sub_agent_whose_hooks_did_not_load_at_its_start_is_refused() {
    let place = Place::new("");
    let start = json!({
        "session_id": "s", "cwd": "/work", "hook_event_name": "SubagentStart",
        "agent_id": "a1", "agent_type": "Explore",
    });
    let mut call = tool_call("ls");
    call["agent_id"] = "a1".into();
    let hook = |event: &Value| hook(&place, COMMAND, &[], event);
    is_passed(&hook(&session_start()));
    let ran = with_half_of_the_settings(&place, COMMAND, &start);
    is_blocked(&ran, "do not load");
    is_refused(&hook(&call));
    // Nothing else is refused.
    is_passed(&hook(&tool_call("ls")));
    is_passed(&hook(&start));
    is_passed(&hook(&call));
}

#[test]
fn the_journal_has_the_hooks_of_a_session_whose_start_is_decided_later() {
    let place = Place::new("");
    let start = session_start();
    let ran = with_half_of_the_settings(&place, COMMAND, &start);
    is_blocked(&ran, "do not load");
    for event in [start, prompt("hello")] {
        is_passed(&hook(&place, COMMAND, &[], &event));
    }
    let explained = run(&mut place.bare(&["explain", "s", "--json"])).json();
    assert_eq!(explained["hooks"][0]["hook"], "probe", "{explained:#}");
}
