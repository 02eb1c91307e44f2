//! Turns and sessions that go from one process to another.

use portcullis::state::StateStore as _;
use serde_json::{Value, json};

use super::{in_store, on_a_server, on_both};
use crate::agent::live::Live;
use crate::agent::scene::Scene;
use crate::support::run;

const DONE: &str = r#"{ "responses": [{ "text": "Done." }, { "text": "Done again." }] }"#;

/// Returns a scene whose model runs a command that does not end, and then answers.
fn hanging(store: &str) -> Scene {
    let scene = Scene::new(&format!(
        r#"
durable = true
working-dir = "."
[stores]
url = "{store}"
[hooks]
enabled = false
[tools]
built-in = ["run_command"]
[policy]
allow = ["run_command"]
[[providers]]
kind = "scripted"
script = "script.json"
"#
    ));
    scene.write(
        "script.json",
        r#"{ "responses": [
            { "tool_calls": [{ "id": "c-1", "name": "run_command", "arguments": { "command": "sleep 600" } }] },
            { "text": "Done." }
        ] }"#,
    );
    scene
}

/// Starts a turn of this session, and waits until its tool runs.
fn in_a_tool(scene: &Scene, session: &str) -> Live {
    let mut live = Live::of(scene.uncached(&["run", "--json", "--session", session]));
    live.request(json!({ "type": "input", "text": "go" }));
    live.wait("tool-started");
    live
}

fn sessions(scene: &Scene) -> Vec<Value> {
    let listed = run(&mut scene.uncached(&["sessions", "list", "--json"]));
    assert_eq!(listed.code, Some(0), "{listed:?}");
    listed.json().as_array().unwrap().clone()
}

#[test]
fn the_turns_of_a_dead_worker_are_finished_by_another() {
    on_both("the turns of a dead worker", |store| {
        let scene = hanging(store);
        let mut one = in_a_tool(&scene, "a");
        let mut other = in_a_tool(&scene, "b");
        scene.write("script.json", DONE);
        let mut worker = Live::of(scene.uncached(&["run", "--json", "--finish", "--every", "1"]));
        worker.wait("hooks-armed");
        one.kill(0);
        let finished = worker.wait("turn-ended");
        assert_eq!(
            (&finished["session-id"], &finished["text"]),
            (&json!("a"), &json!("Done."))
        );
        // The other process lives, and is not affected.
        other.kill(0);
        assert_eq!(worker.wait("turn-ended")["session-id"], "b");
        worker.wait("session-ended");
        worker.signal("-TERM");
        assert_eq!(worker.end(), Some(143));
        for session in sessions(&scene) {
            assert_eq!(
                (&session["turns"], &session["open-in"]),
                (&json!(1), &Value::Null)
            );
        }
    });
}

#[test]
fn without_a_time_it_ends_when_nothing_is_left_to_finish() {
    let scene = hanging("sqlite:s.sqlite");
    in_a_tool(&scene, "a").kill(0);
    scene.write("script.json", DONE);
    let mut worker = Live::of(scene.uncached(&["run", "--json", "--finish"]));
    assert_eq!(worker.end(), Some(0), "{:#?}", worker.seen);
    assert_eq!(
        worker
            .seen
            .iter()
            .filter(|it| it["event"] == "turn-ended")
            .count(),
        1
    );
    let direct = Scene::scripted("{ text = \"Done.\" }", "");
    let direct = run(&mut direct.uncached(&["run", "--finish", "--no-hooks"]));
    assert_eq!(direct.code, Some(1), "{direct:?}");
    assert!(direct.err.contains("add --durable"), "{direct:?}");
}

#[test]
fn a_turn_of_an_agent_of_the_same_name_in_another_directory_is_left_alone() {
    let dir = tempfile::tempdir().unwrap();
    let store = format!("sqlite:{}", dir.path().join("s.sqlite").display());
    let (here, other) = (hanging(&store), hanging(&store));
    in_a_tool(&here, "a").kill(0);
    let finished = |scene: &Scene| {
        scene.write("script.json", DONE);
        let mut worker = Live::of(scene.uncached(&["run", "--json", "--finish"]));
        assert_eq!(worker.end(), Some(0), "{:#?}", worker.seen);
        let ended = worker.seen.iter();
        ended.filter(|it| it["event"] == "turn-ended").count()
    };
    assert_eq!(finished(&other), 0);
    assert!(sessions(&here)[0]["turn-since-ms"].is_u64());
    assert_eq!(finished(&here), 1);
}

#[test]
fn another_process_cancels_a_turn_on_a_server() {
    on_a_server("a turn that another process cancels", |store| {
        let scene = hanging(store);
        let mut live = in_a_tool(&scene, "a");
        let cancelled = run(&mut scene.uncached(&["sessions", "cancel", "a", "--json"]));
        assert_eq!(cancelled.json()["cancelled"], true, "{cancelled:?}");
        assert_eq!(live.wait("turn-failed")["cancelled"], true);
        live.request(json!({ "type": "input", "text": "again" }));
        assert_eq!(live.wait("turn-ended")["text"], "Done.");
    });
}

#[test]
fn hooks_have_what_they_remember_of_a_session_in_the_next_process() {
    on_both("what hooks remember of a session", |store| {
        let scene = Scene::new(&format!(
            "durable = true\n[stores]\nurl = \"{store}\"\n\
             [[providers]]\nkind = \"scripted\"\nscript = \"script.json\"\n"
        ));
        scene.write("script.json", DONE);
        let scene = scene.probe("post-step = \"remember\"");
        for _ in 0..2 {
            let ran = scene.run(&["--session", "s", "go"]);
            assert_eq!(ran.code, Some(0), "{ran:?}");
        }
        let entries = in_store(store, async |store| {
            store.hook_state("").private("s").await.unwrap()
        });
        let calls = entries.iter().find(|entry| entry.key == "calls").unwrap();
        assert_eq!(String::from_utf8_lossy(&calls.value), "2");
    });
}

/// Returns the place of a text piece: its turn, its effect, its attempt and its number.
fn place(piece: &Value) -> (String, String, u64, u64) {
    let within = &piece["within"];
    let text = |name: &str| within[name].as_str().unwrap_or_default().to_owned();
    let number = |name: &str| within[name].as_u64().unwrap();
    (
        text("run"),
        text("effect"),
        number("attempt"),
        number("seq"),
    )
}

#[test]
fn pieces_that_are_told_again_are_known_by_their_numbers() {
    let scene = hanging("sqlite:s.sqlite");
    // The model says no more after its first words.
    let says = |delay: u32| {
        format!(
            r#"{{ "responses": [{{ "text": "One two three four five six.", "chunk": 4, "chunk_delay_ms": {delay} }}] }}"#
        )
    };
    scene.write("script.json", &says(600_000));
    let mut one = Live::of(scene.uncached(&["run", "--json", "--session", "s"]));
    one.request(json!({ "type": "input", "text": "go" }));
    let first = place(&one.wait("text-delta"));
    one.kill(0);
    scene.write("script.json", &says(0));
    let mut two = Live::of(scene.uncached(&["run", "--json", "--session", "s"]));
    let again = place(&two.wait("text-delta"));
    assert_eq!((&first.0, &first.1), (&again.0, &again.1));
    assert_eq!((first.2, again.2), (1, 2));
    two.wait("turn-ended");
    let numbers: Vec<u64> = two
        .seen
        .iter()
        .filter(|it| !it["within"].is_null() && place(it).1 == again.1)
        .map(|it| place(it).3)
        .collect();
    assert!(numbers.len() > 1);
    assert!(numbers.is_sorted(), "{numbers:?}");
}
