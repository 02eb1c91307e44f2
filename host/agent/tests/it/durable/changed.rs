//! Turns that another agent continues than began them, and turns that are not continued.

use std::sync::Arc;

use portcullis::approval::ApprovalDecision;
use portcullis::verdict::Approval;
use portcullis_agent::{
    AgentEvent, AgentSession, EffectsError, EventReceiver, JournalEvent, NotRun, RepeatDecision,
    Replay, TurnError,
};
use portcullis_parity::{Dies, End, Ended, LINES, Left, Mortality, Story, World};
use portcullis_store::{Store, StoreOptions, StoreUrl};
use tokio_util::sync::CancellationToken;

use super::local::{Direct, Local, Opened, start};
use crate::support::{Says, lines};

/// A world in which the process died when this effect of the turn was recorded.
async fn died_at(number: usize) -> World {
    let world = World::new(Story::Whole, Replay::Never);
    let mut first = world.start(&Local, Dies::Recorded(number)).await;
    assert!(matches!(first.process.turn("go").await, Left::Died));
    world
}

/// A process whose parts a test uses itself.
async fn process(world: &World) -> (Opened, EventReceiver) {
    let (agent, new, events) = world.agent("agent");
    let process = start(world, agent, new, Mortality::new(Dies::Never), true).await;
    (process, events)
}

async fn opened(world: &World) -> AgentSession {
    let (process, _) = process(world).await;
    process.agent.session(process.new.clone()).await.unwrap()
}

async fn finished(world: &World) -> (Ended, Vec<AgentEvent>) {
    let mut running = world.start(&Local, Dies::Never).await;
    let ended = running.process.turn("go").await.ended();
    running.process.stop().await;
    let events = std::iter::from_fn(|| running.events.try_next());
    (ended, events.map(|emitted| emitted.event.clone()).collect())
}

#[tokio::test]
async fn the_record_of_another_agent_is_left_as_it_is() {
    let mut world = died_at(20).await;
    world.hook = None;
    let (ended, _) = finished(&world).await;
    let End::Interrupted(EffectsError::Changed { recorded, .. }) = &ended.end else {
        panic!("{ended:#?}");
    };
    assert_eq!(recorded, "decide pre-turn");
    assert_eq!(ended.conversation, []);
    world.hook = Some("a-recorder");
    let (ended, _) = finished(&world).await;
    assert!(matches!(ended.end, End::Done), "{ended:#?}");
    assert_eq!(ended.conversation.len(), LINES.len());
}

/// The tool's effects are the only ones that the agent without it does not do: no name differs.
#[tokio::test]
async fn a_turn_is_not_finished_without_the_tool_that_it_ran() {
    let mut deaths = 0;
    for number in 0.. {
        let mut world = World::new(Story::Whole, Replay::Never);
        world.hook = None;
        let mut first = world.start(&Local, Dies::Recorded(number)).await;
        let Left::Died = first.process.turn("go").await else {
            break;
        };
        drop(first);
        if world.runs("other runs: b") == 0 {
            continue;
        }
        deaths += 1;
        world.removed = Some("other");
        let (ended, events) = finished(&world).await;
        let End::Interrupted(EffectsError::Changed { recorded, .. }) = &ended.end else {
            panic!("effect {number}: {ended:#?}");
        };
        assert!(recorded.ends_with("other"), "effect {number}: {recorded}");
        let has_ended = |event: &AgentEvent| matches!(event, AgentEvent::TurnEnded { .. });
        assert!(
            !events.iter().any(has_ended),
            "effect {number}: {events:#?}"
        );
        assert_eq!(ended.conversation, [], "effect {number}");
        world.removed = None;
        let (ended, _) = finished(&world).await;
        assert!(
            matches!(ended.end, End::Done),
            "effect {number}: {ended:#?}"
        );
        assert_eq!(ended.conversation.len(), LINES.len(), "effect {number}");
        assert_eq!(world.runs("other runs: b"), 1, "effect {number}");
    }
    assert!(
        deaths > 3,
        "the process died {deaths} times after the tool ran"
    );
}

