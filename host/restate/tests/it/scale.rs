//! What two workers do in the time of one, and what a session costs that waits.
//!
//! ```text
//! cargo test -p portcullis-restate --test it -- scale --include-ignored --nocapture
//! ```

use std::time::{Duration, Instant};

use futures::StreamExt as _;
use portcullis_restate::Outcome;

use super::agent::Dies;
use super::inside;
use super::server::resident_kb;
use super::world::World;

const TURNS: usize = 200;
const AT_ONCE: usize = 16;

async fn turns(world: &World, name: &str) -> Duration {
    let start = Instant::now();
    let turns = futures::stream::iter(0..TURNS).map(|turn| async move {
        let outcome = world.turn(&format!("{name}{turn}"), "go").await;
        assert!(matches!(outcome, Outcome::Done { .. }), "{outcome:?}");
    });
    turns.buffer_unordered(AT_ONCE).collect::<Vec<_>>().await;
    start.elapsed()
}

/// A measurement, which says nothing on a machine that does something else.
#[ignore = "a measurement"]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_workers_do_more_than_one() {
    let Some(server) = inside::server("scale::two_workers_do_more_than_one") else {
        return;
    };
    let mut world = World::start(&server).await;
    world.busy = true;
    let first = world.worker(Dies::Never);
    turns(&world, "warm").await;
    let one = turns(&world, "one").await;
    let second = world.worker(Dies::Never);
    // Connections are shared between the workers when they are made.
    world.server.restart().await;
    turns(&world, "warm again").await;
    let two = turns(&world, "two").await;
    println!(
        "{TURNS} turns of 5 tools of 10 ms, {AT_ONCE} at once: {one:?} with one worker, {two:?} with two: {:.2} x",
        one.as_secs_f64() / two.as_secs_f64()
    );
    drop((first, second));
    world.busy = false;
    let worker = world.worker(Dies::Never);
    world.turn("before", "go").await;
    let before = (resident_kb(worker.0.id()), world.server.resident_kb());
    for session in 0..TURNS {
        let outcome = world.turn(&format!("waits{session}"), "ask").await;
        assert!(matches!(outcome, Outcome::Suspended { .. }), "{outcome:?}");
    }
    let after = (resident_kb(worker.0.id()), world.server.resident_kb());
    println!(
        "{TURNS} sessions that wait: the worker has {} KiB more, the server {} KiB more (it has {} MiB)",
        after.0.saturating_sub(before.0),
        after.1.saturating_sub(before.1),
        after.1 / 1024
    );
}
