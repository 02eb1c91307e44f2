//! The same session on each runtime, and wherever its worker dies.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use portcullis_agent::{EventSender, NewSession, Replay, TurnEnd};
use portcullis_restate::Outcome;
use tokio_util::sync::CancellationToken;

use super::agent::{Deeds, Dies, agent, take_done};
use super::inside;
use super::world::{World, lines, store, traced};

fn done(text: &str) -> Outcome {
    Outcome::Done { text: text.into() }
}

/// Two turns of a session that ends: its trace, and its conversation.
async fn in_process(dir: &Path, is_recorded: bool) -> (Vec<String>, Vec<String>) {
    let store = store(dir).await;
    let events = EventSender::new();
    let mut receiver = events.subscribe();
    let agent = agent(&Deeds::new(dir, Dies::Never), Replay::Keyed, events);
    let new = NewSession {
        id: "s".into(),
        sessions: Some(Arc::new(store.sessions())),
        turns: is_recorded.then(|| Arc::new(store.turns()) as _),
        ..NewSession::default()
    };
    let mut session = agent.session(new).await.unwrap();
    for _ in 0..2 {
        let ended = session.turn_until("go", CancellationToken::new()).await;
        assert!(matches!(ended, Ok(TurnEnd::Done(_))), "{ended:?}");
    }
    session.close().await;
    let trace = std::iter::from_fn(|| receiver.try_next());
    let trace = trace.filter_map(|emitted| traced(&emitted)).collect();
    (trace, lines(&store, "s").await)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_session_has_the_same_trace_on_each_runtime() {
    let Some(server) = inside::server("parity::a_session_has_the_same_trace_on_each_runtime")
    else {
        return;
    };
    let (direct, local) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let direct = in_process(direct.path(), false).await;
    let local = in_process(local.path(), true).await;
    assert_eq!(direct, local);
    assert!(
        direct.0.contains(&"0 0 session-start".to_owned()),
        "{direct:?}"
    );
    let world = World::start(&server).await;
    for _ in 0..2 {
        // Another process has each turn.
        let _worker = world.worker(Dies::Never);
        assert_eq!(world.turn("s", "go").await, done("all is done"));
    }
    // In one process, so that its events are in order.
    let worker = world.worker(Dies::Never);
    for _ in 0..2 {
        assert_eq!(world.turn("t", "go").await, done("all is done"));
    }
    world.client.close("t", |_: &str| {}).await.unwrap();
    let events = world.events_of(&worker, direct.0.len()).await;
    let restate = (events, world.lines("t").await);
    assert_eq!(direct, restate);
    assert_eq!(world.lines("s").await, restate.1);
}

/// A turn that nothing interrupts: its trace, its conversation, and what it does.
async fn undisturbed(world: &World) -> (Vec<String>, Vec<String>, usize) {
    let here = tempfile::tempdir().unwrap();
    let (mut trace, _) = in_process(here.path(), true).await;
    let turn = trace.iter().take_while(|event| !event.starts_with('2'));
    let turn = turn.count();
    trace.truncate(turn);
    let worker = world.worker(Dies::Never);
    take_done(world.dir());
    assert_eq!(world.turn("whole", "go").await, done("all is done"));
    let deeds = take_done(world.dir()).len();
    assert_eq!(world.events_of(&worker, turn).await, trace);
    (trace, world.lines("whole").await, deeds)
}

/// Wherever its worker dies, the turn is finished by the next one, with the same trace.
async fn dies_everywhere(test: &str, replay: Replay) {
    let Some(server) = inside::server(test) else {
        return;
    };
    let mut world = World::start(&server).await;
    world.replay = replay;
    let (trace, whole, deeds) = undisturbed(&world).await;
    assert!(deeds > 30, "{deeds}");
    let every = match std::env::var("PORTCULLIS_SOAK").as_deref() {
        Ok("full") => 1,
        _ => 4,
    };
    let points = (0..deeds).step_by(every);
    let points = points.flat_map(|at| [Dies::Before(at), Dies::After(at)]);
    let mut twice = 0;
    for dies in points {
        let session = format!("{dies:?}");
        take_done(world.dir());
        let mut first = world.worker(dies);
        let (outcome, last) = tokio::join!(world.turn(&session, "go"), async {
            loop {
                if let Some(status) = first.0.try_wait().unwrap() {
                    assert!(!status.success());
                    return world.worker(Dies::Never);
                }
                tokio::time::sleep(std::time::Duration::from_millis(5)).await;
            }
        });
        assert_eq!(outcome, done("all is done"), "{dies:?}");
        let conversation = world.lines(&session).await;
        let mut counts = BTreeMap::<String, usize>::new();
        let all = take_done(world.dir());
        let again = all.len().saturating_sub(deeds);
        for action in all {
            *counts.entry(action).or_default() += 1;
        }
        let tools = counts
            .iter()
            .filter(|(action, _)| action.starts_with("tool"));
        for (tool, count) in tools {
            assert!(tool.contains('#'), "{dies:?}: no key in {counts:?}");
            let most = if replay == Replay::Never { 1 } else { 2 };
            assert!(*count <= most, "{dies:?}: {counts:?}");
            twice += usize::from(*count == 2);
        }
        // What was in flight: an action, and those of a parallel tool.
        assert!(again <= 4, "{dies:?}: {again} more of {deeds}: {counts:?}");
        if replay != Replay::Never {
            assert_eq!(conversation, whole, "{dies:?}");
            let events = world.events_of(&last, trace.len() - 1).await;
            // A session that began in the worker that died does not begin again.
            let begins = events.first() == trace.first();
            assert_eq!(events, trace[usize::from(!begins)..], "{dies:?}");
        }
    }
    println!("{test}: {twice} tools ran twice");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn it_dies_everywhere() {
    dies_everywhere("parity::it_dies_everywhere", Replay::Keyed).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_tool_that_must_not_run_twice_does_not() {
    dies_everywhere(
        "parity::a_tool_that_must_not_run_twice_does_not",
        Replay::Never,
    )
    .await;
}
