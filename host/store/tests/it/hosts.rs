//! Processes that share a store, end and die. The dying processes are real ones.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};

use portcullis_agent::{JobStore as _, RunRecorder as _, RunState};
use portcullis_store::{RunFilter, SessionFilter, Store, StoreOptions};
use sqlx::{Executor as _, Row as _};

use crate::journal::{ended, row};
use crate::support::{Empty, cases};

cases![
    the_runs_of_a_dead_host_are_settled_once_and_a_live_hosts_are_not,
    two_live_hosts_share_a_store,
    an_open_store_settles_what_a_process_held_that_dies_later,
    open_runs_of_a_host_that_ended_are_lost,
    no_host_waits_for_its_lock_in_the_server,
];

/// The environment variable that gives the store's address to the process that is killed.
pub const VICTIM: &str = "PORTCULLIS_TEST_STORE_VICTIM";

/// The main function of the process that is killed.
pub fn victim(address: &str) -> anyhow::Result<()> {
    let store = Store::open_blocking(address.parse()?, StoreOptions::default())?;
    let journal = store.journal()?;
    for id in 1..=3 {
        journal.begin(row(id, "h"));
    }
    journal.end(1, ended(RunState::Completed, 5));
    journal.end(2, ended(RunState::Backgrounded, 5));
    journal.flush()?;
    let jobs = crate::jobs::jobs(&store);
    let started = async {
        let id = jobs.add(&crate::jobs::job(1)).await?;
        jobs.start(id).await
    };
    futures::executor::block_on(started)?;
    println!("ready");
    loop {
        std::thread::park();
    }
}

/// Starts the process and waits until it has two open runs.
pub fn start_victim(address: &str) -> anyhow::Result<Child> {
    let mut child = Command::new(std::env::current_exe()?)
        .env(VICTIM, address)
        .stdout(Stdio::piped())
        .spawn()?;
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(lines.map_while(Result::ok).any(|line| line == "ready"));
    Ok(child)
}

async fn the_runs_of_a_dead_host_are_settled_once_and_a_live_hosts_are_not(
    empty: Empty,
) -> anyhow::Result<()> {
    let mut victim = start_victim(&empty.address)?;
    let beside = empty.open().await?;
    assert_eq!(beside.settled(), 0, "it lives");
    victim.kill()?;
    victim.wait()?;

    let mut store = empty.open().await?;
    // The server detects a moment later that its client is gone.
    while empty.url.file().is_none() && store.settled() == 0 {
        store = empty.open().await?;
    }
    assert_eq!(store.settled(), 2);
    assert_eq!(beside.settle().await?, 0, "it is settled");
    let lost = RunFilter {
        state: Some(RunState::Lost),
        ..RunFilter::default()
    };
    let lost = store.journal()?.runs(&lost)?;
    assert_eq!(
        lost.iter().map(|run| run.row.id).collect::<Vec<_>>(),
        [2, 3]
    );
    assert!(
        lost.iter()
            .all(|run| run.ended_ms > Some(1_700_000_000_000))
    );
    let sessions = store.journal()?.overview(&SessionFilter::default())?;
    let counted = sessions
        .iter()
        .map(|session| (session.runs, session.failures));
    assert_eq!(counted.collect::<Vec<_>>(), [(3, 2)]);
    assert_eq!(empty.open().await?.settled(), 0);
    drop((store, beside));
    let locks = empty.dir.path().read_dir()?.filter(|entry| {
        let path = entry.as_ref().map(|entry| entry.path());
        path.is_ok_and(|path| path.extension() == Some("lock".as_ref()))
    });
    assert_eq!(locks.count(), 0);
    Ok(())
}

async fn an_open_store_settles_what_a_process_held_that_dies_later(
    empty: Empty,
) -> anyhow::Result<()> {
    let store = empty.open().await?;
    let mut victim = start_victim(&empty.address)?;
    assert_eq!(store.settle().await?, 0, "it lives");
    victim.kill()?;
    victim.wait()?;
    let mut lost = store.settle().await?;
    // The server notices a moment later that its client is gone.
    while empty.url.file().is_none() && lost == 0 {
        lost = store.settle().await?;
    }
    assert_eq!(lost, 2);
    assert_eq!(store.settle().await?, 0);
    Ok(())
}

async fn two_live_hosts_share_a_store(empty: Empty) -> anyhow::Result<()> {
    let one = empty.open().await?.journal()?;
    let two = empty.open().await?.journal()?;
    assert_ne!(one.host(), two.host());
    for journal in [&one, &two] {
        journal.begin(row(1, "h"));
        journal.flush()?;
    }
    assert_eq!(empty.open().await?.settled(), 0);
    for journal in [&one, &two] {
        journal.end(1, ended(RunState::Completed, 1));
    }
    one.flush()?;
    let runs = two.runs(&RunFilter::default())?;
    assert_eq!(runs.len(), 2);
    assert!(runs.iter().all(|run| run.end.state == RunState::Completed));
    Ok(())
}

async fn open_runs_of_a_host_that_ended_are_lost(empty: Empty) -> anyhow::Result<()> {
    let journal = empty.open().await?.journal()?;
    journal.begin(row(1, "h"));
    drop(journal);
    let runs = empty.open().await?.journal()?.runs(&RunFilter::default())?;
    assert_eq!(runs[0].end.state, RunState::Lost);
    Ok(())
}

async fn no_host_waits_for_its_lock_in_the_server(empty: Empty) -> anyhow::Result<()> {
    if empty.url.file().is_some() {
        return Ok(());
    }
    drop(empty.open().await?);
    // Like the server for a broken connection, this holds the lock of the second host.
    let mut direct = empty.connect().await?;
    direct
        .execute("SELECT 1 FROM pg_advisory_lock(20547, 2)")
        .await?;
    let url = empty.url.clone();
    let opening = tokio::spawn(Store::open(url, StoreOptions::default()));
    let asked = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()
                 AND pid <> pg_backend_pid() AND query LIKE '%advisory_lock(20547%'
                 AND (state = 'idle' OR wait_event_type = 'Lock')";
    while direct.fetch_one(asked).await?.try_get::<i64, _>(0)? == 0 {
        tokio::task::yield_now().await;
    }
    let waiting = "SELECT count(*) FROM pg_locks JOIN pg_database ON pg_database.oid = database
                   WHERE datname = current_database() AND locktype = 'advisory' AND NOT granted";
    let waiting: i64 = direct.fetch_one(waiting).await?.try_get(0)?;
    direct
        .execute("SELECT 1 FROM pg_advisory_unlock(20547, 2)")
        .await?;
    opening.await??;
    assert_eq!(waiting, 0);
    Ok(())
}
