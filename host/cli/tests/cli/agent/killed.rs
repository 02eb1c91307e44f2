//! A busy session whose process is killed at random moments, again and again, with its store in SQLite and in
//! PostgreSQL.
//!
//! ```text
//! cargo test -p portcullis-cli --test cli -- killed                        5 kills
//! PORTCULLIS_SOAK=full cargo test -p portcullis-cli --test cli -- killed   100 kills
//! ```

use std::collections::BTreeSet;
use std::fs::read_to_string;
use std::time::{Duration, Instant};

use portcullis::state::StateStore as _;
use portcullis_postgres::Server;
use portcullis_store::{Store, StoreOptions};
use serde_json::{Value, json};

use super::live::Live;
use super::scene::{Scene, first};
use crate::support::{Ran, run};

const FILE: &str = r#"
[tools]
built-in = ["write_file", "list_dir"]
[[providers]]
kind = "scripted"
script = "script.json"
[jobs.tidy]
command = ["sh", "-c", "read job; echo $job >> jobs.log"]
[memory]
"#;

/// The responses of one turn.
const RESPONSES: &str = r#"
    { "tool_calls": [
        { "id": "c-1", "name": "write_file", "arguments": { "path": "a", "content": "b" } },
        { "id": "c-2", "name": "list_dir", "arguments": { "path": "." } }
    ] },
    { "text": "Done." }"#;

/// The hook counts the steps in its state, which is in the store before its answer counts.
const HOOK: &str = "post-step = \"remember\"\nprompt-policy = \"contribute job tidy\"\npre-turn = \"emit 1\"\npre-tool-call = \"lines 1\"\n\
                    post-turn = \"contribute note ended\"";

/// The number of turns that a process gets.
const TURNS: usize = 3;
/// The number of steps in a turn.
const STEPS: u64 = 2;
/// The longest wait for a database to notice a dead process: far longer than it takes.
const PATIENCE: Duration = Duration::from_secs(120);

fn kills() -> u32 {
    match std::env::var("PORTCULLIS_SOAK").as_deref() {
        Ok("full") => 100,
        _ => 5,
    }
}

/// The events of the processes before they were killed.
#[derive(Default)]
struct Told {
    /// The inputs of the turns that ended.
    ended: Vec<String>,
    /// The finished calls of the hook that counts.
    counted: u64,
    /// The jobs that a turn queued and no other process took over.
    queued: usize,
    /// The number of processes that were killed before their last turn had ended.
    in_the_middle: u32,
}

impl Told {
    fn add(&mut self, seen: &[Value], inputs: &[String]) {
        let of = |name| seen.iter().filter(move |event| event["event"] == name);
        let ended = of("turn-ended").count();
        self.ended.extend(inputs.iter().take(ended).cloned());
        self.queued += of("job-queued").filter(|event| event["turn"] != 0).count();
        let counts = of("hook-run").filter(|run| {
            run["point"] == "post-step" && run["hook"] == "probe" && run["status"] == "completed"
        });
        self.counted += counts.count() as u64;
        self.in_the_middle += u32::from(ended < TURNS);
    }
}

/// Runs the session until its process has written this many lines, and kills it.
fn kill(scene: &Scene, inputs: &[String], lines: u32, told: &mut Told) {
    let mut live = Live::run(scene, &["--session", "busy"]);
    for input in inputs {
        live.request(json!({ "type": "input", "text": input }));
    }
    live.kill(lines);
    told.add(&live.seen, inputs);
}

fn listed(scene: &Scene, arguments: &[&str]) -> Value {
    let ran: Ran = run(&mut scene.uncached(&[arguments, &["--json"]].concat()));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    ran.json()
}

/// Returns the runs of the journal that are in this state, by their process and number.
fn runs(scene: &Scene, state: &str) -> BTreeSet<String> {
    let runs = listed(scene, &["runs", "--limit", "100000", "--state", state]);
    let runs = runs.as_array().unwrap().iter();
    runs.map(ToString::to_string).collect()
}

/// Returns the count in the hook's stored state.
fn counted(store: &str) -> u64 {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()
        .unwrap();
    let entries = runtime.block_on(async {
        let options = StoreOptions::default();
        let store = Store::open(store.parse().unwrap(), options).await.unwrap();
        store.hook_state("").private("busy").await.unwrap()
    });
    let counts = entries.iter().find(|entry| entry.key == "calls");
    counts.map_or(0, |entry| {
        String::from_utf8_lossy(&entry.value).parse().unwrap()
    })
}

/// Waits until the store has settled the dead process's records. A server notices only a moment
/// later that its client is gone.
fn wait_until_settled(scene: &Scene) {
    let until = Instant::now() + PATIENCE;
    loop {
        let listed = listed(scene, &["sessions", "list"]);
        let mut sessions = listed.as_array().unwrap().iter();
        if sessions.all(|session| session["open-in"].is_null()) {
            return;
        }
        assert!(Instant::now() < until, "{listed}");
    }
}

