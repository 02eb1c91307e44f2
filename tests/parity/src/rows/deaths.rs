//! Turns whose processes die.

use portcullis_agent::Replay;
use serde_json::json;

use super::every;
use super::undisturbed::{Undisturbed, assert_whole, undisturbed};
use crate::agent::LINES;
use crate::mortality::Dies;
use crate::runtime::{Left, Runtime};
use crate::world::{Story, World, lines};

const RUNS: [&str; 3] = ["echo runs: a", "other runs: b", "echo runs: within"];

/// Kills a process at a moment, and lets the next one finish the turn.
async fn dies(runtime: &dyn Runtime, replay: Replay, at: Dies, whole: &Undisturbed) {
    let world = World::new(Story::Whole, replay);
    let mut first = world.start(runtime, at).await;
    if let Left::Ended(ended) = first.process.turn("go").await {
        panic!("it did not die at {at:?}: {ended:#?}");
    }
    drop(first);
    let mut second = world.start(runtime, Dies::Never).await;
    let ended = second.process.turn("go").await.done();
    assert_eq!(second.trace(), whole.trace, "{at:?}");
    assert_eq!(json!(ended.state), json!({"mood": "good"}), "{at:?}");
    second.process.stop().await;
    let said = lines(&ended.conversation);
    assert_eq!(said.len(), LINES.len(), "{at:?}: {said:#?}");
    let unknown = said.iter().filter(|line| line.contains("unknown")).count();
    for run in RUNS.map(|run| world.runs(run)) {
        match replay {
            // The sub-agent has a conversation of its own, which is gone.
            Replay::Never => assert!(run <= 1, "{at:?}: {said:#?}"),
            Replay::Safe | Replay::Keyed => assert!((1..=2).contains(&run), "{at:?}"),
        }
    }
    match replay {
        Replay::Never => assert!(unknown <= 2, "{at:?}: {said:#?}"),
        Replay::Safe | Replay::Keyed => assert_whole(&ended),
    }
    // At most one more call of the effect in flight, and the start and the end of the sessions.
    let again = world.done.take().len().saturating_sub(whole.done.len());
    assert!(again <= 4, "{at:?}: {again} more");
}

async fn dies_everywhere(runtime: &dyn Runtime, replay: Replay, at: fn(usize) -> Dies) {
    let whole = undisturbed(runtime, replay).await;
    for number in (0..whole.effects).step_by(every(runtime)) {
        dies(runtime, replay, at(number), &whole).await;
    }
}

/// A turn that has performed no effect is run by the next process.
pub async fn it_dies_when_a_turn_begins(runtime: &dyn Runtime) {
    let whole = undisturbed(runtime, Replay::Never).await;
    dies(runtime, Replay::Never, Dies::Begun, &whole).await;
}

/// The turn is the same, whichever effect the process dies after.
pub async fn it_dies_when_an_effect_is_recorded(runtime: &dyn Runtime) {
    dies_everywhere(runtime, Replay::Safe, Dies::Recorded).await;
}

/// The turn is the same, whichever effect the process dies in, and only that effect is repeated.
pub async fn it_dies_before_an_effect_is_recorded(runtime: &dyn Runtime) {
    dies_everywhere(runtime, Replay::Keyed, Dies::Unrecorded).await;
}

/// The model is told that the result is unknown.
pub async fn a_tool_that_must_not_run_twice_does_not(runtime: &dyn Runtime) {
    dies_everywhere(runtime, Replay::Never, Dies::Unrecorded).await;
}

/// Each process of a turn dies after its first effect, or after a few of them, so that the next one
/// has no instance, cache or memory of it. An effect that runs beside another one may be repeated.
pub async fn every_effect_is_of_a_new_process(runtime: &dyn Runtime) {
    let whole = undisturbed(runtime, Replay::Safe).await;
    let each = whole.effects.div_ceil(runtime.deaths_of_a_turn());
    let world = World::new(Story::Whole, Replay::Safe);
    for process in 0.. {
        assert!(process <= whole.effects, "the turn does not end");
        let mut running = world.start(runtime, Dies::Recorded(each - 1)).await;
        if let Left::Ended(ended) = running.process.turn("go").await {
            assert_whole(&ended);
            assert_eq!(running.trace(), whole.trace);
            running.process.stop().await;
            assert!(
                process * each > whole.effects / 2,
                "only {process} processes died"
            );
            return;
        }
    }
}