#[tokio::test]
async fn a_new_turn_waits_until_the_unfinished_one_is_finished_or_discarded() {
    let world = died_at(3).await;
    let mut session = opened(&world).await;
    let refused = session.turn("another").await;
    assert!(matches!(refused, Err(TurnError::Unfinished)), "{refused:?}");
    session.discard_unfinished().await;
    let finished = session.finish_turn(CancellationToken::new()).await;
    assert!(finished.is_none());
    session.turn("another").await.unwrap();
    assert_eq!(lines(&session)[0], "user: another");
}

#[tokio::test]
async fn an_agent_that_is_not_durable_has_the_session_as_it_was() {
    let world = died_at(30).await;
    let mut direct = world.start(&Direct, Dies::Never).await;
    let ended = direct.process.turn("go").await.done();
    assert_eq!(ended.conversation.len(), LINES.len());
    direct.process.stop().await;
    // The record is older than the session now.
    assert!(opened(&world).await.unfinished().is_none());
}

/// A world in which the process died after the work of the tool `echo`, before its record. Returns the effect too.
async fn died_while_a_tool_ran() -> (World, usize) {
    for number in 0.. {
        let world = World::new(Story::Whole, Replay::Never);
        let mut first = world.start(&Local, Dies::Unrecorded(number)).await;
        let left = first.process.turn("go").await;
        assert!(matches!(left, Left::Died), "no tool was running");
        if world.runs(ECHO) == 1 {
            return (world, number);
        }
    }
    unreachable!("a turn has fewer effects")
}

/// The run of the tool during which the process dies.
const ECHO: &str = "echo runs: within";

#[tokio::test]
async fn a_person_may_have_a_tool_run_again() {
    let (world, number) = died_while_a_tool_ran().await;
    let (mut next, _) = process(&world).await;
    next.new.approver = Arc::new(Says(ApprovalDecision::Approve));
    let mut session = next.agent.session(next.new.clone()).await.unwrap();
    let end = session.finish_turn(CancellationToken::new()).await;
    assert!(matches!(end, Some(Ok(_))), "{end:?}");
    assert_eq!(lines(&session), LINES, "effect {number}");
    assert_eq!(world.runs(ECHO), 2);
}

/// Finishes the turn of a process that died while a tool ran, under an approver of this decision. Returns the recorded
/// decision, and how the call of the tool ended.
async fn repeat_decided(says: ApprovalDecision) -> (RepeatDecision, bool, Option<NotRun>) {
    let (mut world, _) = died_while_a_tool_ran().await;
    let store = Store::open(
        StoreUrl::sqlite(world.dir().join("journal.sqlite")),
        StoreOptions::default(),
    );
    let journal = store.await.unwrap().journal().unwrap();
    let journal = journal.keeping_values(true);
    world.journal = Some(Arc::new(journal.clone()));
    let (mut next, mut events) = process(&world).await;
    next.new.approver = Arc::new(Says(says));
    let mut session = next.agent.session(next.new.clone()).await.unwrap();
    let end = session.finish_turn(CancellationToken::new()).await;
    assert!(matches!(end, Some(Ok(_))), "{end:?}");
    session.close().await;
    journal.flush().unwrap();

    let emitted = std::iter::from_fn(|| events.try_next());
    let emitted = emitted.filter_map(|emitted| match &emitted.event {
        AgentEvent::ToolRepeatDecided {
            call_id, decision, ..
        } => Some((call_id.clone(), decision.clone())),
        _ => None,
    });
    let emitted: Vec<_> = emitted.collect();
    // The tool is that of a sub-agent.
    let sessions = journal.sessions().unwrap();
    let recorded = sessions.iter().map(|id| journal.events(id).unwrap());
    let recorded: Vec<_> = recorded.flatten().collect();
    let decisions = recorded.iter().filter_map(|event| match &event.row.event {
        JournalEvent::ToolRepeatDecided {
            call_id, decision, ..
        } => Some((call_id.clone(), decision.clone())),
        _ => None,
    });
    let decisions: Vec<_> = decisions.collect();
    assert_eq!(emitted, decisions);
    let [(asked, decision)] = &decisions[..] else {
        panic!("{decisions:#?}");
    };
    let finished = recorded.iter().find_map(|event| match &event.row.event {
        JournalEvent::ToolFinished {
            call_id,
            ran,
            not_run,
            ..
        } if call_id == asked => Some((*ran, *not_run)),
        _ => None,
    });
    let (ran, not_run) = finished.expect("the call has its result");
    (decision.clone(), ran, not_run)
}

