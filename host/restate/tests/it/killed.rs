//! Workers that are killed at random moments.
//!
//! ```text
//! cargo test -p portcullis-restate --test it -- killed                        10 interrupted turns
//! PORTCULLIS_SOAK=full cargo test -p portcullis-restate --test it -- killed   100 interrupted turns
//! ```

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use portcullis_agent::Replay;
use portcullis_restate::Outcome;

use super::agent::{Dies, take_done};
use super::inside;
use super::world::World;

fn turns() -> u32 {
    match std::env::var("PORTCULLIS_SOAK").as_deref() {
        Ok("full") => 100,
        _ => 10,
    }
}

/// Random numbers, the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, most: Duration) -> Duration {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        most.mul_f64((self.0 >> 33) as f64 / f64::from(1_u32 << 31))
    }
}

async fn kill_at_random(test: &str, replay: Replay) {
    let Some(server) = inside::server(test) else {
        return;
    };
    let mut world = World::start(&server).await;
    world.replay = replay;
    let mut worker = world.worker(Dies::Never);
    world.turn("first", "go").await;
    let start = Instant::now();
    world.turn("second", "go").await;
    let takes = start.elapsed();
    let (mut interrupted, mut tools, mut twice) = (0, 0, 0);
    let mut random = Random(7);
    let mut turn = 0;
    while interrupted < turns() {
        turn += 1;
        let session = format!("s{turn}");
        take_done(world.dir());
        let wait = random.below(takes);
        let (outcome, next) = tokio::join!(world.turn(&session, "go"), async {
            world.wait_for("session-start").await;
            tokio::time::sleep(wait).await;
            drop(worker);
            let left = world.store.sessions().get(&session).await.unwrap();
            let was_running = left.is_some_and(|left| left.turn_since_ms.is_some());
            (world.worker(Dies::Never), was_running)
        });
        let was_running;
        (worker, was_running) = next;
        interrupted += u32::from(was_running);
        assert_eq!(
            outcome,
            Outcome::Done {
                text: "all is done".into()
            },
            "turn {turn}"
        );
        let saved = world.store.sessions().get(&session).await.unwrap().unwrap();
        assert_eq!(saved.turns, 1, "turn {turn}");
        assert!(saved.turn_since_ms.is_none(), "turn {turn}");
        let mut runs = BTreeMap::<String, u32>::new();
        for action in take_done(world.dir()) {
            if action.starts_with("tool") {
                *runs.entry(action).or_default() += 1;
            }
        }
        let most = if replay == Replay::Never { 1 } else { 2 };
        assert!(
            runs.values().all(|ran| *ran <= most),
            "turn {turn}: {runs:?}"
        );
        tools += runs.len();
        twice += runs.values().filter(|ran| **ran > 1).count();
    }
    println!(
        "{replay:?}: {turn} turns, {interrupted} interrupted; {tools} tools, {twice} ran twice"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_turn_ends_once_and_a_keyed_tool_runs_at_most_twice() {
    let test = "killed::every_turn_ends_once_and_a_keyed_tool_runs_at_most_twice";
    kill_at_random(test, Replay::Keyed).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_turn_ends_once_and_no_tool_runs_twice_that_must_not() {
    let test = "killed::every_turn_ends_once_and_no_tool_runs_twice_that_must_not";
    kill_at_random(test, Replay::Never).await;
}