#[test]
fn nothing_that_was_told_is_lost_when_the_process_is_killed_at_random() {
    let dir = tempfile::tempdir().unwrap();
    killed_at_random(&format!("sqlite:{}", dir.path().join("s.sqlite").display()));
}

#[test]
fn nothing_that_was_told_is_lost_in_postgresql_either() {
    match Server::start() {
        Ok(server) => killed_at_random(&server.address().create("killed").unwrap()),
        Err(why) => xtask::test::not_run(&format!("the killed session on PostgreSQL: {why:#}")),
    }
}

fn killed_at_random(store: &str) {
    let scene = Scene::new(&format!("{FILE}[stores]\nurl = \"{store}\"\n")).probe(HOOK);
    let settings = read_to_string(scene.path("hooks/hooks.toml")).unwrap();
    scene.write(
        "hooks/hooks.toml",
        &format!("[hooks.probe]\nwrite-state = \"before-answer\"\n{settings}"),
    );
    let responses = [RESPONSES; TURNS].join(",");
    scene.write(
        "script.json",
        &format!("{{ \"responses\": [{responses}] }}"),
    );
    // The number of lines from a process that is not killed.
    let mut told = Told::default();
    let inputs = |kill: u32| -> Vec<String> {
        let turns = 0..TURNS;
        turns.map(|turn| format!("input {kill}.{turn}.")).collect()
    };
    let mut whole = Live::run(&scene, &["--session", "busy"]);
    for input in inputs(0) {
        whole.request(json!({ "type": "input", "text": input }));
    }
    whole.request(json!({ "type": "end" }));
    let code = whole.end();
    assert_eq!(code, Some(0), "{:#?}", whole.seen);
    told.add(&whole.seen, &inputs(0));
    assert_eq!(told.ended.len(), TURNS, "{:#?}", whole.seen);
    let lines = u32::try_from(whole.seen.len()).unwrap();
    assert_eq!(told.counted, TURNS as u64 * STEPS);
    let mut count = counted(store);
    assert_eq!(count, told.counted, "the state is that of the last call");

    let mut lost = BTreeSet::new();
    for number in 1..=kills() {
        // The process may be killed only before it waits for input, since no more lines would come.
        let moment = random() % (lines - 2);
        let told_before = told.counted;
        kill(&scene, &inputs(number), moment, &mut told);
        wait_until_settled(&scene);
        // A call may have finished before its event was written.
        let (least, before) = (count + told.counted - told_before, count);
        count = counted(store);
        assert!(
            (least..=before + TURNS as u64 * STEPS).contains(&count),
            "kill {number} at line {moment}: {before} calls before it and {least} with those that were told, but \
             the state has {count}"
        );
        // The store opens, and the dead process's records are settled once.
        assert_eq!(runs(&scene, "started"), BTreeSet::new(), "kill {number}");
        let lost_now = runs(&scene, "lost");
        assert!(lost_now.is_superset(&lost), "kill {number}");
        lost = lost_now;
        let session = listed(&scene, &["sessions", "export", "busy"]);
        let conversation = session["data"]["conversation"].to_string();
        for input in &told.ended {
            assert!(
                conversation.contains(input),
                "kill {number} at line {moment}: `{input}` is lost"
            );
        }
    }

    // The last process runs the jobs that remain.
    let ran = scene.run(&["--json", "--no-hooks", "Hi"]).lines();
    first(&ran, "session-ended");
    let jobs = listed(&scene, &["jobs", "list"]);
    let jobs = jobs.as_array().unwrap();
    assert!(jobs.len() >= told.queued, "{} {}", jobs.len(), told.queued);
    assert!(jobs.len() >= told.ended.len());
    let log = read_to_string(scene.path("jobs.log")).unwrap();
    let settled = |state: &str| jobs.iter().filter(|job| job["state"] == state).count();
    let again = jobs
        .iter()
        .filter(|job| job["attempt"].as_u64() > Some(1))
        .count();
    assert_eq!(settled("done") + settled("failed"), jobs.len(), "{jobs:#?}");
    assert!(log.lines().count() >= settled("done"));
    eprintln!(
        "{}: {} kills, {} of them before the last turn ended: {} turns told as ended, {} hook runs lost, {} jobs, of which {} \
         were run again and {} failed; {} calls counted, of which {} were told",
        store.split(':').next().unwrap_or_default(),
        kills(),
        told.in_the_middle,
        told.ended.len(),
        lost.len(),
        jobs.len(),
        again,
        settled("failed"),
        count,
        told.counted,
    );
}

fn random() -> u32 {
    let mut bytes = [0; 4];
    getrandom::fill(&mut bytes).unwrap();
    u32::from_le_bytes(bytes)
}
