//! Turns that survive their process.

mod world;

use std::sync::Arc;
use std::sync::atomic::Ordering;

use portcullis::approval::ApprovalDecision;
use portcullis_agent::{AgentEvent, AgentSession, EffectsError, Replay, TurnEnd, TurnError};
use serde_json::json;
use tokio_util::sync::CancellationToken;

use self::world::{Dies, Left, Process, World};
use crate::support::{Says, assert_whole, lines};

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
async fn undisturbed(dies: Option<Dies>, replay: Replay) -> (Vec<String>, usize, Vec<String>) {
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
        assert!(
            matches!(end, Ok(TurnEnd::Done(_))),
            "effect {number}: {end:?}"
        );
        assert_eq!(second.trace(), trace, "effect {number}");
        assert_whole(session.conversation());
        assert_eq!(
            session.state(),
            *json!({"mood": "good"}).as_object().unwrap()
        );
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

/// A world in which the process died when this effect of the turn was recorded.
async fn died_at(number: usize) -> World {
    let world = World::new();
    let mut first = world.start(Some(Dies::Recorded(number))).await;
    assert!(matches!(first.turn().await, Left::Died));
    world
}

#[tokio::test]
async fn the_record_of_another_agent_is_left_as_it_is() {
    let mut world = died_at(20).await;
    world.hook = None;
    let mut other = world.start(Some(Dies::Never)).await;
    let (session, end) = ended(other.turn().await);
    let Err(TurnError::Interrupted(EffectsError::Changed { recorded, .. })) = &end else {
        panic!("{end:?}");
    };
    assert_eq!(recorded, "decide pre-turn");
    assert!(session.conversation().is_empty());
    session.close().await;
    world.hook = Some("a-recorder");
    let mut same = world.start(Some(Dies::Never)).await;
    let (session, end) = ended(same.turn().await);
    assert!(matches!(end, Ok(TurnEnd::Done(_))), "{end:?}");
    assert_eq!(lines(&session), LINES);
}

#[tokio::test]
async fn a_new_turn_waits_until_the_unfinished_one_is_finished_or_discarded() {
    let world = died_at(3).await;
    let next = world.start(Some(Dies::Never)).await;
    let mut session = next.agent.session(next.new.clone()).await.unwrap();
    let refused = session.turn("another").await;
    assert!(matches!(refused, Err(TurnError::Unfinished)), "{refused:?}");
    session.discard_unfinished().await;
    assert!(
        session
            .finish_turn(CancellationToken::new())
            .await
            .is_none()
    );
    session.turn("another").await.unwrap();
    assert_eq!(lines(&session)[0], "user: another");
}

#[tokio::test]
async fn an_agent_that_is_not_durable_has_the_session_as_it_was() {
    let world = died_at(30).await;
    let mut direct = world.start(None).await;
    let (session, _) = ended(direct.turn().await);
    assert_eq!(lines(&session), LINES);
    session.close().await;
    // The record is older than the session now.
    let next = world.start(Some(Dies::Never)).await;
    let session = next.agent.session(next.new.clone()).await.unwrap();
    assert!(session.unfinished().is_none());
}

#[tokio::test]
async fn a_person_may_have_a_tool_run_again() {
    let (_, effects, _) = undisturbed(Some(Dies::Never), Replay::Never).await;
    let mut ran_again = 0;
    for number in effects / 2..effects {
        let world = World::new();
        let mut first = world.start(Some(Dies::Unrecorded(number))).await;
        assert!(matches!(first.turn().await, Left::Died));
        if world.runs("echo runs: within") != 1 {
            continue;
        }
        let mut next = world.start(Some(Dies::Never)).await;
        next.new.approver = Arc::new(Says(ApprovalDecision::Approve));
        let (session, end) = ended(next.turn().await);
        assert!(matches!(end, Ok(TurnEnd::Done(_))), "{end:?}");
        assert_eq!(lines(&session), LINES, "effect {number}");
        ran_again += world.runs("echo runs: within") - 1;
        if ran_again > 0 {
            break;
        }
    }
    assert_eq!(ran_again, 1);
}

/// The hooks of this process that the turn did not begin with, and those that it began with and are gone.
fn other_hooks(process: &mut Process) -> Option<(Vec<String>, Vec<String>)> {
    std::iter::from_fn(|| process.events.try_next()).find_map(|emitted| match &emitted.event {
        AgentEvent::HooksDiffer { added, removed, .. } => Some((added.clone(), removed.clone())),
        _ => None,
    })
}

#[tokio::test]
async fn a_turn_that_continues_under_other_hooks_says_so() {
    let mut world = died_at(20).await;
    let mut same = world.start(Some(Dies::Recorded(1))).await;
    assert!(matches!(same.turn().await, Left::Died));
    assert_eq!(other_hooks(&mut same), None);
    world.hook = Some("b-recorder");
    let mut other = world.start(Some(Dies::Never)).await;
    let (session, end) = ended(other.turn().await);
    assert!(matches!(end, Ok(TurnEnd::Done(_))), "{end:?}");
    assert_eq!(lines(&session), LINES);
    let ids = |id: &str| vec![id.to_owned()];
    assert_eq!(
        other_hooks(&mut other),
        Some((ids("b-recorder"), ids("a-recorder")))
    );
}
