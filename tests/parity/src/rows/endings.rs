//! Turns that are cancelled.

use portcullis_agent::Replay;

use crate::mortality::Dies;
use crate::runtime::{End, Runtime};
use crate::world::{Running, Story, World, lines};

const RAN: &str = "echo runs: hang";

/// Checks that the next turn works, and has no trace of the one before.
async fn next_turn_works(runtime: &dyn Runtime, world: &World) {
    let mut next = world.start(runtime, Dies::Never).await;
    let ended = next.process.turn("again").await.done();
    assert_eq!(
        lines(&ended.conversation),
        ["user: again", "assistant: fresh"]
    );
    next.process.stop().await;
    assert_eq!(world.runs(RAN), 1, "the tool ran again");
}

/// Cancel interrupts a tool that runs.
pub async fn a_turn_that_is_cancelled_in_the_middle_leaves_nothing(runtime: &dyn Runtime) {
    let world = World::new(Story::Hangs, Replay::Safe);
    let mut running = world.start(runtime, Dies::Never).await;
    let cancel = running.process.cancel();
    let cancelling = async {
        world.until(RAN).await;
        cancel();
    };
    let (left, ()) = tokio::join!(running.process.turn("go"), cancelling);
    let ended = left.ended();
    assert!(matches!(ended.end, End::Cancelled), "{ended:#?}");
    assert_eq!(ended.conversation, []);
    running.process.stop().await;
    next_turn_works(runtime, &world).await;
}

/// Runs the turn until its tool runs, and then runs this future.
async fn in_the_tool(world: &World, running: &mut Running, then: impl Future<Output = ()>) {
    let doing = async {
        world.until(RAN).await;
        then.await;
    };
    tokio::join!(running.process.turn("go"), doing);
}

/// An operator cancels the turn, and the process dies before or after it has noticed.
pub async fn a_turn_that_is_cancelled_and_killed_is_over(runtime: &dyn Runtime) {
    let world = World::new(Story::Hangs, Replay::Safe);
    let mut running = world.start(runtime, Dies::Never).await;
    let mortality = running.mortality.clone();
    in_the_tool(&world, &mut running, async {
        runtime.cancel(&world).await;
        mortality.kill();
    })
    .await;
    drop(running);
    next_turn_works(runtime, &world).await;
}

/// An operator cancels a turn whose process is dead.
pub async fn a_turn_that_is_cancelled_when_it_is_dead_is_over(runtime: &dyn Runtime) {
    let world = World::new(Story::Hangs, Replay::Safe);
    let mut running = world.start(runtime, Dies::Never).await;
    let mortality = running.mortality.clone();
    in_the_tool(&world, &mut running, async { mortality.kill() }).await;
    drop(running);
    runtime.cancel(&world).await;
    next_turn_works(runtime, &world).await;
}
