//! Turns that workers of a Restate server run.

use std::collections::BTreeMap;
use std::fs::read_to_string;
use std::io::{BufRead as _, BufReader};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use portcullis_restate_server::{ADMIN, INGRESS, shared};
use serde_json::{Value, json};

use crate::agent::killed_turns::{Random, Seen, runs_of, turns};
use crate::agent::live::Live;
use crate::agent::scene::Scene;
use crate::support::{Ran, run};

/// A worker. It is killed when it is dropped.
struct Worker(Child);

impl Worker {
    /// Starts a worker, and waits until the server may call it.
    fn start(scene: &Scene, arguments: &[&str]) -> Self {
        let mut command = scene.command(&[&["worker"], arguments].concat());
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        let stdout = child.stdout.take().unwrap();
        BufReader::new(stdout).read_line(&mut line).unwrap();
        assert!(line.starts_with("listening on "), "{line}");
        Self(child)
    }

    fn id(&self) -> u64 {
        self.0.id().into()
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn file(name: &str, approvals: &str, more: &str) -> String {
    format!(
        r#"
name = "{name}"
approvals = "{approvals}"
working-dir = "."
[stores]
url = "sqlite:s.sqlite"
[restate]
url = "{INGRESS}"
[tools]
built-in = ["run_command"]
[policy]
allow = ["run_command"]
{more}
[[providers]]
kind = "scripted"
script = "script.json"
repeat = true
"#
    )
}

fn call(command: &str) -> Value {
    let arguments = json!({ "command": command });
    json!({ "tool_calls": [{ "id": "c-1", "name": "run_command", "arguments": arguments }] })
}

fn listed(scene: &Scene, session: &str) -> Value {
    let listed = run(&mut scene.uncached(&["sessions", "list", "--json"]));
    let all = listed.json();
    let mut all = all.as_array().unwrap().iter();
    all.find(|it| it["id"] == session).unwrap().clone()
}

fn checkpoint(live: &mut Live, event: &str) -> String {
    live.wait(event)["checkpoint"].as_str().unwrap().to_owned()
}

fn approve(scene: &Scene, checkpoint: &str) -> Ran {
    let approved = run(&mut scene.uncached(&["approvals", "approve", checkpoint, "--yes"]));
    assert_eq!(approved.code, Some(0), "{approved:?}");
    approved
}

#[test]
fn a_turn_on_restate_is_answered_listed_and_cancelled_like_a_local_one() {
    if !shared() {
        return;
    }
    let scene = Scene::new(&file("remote", "defer", ""));
    let scene = scene.probe("pre-tool-call = \"ask May it?\"");
    let script = json!({ "responses": [
        { "text": "One." },
        call("echo two >> log"), { "text": "Two." },
        call("echo three >> log"), { "text": "Three." },
        call("echo four >> log; sleep 600"),
        { "text": "Five." }, { "text": "Six." },
    ]});
    scene.write("script.json", &script.to_string());
    let _worker = Worker::start(&scene, &["--listen", "127.0.0.1:0", "--restate", ADMIN]);

    let one = scene.run(&["--session", "s", "go"]);
    assert_eq!((one.code, one.out.as_str()), (Some(0), "One.\n"), "{one:?}");

    // Three processes suspend, approve and resume the turn.
    let mut two = Live::run(&scene, &["--session", "s", "go"]);
    let id = checkpoint(&mut two, "turn-suspended");
    assert_eq!(two.end(), Some(3), "{:#?}", two.seen);
    approve(&scene, &id);
    let two = run(&mut scene.command(&["resume", &id]));
    assert_eq!((two.code, two.out.as_str()), (Some(0), "Two.\n"), "{two:?}");
    let again = run(&mut scene.command(&["resume", &id, "--result", "c-1=x"]));
    assert_eq!(again.code, Some(1), "{again:?}");

    // The process waits for the answers.
    let mut three = Live::run(&scene, &["--session", "s", "--wait", "go"]);
    let id = checkpoint(&mut three, "turn-waits");
    approve(&scene, &id);
    assert_eq!(three.wait("turn-ended")["text"], "Three.");
    assert_eq!(three.end(), Some(0), "{:#?}", three.seen);
    assert!(three.names().contains(&"turn-resumed"), "{:#?}", three.seen);

    // A program drives the session.
    let mut driven = Live::run(&scene, &["--session", "s"]);
    driven.request(json!({ "type": "input", "text": "go" }));
    driven.wait("turn-waits");
    driven.request(json!({ "type": "approval", "id": "c-1", "decision": "approve" }));
    driven.wait("turn-resumed");
    driven.request(json!({ "type": "steer", "text": "be brief" }));
    let refused = driven.wait("bad-request");
    assert!(
        refused["error"].to_string().contains("the next turn"),
        "{refused}"
    );
    while !read_to_string(scene.path("log")).unwrap().contains("four") {
        std::thread::sleep(Duration::from_millis(10));
    }
    let row = listed(&scene, "s");
    assert_eq!(row["turn-engine"], "restate", "{row}");
    // No other process finishes the turn.
    let finish = run(&mut scene.command(&["run", "--finish", "--restate", INGRESS]));
    assert_eq!(finish.code, Some(1), "{finish:?}");
    scene.write(
        "local.toml",
        &file("remote", "defer", "").replace(&format!("[restate]\nurl = \"{INGRESS}\"\n"), ""),
    );
    let finish =
        run(&mut scene.command(&["run", "--agent", "local.toml", "--durable", "--finish"]));
    assert_eq!(finish.code, Some(0), "{finish:?}");
    let cancelled = run(&mut scene.uncached(&["sessions", "cancel", "s", "--json"]));
    assert_eq!(cancelled.json()["cancelled"], true, "{cancelled:?}");
    assert_eq!(driven.wait("turn-failed")["cancelled"], true);
    driven.request(json!({ "type": "input", "text": "go" }));
    assert_eq!(driven.wait("turn-ended")["text"], "Five.");
    driven.request(json!({ "type": "end" }));
    assert_eq!(driven.end(), Some(1), "{:#?}", driven.seen);
    assert!(listed(&scene, "s")["turn-engine"].is_null());
    assert_eq!(
        read_to_string(scene.path("log")).unwrap(),
        "two\nthree\nfour\n"
    );
}

/// Starts two workers on one address, and kills the one with the session at a random moment.
fn kill_at_random(name: &str, replay: &str, at_most: u32) {
    if !shared() {
        return;
    }
    let more = format!("[hooks]\nenabled = false\n[tools.replay]\nrun_command = \"{replay}\"\n");
    let scene = Scene::new(&file(name, "deny", &more));
    let writes = call("echo $PORTCULLIS_IDEMPOTENCY_KEY >> log");
    let mut responses = vec![writes; 4];
    responses.push(json!({ "text": "Done." }));
    scene.write(
        "script.json",
        &json!({ "responses": responses }).to_string(),
    );
    let address = match replay {
        "never" => "127.0.0.1:9081",
        _ => "127.0.0.1:9082",
    };
    let arguments = ["--listen", address, "--share-port", "--restate", ADMIN];
    let mut workers = vec![
        Worker::start(&scene, &arguments),
        Worker::start(&scene, &arguments[..3]),
    ];
    let begin = |session: &str| {
        let mut live = Live::run(&scene, &["--session", session, "go"]);
        live.wait("turn-started");
        live
    };
    let mut whole = begin("whole");
    let start = Instant::now();
    whole.wait("turn-ended");
    // The event of its end comes a little later.
    let mut takes = start.elapsed().mul_f64(0.7);
    let (mut seen, mut random, mut turn) = (Seen::default(), Random::default(), 0);
    while seen.interrupted < turns(3) {
        turn += 1;
        let session = format!("s{turn}");
        let mut live = begin(&session);
        std::thread::sleep(random.below(takes));
        let holder = listed(&scene, &session)["open-in"]["pid"].as_u64();
        let killed = workers.iter().position(|it| Some(it.id()) == holder);
        match killed {
            Some(killed) => drop(workers.remove(killed)),
            // The machine is faster than before.
            None => takes = takes.mul_f64(0.9),
        }
        seen.interrupted += u32::from(killed.is_some());
        assert_eq!(live.end(), Some(0), "turn {turn}: {:#?}", live.seen);
        let ended = live
            .names()
            .iter()
            .filter(|it| **it == "turn-ended")
            .count();
        assert_eq!(ended, 1, "turn {turn}: {:#?}", live.seen);
        let after = listed(&scene, &session);
        assert_eq!(
            (&after["turns"], &after["open-in"]),
            (&json!(1), &Value::Null),
            "{after}"
        );
        if killed.is_some() {
            workers.push(Worker::start(&scene, &arguments[..3]));
        }
    }
    let runs: BTreeMap<String, u32> = runs_of(&scene);
    assert!(runs.values().all(|ran| *ran <= at_most), "{runs:?}");
    assert!(!runs.contains_key(""), "a command had no key");
    seen.commands = runs.len();
    seen.again = runs.values().filter(|ran| **ran > 1).count();
    println!("{replay} on Restate: {seen:?} in {turn} turns");
}

#[test]
fn a_command_with_a_key_runs_at_most_twice_on_workers() {
    kill_at_random("keyed", "keyed", 2);
}

#[test]
fn a_command_that_must_not_run_twice_does_not_on_workers() {
    kill_at_random("never", "never", 1);
}
