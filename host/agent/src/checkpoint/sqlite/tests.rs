//! What a store of checkpoints promises.

use serde_json::json;

use super::*;

fn new(session: &str, turn: u32) -> NewCheckpoint {
    NewCheckpoint {
        session: session.into(),
        agent: "a".into(),
        turn,
        reason: "approval".into(),
        pending: vec!["call-1".into(), "call-2".into()],
        data: json!({ "messages": [1, 2, 3] }),
    }
}

fn turns(list: &[CheckpointInfo]) -> Vec<u32> {
    list.iter().map(|info| info.turn).collect()
}

#[tokio::test]
async fn a_checkpoint_is_claimed_once_released_and_discarded() {
    let store = SqliteCheckpoints::in_memory().unwrap();
    let id = store.save(new("s", 3)).await.unwrap();
    let claimed = store.claim(&id).await.unwrap();
    assert_eq!(claimed.info.id, id);
    assert_eq!(claimed.info.pending, ["call-1", "call-2"]);
    assert_eq!(claimed.data, json!({ "messages": [1, 2, 3] }));
    assert_eq!(store.list(None).await.unwrap(), []);
    let held = store.claimed().await.unwrap();
    assert_eq!(held.len(), 1);
    assert_eq!(held[0].id, id);
    assert!(held[0].claimed_ms >= Some(held[0].saved_ms));

    let again = store.claim(&id).await.unwrap_err();
    assert!(
        matches!(&again, CheckpointError::AlreadyClaimed { id: of, at_ms } if *of == id && *at_ms >= claimed.info.saved_ms),
        "{again}"
    );

    store.release(&id).await.unwrap();
    assert_eq!(store.list(None).await.unwrap(), [claimed.info]);
    assert_eq!(store.claimed().await.unwrap(), []);
    store.claim(&id).await.unwrap();

    store.discard(&id).await.unwrap();
    let unknown = CheckpointError::Unknown(id.clone());
    assert_eq!(store.claim(&id).await.unwrap_err(), unknown);
    assert_eq!(store.release(&id).await.unwrap_err(), unknown);
    assert_eq!(store.discard(&id).await.unwrap_err(), unknown);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_many_claimers_exactly_one_succeeds() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("checkpoints.sqlite");
    let one = SqliteCheckpoints::open(&path).unwrap();
    let two = SqliteCheckpoints::open(&path).unwrap();
    for round in 0..10 {
        let id = one.save(new("s", round)).await.unwrap();
        let claimers = (0..16).map(|n| {
            let store = if n % 2 == 0 { one.clone() } else { two.clone() };
            let id = id.clone();
            tokio::spawn(async move { store.claim(&id).await })
        });
        let mut won = 0;
        for claimed in futures::future::join_all(claimers).await {
            match claimed.unwrap() {
                Ok(_) => won += 1,
                Err(CheckpointError::AlreadyClaimed { .. }) => {}
                Err(other) => panic!("{other}"),
            }
        }
        assert_eq!(won, 1);
    }
}

#[tokio::test]
async fn waiting_checkpoints_survive_reopening_and_are_listed_oldest_first() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("checkpoints.sqlite");
    let store = SqliteCheckpoints::open(&path).unwrap();
    let mut ids = Vec::new();
    for (session, turn) in [("s1", 1), ("s2", 2), ("s1", 3), ("s1", 4)] {
        ids.push(store.save(new(session, turn)).await.unwrap());
    }
    store.claim(&ids[2]).await.unwrap();
    drop(store);

    let store = SqliteCheckpoints::open(&path).unwrap();
    assert_eq!(turns(&store.list(None).await.unwrap()), [1, 2, 4]);
    assert_eq!(turns(&store.list(Some("s1")).await.unwrap()), [1, 4]);
    assert!(store.list(Some("s3")).await.unwrap().is_empty());
    assert!(store.claim(&ids[2]).await.is_err());
    assert_eq!(store.claim(&ids[0]).await.unwrap().info.turn, 1);
}

#[tokio::test]
async fn a_damaged_checkpoint_is_named_and_still_waits() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("checkpoints.sqlite");
    let store = SqliteCheckpoints::open(&path).unwrap();
    for column in ["data", "pending"] {
        let id = store.save(new("s", 1)).await.unwrap();
        let sql = format!("UPDATE checkpoints SET {column} = '[\"cut' WHERE id = ?1");
        let connection = Connection::open(&path).unwrap();
        connection.execute(&sql, [id.as_str()]).unwrap();
        for _ in 0..2 {
            let error = store.claim(&id).await.unwrap_err();
            assert!(matches!(error, CheckpointError::Damaged { .. }), "{error}");
            assert!(error.to_string().contains(id.as_str()), "{error}");
        }
        store.discard(&id).await.unwrap();
    }
}

#[tokio::test]
async fn it_is_durable_and_refuses_unknown_files() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("checkpoints.sqlite");
    let store = SqliteCheckpoints::open(&path).unwrap();
    let synchronous = store.connection.run(|connection| {
        connection.pragma_update(None, "user_version", 99).unwrap();
        connection.pragma_query_value(None, "synchronous", |row| row.get::<_, i64>(0))
    });
    assert_eq!(synchronous.await.unwrap(), Ok(2), "FULL");
    let error = SqliteCheckpoints::open(&path).unwrap_err().to_string();
    for part in ["checkpoints.sqlite", "version 99", "name another file"] {
        assert!(error.contains(part), "{error}");
    }
}
