//! Turns that wait for a person.

use std::collections::BTreeMap;
use std::time::Duration;

use portcullis_agent::{NO_ANSWER, Replay, Resolution};

use super::every;
use crate::mortality::Dies;
use crate::runtime::{Left, Runtime};
use crate::world::{Story, World, lines};

const LINES: [&str; 4] = [
    "user: go",
    r#"assistant: echo({"text":"rm"})"#,
    "tool: echo rm",
    "assistant: all is done",
];

fn yes() -> BTreeMap<String, Resolution> {
    BTreeMap::from([("c1".to_owned(), Resolution::yes())])
}

/// A turn that waits, and whose process has ended.
async fn suspended(runtime: &dyn Runtime) -> (World, String) {
    suspended_in(World::new(Story::Asks, Replay::Keyed), runtime).await
}

async fn suspended_in(world: World, runtime: &dyn Runtime) -> (World, String) {
    let mut first = world.start(runtime, Dies::Never).await;
    let checkpoint = first.process.turn("go").await.suspended();
    first.process.stop().await;
    (world, checkpoint)
}

/// The hooks are others when the turn is resumed.
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

/// The tool does not run, and who answers later is refused.
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

/// Wherever the process of a resumed turn dies, the next one finishes the turn with what was decided.
pub async fn a_resumed_turn_dies_anywhere(runtime: &dyn Runtime) {
    for number in (0..).step_by(every(runtime)) {
        let (world, checkpoint) = suspended(runtime).await;
        let mut first = world.start(runtime, Dies::Unrecorded(number)).await;
        let resumed = first.process.resume(&checkpoint, yes()).await;
        if let Left::Ended(ended) = resumed.expect("it is resumed") {
            assert_eq!(lines(&ended.conversation), LINES);
            assert!(number > 5, "it has only {number} effects");
            first.process.stop().await;
            return;
        }
        drop(first);
        let mut second = world.start(runtime, Dies::Never).await;
        let ended = second.process.turn("another").await.done();
        assert_eq!(lines(&ended.conversation), LINES, "effect {number}");
        let ran = world.runs("echo runs: rm");
        assert!((1..=2).contains(&ran), "effect {number}: {ran}");
        second.process.stop().await;
    }
}
