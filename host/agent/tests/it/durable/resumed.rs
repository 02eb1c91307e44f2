//! Checkpoints of turns that were resumed and did not end.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use portcullis_agent::{
    CheckpointId, CheckpointStore as _, NewSession, NewTurn, RecordedEffect, Replay, Resolution,
    TurnEnd, TurnError, TurnStore, TurnStoreError, UnfinishedTurn,
};
use portcullis_parity::{Dies, Left, Mortality, Process as _, Story, World};
use tokio_util::sync::CancellationToken;

use super::local::{Opened, start};
use crate::support::lines;

/// The trail of the tool that a person is asked about; in the helper's story, the helper's tool.
const RAN: &str = "echo runs: rm";

/// The calls that wait in the story of the helper: its own, and one of its own sub-agent.
const OF_HELPER: &str = "c1/h1";
const BELOW: &str = "c1/h2/d1";

/// Longer than the background work takes.
const PATIENCE: Duration = Duration::from_secs(300);

fn yes(calls: &[&str]) -> BTreeMap<String, Resolution> {
    let yes = |call: &&str| ((*call).to_owned(), Resolution::yes());
    calls.iter().map(yes).collect()
}

async fn process(world: &World, mortality: Mortality) -> Opened {
    let (agent, new, _) = world.agent("agent");
    start(world, agent, new, mortality, true).await
}

async fn lives(world: &World) -> Opened {
    process(world, Mortality::new(Dies::Never)).await
}

/// A turn that waits, and whose process has ended.
async fn suspended(story: Story) -> (World, CheckpointId) {
    let world = World::new(story, Replay::Never);
    let checkpoint = lives(&world).await.turn("go").await.suspended();
    (world, checkpoint.parse().unwrap())
}

/// A turn that was resumed, and whose process stopped in this way at the effect in which its tool ran.
async fn stopped(at: fn(usize) -> Dies) -> (World, CheckpointId) {
    let mut number = 0;
    loop {
        let (world, checkpoint) = suspended(Story::Asks).await;
        let mut first = process(&world, Mortality::new(at(number))).await;
        let left = first.resume(checkpoint.as_str(), yes(&["c1"])).await;
        let left = left.unwrap();
        assert!(!matches!(left, Left::Ended(_)), "{left:?}");
        if world.runs(RAN) == 1 {
            return (world, checkpoint);
        }
        number += 1;
    }
}

/// How many checkpoints wait, and how many are claimed.
async fn checkpoints(process: &Opened) -> (usize, usize) {
    let checkpoints = process.store.checkpoints();
    let waiting = checkpoints.list(None).await.unwrap();
    let claimed = checkpoints.claimed(None).await.unwrap();
    (waiting.len(), claimed.len())
}

#[tokio::test]
async fn a_turn_whose_checkpoint_a_person_released_is_finished() {
    let (world, checkpoint) = stopped(Dies::Recorded).await;
    let next = lives(&world).await;
    let released = next.store.checkpoints().release(&checkpoint).await;
    released.unwrap();
    let mut session = next.agent.session(next.new.clone()).await.unwrap();
    let ended = session.finish_turn(CancellationToken::new()).await;
    assert!(matches!(ended, Some(Ok(TurnEnd::Done(_)))), "{ended:?}");
    assert_eq!(lines(&session)[2], "tool: echo rm");
    assert_eq!(world.runs(RAN), 1);
    assert_eq!(checkpoints(&next).await, (0, 0));
    session.close().await;
}

#[tokio::test]
async fn a_parked_turn_that_is_cancelled_does_not_wait_again() {
    let (world, _) = stopped(Dies::Parked).await;
    let next = lives(&world).await;
    assert!(next.store.turns().cancel(&world.session).await.unwrap());
    let mut session = next.agent.session(next.new.clone()).await.unwrap();
    let ended = session.finish_turn(CancellationToken::new()).await;
    assert!(ended.is_none(), "{ended:?}");
    // Its tool has run: only a person has it run again.
    assert_eq!(checkpoints(&next).await, (0, 1));
    session.close().await;
}

/// Turns that cannot be begun.
struct Full(Arc<dyn TurnStore>);

#[async_trait]
impl TurnStore for Full {
    async fn begin(&self, _: NewTurn) -> Result<(), TurnStoreError> {
        Err(TurnStoreError::Failed("the disk is full".into()))
    }

    async fn record(&self, id: &str, effect: RecordedEffect) -> Result<(), TurnStoreError> {
        self.0.record(id, effect).await
    }

