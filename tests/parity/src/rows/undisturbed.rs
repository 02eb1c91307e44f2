//! Turns that nothing interrupts.

use portcullis_agent::{EventSender, NewSession, Replay};
use serde_json::json;

use crate::agent::{self, LINES};
use crate::mortality::Dies;
use crate::runtime::{Ended, Runtime};
use crate::world::{Story, World, lines, trace_of};

/// A turn that nothing interrupts.
pub(super) struct Undisturbed {
    pub(super) trace: Vec<String>,
    /// The number of effects.
    pub(super) effects: usize,
    /// The calls of its hooks and tools. Parallel tools run in any order.
    pub(super) done: Vec<String>,
}

pub(super) async fn undisturbed(runtime: &dyn Runtime, replay: Replay) -> Undisturbed {
    let world = World::new(Story::Whole, replay);
    let mut running = world.start(runtime, Dies::Never).await;
    assert_whole(&running.process.turn("go").await.done());
    let (trace, effects) = (running.trace(), running.mortality.effects_done());
    running.process.stop().await;
    let mut done = world.done.take();
    done.sort();
    Undisturbed {
        trace,
        effects,
        done,
    }
}

/// Checks the end of the story [`Story::Whole`], in which every tool ran.
pub(super) fn assert_whole(ended: &Ended) {
    assert_eq!(lines(&ended.conversation), LINES);
    assert_eq!(json!(ended.state), json!({"mood": "good"}));
    assert_eq!(ended.usage.input_tokens, 50);
}

/// The hooks, the conversation, the state and the usage are those of a turn without a runtime.
pub async fn a_turn_is_the_same_turn(runtime: &dyn Runtime) {
    let here = undisturbed(runtime, Replay::Never).await;
    let world = World::new(Story::Whole, Replay::Never);
    let events = EventSender::new();
    let mut receiver = events.subscribe();
    let agent = agent::agent(&world, runtime.agent(), events);
    let opened = agent.session(NewSession::default()).await;
    let mut session = opened.expect("a session");
    let ended = session.turn("go").await;
    assert!(ended.is_ok(), "{ended:?}");
    assert_eq!(lines(session.conversation()), LINES);
    let trace = trace_of(&mut receiver);
    session.close().await;
    let mut done = world.done.take();
    done.sort();
    assert_eq!((here.trace, here.done), (trace, done));
}

/// Two turns at other times, with other generated ids and random numbers, have the same hooks at
/// the same places and the same actions. A runtime without a record has no other names for its
/// effects.
pub async fn a_turn_is_the_same_whenever_it_runs(runtime: &dyn Runtime) {
    let first = undisturbed(runtime, Replay::Safe).await;
    let second = undisturbed(runtime, Replay::Safe).await;
    assert!(first.trace.len() > 40, "{:#?}", first.trace);
    assert_eq!(first.trace, second.trace);
    assert_eq!(first.done, second.done);
    assert_eq!(first.effects, second.effects);
}

/// Two turns at other times, with other generated ids, have effects of the same names at the same
/// places.
pub async fn effects_have_the_same_names_at_any_time(runtime: &dyn Runtime) {
    let mut all = Vec::new();
    for _ in 0..2 {
        let world = World::new(Story::Whole, Replay::Keyed);
        let mut running = world.start(runtime, Dies::Never).await;
        running.process.turn("go").await.done();
        let mut places: Vec<String> = running
            .mortality
            .places()
            .into_iter()
            .map(|place| format!("{} {}", place.path, place.name))
            .collect();
        running.process.stop().await;
        places.sort();
        all.push(places);
    }
    assert!(all[0].len() > 40, "{:#?}", all[0]);
    assert_eq!(all[0], all[1]);
}
