//! Durable turns that another process cancels, and that SIGTERM parks.

use super::live::Live;
use super::scene::Scene;
use crate::support::run;

/// Returns a scene whose model runs a command that does not end, and then answers.
fn scene() -> Scene {
    let scene = Scene::new(
        r#"
durable = true
working-dir = "."
[stores]
url = "sqlite:s.sqlite"
[hooks]
enabled = false
[tools]
built-in = ["run_command"]
[policy]
allow = ["run_command"]
[[providers]]
kind = "scripted"
script = "script.json"
"#,
    );
    scene.write(
        "script.json",
        r#"{ "responses": [
            { "tool_calls": [{ "id": "c-1", "name": "run_command", "arguments": { "command": "sleep 600" } }] },
            { "text": "Done." }
        ] }"#,
    );
    scene
}

/// Starts a turn, and waits until its tool runs.
fn in_a_tool(scene: &Scene) -> Live {
    let mut live = Live::of(scene.uncached(&["run", "--json", "--session", "s"]));
    live.request(serde_json::json!({ "type": "input", "text": "go" }));
    live.wait("tool-started");
    live
}

fn cancel(scene: &Scene) -> bool {
    let cancelled = run(&mut scene.uncached(&["sessions", "cancel", "s", "--json"]));
    assert_eq!(cancelled.code, Some(0), "{cancelled:?}");
    cancelled.json()["cancelled"].as_bool().unwrap()
}

fn next(scene: &Scene) -> Live {
    scene.write("script.json", r#"{ "responses": [{ "text": "Done." }] }"#);
    Live::of(scene.uncached(&["run", "--json", "--session", "s"]))
}

fn has(live: &Live, event: &str) -> bool {
    live.names().contains(&event)
}

#[test]
fn another_process_cancels_a_tool_that_runs_and_the_next_turn_works() {
    let scene = scene();
    let mut live = in_a_tool(&scene);
    assert!(cancel(&scene));
    assert_eq!(live.wait("turn-failed")["cancelled"], true);
    live.request(serde_json::json!({ "type": "input", "text": "again" }));
    assert_eq!(live.wait("turn-ended")["text"], "Done.");
    live.close_input();
    live.end();
    assert!(!cancel(&scene), "no turn is left");
}

#[test]
fn a_turn_that_was_cancelled_is_not_finished_after_a_kill() {
    let scene = scene();
    let mut live = in_a_tool(&scene);
    // A stopped process cannot notice the cancellation.
    live.signal("-STOP");
    assert!(cancel(&scene));
    live.kill(0);
    let mut next = next(&scene);
    next.request(serde_json::json!({ "type": "input", "text": "again" }));
    assert_eq!(next.wait("turn-ended")["text"], "Done.");
    assert!(!has(&next, "turn-finishing"), "{:#?}", next.seen);
}

#[test]
fn an_interrupted_turn_can_be_cancelled() {
    let scene = scene();
    in_a_tool(&scene).kill(0);
    let cancelled = run(&mut scene.uncached(&["sessions", "cancel", "s"]));
    assert!(cancelled.out.contains("interrupted"), "{cancelled:?}");
    let mut next = next(&scene);
    next.close_input();
    assert_eq!(next.end(), Some(0));
    assert!(!has(&next, "turn-finishing"), "{:#?}", next.seen);
}

#[test]
fn sigterm_leaves_the_turn_for_the_next_process() {
    let scene = scene();
    let mut live = in_a_tool(&scene);
    live.signal("-TERM");
    assert_eq!(live.end(), Some(143));
    assert!(!has(&live, "session-ended"), "{:#?}", live.seen);
    let mut next = next(&scene);
    next.close_input();
    assert_eq!(next.end(), Some(0), "{:#?}", next.seen);
    assert!(has(&next, "turn-finishing"), "{:#?}", next.seen);
    assert!(has(&next, "turn-ended"), "{:#?}", next.seen);
    assert_eq!(
        run(&mut scene.uncached(&["sessions", "list", "--json"])).json()[0]["turns"],
        1
    );
}
