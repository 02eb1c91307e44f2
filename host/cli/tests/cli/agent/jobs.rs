//! Background jobs at the end of their process, and of a process that is killed.

use std::fs::{File, read_to_string, remove_file};
use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};

use super::live::{Live, at_gate, make_gate};
use super::scene::{Scene, first};
use crate::support::run;

/// A job that logs its input. It waits at the gate unless there is the file `free`.
const FILE: &str = "[jobs.tidy]\n\
    command = [\"sh\", \"-c\", \"read job; echo $job >> jobs.log; test -e free || cat gate\"]\n\
    [stores]\nurl = \"sqlite:store.sqlite\"\n";

fn scene() -> Scene {
    let scene = Scene::scripted("{ text = \"Hi.\" }", FILE);
    scene.probe("post-turn = \"contribute job tidy\"")
}

/// Starts a process, and kills it while its job runs. The job ends when the result is dropped.
fn kill(scene: &Scene, arguments: &[&str]) -> File {
    // A new one, at which no job of a killed process waits.
    let _ = remove_file(scene.path("gate"));
    make_gate(scene);
    let mut live = Live::run(scene, arguments);
    let gate = at_gate(scene);
    live.kill(0);
    gate
}

/// Starts a process, and waits until it says that it waits for its job. Returns the remaining lines of its standard error.
fn waiting(scene: &Scene) -> (Child, File, impl Iterator<Item = String>) {
    make_gate(scene);
    let mut command = scene.command(&["run", "Hi"]);
    command.stdin(Stdio::null()).stdout(Stdio::null());
    let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
    let gate = at_gate(scene);
    let stderr = BufReader::new(child.stderr.take().unwrap());
    let mut lines = stderr.lines().map_while(Result::ok);
    let reported = lines.find(|line| line.contains("waiting for 1 background job"));
    assert!(reported.is_some());
    (child, gate, lines)
}

fn listed(scene: &Scene) -> Value {
    run(&mut scene.uncached(&["jobs", "list", "--json"])).json()
}

#[test]
fn a_job_of_a_killed_process_runs_again_and_says_so() {
    let scene = scene();
    drop(kill(&scene, &["Hi"]));
    let waits = listed(&scene);
    assert_eq!(
        (&waits[0]["state"], &waits[0]["attempt"]),
        (&json!("waiting"), &json!(1))
    );
    scene.write("free", "");
    let ran = scene.run(&["--json", "--no-hooks", "Hi"]).lines();
    for event in ["job-queued", "job-done"] {
        let event = first(&ran, event);
        assert_eq!(
            (&event["hook"], &event["attempt"]),
            (&json!("probe"), &json!(2))
        );
    }
    assert!(first(&ran, "job-done")["error"].is_null());
    let log = read_to_string(scene.path("jobs.log")).unwrap();
    let attempts: Vec<u64> = log
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["attempt"].as_u64())
        .map(Option::unwrap_or_default)
        .collect();
    assert_eq!(attempts, [1, 2]);
    let done = listed(&scene);
    assert_eq!(
        (&done[0]["state"], &done[0]["attempt"]),
        (&json!("done"), &json!(2))
    );
    let shown = run(&mut scene.uncached(&["jobs", "list"]));
    assert!(shown.out.contains("done"), "{shown:?}");
}

#[test]
fn a_job_whose_process_is_killed_three_times_is_given_up() {
    let scene = scene();
    let mut gates = vec![kill(&scene, &["Hi"])];
    for _ in 0..2 {
        // No turn is run, so no other job is queued.
        gates.push(kill(&scene, &["--no-hooks"]));
    }
    let ran = scene.run(&["--json", "--no-hooks", "Hi"]).lines();
    let reason = first(&ran, "job-skipped")["reason"].to_string();
    assert!(reason.contains("started 3 times"), "{reason}");
    let all = listed(&scene);
    assert_eq!(
        (&all[0]["state"], &all[0]["attempt"]),
        (&json!("failed"), &json!(3))
    );
    let again = scene.run(&["--json", "--no-hooks", "Hi"]).lines();
    assert!(again.iter().all(|event| event["event"] != "job-skipped"));
}

#[test]
fn the_end_of_a_session_waits_for_its_jobs() {
    let scene = scene();
    let (mut child, gate, lines) = waiting(&scene);
    drop(gate);
    let rest: Vec<String> = lines.collect();
    assert!(child.wait().unwrap().success(), "{rest:?}");
    assert_eq!(listed(&scene)[0]["state"], "done", "{rest:?}");
}

#[test]
fn ctrl_c_ends_the_wait_for_jobs_which_run_again_later() {
    let scene = scene();
    let (mut child, gate, mut lines) = waiting(&scene);
    let id = child.id().to_string();
    let sent = Command::new("kill").args(["-INT", &id]).status().unwrap();
    assert!(sent.success());
    let left = lines.find(|line| line.contains("1 background run did not end"));
    assert!(left.is_some());
    child.wait().unwrap();
    drop(gate);
    assert_eq!(listed(&scene)[0]["state"], "waiting");
}
