//! A program drives `portcullis run --json`.

use serde_json::json;

use super::live::{Live, gated, make_gate, open_gate};
use super::scene::Scene;

const FILE: &str = "[tools]\nbuilt-in = [\"write_file\", \"run_command\"]\n[[providers]]\nkind = \"scripted\"\n\
                    script = \"script.json\"\n[stores]\nurl = \"sqlite:waiting.sqlite\"\n\
                    [client-tools.pick_colour]\ndescription = \"Asks for a colour.\"\n";

fn scene(script: &str) -> Scene {
    let scene = Scene::new(FILE);
    scene.write("script.json", script);
    scene
}

fn write(id: &str, path: &str) -> String {
    format!(
        r#"{{ "tool_calls": [{{ "id": "{id}", "name": "write_file", "arguments": {{ "path": "{path}", "content": "b" }} }}] }},"#
    )
}

#[test]
fn inputs_are_turns_and_bad_lines_harm_nothing() {
    let scene = scene(r#"{ "responses": [{ "text": "One." }, { "text": "Two." }] }"#);
    let mut live = Live::run(&scene, &["--no-hooks"]);
    live.wait("session-started");
    for (line, why) in [
        ("Hello", "not a request"),
        ("{\"type\":\"shout\"}", "not a request"),
        ("{\"type\":\"cancel\"}", "no turn runs"),
        ("{\"type\":\"steer\",\"text\":\"a\"}", "no turn runs"),
        (
            "{\"type\":\"approval\",\"id\":\"x\",\"decision\":\"approve\"}",
            "no question `x`",
        ),
        (
            "{\"type\":\"tool-result\",\"call-id\":\"x\",\"content\":\"\"}",
            "no call `x`",
        ),
    ] {
        live.say(line);
        let told = live.wait("bad-request");
        assert!(
            told["error"].as_str().unwrap().contains(why),
            "{line}: {told}"
        );
    }
    assert_eq!(live.seen.last().unwrap()["line"], 6);
    live.request(json!({ "type": "input", "text": "First." }));
    live.request(json!({ "type": "input", "text": "Second." }));
    live.request(json!({ "type": "end" }));
    assert_eq!(live.wait("turn-ended")["text"], "One.");
    assert_eq!(live.wait("turn-ended")["text"], "Two.");
    assert_eq!(live.end(), Some(0));
    assert_eq!(live.names().last(), Some(&"session-ended"));
}

#[test]
fn a_request_to_a_turn_is_refused_while_the_session_opens() {
    let scene = scene(r#"{ "responses": [{ "expect_absent": "louder", "text": "Hello." }] }"#);
    let mut live = Live::run(&scene, &["--no-hooks"]);
    // The requests arrive before the session is open.
    live.request(json!({ "type": "cancel" }));
    live.request(json!({ "type": "steer", "text": "Speak louder." }));
    for line in 1..=2 {
        let told = live.wait("bad-request");
        assert_eq!(told["line"], line);
        assert!(told["error"].as_str().unwrap().contains("no turn runs"));
    }
    live.request(json!({ "type": "input", "text": "Hi." }));
    assert_eq!(live.wait("turn-ended")["text"], "Hello.");
    live.request(json!({ "type": "end" }));
    assert_eq!(live.end(), Some(0));
}

#[test]
fn a_turn_that_suspends_after_an_end_is_not_waited_for() {
    let script = format!(
        r#"{{ "responses": [{} {{ "text": "Done." }}] }}"#,
        write("c-1", "a")
    );
    let scene = scene(&script).probe("pre-tool-call = \"ask May it?\"");
    let mut live = Live::run(&scene, &[]);
    live.request(json!({ "type": "input", "text": "Write." }));
    let asked = live.wait("approval-asked");
    live.request(json!({ "type": "end" }));
    live.request(json!({ "type": "approval", "id": asked["id"], "decision": "defer" }));
    // The input is still open.
    assert_eq!(live.end(), Some(3));
    assert!(live.names().contains(&"turn-suspended"));
}

#[test]
fn questions_are_answered_by_id() {
    let script = format!(
        r#"{{ "responses": [{} {} {} {{ "text": "Done." }}] }}"#,
        write("c-1", "a"),
        write("c-2", "b"),
        write("c-3", "c")
    );
    let scene = scene(&script).probe("pre-tool-call = \"ask May it?\"");
    let mut live = Live::run(&scene, &[]);
    live.request(json!({ "type": "input", "text": "Write." }));
    for decision in [
        json!("approve"),
        json!({ "deny": "not today" }),
        json!({ "edit": "{\"path\":\"d\",\"content\":\"e\"}" }),
    ] {
        let asked = live.wait("approval-asked");
        assert_eq!(asked["question"], "May it?");
        live.request(json!({ "type": "approval", "id": asked["id"], "decision": decision }));
    }
    live.wait("turn-ended");
    live.request(json!({ "type": "end" }));
    assert_eq!(live.end(), Some(0));
    let written = ["a", "b", "c", "d"].map(|name| scene.path(name).exists());
    assert_eq!(written, [true, false, false, true]);
}

#[test]
fn the_end_of_the_input_denies_open_questions() {
    let script = format!(
        r#"{{ "responses": [{} {{ "text": "Done." }}] }}"#,
        write("c-1", "a")
    );
    let scene = scene(&script).probe("pre-tool-call = \"ask May it?\"");
    let mut live = Live::run(&scene, &[]);
    live.request(json!({ "type": "input", "text": "Write." }));
    live.wait("approval-asked");
    live.close_input();
    assert_eq!(live.end(), Some(0));
    assert!(live.names().contains(&"turn-ended"));
    assert!(!scene.path("a").exists());
}

#[test]
fn a_deferred_question_and_a_client_tool_are_answered_later() {
    let script = format!(
        r#"{{ "responses": [{}
            {{ "tool_calls": [{{ "id": "c-2", "name": "pick_colour", "arguments": {{}} }}] }},
            {{ "expect": "blue", "text": "Blue it is." }}] }}"#,
        write("c-1", "a")
    );
    let scene = scene(&script).probe("pre-tool-call = \"ask May it?\"");
    let mut live = Live::run(&scene, &[]);
    live.request(json!({ "type": "input", "text": "Write." }));
    // A hook asks about both calls first: one is answered at once, the other is deferred.
    let asked = live.wait("approval-asked");
    live.request(json!({ "type": "approval", "id": asked["id"], "decision": "defer" }));
    let waits = live.wait("turn-waits");
    let pending = &waits["pending"][0];
    assert_eq!(
        (&pending["call-id"], &pending["tool"]),
        (&json!("c-1"), &json!("write_file"))
    );
    live.request(json!({ "type": "tool-result", "call-id": "c-1", "content": "x" }));
    let told = live.wait("bad-request");
    assert!(
        told["error"]
            .as_str()
            .unwrap()
            .contains("waits for an `approval`"),
        "{told}"
    );
    live.request(json!({ "type": "approval", "id": "c-1", "decision": "approve" }));
    let asked = live.wait("approval-asked");
    live.request(json!({ "type": "approval", "id": asked["id"], "decision": "approve" }));
    let waits = live.wait("turn-waits");
    assert_eq!(waits["reason"], "client-tool");
    live.request(json!({ "type": "tool-result", "call-id": "c-2", "content": "blue" }));
    assert_eq!(live.wait("turn-ended")["text"], "Blue it is.");
    assert!(scene.path("a").exists());
    live.close_input();
    assert_eq!(live.end(), Some(0));
}