#[tokio::test]
async fn the_journal_has_the_decision_to_run_a_tool_again() {
    use ApprovalDecision::{Approve, Defer, Deny, Edit, Unanswered};
    let rows = [
        (Approve, Approval::Approved, None),
        (
            Deny("not twice".into()),
            Approval::Denied,
            Some("not twice"),
        ),
        (
            Unanswered("asleep".into()),
            Approval::Unanswered,
            Some("asleep"),
        ),
        (
            Defer,
            Approval::Unanswered,
            Some("the question was deferred, and it cannot be answered later"),
        ),
        (
            Edit("{}".into()),
            Approval::Denied,
            Some("the answer changes the arguments, which may not be changed now"),
        ),
    ];
    for (says, approval, reason) in rows {
        let (decision, ran, not_run) = repeat_decided(says).await;
        assert_eq!(decision.approval, approval);
        assert_eq!(decision.reason.as_deref(), reason);
        let repeated = approval == Approval::Approved;
        assert_eq!(ran, repeated, "{decision:?}");
        assert_eq!(not_run, (!repeated).then_some(NotRun::NotRepeated));
    }
}

/// The embedder drops a turn, so that the session is not saved with it, and the process dies in the next turn.
#[tokio::test]
async fn a_turn_after_one_that_was_dropped_is_finished() {
    const RAN: &str = "echo runs: hang";
    let world = World::new(Story::Hangs, Replay::Never);
    let (first, _) = process(&world).await;
    let mut session = first.agent.session(first.new.clone()).await.unwrap();
    for _ in 0..2 {
        session.turn("again").await.unwrap();
    }
    tokio::select! {
        ended = session.turn("go") => panic!("{ended:?}"),
        () = world.until(RAN) => {}
    }
    world.done.take();
    let mut dying = Box::pin(async move { session.turn("go").await.map(drop) });
    tokio::select! {
        ended = &mut dying => panic!("{ended:?}"),
        () = world.until(RAN) => {}
    }
    world.dead.keep((dying, first));
    let mut next = world.start(&Local, Dies::Never).await;
    let ended = next.process.turn("another").await.done();
    // Two times two messages, and then the four of this turn.
    assert_eq!(ended.conversation.len(), 8, "{ended:#?}");
    assert_eq!(world.runs(RAN), 1, "the tool ran again");
    next.process.stop().await;
    let saved = opened(&world).await;
    assert_eq!(saved.conversation().len(), 8);
    assert!(saved.unfinished().is_none());
}

/// Returns the new hooks that the turn did not begin with, and the removed hooks that it began
/// with.
fn other_hooks(events: &[AgentEvent]) -> Option<(Vec<String>, Vec<String>)> {
    events.iter().find_map(|event| match event {
        AgentEvent::HooksDiffer { added, removed, .. } => Some((added.clone(), removed.clone())),
        _ => None,
    })
}

#[tokio::test]
async fn a_turn_that_continues_under_other_hooks_says_so() {
    let mut world = died_at(20).await;
    let mut same = world.start(&Local, Dies::Recorded(1)).await;
    assert!(matches!(same.process.turn("go").await, Left::Died));
    let events = std::iter::from_fn(|| same.events.try_next());
    let events: Vec<AgentEvent> = events.map(|emitted| emitted.event.clone()).collect();
    assert_eq!(other_hooks(&events), None);
    world.hook = Some("b-recorder");
    let (ended, events) = finished(&world).await;
    assert!(matches!(ended.end, End::Done), "{ended:#?}");
    let ids = |id: &str| vec![id.to_owned()];
    assert_eq!(
        other_hooks(&events),
        Some((ids("b-recorder"), ids("a-recorder")))
    );
}
