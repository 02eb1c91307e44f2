//! Writing the journal: invalid, lost and delayed records.

use portcullis_agent::{RunRecorder as _, RunRow, RunState};
use portcullis_store::{Journal, JournalError, RunFilter};
use sqlx::{Connection as _, Executor as _, Row as _};

use crate::journal::{ended, journal, row};
use crate::support::{Empty, cases};

cases![
    invalid_records_are_reported_and_the_rest_is_kept,
    a_run_that_goes_on_is_written_before_it_ends,
    a_run_that_is_committed_is_there_for_everybody,
    a_run_that_is_lost_is_told_to_its_own_call_until_it_ends,
    a_write_error_is_kept_and_reported,
    records_wait_for_another_writer,
    without_a_thread_the_writer_is_not_waited_for,
];

async fn invalid_records_are_reported_and_the_rest_is_kept(empty: Empty) -> anyhow::Result<()> {
    type Wrong = fn(&Journal);
    let cases: [(&str, Wrong, JournalError); 3] = [
        (
            "twice",
            |j| j.begin(row(1, "h")),
            JournalError::BegunTwice { id: 1 },
        ),
        (
            "unknown",
            |j| j.end(7, ended(RunState::Completed, 1)),
            JournalError::NotRunning { id: 7 },
        ),
        (
            "ended twice",
            |j| {
                j.end(1, ended(RunState::Completed, 1));
                j.end(1, ended(RunState::Failed, 1));
            },
            JournalError::NotRunning { id: 1 },
        ),
    ];
    for (name, wrong, problem) in cases {
        let journal = journal(&empty).await?;
        journal.begin(row(1, "h"));
        wrong(&journal);
        journal.begin(row(2, "h"));
        assert_eq!(journal.flush(), Err(problem.clone()), "{name}");
        assert_eq!(journal.problem(), Some(problem), "{name}");
        let runs = journal.runs(&RunFilter::default())?;
        let own = runs.iter().filter(|run| run.host == journal.host());
        assert_eq!(own.count(), 2, "{name}");
    }
    Ok(())
}

/// If a process is killed while a hook runs, the start of the run is recorded, even if the process
/// did not wait for that.
async fn a_run_that_goes_on_is_written_before_it_ends(empty: Empty) -> anyhow::Result<()> {
    let journal = journal(&empty).await?;
    let mut direct = empty.connect().await?;
    let mut state = async || -> anyhow::Result<Option<String>> {
        let row = sqlx::query("SELECT state FROM runs WHERE id = 2");
        let row = row.fetch_optional(&mut direct).await?;
        Ok(row.map(|row| row.try_get(0)).transpose()?)
    };
    journal.begin(row(1, "h"));
    journal.begin(row(2, "h"));
    journal.end(1, ended(RunState::Completed, 1));
    while state().await?.is_none() {
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    }
    assert_eq!(state().await?.as_deref(), Some("started"));
    journal.end(2, ended(RunState::Completed, 1));
    journal.flush_async().await?;
    assert_eq!(state().await?.as_deref(), Some("completed"));
    assert_eq!(journal.runs(&RunFilter::default())?.len(), 2);
    Ok(())
}

async fn a_run_that_is_committed_is_there_for_everybody(empty: Empty) -> anyhow::Result<()> {
    let journal = journal(&empty).await?;
    for id in 1..20 {
        journal.begin(row(id, "h"));
        journal.committed("s").await.map_err(anyhow::Error::msg)?;
        let mut direct = empty.connect().await?;
        let rows = sqlx::query("SELECT id FROM runs")
            .fetch_all(&mut direct)
            .await?;
        assert_eq!(rows.len() as i64, id);
    }
    Ok(())
}

async fn a_run_that_is_lost_is_told_to_its_own_call_until_it_ends(
    empty: Empty,
) -> anyhow::Result<()> {
    let journal = journal(&empty).await?;
    let mut direct = empty.connect().await?;
    let begin = |id, session: &str| {
        journal.begin(RunRow {
            session: session.into(),
            ..row(id, "h")
        });
    };
    begin(1, "one");
    assert_eq!(journal.committed("one").await, Ok(()));
    direct.execute("ALTER TABLE runs RENAME TO gone").await?;
    begin(2, "two");
    assert_eq!(journal.committed("one").await, Ok(()));
    assert!(journal.committed("two").await.is_err());
    direct.execute("ALTER TABLE gone RENAME TO runs").await?;
    begin(3, "one");
    begin(4, "two");
    assert!(journal.committed("two").await.is_err());
    assert_eq!(journal.committed("one").await, Ok(()));
    journal.end(2, ended(RunState::Completed, 1));
    assert_eq!(journal.committed("two").await, Ok(()));
    Ok(())
}

async fn a_write_error_is_kept_and_reported(empty: Empty) -> anyhow::Result<()> {
    let journal = journal(&empty).await?;
    let mut direct = empty.connect().await?;
    direct.execute("ALTER TABLE runs RENAME TO gone").await?;
    journal.begin(row(1, "h"));
    let error = journal.flush().unwrap_err();
    assert!(
        matches!(error, JournalError::Write { records: 1, .. }),
        "{error}"
    );
    Ok(())
}

async fn records_wait_for_another_writer(empty: Empty) -> anyhow::Result<()> {
    let store = empty.open().await?;
    let journal = store.journal()?;
    journal.begin(row(1, "first"));
    journal.flush_async().await?;
    let mut other = empty.connect().await?;
    let begin = match empty.url.file() {
        Some(_) => "BEGIN IMMEDIATE",
        None => "BEGIN",
    };
    let mut held = other.begin_with(begin).await?;
    // Locks the row that the journal writes next.
    let hold = sqlx::query("UPDATE runs SET turn = turn WHERE id = 1");
    hold.execute(&mut *held).await?;
    journal.end(1, ended(RunState::Completed, 5));
    journal.begin(row(2, "second"));
    let mut flushing = std::pin::pin!(journal.flush_async());
    assert!(futures::poll!(&mut flushing).is_pending());
    held.commit().await?;
    flushing.await?;
    let (reading, filter) = (journal.clone(), RunFilter::default());
    let runs = tokio::task::spawn_blocking(move || reading.runs(&filter)).await??;
    let found: Vec<_> = runs.iter().map(|run| (run.row.id, run.end.state)).collect();
    assert_eq!(found, [(1, RunState::Completed), (2, RunState::Started)]);
    Ok(())
}

async fn without_a_thread_the_writer_is_not_waited_for(empty: Empty) -> anyhow::Result<()> {
    let journal = journal(&empty).await?;
    let flushed = std::thread::spawn(move || {
        let mut runtime = tokio::runtime::Builder::new_current_thread();
        let runtime = runtime.thread_stack_size(1 << 60).build()?;
        Ok::<_, std::io::Error>(runtime.block_on(journal.flush_async()))
    });
    let flushed = flushed.join().expect("no panic")?;
    assert!(
        matches!(flushed, Err(JournalError::NotWaited(_))),
        "{flushed:?}"
    );
    Ok(())
}