#[test]
fn a_running_turn_is_steered_and_cancelled() {
    let scene = scene(&gated(""));
    make_gate(&scene);
    let mut live = Live::run(&scene, &["--no-hooks"]);
    live.request(json!({ "type": "input", "text": "Run." }));
    live.wait("tool-started");
    live.request(json!({ "type": "steer", "text": "Be brief." }));
    live.wait("steering-queued");
    open_gate(&scene);
    let taken = live.wait("steered");
    assert_eq!(taken["text"], "Be brief.");
    live.wait("turn-ended");

    scene.write("script.json", &gated(""));
    let mut live = Live::run(&scene, &["--no-hooks"]);
    live.request(json!({ "type": "input", "text": "Run." }));
    live.wait("tool-started");
    live.request(json!({ "type": "steer", "text": "Too late." }));
    live.wait("steering-queued");
    live.request(json!({ "type": "cancel" }));
    assert_eq!(live.wait("turn-failed")["cancelled"], true);
    assert_eq!(live.wait("steering-left")["texts"], json!(["Too late."]));
    live.request(json!({ "type": "input", "text": "Go." }));
    live.wait("steered");
    live.wait("turn-ended");
    live.close_input();
    assert_eq!(live.end(), Some(1), "a turn failed");
}

/// Returns a session that runs its gated turn.
fn in_a_turn() -> (Scene, Live) {
    let scene = scene(&gated("")).probe("pre-turn = \"continue\"");
    make_gate(&scene);
    let mut live = Live::run(&scene, &[]);
    live.request(json!({ "type": "input", "text": "Run." }));
    live.wait("tool-started");
    (scene, live)
}

