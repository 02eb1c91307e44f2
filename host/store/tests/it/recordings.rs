//! Recorded calls in the store: encryption and deletion.

use std::num::{NonZeroU32, NonZeroU64};
use std::path::Path;
use std::pin::pin;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use futures::poll;
use portcullis_agent::{RunEnd, RunRecorder as _, RunState, SessionStore as _};
use portcullis_store::{
    DamagedBlock, Identities, RecordedCalls, RecordingError, RecordingFilter, RecordingOptions,
    RunFilter, Store, StoreError,
};
use sqlx::{Connection as _, Executor as _, Row as _};
use tokio::task::block_in_place;

use crate::journal::{ended, row};
use crate::support::{Empty, cases};

cases![
    an_encrypted_block_is_read_with_its_key_alone,
    a_block_whose_hooks_are_damaged_is_read,
    a_damaged_block_counts_where_its_calls_would,
    a_run_that_did_not_call_its_hook_is_not_recorded,
    recorded_calls_are_deleted_with_their_session,
    a_session_is_not_deleted_while_contents_are_written,
    calls_are_deleted_once_they_are_older_than_is_kept,
    the_oldest_calls_are_deleted_once_there_are_more_than_is_kept,
    the_oldest_calls_are_deleted_once_they_have_more_bytes_than_is_kept,
    the_contents_of_files_count_once_and_go_with_the_last_call_that_names_them,
];

/// The calls of the demo, encrypted for two keys and unencrypted.
const BLOCK: &[u8] = include_bytes!("../../../recording/tests/frozen/format-1.age");
const PLAIN: &[u8] = include_bytes!("../../../recording/tests/frozen/format-1.block");

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

/// Returns the number of calls that can be read, and the blocks that cannot.
fn read(
    store: &Store,
    identities: &Arc<Identities>,
) -> Result<(usize, Vec<DamagedBlock>), StoreError> {
    let filter = RecordingFilter {
        identities: identities.clone(),
        ..RecordingFilter::default()
    };
    let RecordedCalls { calls, damaged } = block_in_place(|| store.recorded_calls(&filter))?;
    Ok((calls.len(), damaged))
}

async fn an_encrypted_block_is_read_with_its_key_alone(empty: Empty) -> anyhow::Result<()> {
    let store = empty.open().await?;
    let mine = key("age.identity");
    assert_eq!(read(&store, &Arc::default()), Ok((0, Vec::new())));
    keep(&empty, 1, BLOCK).await?;
    assert_eq!(read(&store, &mine), Ok((141, Vec::new())));
    let none = StoreError::Recording(RecordingError::NoIdentity);
    assert_eq!(read(&store, &Arc::default()), Err(none));
    let mut damaged = BLOCK.to_vec();
    *damaged.last_mut().expect("bytes") ^= 1;
    keep(&empty, 2, &damaged).await?;
    let (calls, blocks) = read(&store, &mine)?;
    assert_eq!(calls, 141);
    let [DamagedBlock { calls, cause }] = &blocks[..] else {
        panic!("{blocks:?}");
    };
    assert_eq!(*calls, 141);
    assert!(matches!(cause, RecordingError::DamagedFile(_)), "{cause:?}");
    Ok(())
}

async fn a_block_whose_hooks_are_damaged_is_read(empty: Empty) -> anyhow::Result<()> {
    let store = empty.open().await?;
    keep(&empty, 1, PLAIN).await?;
    let filter = |hook: &str| RecordingFilter {
        hook: Some(hook.into()),
        ..RecordingFilter::default()
    };
    let read = |hook| block_in_place(|| store.recorded_calls(&filter(hook)));
    assert!(read("input-guardrail")?.calls.is_empty(), "it names none");
    let mut direct = empty.connect().await?;
    direct.execute("UPDATE recordings SET hooks = '['").await?;
    let of_hook = read("input-guardrail")?;
    assert!(!of_hook.calls.is_empty() && of_hook.damaged.is_empty());
    assert!(read("nobody")?.calls.is_empty());
    Ok(())
}

async fn a_damaged_block_counts_where_its_calls_would(empty: Empty) -> anyhow::Result<()> {
    let store = empty.open().await?;
    keep(&empty, 1, PLAIN).await?;
    // The calls began at the times from 1 to 300.
    block(&empty, 2, 300, (5, 1)).await?;
    let mut direct = empty.connect().await?;
    let named = "UPDATE recordings SET hooks = '[\"input-guardrail\"]', session = 's'";
    direct.execute(named).await?;
    let all = RecordingFilter::default();
    let hook = |id: &str| RecordingFilter {
        hook: Some(id.into()),
        ..all.clone()
    };
    let session = |id: &str| RecordingFilter {
        session: Some(id.into()),
        ..all.clone()
    };
    let since = |ms| RecordingFilter {
        since_ms: Some(ms),
        ..all.clone()
    };
    let until = |ms| RecordingFilter {
        until_ms: Some(ms),
        ..all.clone()
    };
    for (filter, counts) in [
        (all.clone(), true),
        (hook("input-guardrail"), true),
        (hook("other"), false),
        (session("s"), true),
        (session("t"), false),
        (since(300), true),
        (since(301), false),
        (until(2), true),
        (until(1), false),
    ] {
        let recorded = block_in_place(|| store.recorded_calls(&filter))?;
        let damaged = recorded.damaged.iter().map(|block| block.calls);
        let expected: &[usize] = if counts { &[5] } else { &[] };
        assert_eq!(damaged.collect::<Vec<_>>(), expected, "{filter:?}");
    }
    let recorded = block_in_place(|| store.recorded_calls(&all))?;
    assert_eq!(recorded.calls.len(), 141, "the other block is read");
    let block = recorded.damaged.first().expect("a block");
    let why = block.cause.to_string();
    assert!(why.starts_with("the recording is damaged: "), "{why}");
    assert!(why.ends_with("; restore the store from a backup"), "{why}");
    Ok(())
}

