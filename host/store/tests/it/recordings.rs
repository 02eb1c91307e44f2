//! Recorded calls that are encrypted, as each database gives them back.

use std::path::Path;
use std::sync::Arc;

use portcullis_agent::SessionStore as _;
use portcullis_store::{Identities, RecordingError, RecordingFilter, Store, StoreError};
use tokio::task::block_in_place;

use crate::support::{Empty, cases};

cases![
    an_encrypted_block_is_read_with_its_key_alone,
    recorded_calls_are_deleted_with_their_session,
];

/// The calls of the demo, encrypted for two keys.
const BLOCK: &[u8] = include_bytes!("../../../recording/tests/frozen/format-1.age");

fn key(name: &str) -> Arc<Identities> {
    let frozen = Path::new(env!("CARGO_MANIFEST_DIR")).join("../recording/tests/frozen");
    let mut identities = Identities::default();
    identities.read(&frozen.join(name)).expect("a key");
    Arc::new(identities)
}

async fn keep(empty: &Empty, number: i64, block: &[u8]) -> anyhow::Result<()> {
    let sql =
        "INSERT INTO recordings (host, number, first_ms, last_ms, calls, bytes, raw, hooks, data)
               VALUES (1, $1, 1, 2, 141, $2, 60000, '[]', $3)";
    sqlx::query(sql)
        .bind(number)
        .bind(block.len() as i64)
        .bind(block.to_vec())
        .execute(&mut empty.connect().await?)
        .await?;
    Ok(())
}

fn read(store: &Store, identities: &Arc<Identities>) -> Result<usize, StoreError> {
    let filter = RecordingFilter {
        identities: identities.clone(),
        ..RecordingFilter::default()
    };
    block_in_place(|| store.recorded_calls(&filter)).map(|calls| calls.len())
}

async fn an_encrypted_block_is_read_with_its_key_alone(empty: Empty) -> anyhow::Result<()> {
    let store = empty.open().await?;
    let mine = key("age.identity");
    assert_eq!(read(&store, &Arc::default()), Ok(0));
    keep(&empty, 1, BLOCK).await?;
    assert_eq!(read(&store, &mine), Ok(141));
    let none = StoreError::Recording(RecordingError::NoIdentity);
    assert_eq!(read(&store, &Arc::default()), Err(none));
    let mut damaged = BLOCK.to_vec();
    *damaged.last_mut().expect("bytes") ^= 1;
    keep(&empty, 2, &damaged).await?;
    let error = read(&store, &mine);
    assert!(
        matches!(
            error,
            Err(StoreError::Recording(RecordingError::DamagedFile(_)))
        ),
        "{error:?}"
    );
    Ok(())
}

/// Blocks of sessions; of several, as earlier versions wrote them, for `None`.
async fn blocks(empty: &Empty, sessions: &[Option<&str>]) -> anyhow::Result<()> {
    let mut direct = empty.connect().await?;
    for (number, session) in (1_i64..).zip(sessions) {
        keep(empty, number, BLOCK).await?;
        let sql = "UPDATE recordings SET session = $1 WHERE number = $2";
        let update = sqlx::query(sql).bind(*session).bind(number);
        update.execute(&mut direct).await?;
    }
    Ok(())
}

async fn recorded_calls_are_deleted_with_their_session(empty: Empty) -> anyhow::Result<()> {
    let store = empty.open().await?;
    let sessions = store.sessions();
    for id in ["s", "t"] {
        sessions.open(crate::sessions::session(id)).await?;
        sessions.save(crate::sessions::after_a_turn(id)).await?;
        sessions.close(id).await?;
    }
    let of = [Some("s"), Some("t"), Some("s"), None, Some("unsaved")];
    blocks(&empty, &of).await?;
    let left = || block_in_place(|| store.recording_totals()).map(|totals| totals.blocks);
    assert_eq!(left(), Ok(5));
    assert_eq!(
        sessions.delete("s", false).await?.recorded_calls,
        2 * 141,
        "both blocks"
    );
    assert_eq!(left(), Ok(3));
    // What is of no saved session is deleted when it is old. What may be of several stays.
    let day = std::time::Duration::from_secs(86_400);
    let pruned = sessions.prune(Some(day), None, None).await?;
    assert_eq!((pruned.sessions, pruned.recorded_calls), (0, 141));
    assert_eq!(left(), Ok(2));
    Ok(())
}
