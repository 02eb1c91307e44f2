//! What a store of checkpoints promises.

use std::collections::BTreeMap;

use portcullis_agent::{
    CheckpointError, CheckpointInfo, CheckpointStore as _, NewCheckpoint, PendingCall,
    ProcessState, Question, Resolution, Wanted,
};
use serde_json::json;
use sqlx::AssertSqlSafe;

use crate::support::{Empty, cases};

cases![
    a_checkpoint_is_claimed_once_released_and_discarded,
    resolutions_are_recorded_until_the_checkpoint_is_claimed,
    of_many_claimers_exactly_one_succeeds,
    waiting_checkpoints_survive_reopening_and_are_listed_oldest_first,
    a_damaged_checkpoint_is_named_and_still_waits,
];

fn call(id: &str, wants: Wanted) -> PendingCall {
    PendingCall {
        call_id: id.into(),
        tool: "t".into(),
        arguments: "{}".into(),
        wants,
    }
}

fn pending() -> Vec<PendingCall> {
    let request = Question {
        question: "May it?".into(),
        details: None,
    };
    let hook = "h".into();
    vec![
        call(
            "call-1",
            Wanted::Decision {
                hook,
                request,
                then: Vec::new(),
            },
        ),
        call("call-2", Wanted::Result),
    ]
}

fn new(session: &str, turn: u32) -> NewCheckpoint {
    NewCheckpoint {
        session: session.into(),
        root_session: session.into(),
        agent: "a".into(),
        turn,
        reason: "approval".into(),
        pending: pending(),
        of_subagent: false,
        data: json!({ "messages": [1, 2, "\u{0}"] }),
    }
}

fn turns(list: &[CheckpointInfo]) -> Vec<u32> {
    list.iter().map(|info| info.turn).collect()
}

async fn a_checkpoint_is_claimed_once_released_and_discarded(empty: Empty) -> anyhow::Result<()> {
    let store = empty.open().await?.checkpoints();
    let id = store.save(new("s", 3)).await.unwrap();
    let claimed = store.claim(&id).await.unwrap();
    assert_eq!(claimed.info.id, id);
    assert_eq!(claimed.info.pending, pending());
    assert_eq!(claimed.data, json!({ "messages": [1, 2, "\u{0}"] }));
    assert_eq!(store.list(None).await.unwrap(), []);
    let held = store.claimed().await.unwrap();
    assert_eq!(held.len(), 1);
    assert_eq!(held[0].id, id);
    let by = held[0].claim.clone().unwrap();
    assert!(by.at_ms >= held[0].saved_ms);
    assert_eq!(by.process_state(), ProcessState::Alive);
    assert_eq!(by.process, std::process::id());

    let again = store.claim(&id).await.unwrap_err();
    assert!(
        matches!(&again, CheckpointError::AlreadyClaimed { id: of, by: winner } if *of == id && *winner == by),
        "{again}"
    );
    assert_eq!(store.get(&id).await.unwrap(), held[0]);

    store.release(&id).await.unwrap();
    let waiting = CheckpointInfo {
        claim: None,
        ..claimed.info
    };
    assert_eq!(store.list(None).await.unwrap(), [waiting]);
    assert_eq!(store.claimed().await.unwrap(), []);
    store.claim(&id).await.unwrap();

    store.discard(&id).await.unwrap();
    let unknown = CheckpointError::Unknown(id.clone());
    assert_eq!(store.claim(&id).await.unwrap_err(), unknown);
    assert_eq!(store.release(&id).await.unwrap_err(), unknown);
    assert_eq!(store.discard(&id).await.unwrap_err(), unknown);
    assert_eq!(store.get(&id).await.unwrap_err(), unknown);
    Ok(())
}

