//! A question is answered by another process than the one that asks.

use serde_json::{Value, json};

use super::live::Live;
use super::scene::{Scene, first};
use crate::support::{Ran, run, run_with_input};

pub const DEFERRED: &str = "approvals = \"defer\"\n[stores]\nurl = \"sqlite:waiting.sqlite\"\n[tools]\n\
                            built-in = [\"write_file\", \"run_command\"]\n\n[[providers]]\n\
                            kind = \"scripted\"\nscript = \"script.json\"\n";
pub const WRITES: &str = r#"{ "responses": [
    { "tool_calls": [{ "id": "c-1", "name": "write_file", "arguments": { "path": "a", "content": "b" } }] },
    { "text": "Continued." }
] }"#;
pub const RESUMED: &str = r#"{ "responses": [{ "text": "Resumed." }] }"#;

/// Returns an agent whose model wants to write a file, about which a hook asks.
pub fn asks() -> Scene {
    let scene = Scene::new(DEFERRED).probe("pre-tool-call = \"ask May it?\"");
    scene.write("script.json", WRITES);
    scene
}

/// Suspends a turn in a process that ends. Returns the scene and the turn's id.
pub fn suspended() -> (Scene, String) {
    let scene = asks();
    let id = suspend(&scene, "Write.");
    scene.write("script.json", RESUMED);
    (scene, id)
}

/// Suspends a turn. Returns its id.
pub fn suspend(scene: &Scene, message: &str) -> String {
    let ran = scene.run(&["--json", message]);
    assert_eq!(ran.code, Some(3), "{ran:?}");
    let lines = ran.lines();
    let suspension = first(&lines, "turn-suspended");
    suspension["checkpoint"].as_str().unwrap().to_owned()
}

pub fn approvals(scene: &Scene, arguments: &[&str]) -> Ran {
    run(&mut scene.uncached(&[&["approvals"], arguments].concat()))
}

fn resume(scene: &Scene, arguments: &[&str]) -> Ran {
    run(&mut scene.command(&[&["resume"], arguments].concat()))
}

#[test]
fn one_process_suspends_a_turn_a_second_approves_it_and_a_third_finishes_it() {
    let (scene, id) = suspended();
    assert!(!scene.path("a").exists());
    let early = resume(&scene, &[&id]);
    assert_eq!(early.code, Some(3), "{early:?}");
    assert!(early.err.contains("nothing is answered yet"), "{early:?}");
    let shown: Value = approvals(&scene, &["show", &id, "--json"]).json();
    let session = shown["session"].as_str().unwrap();
    let explain = || run(&mut scene.uncached(&["explain", session])).out;
    let waiting = explain();
    for said in [
        "tool write_file",
        "it waits for an answer",
        "suspended until a person answers",
    ] {
        assert!(waiting.contains(said), "no `{said}`: {waiting}");
    }

    let approved = approvals(&scene, &["approve", &id, "--yes", "--person", "ann"]);
    assert_eq!(approved.code, Some(0), "{approved:?}");
    assert!(approved.out.contains("c-1 approved"), "{approved:?}");
    assert!(!scene.path("a").exists(), "an answer runs nothing");
    let answered = explain();
    for said in [
        "ann, on the command line, approved: call c-1",
        "it is answered, and waits until the turn is continued",
    ] {
        assert!(answered.contains(said), "no `{said}`: {answered}");
    }

    let ran = resume(&scene, &[&id]);
    assert_eq!(
        (ran.code, ran.out.as_str()),
        (Some(0), "Resumed.\n"),
        "{ran:?}"
    );
    assert!(scene.path("a").exists());
    let resumed = explain();
    assert_eq!(resumed.matches("tool write_file").count(), 1, "{resumed}");
    assert!(!resumed.contains("not run yet"), "{resumed}");
    let again = resume(&scene, &[&id]);
    assert_eq!(again.code, Some(1), "it is resumed once");
    let resumed = "it was resumed or discarded";
    assert!(again.err.contains(resumed), "{again:?}");
}

