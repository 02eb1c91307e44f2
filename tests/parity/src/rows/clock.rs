//! Turns whose processes have different clocks.

use std::time::Duration;

use portcullis_agent::Replay;

use crate::mortality::Dies;
use crate::runtime::{Left, Runtime};
use crate::world::{Story, World, lines};

/// Far longer than a turn takes, and shorter than the clock error.
const PATIENCE: Duration = Duration::from_secs(120);
const OFF_MS: i64 = 3_600_000;

/// The clock of the first process is an hour ahead or behind, and it dies while the turn waits between two model calls.
pub async fn a_turn_continues_wherever_the_clock_was_set_to(runtime: &dyn Runtime) {
    let whole = World::new(Story::Fails, Replay::Safe);
    let mut running = whole.start(runtime, Dies::Never).await;
    running.process.turn("go").await.done();
    let (trace, places) = (running.trace(), running.mortality.places());
    running.process.stop().await;
    let wait = places.iter().position(|place| place.name == "wait");
    let wait = wait.expect("the turn waits");
    for ahead_ms in [OFF_MS, -OFF_MS] {
        let mut world = World::new(Story::Fails, Replay::Safe);
        world.clock_ahead_ms = ahead_ms;
        let mut first = world.start(runtime, Dies::Recorded(wait)).await;
        let left = first.process.turn("go").await;
        assert!(matches!(left, Left::Died), "{left:?}");
        drop(first);
        world.clock_ahead_ms = 0;
        let mut second = world.start(runtime, Dies::Never).await;
        let turn = tokio::time::timeout(PATIENCE, second.process.turn("go"));
        let ended = turn
            .await
            .expect("it waits as long as the clock is off")
            .done();
        assert_eq!(lines(&ended.conversation), ["user: go", "assistant: fresh"]);
        assert_eq!(second.trace(), trace, "{ahead_ms}");
        second.process.stop().await;
    }
}
