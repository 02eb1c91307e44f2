//! Turns that survive their process.

mod world;

use std::sync::atomic::Ordering;

use portcullis_agent::{AgentSession, Replay, TurnEnd, TurnError};
use serde_json::json;

use self::world::{Dies, Left, World};
use crate::support::{assert_whole, lines};

const LINES: [&str; 8] = [
    "user: go",
    r#"assistant: echo({"text":"a"})other({"text":"b"})"#,
    "tool: echo a",
    "tool: echo b",
    r#"assistant: set_state({"key":"mood","value":"good"})helper({"task":"help"})"#,
    "tool: noted",
    "tool: the helper is done",
    "assistant: all is done",
];

fn ended(left: Left) -> (AgentSession, Result<TurnEnd, TurnError>) {
    match left {
        Left::Ended(session, ended) => (session, ended),
        Left::Died => panic!("it died"),
    }
}

/// A turn that nothing interrupts: its trace, how much it records, and what it does.
async fn undisturbed(
    dies: Option<Dies>,
    replay: Replay,
) -> (Vec<String>, usize, Vec<String>) {
    let mut world = World::new();
    world.replay = replay;
    let mut process = world.start(dies).await;
    let (session, end) = ended(process.turn().await);
    assert!(matches!(end, Ok(TurnEnd::Done(_))), "{end:?}");
    assert_eq!(lines(&session).len(), LINES.len(), "{:#?}", lines(&session));
    let trace = process.trace();
    session.close().await;
    let recorded = process.recorded.load(Ordering::Relaxed);
    // Parallel tools run in any order.
    let mut done = world.done.take();
    done.sort();
    (trace, recorded, done)
}

#[tokio::test]
async fn a_recorded_turn_is_the_same_turn() {
    let (direct, none, done) = undisturbed(None, Replay::Never).await;
    let (local, some, also) = undisturbed(Some(Dies::Never), Replay::Never).await;
    assert_eq!((direct, done), (local, also));
    assert_eq!(none, 0);
    assert!(some > 40, "{some}");
}

/// Wherever its process dies, the turn is finished by the next one, with the same trace.
async fn dies_everywhere(replay: Replay, at: fn(usize) -> Dies) {
    let (trace, effects, done) = undisturbed(Some(Dies::Never), replay).await;
    for number in 0..effects {
        let mut world = World::new();
        world.replay = replay;
        let mut first = world.start(Some(at(number))).await;
        if let Left::Ended(..) = first.turn().await {
            panic!("it did not die at effect {number}");
        }
        let mut second = world.start(Some(Dies::Never)).await;
        let (session, end) = ended(second.turn().await);
        assert!(matches!(end, Ok(TurnEnd::Done(_))), "effect {number}: {end:?}");
        assert_eq!(second.trace(), trace, "effect {number}");
        assert_whole(session.conversation());
        assert_eq!(session.state(), *json!({"mood": "good"}).as_object().unwrap());
        assert!(session.unfinished().is_none());
        let said = lines(&session);
        let usage = session.usage();
        session.close().await;
        let unknown = said.iter().filter(|line| line.contains("unknown")).count();
        let runs = ["echo runs: a", "other runs: b", "echo runs: within"];
        for run in runs.map(|run| world.runs(run)) {
            match replay {
                Replay::Never => assert!(run + unknown >= 1 && run <= 1, "effect {number}"),
                Replay::Safe | Replay::Keyed => assert!((1..=2).contains(&run), "effect {number}"),
            }
        }
        match replay {
            Replay::Never => assert!(unknown <= 2, "effect {number}: {said:#?}"),
            Replay::Safe | Replay::Keyed => {
                let expected: Vec<String> = LINES.iter().map(|line| (*line).into()).collect();
                assert_eq!(said.len(), expected.len(), "effect {number}: {said:#?}");
                assert_eq!(usage.input_tokens, 50, "effect {number}");
            }
        }
        // At most one call more of what was in flight, and the start and the end of the sessions.
        let again = world.done.take().len() - done.len();
        assert!(again <= 4, "effect {number}: {again} more");
    }
}

#[tokio::test]
async fn it_dies_when_an_effect_is_recorded() {
    dies_everywhere(Replay::Safe, Dies::Recorded).await;
}

#[tokio::test]
async fn it_dies_before_an_effect_is_recorded() {
    dies_everywhere(Replay::Keyed, Dies::Unrecorded).await;
}

#[tokio::test]
async fn a_tool_that_must_not_run_twice_does_not() {
    dies_everywhere(Replay::Never, Dies::Unrecorded).await;
}