#[test]
fn the_person_is_not_taken_from_the_environment() {
    let (scene, id) = suspended();
    let shown: Value = approvals(&scene, &["show", &id, "--json"]).json();
    let nobody = approvals(&scene, &["approve", &id, "--yes", "--person", ""]);
    assert_eq!(nobody.code, Some(2), "{nobody:?}");
    let mut approve = scene.uncached(&["approvals", "approve", &id, "--yes"]);
    let approved = run(approve.env("USER", "ceo").env("LOGNAME", "ceo"));
    assert_eq!(approved.code, Some(0), "{approved:?}");
    let session = shown["session"].as_str().unwrap();
    let explained = run(&mut scene.uncached(&["explain", session])).out;
    assert!(explained.contains("approved: call c-1"), "{explained}");
    assert!(!explained.contains("ceo"), "{explained}");
}

#[test]
fn the_store_of_suspended_turns_can_be_named() {
    let (scene, id) = suspended();
    let store = format!("sqlite:{}", scene.path("waiting.sqlite").display());
    let elsewhere = Scene::new("name = \"other\"\n");
    let listed: Value = approvals(&elsewhere, &["list", "--json", "--store", &store]).json();
    assert_eq!(listed[0]["id"], json!(id));
    let mut approve = elsewhere.uncached(&["approvals", "approve", &id, "--yes"]);
    let approved = run(approve.env("PORTCULLIS_STORE", &store));
    assert!(approved.out.contains("c-1 approved"), "{approved:?}");
    assert_eq!(resume(&scene, &[&id]).out, "Resumed.\n");
}

#[test]
fn the_process_that_waits_continues_the_turn_that_another_one_approves() {
    let scene = asks();
    let mut live = Live::run(&scene, &["--wait", "Write."]);
    let waits = live.wait("turn-waits");
    assert_eq!(waits["pending"][0]["call-id"], "c-1");
    let id = waits["checkpoint"].as_str().unwrap();
    assert!(!scene.path("a").exists());
    let approved = approvals(&scene, &["approve", id, "--yes"]);
    assert_eq!(approved.code, Some(0), "{approved:?}");
    assert_eq!(live.wait("turn-ended")["text"], "Continued.");
    assert_eq!(live.end(), Some(0));
    assert!(scene.path("a").exists());
}

#[test]
fn the_process_that_waits_ends_if_another_one_resumes_the_turn() {
    let scene = asks();
    let mut live = Live::run(&scene, &["--wait", "Write."]);
    let waits = live.wait("turn-waits");
    let id = waits["checkpoint"].as_str().unwrap();
    let discarded = approvals(&scene, &["discard", id]);
    assert_eq!(discarded.code, Some(0), "{discarded:?}");
    live.wait("turn-not-continued");
    assert_eq!(live.end(), Some(3));
}

#[test]
fn a_message_after_a_turn_that_waits_again_is_reported_as_not_sent() {
    for json in [false, true] {
        let (scene, id) = suspended();
        scene.write("script.json", WRITES);
        let approved = approvals(&scene, &["approve", &id, "--yes"]);
        assert_eq!(approved.code, Some(0), "{approved:?}");
        let arguments = [id.as_str(), "And now?", "--json"];
        let ran = resume(&scene, &arguments[..if json { 3 } else { 2 }]);
        assert_eq!(ran.code, Some(3), "{ran:?}");
        if json {
            let lines = ran.lines();
            assert_eq!(first(&lines, "input-not-sent")["text"], "And now?");
        } else {
            let said = "your message was not sent: the turn before it waits";
            assert!(ran.err.contains(said), "{ran:?}");
            assert!(ran.err.contains("And now?"), "{ran:?}");
        }
    }
}

#[test]
fn a_turn_is_not_resumed_as_another_user() {
    let scene = asks();
    let ran = scene.run(&["--user", "bob", "Write."]);
    assert_eq!(ran.code, Some(3), "{ran:?}");
    let listed: Value = approvals(&scene, &["list", "--json"]).json();
    let id = listed[0]["id"].as_str().unwrap();
    approvals(&scene, &["deny", id, "--reason", "no"]);
    scene.write("script.json", RESUMED);
    let refused = resume(&scene, &[id, "--user", "alice"]);
    assert_eq!(refused.code, Some(1), "{refused:?}");
    assert!(refused.err.contains("is of user `bob`"), "{refused:?}");
    let resumed = resume(&scene, &[id]);
    assert_eq!(resumed.out, "Resumed.\n", "{resumed:?}");
}

