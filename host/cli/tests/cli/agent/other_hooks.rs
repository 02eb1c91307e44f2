//! Turns that continue under other hooks than they began with.

use serde_json::json;

use super::live::Live;
use super::scene::Scene;
use crate::support::run;

const FILE: &str = r#"
durable = true
working-dir = "."
[stores]
url = "sqlite:s.sqlite"
[tools]
built-in = ["run_command"]
[policy]
allow = ["run_command", "ask"]
[client-tools.ask]
description = "Asks the client."
[[providers]]
kind = "scripted"
script = "script.json"
"#;

/// Returns a hook that no turn calls.
fn hook(id: &str) -> String {
    format!("[scripts.{id}]\ncommand = [\"true\"]\npoints = [\"session-end\"]\n")
}

/// Returns a turn that calls this tool, with the hook `before`; the next process has the hook
/// `after`.
fn interrupted(call: &str, until: &str) -> Scene {
    let scene = Scene::new(FILE);
    scene.write("hooks/hooks.toml", &hook("before"));
    scene.write(
        "script.json",
        &format!(r#"{{ "responses": [{{ "tool_calls": [{call}] }}] }}"#),
    );
    let mut live = Live::of(scene.command(&["run", "--json", "--session", "s"]));
    live.request(json!({ "type": "input", "text": "go" }));
    live.wait(until);
    live.kill(0);
    scene.write("hooks/hooks.toml", &hook("after"));
    scene.write("script.json", r#"{ "responses": [{ "text": "Done." }] }"#);
    scene
}

#[test]
fn an_interrupted_turn_says_so_on_the_terminal() {
    let call = r#"{ "id": "c-1", "name": "run_command", "arguments": { "command": "sleep 600" } }"#;
    let scene = interrupted(call, "tool-started");
    let next = run(&mut scene.command(&["run", "--continue", "more"]));
    let line = "the turn began with other hooks (new: after; removed: before)";
    assert!(next.err.contains(line), "{next:?}");
    assert!(next.out.contains("Done."), "{next:?}");
}

#[test]
fn a_suspended_turn_has_the_event() {
    let call = r#"{ "id": "c-1", "name": "ask", "arguments": {} }"#;
    let scene = interrupted(call, "turn-waits");
    let waiting = run(&mut scene.uncached(&["approvals", "list", "--json"])).json();
    let id = waiting[0]["id"].as_str().unwrap();
    let mut next = Live::of(scene.command(&["resume", "--json", id]));
    let differ = next.wait("hooks-differ");
    next.wait("turn-waits");
    next.request(json!({ "type": "tool-result", "call-id": "c-1", "content": "blue" }));
    assert_eq!(
        (&differ["added"], &differ["removed"], &differ["replayed"]),
        (&json!(["after"]), &json!(["before"]), &json!(null))
    );
    assert_eq!(next.wait("turn-ended")["text"], "Done.");
}
