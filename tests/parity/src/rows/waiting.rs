//! Turns that wait for a person.

use std::collections::BTreeMap;
use std::time::Duration;

use portcullis_agent::{NO_ANSWER, Replay, Resolution};

use super::every;
use crate::mortality::Dies;
use crate::runtime::{Ended, Left, Runtime};
use crate::world::{Story, World, lines};

const LINES: [&str; 4] = [
    "user: go",
    r#"assistant: echo({"text":"rm"})"#,
    "tool: echo rm",
    "assistant: all is done",
];

/// The conversation of the story [`Story::HelperAsks`].
const HELPED: [&str; 4] = [
    "user: go",
    r#"assistant: helper({"task":"help"})"#,
    "tool: the helper is done",
    "assistant: all is done",
];

fn yes() -> BTreeMap<String, Resolution> {
    yes_to("c1")
}

fn yes_to(call: &str) -> BTreeMap<String, Resolution> {
    BTreeMap::from([(call.to_owned(), Resolution::yes())])
}

/// Runs a turn until it waits and its process has ended.
async fn suspended(runtime: &dyn Runtime) -> (World, String) {
    suspended_in(World::new(Story::Asks, Replay::Keyed), runtime).await
}

async fn suspended_in(world: World, runtime: &dyn Runtime) -> (World, String) {
    let mut first = world.start(runtime, Dies::Never).await;
    let checkpoint = first.process.turn("go").await.suspended();
    first.process.stop().await;
    (world, checkpoint)
}

/// The turn is resumed with other hooks.
pub async fn a_suspended_turn_is_resumed_by_another_process_with_other_code(runtime: &dyn Runtime) {
    let (mut world, checkpoint) = suspended(runtime).await;
    world.hook = Some("b-recorder");
    let mut other = world.start(runtime, Dies::Never).await;
    let resumed = other.process.resume(&checkpoint, yes()).await;
    let ended = resumed.expect("it is resumed").done();
    assert_eq!(lines(&ended.conversation), LINES);
    assert_eq!(world.runs("echo runs: rm"), 1);
    other.process.stop().await;
}

/// A second resumption is refused, whether it comes after the first or beside it.
pub async fn a_suspended_turn_is_resumed_once(runtime: &dyn Runtime) {
    let (world, checkpoint) = suspended(runtime).await;
    let mut next = world.start(runtime, Dies::Never).await;
    let resumed = next.process.resume(&checkpoint, yes()).await;
    resumed.expect("it is resumed").done();
    let again = next.process.resume(&checkpoint, yes()).await;
    assert!(again.is_err(), "{again:?}");
    next.process.stop().await;
    assert_eq!(world.runs("echo runs: rm"), 1);
}

/// The tool does not run, and a later answer is refused.
pub async fn a_suspended_turn_that_nobody_answers_in_time_continues_with_a_no(
    runtime: &dyn Runtime,
) {
    let mut world = World::new(Story::Asks, Replay::Keyed);
    world.answer_within = Some(Duration::from_millis(300));
    let (world, checkpoint) = suspended_in(world, runtime).await;
    let mut next = world.start(runtime, Dies::Never).await;
    let ended = next.process.expire(&checkpoint).await.done();
    let said = lines(&ended.conversation);
    assert_eq!(said.len(), LINES.len(), "{said:#?}");
    assert!(said[2].contains(NO_ANSWER), "{said:#?}");
    let late = next.process.resume(&checkpoint, yes()).await;
    assert!(late.is_err(), "{late:?}");
    assert_eq!(world.runs("echo runs: rm"), 0);
    let again = next.process.turn("again").await.done();
    assert_eq!(again.conversation.len(), LINES.len() + 2);
    next.process.stop().await;
}

/// Resumes a turn in a process that stops at a moment, and lets the next one finish the turn. Also
/// returns whether the process stopped before the turn had ended.
async fn resumed(
    runtime: &dyn Runtime,
    world: &World,
    checkpoint: &str,
    decided: BTreeMap<String, Resolution>,
    at: Dies,
) -> (Left, bool) {
    let mut first = world.start(runtime, at).await;
    let resumed = first.process.resume(checkpoint, decided).await;
    let left = resumed.expect("it is resumed");
    if let Left::Ended(_) = left {
        first.process.stop().await;
        return (left, false);
    }
    drop(first);
    let mut second = world.start(runtime, Dies::Never).await;
    let left = second.process.turn("another").await;
    second.process.stop().await;
    (left, true)
}

async fn a_resumed_turn_stops(runtime: &dyn Runtime, at: fn(usize) -> Dies) {
    for number in (0..).step_by(every(runtime)) {
        let (world, checkpoint) = suspended(runtime).await;
        let (left, stopped) = resumed(runtime, &world, &checkpoint, yes(), at(number)).await;
        assert_eq!(lines(&left.done().conversation), LINES, "{:?}", at(number));
        let ran = world.runs("echo runs: rm");
        assert!((1..=2).contains(&ran), "{:?}: {ran}", at(number));
        if !stopped {
            assert_eq!(ran, 1);
            assert!(number > 5, "it has only {number} effects");
            return;
        }
    }
}

/// The next process finishes the turn with the decision, wherever the process of a resumed turn
/// dies.
pub async fn a_resumed_turn_dies_anywhere(runtime: &dyn Runtime) {
    a_resumed_turn_stops(runtime, Dies::Unrecorded).await;
}

/// The next process finishes the turn with the decision, wherever the process of a resumed turn is
/// asked to stop.
pub async fn a_resumed_turn_is_parked_anywhere(runtime: &dyn Runtime) {
    a_resumed_turn_stops(runtime, Dies::Parked).await;
}

/// A person answers the question of the sub-agent first, whose own sub-agent waits meanwhile. Both times the process stops.
async fn a_turn_whose_sub_agents_waited_stops(runtime: &dyn Runtime, at: fn(usize) -> Dies) {
    for number in (0..).step_by(every(runtime)) {
        let world = World::new(Story::HelperAsks, Replay::Keyed);
        let (world, checkpoint) = suspended_in(world, runtime).await;
        let at = at(number);
        let of_helper = resumed(runtime, &world, &checkpoint, yes_to("c1/h1"), at);
        let (left, stopped) = of_helper.await;
        let checkpoint = left.suspended();
        let below = resumed(runtime, &world, &checkpoint, yes_to("c1/h2/d1"), at);
        let (left, stopped_below) = below.await;
        let Ended { conversation, .. } = left.done();
        assert_eq!(lines(&conversation), HELPED, "{at:?}");
        for (run, stopped) in [
            ("echo runs: rm", stopped),
            ("echo runs: rm below", stopped_below),
        ] {
            let ran = world.runs(run);
            let most = 1 + usize::from(stopped);
            assert!((1..=most).contains(&ran), "{at:?}: {run}: {ran}");
        }
        if !stopped && !stopped_below {
            assert!(number > 5, "it has only {number} effects");
            return;
        }
    }
}

/// The waiting sub-agents of a resumed turn stay the same, wherever its process dies. Their actions
/// after they were resumed are not lost, and those that still wait can be resumed.
pub async fn a_turn_whose_sub_agents_waited_dies_anywhere(runtime: &dyn Runtime) {
    a_turn_whose_sub_agents_waited_stops(runtime, Dies::Unrecorded).await;
}

/// The same test with a process that is asked to stop.
pub async fn a_turn_whose_sub_agents_waited_is_parked_anywhere(runtime: &dyn Runtime) {
    a_turn_whose_sub_agents_waited_stops(runtime, Dies::Parked).await;
}
