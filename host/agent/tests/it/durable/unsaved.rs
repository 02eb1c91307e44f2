//! Turns whose session cannot be saved when they are done.

use std::collections::BTreeMap;
use std::sync::Arc;

use async_trait::async_trait;
use portcullis_agent::{
    CheckpointId, CheckpointStore as _, EffectsError, Replay, Resolution, SavedSession,
    SavedSessionError, SessionStore, TurnError, TurnStoreError,
};
use portcullis_parity::{Dies, End, Ended, LINES, Mortality, Process as _, Story, World};
use tokio_util::sync::CancellationToken;

use super::local::{Opened, start};

/// Sessions that cannot be saved.
struct Unsaved {
    sessions: Arc<dyn SessionStore>,
    why: SavedSessionError,
}

#[async_trait]
impl SessionStore for Unsaved {
    async fn open(&self, session: SavedSession) -> Result<SavedSession, SavedSessionError> {
        self.sessions.open(session).await
    }

    async fn save(&self, _: SavedSession) -> Result<(), SavedSessionError> {
        Err(self.why.clone())
    }

    async fn close(&self, id: &str) -> Result<(), SavedSessionError> {
        self.sessions.close(id).await
    }
}

async fn process(world: &World) -> Opened {
    lives_until(world, Mortality::new(Dies::Never)).await
}

async fn lives_until(world: &World, mortality: Mortality) -> Opened {
    let (agent, new, _) = world.agent("agent");
    start(world, agent, new, mortality, true).await
}

/// A process whose sessions cannot be saved.
async fn saves_nothing(world: &World, why: &SavedSessionError) -> Opened {
    without_saving(process(world).await, why)
}

fn without_saving(mut process: Opened, why: &SavedSessionError) -> Opened {
    let sessions = process.new.sessions.take().unwrap();
    process.new.sessions = Some(Arc::new(Unsaved {
        sessions,
        why: why.clone(),
    }));
    process
}

/// The store fails, or has given the session to another process.
fn whys() -> [SavedSessionError; 2] {
    [
        SavedSessionError::Store("the disk is full".into()),
        SavedSessionError::Lost { id: "s".into() },
    ]
}

fn assert_interrupted(ended: &Ended, why: &SavedSessionError) {
    let fits = match (&ended.end, why) {
        (
            End::Interrupted(EffectsError::Store(TurnStoreError::Gone(_))),
            SavedSessionError::Lost { .. },
        ) => true,
        (End::Interrupted(EffectsError::Unsaved(cause)), SavedSessionError::Store(_)) => {
            cause.contains("the disk is full")
        }
        _ => false,
    };
    assert!(fits, "{why}: {ended:#?}");
}

#[tokio::test]
async fn a_turn_whose_session_is_not_saved_is_finished_by_the_next_process() {
    for why in whys() {
        let world = World::new(Story::Whole, Replay::Never);
        let mut first = saves_nothing(&world, &why).await;
        assert_interrupted(&first.turn("go").await.ended(), &why);
        // Nothing runs again.
        let ran = world.done.take();
        assert!(ran.iter().any(|ran| ran == "echo runs: a"), "{ran:#?}");
        let mut next = process(&world).await;
        let ended = next.turn("another").await.done();
        assert_eq!(ended.conversation.len(), LINES.len(), "{why}");
        for run in ["echo runs: a", "other runs: b", "echo runs: within"] {
            assert_eq!(world.runs(run), 0, "{why}: {run}");
        }
    }
}

#[tokio::test]
async fn a_resumed_turn_whose_session_is_not_saved_keeps_its_checkpoint() {
    for why in whys() {
        let world = World::new(Story::Asks, Replay::Never);
        let checkpoint = process(&world).await.turn("go").await.suspended();
        let mut second = saves_nothing(&world, &why).await;
        let yes = BTreeMap::from([("c1".to_owned(), Resolution::yes())]);
        let resumed = second.resume(&checkpoint, yes).await.unwrap();
        assert_interrupted(&resumed.ended(), &why);
        let id = checkpoint.parse().unwrap();
        let kept = second.store.checkpoints().get(&id).await.unwrap();
        assert!(kept.claim.is_some(), "{why}: its turn has run");
        let mut next = process(&world).await;
        let ended = next.turn("another").await.done();
        assert_eq!(ended.conversation.len(), 4, "{why}");
        assert_eq!(world.runs("echo runs: rm"), 1, "{why}");
        let claimed = next.store.checkpoints().claimed(None).await.unwrap();
        assert_eq!(claimed, [], "{why}");
    }
}

/// Another process has its session open, and may be finishing the turn.
#[tokio::test]
async fn a_resumed_turn_that_is_cancelled_without_its_session_keeps_its_checkpoint() {
    let world = World::new(Story::Asks, Replay::Never);
    let checkpoint = process(&world).await.turn("go").await.suspended();
    let checkpoint: CheckpointId = checkpoint.parse().unwrap();
    // It stays in this effect, and is cancelled there.
    let mortality = Mortality::new(Dies::Unrecorded(0));
    let lost = SavedSessionError::Lost { id: "s".into() };
    let second = without_saving(lives_until(&world, mortality.clone()).await, &lost);
    let yes = BTreeMap::from([("c1".to_owned(), Resolution::yes())]);
    let cancel = CancellationToken::new();
    let cancelling = async {
        mortality.died().await;
        cancel.cancel();
    };
    let (id, new) = (checkpoint.clone(), second.new.clone());
    let resuming = second.agent.resume_until(id, yes, new, cancel.clone());
    let (resumed, ()) = tokio::join!(resuming, cancelling);
    let (_session, ended) = resumed.unwrap();
    let is_gone = matches!(
        ended,
        Err(TurnError::Interrupted(EffectsError::Store(
            TurnStoreError::Gone(_)
        )))
    );
    assert!(is_gone, "{ended:?}");
    let kept = second.store.checkpoints().get(&checkpoint).await.unwrap();
    assert!(kept.claim.is_some());
}