#[test]
fn a_denied_call_does_not_run() {
    let (scene, id) = suspended();
    let denied = approvals(&scene, &["deny", &id, "--reason", "not today"]);
    assert_eq!(denied.code, Some(0), "{denied:?}");
    let ran = resume(&scene, &["--json", &id]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.out.contains("not today"), "{}", ran.out);
    assert!(!scene.path("a").exists());
}

#[test]
fn edited_arguments_take_the_place_of_those_that_were_asked_about() {
    let (scene, id) = suspended();
    let edit = |value: &str| {
        let mut command = scene.uncached(&["approvals", "edit", &id, "c-1", "--value", "-"]);
        run_with_input(&mut command, value)
    };
    for bad in ["[]", "{", ""] {
        let refused = edit(bad);
        assert_eq!(refused.code, Some(1), "{bad}: {refused:?}");
        assert!(refused.err.contains("nothing was recorded"), "{refused:?}");
    }
    let shown: Value = approvals(&scene, &["show", &id, "--json"]).json();
    assert_eq!(shown["resolutions"], json!({}));
    let edited = edit(r#"{ "path": "other", "content": "c" }"#);
    assert_eq!(edited.code, Some(0), "{edited:?}");
    let ran = resume(&scene, &["--json", &id]);
    // The hook sees the new arguments, and asks about them in turn; it asked about the old ones only.
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(scene.path("other").exists() && !scene.path("a").exists());
}

#[test]
fn a_turn_is_shown_with_its_whole_value_and_its_answer() {
    let long = format!("{}EVIL{}", "x".repeat(9_000), "y".repeat(9_000));
    let scene = Scene::new(DEFERRED).probe("pre-tool-call = \"ask May it?\"");
    let arguments = json!({ "path": "a", "content": long });
    let call = json!({ "id": "c-1", "name": "write_file", "arguments": arguments });
    let script = json!({ "responses": [{ "tool_calls": [call] }] });
    scene.write("script.json", &script.to_string());
    let id = suspend(&scene, "Write.");
    let listed = approvals(&scene, &["list"]);
    assert!(listed.out.contains(&id), "{listed:?}");
    assert!(listed.out.contains("waits for answers"), "{listed:?}");
    let shown = approvals(&scene, &["show", &id]);
    assert!(shown.out.contains("May it? (probe asks)"), "{shown:?}");
    assert!(shown.out.contains("arguments of the call:"), "{shown:?}");
    let joined = shown.out.replace(['\n', ' '], "");
    assert!(joined.contains("xEVILy"), "{shown:?}");

    approvals(&scene, &["deny", &id, "--reason", "no"]);
    let late = approvals(&scene, &["approve", &id, "--yes"]);
    assert_eq!(late.code, Some(1), "{late:?}");
    let who = "was already answered by";
    assert!(
        late.err.contains(who) && late.err.contains("--replace"),
        "{late:?}"
    );
    let changed = approvals(&scene, &["approve", &id, "--yes", "--replace"]);
    assert!(changed.out.contains("it was denied: no"), "{changed:?}");
    let listed: Value = approvals(&scene, &["list", "--json"]).json();
    assert_eq!(listed[0]["state"], "answered");
    let answer = &listed[0]["resolutions"]["c-1"];
    assert_eq!(*answer, json!({ "decision": "approve" }));
}

#[test]
fn without_a_terminal_nothing_is_approved_without_yes() {
    let (scene, id) = suspended();
    let refused = approvals(&scene, &["approve", &id]);
    assert_eq!(refused.code, Some(1), "{refused:?}");
    assert!(refused.err.contains("--yes"), "{refused:?}");
    let unknown = approvals(&scene, &["approve", &id, "c-2", "--yes"]);
    assert!(unknown.err.contains("those that do: c-1"), "{unknown:?}");
    let shown: Value = approvals(&scene, &["show", &id, "--json"]).json();
    assert_eq!(shown["resolutions"], json!({}));
}

#[test]
fn what_a_turn_waits_for_is_shown_with_how_to_answer_it() {
    let scene = asks();
    let ran = scene.run(&["Write."]);
    assert_eq!(ran.code, Some(3), "{ran:?}");
    assert!(ran.err.contains("probe asks: May it?"), "{}", ran.err);
    assert!(
        ran.err.contains("portcullis approvals approve"),
        "{}",
        ran.err
    );
    assert!(ran.err.contains("portcullis resume"), "{}", ran.err);
}

#[test]
fn the_advice_has_the_options_without_which_the_turn_is_not_resumed() {
    let scene = Scene::new(
        "[stores]\nurl = \"sqlite:waiting.sqlite\"\n\n[[providers]]\nkind = \"scripted\"\n\
         script = \"script.json\"\n",
    )
    .probe("pre-tool-call = \"ask May it?\"");
    scene.write("script.json", WRITES);
    let ran = scene.run(&["--allow", "*_file", "--approvals", "defer", "Write."]);
    assert_eq!(ran.code, Some(3), "{ran:?}");
    let listed: Value = approvals(&scene, &["list", "--json"]).json();
    let id = listed[0]["id"].as_str().unwrap();
    let advice = ran
        .err
        .lines()
        .find(|line| line.contains("portcullis resume"));
    let advice = advice.unwrap_or_default();
    assert!(advice.contains(id), "{advice}");
    assert!(
        advice.contains("--approvals defer --allow '*_file'"),
        "{advice}"
    );

    let approved = approvals(&scene, &["approve", id, "--yes"]);
    assert!(approved.out.contains("with the options"), "{approved:?}");
    scene.write("script.json", RESUMED);
    let refused = resume(&scene, &[id]);
    assert_eq!(refused.code, Some(1), "{refused:?}");
    assert!(
        refused.err.contains("does not have its tool `write_file`"),
        "{refused:?}"
    );
    let resumed = resume(&scene, &[id, "--allow", "*_file"]);
    assert_eq!(resumed.out, "Resumed.\n", "{resumed:?}");
    assert!(scene.path("a").exists());
}

#[test]
fn questions_may_all_be_denied() {
    let scene = asks();
    let ran = scene.run(&["--approvals", "deny", "Write."]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(!scene.path("a").exists());
    assert!(
        !ran.err.contains("terminal"),
        "nobody is asked: {}",
        ran.err
    );
}

#[test]
fn the_questions_of_all_hooks_are_shown() {
    let settings = "[hooks.human-approval.config]\ntools = [\"write_*\"]\n\
                    [hooks.probe]\npriority = 1000\n[hooks.probe.grants]\nstate = true\nevents = true\n\
                    contribute = [\"policy\", \"context\", \"section\", \"tools\", \"note\", \"job\"]\n\
                    [hooks.probe.config]\npre-tool-call = \"ask Really?\"\n";
    let scene = asks().hook("hooks/human-approval.wasm", settings);
    let ran = scene.run(&["Write."]);
    assert_eq!(ran.code, Some(3), "{ran:?}");
    for question in [
        "human-approval asks: May the agent run",
        "probe asks: Really?",
    ] {
        assert!(ran.err.contains(question), "{}", ran.err);
    }
    let listed: Value = approvals(&scene, &["list", "--json"]).json();
    let wants = &listed[0]["pending"][0]["wants"]["decision"];
    assert_eq!(wants["hook"], "human-approval");
    assert_eq!(
        wants["then"],
        json!([{ "hook": "probe", "request": { "question": "Really?", "details": null } }])
    );
    let id = listed[0]["id"].as_str().unwrap();
    let shown = approvals(&scene, &["show", id]);
    for question in ["May the agent run", "Really?"] {
        assert!(shown.out.contains(question), "{}", shown.out);
    }
}

#[test]
fn a_program_drives_a_session_from_a_suspended_turn_on() {
    let (scene, id) = suspended();
    scene.write(
        "script.json",
        r#"{ "responses": [{ "text": "Resumed." }, { "text": "More." }] }"#,
    );
    let mut live = Live::of(scene.command(&["resume", "--json", &id]));
    let waits = live.wait("turn-waits");
    assert_eq!(waits["pending"][0]["call-id"], "c-1");
    live.request(json!({ "type": "approval", "id": "c-1", "decision": "approve" }));
    assert_eq!(live.wait("turn-ended")["text"], "Resumed.");
    assert!(scene.path("a").exists());
    live.request(json!({ "type": "input", "text": "And now?" }));
    assert_eq!(live.wait("turn-ended")["text"], "More.");
    live.request(json!({ "type": "end" }));
    assert_eq!(live.end(), Some(0));
}

#[test]
fn what_nobody_answers_in_time_is_answered_with_no_by_whoever_continues_the_turn() {
    let within = DEFERRED.replacen(
        "approvals",
        "durable = true\nanswer-within-s = 1\napprovals",
        1,
    );
    let scene = Scene::new(&within).probe("pre-tool-call = \"ask May it?\"");
    scene.write("script.json", WRITES);
    let mut ids = Vec::new();
    for session in ["one", "two", "three"] {
        let ran = scene.run(&["--json", "--session", session, "Write."]);
        assert_eq!(ran.code, Some(3), "{ran:?}");
        let lines = ran.lines();
        let id = first(&lines, "turn-suspended")["checkpoint"].as_str();
        ids.push(id.unwrap().to_owned());
    }
    let are_over = || {
        let listed: Value = approvals(&scene, &["list", "--json"]).json();
        listed
            .as_array()
            .unwrap()
            .iter()
            .all(|turn| turn["state"] == "over")
    };
    while !are_over() {
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    let late = approvals(&scene, &["approve", &ids[0], "--yes"]);
    assert_eq!(late.code, Some(1), "{late:?}");
    assert!(late.err.contains("stopped taking answers"), "{late:?}");

    scene.write("script.json", RESUMED);
    let continued = scene.run(&["--continue"]);
    assert_eq!(
        (continued.code, continued.out.as_str()),
        (Some(0), "Resumed.\n"),
        "{continued:?}"
    );
    let last = "continuing session three";
    assert!(continued.err.contains(last), "{continued:?}");
    let resumed = resume(&scene, &["--json", &ids[0]]);
    assert_eq!(resumed.code, Some(0), "{resumed:?}");
    assert!(
        resumed.out.contains("no answer came in time"),
        "{resumed:?}"
    );
    let explained = run(&mut scene.uncached(&["explain", "one"])).out;
    assert!(explained.contains("nobody answered"), "{explained}");
    let store = format!("sqlite:{}", scene.path("waiting.sqlite").display());
    let other = Scene::new(&within.replace("sqlite:waiting.sqlite", &store));
    other.write("script.json", RESUMED);
    let others = other.run(&["--finish"]);
    assert_eq!(
        (others.code, others.out.as_str()),
        (Some(0), ""),
        "{others:?}"
    );
    let finished = scene.run(&["--finish"]);
    assert_eq!(
        (finished.code, finished.out.as_str()),
        (Some(0), "Resumed.\n"),
        "{finished:?}"
    );
    assert_eq!(approvals(&scene, &["list", "--json"]).json(), json!([]));
    assert!(!scene.path("a").exists());
}

#[test]
fn a_process_that_waits_continues_the_turn_when_the_time_for_answers_is_over() {
    let within = DEFERRED.replacen("approvals", "answer-within-s = 1\napprovals", 1);
    let scene = Scene::new(&within).probe("pre-tool-call = \"ask May it?\"");
    scene.write("script.json", WRITES);
    let mut live = Live::run(&scene, &["--wait", "Write."]);
    live.wait("turn-waits");
    assert_eq!(live.wait("turn-ended")["text"], "Continued.");
    assert_eq!(live.end(), Some(0));
    assert!(!scene.path("a").exists());
}