async fn resolutions_are_recorded_until_the_checkpoint_is_claimed(
    empty: Empty,
) -> anyhow::Result<()> {
    let store = empty.open().await?.checkpoints();
    let id = store.save(new("s", 1)).await.unwrap();
    let record = |call: &str, resolution: Resolution| {
        let one = BTreeMap::from([(call.to_owned(), resolution)]);
        let (store, id) = (store.clone(), id.clone());
        async move { store.resolve(&id, one).await }
    };
    for (call, unfit) in [
        ("call-1", Resolution::result("r")),
        ("call-2", Resolution::yes()),
        ("call-3", Resolution::yes()),
    ] {
        let error = record(call, unfit).await.unwrap_err();
        assert!(
            matches!(&error, CheckpointError::Resolutions { .. }),
            "{call}: {error}"
        );
    }
    assert!(store.get(&id).await.unwrap().resolutions.is_empty());

    record("call-1", Resolution::no("not today")).await.unwrap();
    record("call-1", Resolution::change("{}")).await.unwrap();
    assert!(!store.get(&id).await.unwrap().is_resolved());
    record("call-2", Resolution::result("blue")).await.unwrap();
    let info = store.get(&id).await.unwrap();
    assert!(info.is_resolved());
    let expected = BTreeMap::from([
        ("call-1".to_owned(), Resolution::change("{}")),
        ("call-2".to_owned(), Resolution::result("blue")),
    ]);
    assert_eq!(info.resolutions, expected);

    store.claim(&id).await.unwrap();
    let late = record("call-1", Resolution::yes()).await.unwrap_err();
    assert!(
        matches!(&late, CheckpointError::AlreadyClaimed { .. }),
        "{late}"
    );
    store.release(&id).await.unwrap();
    assert_eq!(store.get(&id).await.unwrap().resolutions, expected);
    Ok(())
}

async fn of_many_claimers_exactly_one_succeeds(empty: Empty) -> anyhow::Result<()> {
    let one = empty.open().await?.checkpoints();
    let two = empty.open().await?.checkpoints();
    for round in 0..10 {
        let id = one.save(new("s", round)).await?;
        let claimers = (0..16).map(|n| {
            let store = if n % 2 == 0 { one.clone() } else { two.clone() };
            let id = id.clone();
            tokio::spawn(async move { store.claim(&id).await })
        });
        let mut won = 0;
        for claimed in futures::future::join_all(claimers).await {
            match claimed? {
                Ok(_) => won += 1,
                Err(CheckpointError::AlreadyClaimed { .. }) => {}
                Err(other) => panic!("{other}"),
            }
        }
        assert_eq!(won, 1);
    }
    Ok(())
}

async fn waiting_checkpoints_survive_reopening_and_are_listed_oldest_first(
    empty: Empty,
) -> anyhow::Result<()> {
    let store = empty.open().await?.checkpoints();
    let mut ids = Vec::new();
    for (session, turn) in [("s1", 1), ("s2", 2), ("s1", 3), ("s1", 4)] {
        ids.push(store.save(new(session, turn)).await?);
    }
    store.claim(&ids[2]).await?;
    drop(store);

    let store = empty.open().await?.checkpoints();
    assert_eq!(turns(&store.list(None).await?), [1, 2, 4]);
    assert_eq!(turns(&store.list(Some("s1")).await?), [1, 4]);
    assert!(store.list(Some("s3")).await?.is_empty());
    assert!(store.claim(&ids[2]).await.is_err());
    assert_eq!(store.claim(&ids[0]).await?.info.turn, 1);
    Ok(())
}

async fn a_damaged_checkpoint_is_named_and_still_waits(empty: Empty) -> anyhow::Result<()> {
    let store = empty.open().await?.checkpoints();
    let mut direct = empty.connect().await?;
    for column in ["data", "pending"] {
        let id = store.save(new("s", 1)).await?;
        let sql = format!("UPDATE checkpoints SET {column} = '[\"cut' WHERE id = $1");
        let damage = sqlx::query(AssertSqlSafe(sql)).bind(id.to_string());
        damage.execute(&mut direct).await?;
        for _ in 0..2 {
            let error = store.claim(&id).await.unwrap_err();
            assert!(matches!(error, CheckpointError::Damaged { .. }), "{error}");
            assert!(error.to_string().contains(id.as_str()), "{error}");
        }
        store.discard(&id).await?;
    }
    Ok(())
}