async fn a_run_that_did_not_call_its_hook_is_not_recorded(empty: Empty) -> anyhow::Result<()> {
    let store = empty.open().await?;
    let journal = store.journal()?;
    let called = RunEnd {
        memory: Some(1 << 20),
        ..ended(RunState::Completed, 17)
    };
    // A skipped hook, a hook in quarantine, and a hook whose call was dropped.
    let skipped = ended(RunState::Skipped, 0);
    let quarantined = ended(RunState::Failed, 0);
    let dropped = RunEnd::of(RunState::Failed);
    for (id, end) in (1..).zip([called, skipped, quarantined, dropped]) {
        journal.begin(row(id, "h"));
        journal.end(id, end);
    }
    let runs = journal.runs(&RunFilter::default())?;
    assert_eq!(runs.len(), 4);
    assert_eq!(journal.last_recorded(&runs)?, None);
    let sql = "INSERT INTO recordings
                   (host, number, first_ms, last_ms, calls, bytes, raw, hooks, session, data)
               VALUES ($1, 1, $2, $3, 1, 1, 1, '[\"h\"]', 's', $4)";
    let started = i64::try_from(row(1, "h").started_ms)?;
    sqlx::query(sql)
        .bind(journal.host())
        .bind(started)
        .bind(started)
        .bind(vec![0_u8])
        .execute(&mut empty.connect().await?)
        .await?;
    let last = journal.last_recorded(&runs)?;
    assert_eq!(last.map(|run| run.row.id), Some(1));
    Ok(())
}

/// Adds blocks of sessions; for `None`, a block of several sessions, as earlier versions wrote
/// them.
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
    // Recordings of no saved session are deleted when they are old. Recordings that may be of
    // several sessions stay.
    let day = std::time::Duration::from_secs(86_400);
    let pruned = sessions.prune(Some(day), None, None).await?;
    assert_eq!((pruned.sessions, pruned.recorded_calls), (0, 141));
    assert_eq!(left(), Ok(2));
    Ok(())
}

/// With PostgreSQL, a block that is being written names contents that would be deleted as unused.
async fn a_session_is_not_deleted_while_contents_are_written(empty: Empty) -> anyhow::Result<()> {
    if empty.url.file().is_some() {
        return Ok(());
    }
    let store = empty.open().await?;
    let sessions = store.sessions();
    sessions.open(crate::sessions::session("s")).await?;
    sessions.save(crate::sessions::after_a_turn("s")).await?;
    sessions.close("s").await?;
    let mut writer = empty.connect().await?;
    let mut held = writer.begin().await?;
    let hold = sqlx::query("SELECT 1 FROM pg_advisory_xact_lock_shared(20546, 1)");
    hold.execute(&mut *held).await?;
    let mut deleting = pin!(sessions.delete("s", false));
    let mut direct = empty.connect().await?;
    let waiting = "SELECT count(*) FROM pg_locks JOIN pg_database ON pg_database.oid = database
                   WHERE datname = current_database() AND locktype = 'advisory' AND NOT granted";
    loop {
        assert!(poll!(&mut deleting).is_pending());
        let waiting: i64 = direct.fetch_one(waiting).await?.try_get(0)?;
        if waiting > 0 {
            break;
        }
    }
    held.commit().await?;
    assert_eq!(deleting.await?.sessions, 1);
    Ok(())
}

/// Adds a block with this number of calls and bytes, whose last call began at this time.
async fn block(
    empty: &Empty,
    number: i64,
    last_ms: i64,
    (calls, bytes): (i64, i64),
) -> anyhow::Result<()> {
    let sql =
        "INSERT INTO recordings (host, number, first_ms, last_ms, calls, bytes, raw, hooks, data)
               VALUES (1, $1, 1, $2, $3, $4, 1, '[]', $5)";
    sqlx::query(sql)
        .bind(number)
        .bind(last_ms)
        .bind(calls)
        .bind(bytes)
        .bind(vec![0_u8])
        .execute(&mut empty.connect().await?)
        .await?;
    Ok(())
}