    async fn is_there(&self, id: &str) -> Result<bool, TurnStoreError> {
        self.0.is_there(id).await
    }

    async fn unfinished(&self, session: &str) -> Result<Option<UnfinishedTurn>, TurnStoreError> {
        self.0.unfinished(session).await
    }

    async fn end(&self, id: &str) -> Result<(), TurnStoreError> {
        self.0.end(id).await
    }
}

#[tokio::test]
async fn a_turn_whose_record_cannot_begin_waits_as_before() {
    let (world, checkpoint) = suspended(Story::HelperAsks).await;
    let mut next = lives(&world).await;
    let turns = next.new.turns.clone().unwrap();
    let full = NewSession {
        turns: Some(Arc::new(Full(turns))),
        ..next.new.clone()
    };
    let decided = yes(&[OF_HELPER, BELOW]);
    let resumed = next.agent.resume(checkpoint.clone(), decided.clone(), full);
    let (mut session, ended) = resumed.await.unwrap();
    assert!(matches!(ended, Err(TurnError::Interrupted(_))), "{ended:?}");
    let another = session.turn("another").await;
    assert!(matches!(another, Err(TurnError::Suspended)), "{another:?}");
    drop(session);
    assert_eq!(next.agent.drain(PATIENCE).await, 0);
    // Includes the sub-agents' checkpoints.
    assert_eq!(checkpoints(&next).await, (3, 0));
    let resumed = next.resume(checkpoint.as_str(), decided).await;
    resumed.unwrap().done();
    assert_eq!(checkpoints(&next).await, (0, 0));
}

#[tokio::test]
async fn an_unfinished_turn_is_discarded_with_its_checkpoints() {
    let (world, checkpoint) = suspended(Story::HelperAsks).await;
    let mut first = process(&world, Mortality::new(Dies::Recorded(0))).await;
    let left = first.resume(checkpoint.as_str(), yes(&[OF_HELPER])).await;
    assert!(matches!(left, Ok(Left::Died)), "{left:?}");
    let next = lives(&world).await;
    let mut session = next.agent.session(next.new.clone()).await.unwrap();
    assert!(session.unfinished().is_some());
    session.discard_unfinished().await;
    assert_eq!(checkpoints(&next).await, (0, 0));
    session.close().await;
}

/// The turn may be run again until then, and its sub-agents with it.
#[tokio::test]
async fn the_checkpoints_of_sub_agents_stay_until_the_turn_has_ended() {
    for number in (0..).step_by(3) {
        let (world, checkpoint) = suspended(Story::HelperAsks).await;
        let mut first = process(&world, Mortality::new(Dies::Parked(number))).await;
        let decided = yes(&[OF_HELPER, BELOW]);
        let left = first.resume(checkpoint.as_str(), decided).await.unwrap();
        if let Left::Ended(_) = left {
            left.done();
            assert_eq!(checkpoints(&first).await, (0, 0));
            assert!(number > 20, "it has only {number} effects");
            return;
        }
        assert_eq!(first.agent.drain(PATIENCE).await, 0);
        let (waiting, claimed) = checkpoints(&first).await;
        assert_eq!(waiting + claimed, 3, "effect {number}");
        let mut next = lives(&world).await;
        next.turn("another").await.done();
        assert_eq!(checkpoints(&next).await, (0, 0), "effect {number}");
    }
}

#[tokio::test]
async fn a_cancelled_turn_leaves_no_checkpoint_of_a_sub_agent() {
    let mut number = 0;
    loop {
        let (world, checkpoint) = suspended(Story::HelperAsks).await;
        // It stays in this effect, and is cancelled there.
        let mortality = Mortality::new(Dies::Unrecorded(number));
        let next = process(&world, mortality.clone()).await;
        let cancel = CancellationToken::new();
        let cancelling = async {
            mortality.died().await;
            cancel.cancel();
        };
        let (decided, new) = (yes(&[OF_HELPER]), next.new.clone());
        let resuming = next
            .agent
            .resume_until(checkpoint, decided, new, cancel.clone());
        let (resumed, ()) = tokio::join!(resuming, cancelling);
        let (session, ended) = resumed.unwrap();
        assert!(matches!(ended, Err(TurnError::Cancelled)), "{ended:?}");
        assert_eq!(checkpoints(&next).await, (0, 0), "effect {number}");
        session.close().await;
        if world.runs(RAN) == 1 {
            return;
        }
        number += 1;
    }
}
