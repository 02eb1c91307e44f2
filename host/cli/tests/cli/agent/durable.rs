//! Durable turns whose process is killed, and finished by the next one.

use std::fs::read_to_string;

use serde_json::{Value, json};

use super::live::Live;
use super::scene::{Scene, names};
use crate::support::run;

const FILE: &str = r#"
durable = true
working-dir = "."
[stores]
url = "sqlite:s.sqlite"
[hooks]
enabled = false
[tools]
built-in = ["run_command", "write_file"]
[policy]
allow = ["run_command", "write_file"]
[[providers]]
kind = "scripted"
script = "script.json"
"#;

const DONE: &str = r#"{ "responses": [{ "text": "Done." }] }"#;

/// Returns a scene whose model first calls this tool.
fn scene(tool: &str, arguments: &str) -> Scene {
    let scene = Scene::new(FILE);
    scene.write(
        "script.json",
        &format!(
            r#"{{ "responses": [
                {{ "text": "I do it.", "tool_calls": [
                    {{ "id": "c-1", "name": "{tool}", "arguments": {arguments} }}
                ] }},
                {{ "text": "Done." }}
            ] }}"#
        ),
    );
    scene
}

fn begin(scene: &Scene) -> Live {
    Live::of(scene.uncached(&["run", "--json", "--session", "s", "go"]))
}

/// Starts the next process, whose model has only the last answer left. The process gets no input.
fn finish(scene: &Scene) -> Vec<Value> {
    scene.write("script.json", DONE);
    let mut next = Live::of(scene.uncached(&["run", "--json", "--continue"]));
    next.close_input();
    assert_eq!(next.end(), Some(0), "{:#?}", next.seen);
    std::mem::take(&mut next.seen)
}

fn sessions(scene: &Scene) -> Value {
    let listed = run(&mut scene.uncached(&["sessions", "list", "--json"]));
    assert_eq!(listed.code, Some(0), "{listed:?}");
    listed.json()[0].clone()
}

fn of<'a>(seen: &'a [Value], event: &str) -> Vec<&'a Value> {
    seen.iter().filter(|it| it["event"] == event).collect()
}

/// Returns the turn's events, without earlier events and the pieces of text.
fn timeline(seen: &[Value]) -> Vec<String> {
    let other = ["turn-finishing", "text-delta"];
    names(seen)
        .into_iter()
        .filter(|name| !other.contains(name))
        .map(str::to_owned)
        .collect()
}

#[test]
fn a_tool_that_may_have_run_is_not_run_again_and_the_turn_ends() {
    let command = r#"{ "command": "echo ran >> log; sleep 600" }"#;
    let scene = scene("run_command", command);
    let mut first = begin(&scene);
    first.wait("tool-started");
    while read_to_string(scene.path("log"))
        .unwrap_or_default()
        .is_empty()
    {
        std::thread::yield_now();
    }
    first.kill(0);
    let interrupted = sessions(&scene);
    assert_eq!(interrupted["turns"], 0, "{interrupted}");
    assert!(interrupted["turn-since-ms"].is_u64(), "{interrupted}");
    let listed = run(&mut scene.uncached(&["sessions", "list"]));
    assert!(listed.out.contains("interrupted"), "{listed:?}");

    let seen = finish(&scene);
    assert_eq!(of(&seen, "turn-finishing")[0]["text"], "go");
    let result = of(&seen, "tool-finished")[0]["content"].to_string();
    assert!(result.contains("unknown"), "{result}");
    assert_eq!(of(&seen, "turn-ended")[0]["text"], "Done.");
    assert_eq!(read_to_string(scene.path("log")).unwrap(), "ran\n");
    // The first process's events are marked, and its model calls are not made again.
    let calls = of(&seen, "llm-call-finished");
    assert_eq!(
        (calls.len(), &calls[0]["replayed"]),
        (2, &Value::Bool(true)),
        "{seen:#?}"
    );
    let ended = sessions(&scene);
    assert_eq!(ended["turns"], 1, "{ended}");
    assert!(ended["turn-since-ms"].is_null(), "{ended}");
}