/// Returns the blocks that a recorder with these options keeps. The recorder deletes before it
/// records.
async fn left_by(
    empty: &Empty,
    store: &Store,
    options: RecordingOptions,
) -> anyhow::Result<Vec<i64>> {
    // Dropping the recorder waits for its thread.
    block_in_place(|| store.recorder(options).map(drop))?;
    let select = sqlx::query_as::<_, (i64,)>("SELECT number FROM recordings ORDER BY number");
    let rows = select.fetch_all(&mut empty.connect().await?).await?;
    Ok(rows.into_iter().map(|(number,)| number).collect())
}

async fn calls_are_deleted_once_they_are_older_than_is_kept(empty: Empty) -> anyhow::Result<()> {
    const DAY: i64 = 86_400_000;
    let store = empty.open().await?;
    let now = SystemTime::now().duration_since(UNIX_EPOCH)?;
    let now = i64::try_from(now.as_millis())?;
    for (number, days) in [(1, 4), (2, 2), (3, 0)] {
        // The first call of each block is very old: a block is kept as long as its last call.
        block(&empty, number, now - days * DAY, (1, 1)).await?;
    }
    let days = |days| RecordingOptions {
        keep_days: NonZeroU32::new(days),
        ..RecordingOptions::default()
    };
    assert_eq!(left_by(&empty, &store, days(5)).await?, [1, 2, 3]);
    assert_eq!(left_by(&empty, &store, days(3)).await?, [2, 3]);
    assert_eq!(left_by(&empty, &store, days(1)).await?, [3]);
    Ok(())
}

async fn the_oldest_calls_are_deleted_once_there_are_more_than_is_kept(
    empty: Empty,
) -> anyhow::Result<()> {
    let store = empty.open().await?;
    // The times determine the oldest block, not the numbers.
    for (number, last_ms) in [(3, 100), (1, 200), (2, 300)] {
        block(&empty, number, last_ms, (5, 1)).await?;
    }
    let calls = |most| RecordingOptions {
        keep_calls: NonZeroU64::new(most),
        ..RecordingOptions::default()
    };
    assert_eq!(left_by(&empty, &store, calls(15)).await?, [1, 2, 3]);
    assert_eq!(left_by(&empty, &store, calls(14)).await?, [1, 2]);
    assert_eq!(left_by(&empty, &store, calls(9)).await?, [2]);
    // The newest block is kept, whatever its number of calls.
    assert_eq!(left_by(&empty, &store, calls(1)).await?, [2]);
    Ok(())
}

fn keep_bytes(most: u64) -> RecordingOptions {
    RecordingOptions {
        keep_bytes: NonZeroU64::new(most).expect("some"),
        ..RecordingOptions::default()
    }
}

async fn the_oldest_calls_are_deleted_once_they_have_more_bytes_than_is_kept(
    empty: Empty,
) -> anyhow::Result<()> {
    let store = empty.open().await?;
    for (number, last_ms) in [(3, 100), (1, 200), (2, 300)] {
        block(&empty, number, last_ms, (1, 1_000)).await?;
    }
    assert_eq!(left_by(&empty, &store, keep_bytes(3_000)).await?, [1, 2, 3]);
    assert_eq!(left_by(&empty, &store, keep_bytes(2_999)).await?, [1, 2]);
    assert_eq!(left_by(&empty, &store, keep_bytes(1_999)).await?, [2]);
    // The newest block is kept, whatever its size.
    assert_eq!(left_by(&empty, &store, keep_bytes(1)).await?, [2]);
    Ok(())
}

/// Returns the names of the stored file contents.
async fn contents(empty: &Empty) -> anyhow::Result<Vec<String>> {
    let select = sqlx::query_as::<_, (String,)>("SELECT name FROM recorded_files ORDER BY name");
    let rows = select.fetch_all(&mut empty.connect().await?).await?;
    Ok(rows.into_iter().map(|(name,)| name).collect())
}

async fn the_contents_of_files_count_once_and_go_with_the_last_call_that_names_them(
    empty: Empty,
) -> anyhow::Result<()> {
    let store = empty.open().await?;
    let mut direct = empty.connect().await?;
    for (number, last_ms) in [(1, 100), (2, 200), (3, 300)] {
        block(&empty, number, last_ms, (1, 1_000)).await?;
    }
    for (name, numbers) in [("old", &[1_i64][..]), ("shared", &[2, 3][..])] {
        let sql = "INSERT INTO recorded_files (name, bytes, raw, data) VALUES ($1, 1000000, 1, $2)";
        let insert = sqlx::query(sql).bind(name).bind(vec![0_u8]);
        insert.execute(&mut direct).await?;
        for number in numbers {
            let sql = "INSERT INTO recorded_file_uses (host, number, name) VALUES (1, $1, $2)";
            let insert = sqlx::query(sql).bind(*number).bind(name);
            insert.execute(&mut direct).await?;
        }
    }
    // The two blocks that name the same content fit only because it is counted once. The oldest has
    // another one.
    let most = keep_bytes(1_500_000);
    assert_eq!(left_by(&empty, &store, most).await?, [2, 3]);
    assert_eq!(contents(&empty).await?, ["shared"]);
    assert_eq!(left_by(&empty, &store, keep_bytes(1)).await?, [3]);
    assert_eq!(contents(&empty).await?, ["shared"], "the newest names it");
    Ok(())
}
