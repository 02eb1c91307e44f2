//! What a store of checkpoints promises.

use portcullis_agent::{CheckpointError, CheckpointInfo, CheckpointStore as _, NewCheckpoint};
use serde_json::json;
use sqlx::AssertSqlSafe;

use crate::support::{Empty, cases};

cases![
    a_checkpoint_is_claimed_once_released_and_discarded,
    of_many_claimers_exactly_one_succeeds,
    waiting_checkpoints_survive_reopening_and_are_listed_oldest_first,
    a_damaged_checkpoint_is_named_and_still_waits,
];

fn new(session: &str, turn: u32) -> NewCheckpoint {
    NewCheckpoint {
        session: session.into(),
        agent: "a".into(),
        turn,
        reason: "approval".into(),
        pending: vec!["call-1".into(), "call-2".into()],
        data: json!({ "messages": [1, 2, "\u{0}"] }),
    }
}

fn turns(list: &[CheckpointInfo]) -> Vec<u32> {
    list.iter().map(|info| info.turn).collect()
}

async fn a_checkpoint_is_claimed_once_released_and_discarded(empty: Empty) -> anyhow::Result<()> {
    let store = empty.open().await?.checkpoints();
    let id = store.save(new("s", 3)).await?;
    let claimed = store.claim(&id).await?;
    assert_eq!(claimed.info.id, id);
    assert_eq!(claimed.info.pending, ["call-1", "call-2"]);
    assert_eq!(claimed.data, json!({ "messages": [1, 2, "\u{0}"] }));
    assert_eq!(store.list(None).await?, []);
    let held = store.claimed().await?;
    assert_eq!(held.len(), 1);
    assert_eq!(held[0].id, id);
    assert!(held[0].claimed_ms >= Some(held[0].saved_ms));

    let again = store.claim(&id).await.unwrap_err();
    assert!(
        matches!(&again, CheckpointError::AlreadyClaimed { id: of, at_ms } if *of == id && *at_ms >= claimed.info.saved_ms),
        "{again}"
    );

    store.release(&id).await?;
    assert_eq!(store.list(None).await?, [claimed.info]);
    assert_eq!(store.claimed().await?, []);
    store.claim(&id).await?;

    store.discard(&id).await?;
    let unknown = CheckpointError::Unknown(id.clone());
    assert_eq!(store.claim(&id).await.unwrap_err(), unknown);
    assert_eq!(store.release(&id).await.unwrap_err(), unknown);
    assert_eq!(store.discard(&id).await.unwrap_err(), unknown);
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