fn session_end_hooks(live: &Live) -> usize {
    let is_end = |event: &&serde_json::Value| {
        event["event"] == "hook-run" && event["point"] == "session-end"
    };
    live.seen.iter().filter(is_end).count()
}

#[test]
fn sigterm_ends_the_session_with_its_hooks() {
    let (_scene, mut live) = in_a_turn();
    live.signal("-TERM");
    assert_eq!(live.end(), Some(143));
    assert_eq!(session_end_hooks(&live), 1, "{:#?}", live.seen);
    let ended = live
        .seen
        .iter()
        .find(|event| event["event"] == "session-ended");
    assert_eq!(ended.unwrap()["reason"], "cancelled");

    // The same holds between two turns.
    let scene = scene(r#"{ "responses": [] }"#).probe("pre-turn = \"continue\"");
    let mut live = Live::run(&scene, &[]);
    live.wait("session-started");
    live.request(json!({ "type": "cancel" }));
    live.wait("bad-request");
    live.signal("-TERM");
    assert_eq!(live.end(), Some(143));
    assert_eq!(session_end_hooks(&live), 1);
}

#[test]
fn one_ctrl_c_ends_the_turn_and_the_second_the_session() {
    let (_scene, mut live) = in_a_turn();
    live.signal("-INT");
    assert_eq!(live.wait("turn-failed")["cancelled"], true);
    live.request(json!({ "type": "input", "text": "Again." }));
    live.wait("turn-ended");
    // The session is still open, and takes another turn.
    live.signal("-INT");
    assert_eq!(live.end(), Some(130));
    assert_eq!(session_end_hooks(&live), 1);
}

#[test]
fn a_client_is_told_when_an_alert_begins_and_when_it_ends() {
    let alert =
        "[[alerts]]\nname = \"guards\"\nwhen = \"not-run\"\nwindow-s = 1\ncool-down-s = 1\n";
    let scene = Scene::scripted("{ text = \"Hello.\" }", alert);
    scene.write(
        "hooks/hooks.toml",
        "[scripts.broken]\ncommand = [\"sh\", \"-c\", \"exit 77\"]\npoints = [\"pre-turn\"]\nfailure = \"fail-open\"\n",
    );
    let mut live = Live::run(&scene, &[]);
    live.request(json!({ "type": "input", "text": "Hi." }));
    let begins = live.wait("alert-changed");
    assert_eq!(
        (&begins["firing"], &begins["alert"], &begins["hook"]),
        (&json!(true), &json!("guards"), &json!("broken"))
    );
    let message = begins["message"].as_str().unwrap();
    assert!(message.contains("did not run 1 time"), "{message}");
    // Meanwhile the command waits for the next input.
    let ends = live.wait("alert-changed");
    assert_eq!(
        (&ends["firing"], &ends["alert"], &ends["hook"]),
        (&json!(false), &json!("guards"), &json!("broken"))
    );
    live.request(json!({ "type": "end" }));
    assert_eq!(live.end(), Some(0));
}
