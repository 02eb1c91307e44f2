//! Durable turns whose process is killed at random moments, and finished by the next one.
//!
//! ```text
//! cargo test -p portcullis-cli --test cli -- killed_turns                        8 interrupted turns
//! PORTCULLIS_SOAK=full cargo test -p portcullis-cli --test cli -- killed_turns   100 interrupted turns
//! ```

use std::collections::BTreeMap;
use std::fs::read_to_string;
use std::time::{Duration, Instant};

use super::live::Live;
use super::scene::Scene;
use crate::support::run;

const FILE: &str = r#"
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
"#;

/// Returns the number of turns to interrupt: `few` in an ordinary run.
pub fn turns(few: u32) -> u32 {
    match std::env::var("PORTCULLIS_SOAK").as_deref() {
        Ok("full") => 100,
        _ => few,
    }
}

/// Returns a scene whose model runs four commands, each of which writes its key into `log`, and
/// then answers. A process that finishes a turn has the script from its beginning, so its turn may
/// run more commands, with other keys.
fn scene(replay: &str) -> Scene {
    let scene = Scene::new(&format!(
        "{FILE}[tools.replay]\nrun_command = \"{replay}\"\n"
    ));
    let call = r#"{ "tool_calls": [{ "id": "c", "name": "run_command", "arguments":
        { "command": "echo $PORTCULLIS_IDEMPOTENCY_KEY >> log" } }] }"#;
    let calls = [call; 4].join(",");
    let script = format!(r#"{{ "responses": [{calls}, {{ "text": "Done." }}] }}"#);
    scene.write("script.json", &script);
    scene
}

/// Random numbers, the same in every run.
pub struct Random(u64);

impl Default for Random {
    fn default() -> Self {
        Self(7)
    }
}

impl Random {
    pub fn below(&mut self, most: Duration) -> Duration {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        most.mul_f64((self.0 >> 33) as f64 / f64::from(1_u32 << 31))
    }
}

/// Returns the number of runs of each command, by its key.
pub fn runs_of(scene: &Scene) -> BTreeMap<String, u32> {
    let mut runs = BTreeMap::new();
    for key in read_to_string(scene.path("log"))
        .unwrap_or_default()
        .lines()
    {
        *runs.entry(key.to_owned()).or_default() += 1;
    }
    runs
}

/// The counts over all turns.
#[derive(Debug, Default)]
pub struct Seen {
    /// The turns that were killed in the middle, and finished by another process.
    pub interrupted: u32,
    pub commands: usize,
    /// The commands that ran twice.
    pub again: usize,
}

fn kill_at_random(replay: &str, at_most: u32) -> Seen {
    let mut random = Random::default();
    let whole = scene(replay);
    let begun = ["run", "--json", "--session", "s", "go"];
    let mut live = Live::of(whole.uncached(&begun));
    live.wait("turn-started");
    let start = Instant::now();
    live.wait("turn-ended");
    let mut takes = start.elapsed();
    let mut seen = Seen::default();
    let mut turn = 0;
    while seen.interrupted < turns(8) {
        turn += 1;
        let scene = scene(replay);
        let mut live = Live::of(scene.uncached(&begun));
        live.wait("turn-started");
        std::thread::sleep(random.below(takes));
        live.kill(0);
        let session =
            || run(&mut scene.uncached(&["sessions", "list", "--json"])).json()[0].clone();
        let left = session();
        let was_interrupted = left["turn-since-ms"].is_u64();
        seen.interrupted += u32::from(was_interrupted);
        if !was_interrupted {
            // The machine is faster than before.
            takes = takes.mul_f64(0.9);
        }
        let mut last = Live::of(scene.uncached(&["run", "--json", "--session", "s"]));
        last.close_input();
        assert_eq!(last.end(), Some(0), "turn {turn}: {:#?}", last.seen);
        let ended = last
            .names()
            .iter()
            .filter(|name| **name == "turn-ended")
            .count();
        assert_eq!(
            ended,
            usize::from(was_interrupted),
            "turn {turn}: {:#?}",
            last.seen
        );
        let after = session();
        assert!(after["turn-since-ms"].is_null(), "turn {turn}: {after}");
        assert_eq!(after["turns"], 1, "turn {turn}");
        let runs = runs_of(&scene);
        assert!(
            runs.values().all(|ran| *ran <= at_most),
            "turn {turn}: {runs:?}"
        );
        assert!(!runs.contains_key(""), "turn {turn}: a command had no key");
        seen.commands += runs.len();
        seen.again += runs.values().filter(|ran| **ran > 1).count();
    }
    println!("{replay}: {seen:?} in {turn} turns");
    seen
}

#[test]
fn a_command_with_a_key_runs_at_most_twice() {
    kill_at_random("keyed", 2);
}

#[test]
fn a_command_that_must_not_run_twice_does_not() {
    let seen = kill_at_random("never", 1);
    assert_eq!(seen.again, 0);
}
