//! A database that becomes unreachable during a turn, and returns.

use portcullis_postgres::Server;
use serde_json::{Value, json};

use crate::agent::live::{Live, at_gate, gated, make_gate};
use crate::agent::scene::Scene;
use crate::support::run;

#[test]
fn a_turn_waits_for_a_database_that_is_started_again() {
    let mut server = match Server::start() {
        Ok(server) => server,
        Err(why) => {
            return xtask::test::not_run(&format!("a database that goes away: {why:#}"));
        }
    };
    let store = server.address().create("away").unwrap();
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
    make_gate(&scene);
    scene.write("script.json", &gated(""));
    let mut live = Live::of(scene.uncached(&["run", "--json", "--session", "s"]));
    live.request(json!({ "type": "input", "text": "go" }));
    // A command starts once its start is recorded.
    let gate = at_gate(&scene);
    server.stop();
    // The command ends, and its result cannot be recorded.
    drop(gate);
    let away = run(&mut scene.uncached(&["sessions", "list", "--json"]));
    assert_eq!(away.code, Some(1), "{away:?}");
    server.start_again().unwrap();
    // The new server has none of the old one's locks. The process is still alive.
    let list = || {
        let listed = run(&mut scene.uncached(&["sessions", "list", "--json"]));
        listed.json()[0].clone()
    };
    assert!(!list()["open-in"].is_null());
    assert_eq!(live.wait("turn-ended")["text"], "Done.");
    // The process still serves turns.
    live.request(json!({ "type": "input", "text": "again" }));
    assert_eq!(live.wait("turn-ended")["text"], "Again.");
    live.request(json!({ "type": "end" }));
    assert_eq!(live.end(), Some(0), "{:#?}", live.seen);
    let saved = list();
    assert_eq!(
        (&saved["turns"], &saved["open-in"]),
        (&json!(2), &Value::Null),
        "{saved}"
    );
}