/// The turn waits for the client, is resumed, and its process dies after that.
#[test]
fn a_turn_that_was_resumed_is_finished_by_the_next_process() {
    let scene = Scene::new(&format!(
        "{}[client-tools.ask]\ndescription = \"Asks the client.\"\n",
        FILE.replace("allow = [", "allow = [\"ask\", ")
    ));
    scene.write(
        "script.json",
        r#"{ "responses": [
            { "tool_calls": [{ "id": "c-1", "name": "ask", "arguments": {} }] },
            { "tool_calls": [{ "id": "c-2", "name": "run_command", "arguments": { "command": "echo ran >> log; sleep 600" } }] }
        ] }"#,
    );
    let mut first = Live::of(scene.uncached(&["run", "--json", "--session", "s"]));
    first.request(json!({ "type": "input", "text": "go" }));
    first.wait("turn-waits");
    first.request(json!({ "type": "tool-result", "call-id": "c-1", "content": "blue" }));
    first.wait("tool-started");
    while read_to_string(scene.path("log"))
        .unwrap_or_default()
        .is_empty()
    {
        std::thread::yield_now();
    }
    first.kill(0);

    let seen = finish(&scene);
    assert_eq!(of(&seen, "turn-finishing")[0]["text"], "go");
    assert_eq!(of(&seen, "turn-resumed").len(), 1, "{seen:#?}");
    let results = of(&seen, "tool-finished");
    assert_eq!(results.len(), 2, "{seen:#?}");
    assert_eq!(results[0]["content"], "blue");
    assert!(
        results[1]["content"].to_string().contains("unknown"),
        "{seen:#?}"
    );
    assert_eq!(of(&seen, "turn-ended")[0]["text"], "Done.");
    assert_eq!(read_to_string(scene.path("log")).unwrap(), "ran\n");
    let ended = sessions(&scene);
    assert_eq!(
        (&ended["turns"], &ended["turn-since-ms"]),
        (&json!(1), &Value::Null)
    );
    let waiting = run(&mut scene.uncached(&["approvals", "list", "--json"]));
    assert_eq!(waiting.json(), json!([]), "its checkpoint is used");
}

#[test]
fn a_turn_that_is_killed_anywhere_has_the_same_timeline() {
    let write = r#"{ "path": "a", "content": "b" }"#;
    let undisturbed = scene("write_file", write);
    let mut live = begin(&undisturbed);
    assert_eq!(live.end(), Some(0), "{:#?}", live.seen);
    let expected = timeline(&live.seen);
    let lines = u32::try_from(live.seen.len()).unwrap();
    let mut finished = 0;
    for after in 2..lines {
        let scene = scene("write_file", write);
        let mut first = begin(&scene);
        first.kill(after);
        // A kill after the turn leaves nothing to finish.
        if sessions(&scene)["turn-since-ms"].is_null() {
            continue;
        }
        finished += 1;
        // The responses that the script must still have depend on when the first process died.
        let started = of(&first.seen, "tool-started").len();
        if started == 0 {
            let mut next = Live::of(scene.uncached(&["run", "--json", "--session", "s"]));
            next.close_input();
            assert_eq!(next.end(), Some(0), "{:#?}", next.seen);
            let ended = of(&next.seen, "turn-ended");
            assert_eq!(ended.len(), 1, "after {after}: {:#?}", next.seen);
        } else {
            let seen = finish(&scene);
            assert_eq!(timeline(&seen), expected, "after {after}");
        }
        assert_eq!(sessions(&scene)["turns"], 1);
        assert_eq!(read_to_string(scene.path("a")).unwrap(), "b");
    }
    assert!(finished > 0, "no kill came in time");
}
