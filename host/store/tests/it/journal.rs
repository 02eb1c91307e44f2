//! The journal's public interface.

use portcullis::hooks::Mode;
use portcullis_agent::{RunEnd, RunRecorder as _, RunRow, RunState};
use portcullis_store::{HookSummary, Journal, JournalError, RunFilter};
use sqlx::Executor as _;

use crate::support::{Empty, cases};

cases![
    runs_are_read_as_they_were_written,
    ten_thousand_runs_are_flushed_in_order,
    without_a_thread_the_writer_is_not_waited_for,
    runs_are_filtered,
    the_summary_counts_by_hook,
    outcomes_are_those_since_a_time,
    invalid_records_are_reported_and_the_rest_is_kept,
    a_run_that_is_committed_is_there_for_everybody,
    a_run_that_is_lost_is_told_to_its_own_call_until_it_ends,
    a_write_error_is_kept_and_reported,
];

pub fn row(id: i64, hook: &str) -> RunRow {
    RunRow {
        id,
        session: "s".into(),
        turn: 1,
        step: 2,
        point: "pre-tool-call".into(),
        hook: hook.into(),
        attempt: 1,
        component: Some("c0ffee".into()),
        input: None,
        started_ms: 1_700_000_000_000,
    }
}

pub fn ended(state: RunState, latency_us: u64) -> RunEnd {
    RunEnd {
        latency_us: Some(latency_us),
        ..RunEnd::of(state)
    }
}

async fn journal(empty: &Empty) -> anyhow::Result<Journal> {
    Ok(empty.open().await?.journal()?)
}

async fn runs_are_read_as_they_were_written(empty: Empty) -> anyhow::Result<()> {
    let journal = self::journal(&empty).await?;
    let end = RunEnd {
        state: RunState::Failed,
        outcome: Some("transform".into()),
        latency_us: Some(17),
        fuel: Some(99),
        cause: Some("trap".into()),
        message: Some("it trapped".into()),
        contributions: vec!["d1".into(), "d2".into()],
        before: Some("b".into()),
        after: Some("a".into()),
        fatal: true,
        mode: Some(Mode::Audit),
        code: Some("no".into()),
        restarted: true,
        used: Some(vec!["secrets = \"KEY\"".into()]),
    };
    journal.begin(row(1, "h"));
    journal.end(1, end.clone());
    drop(journal);
    let store = empty.open().await?;
    assert_eq!(store.settled(), 0);
    let journal = store.journal()?;
    let runs = journal.runs(&RunFilter::default())?;
    let [run] = runs.as_slice() else {
        panic!("{runs:?}");
    };
    assert_eq!(run.row, row(1, "h"));
    assert!(run.ended_ms.is_some() && run.host != journal.host());
    assert_eq!(run.end, end);
    Ok(())
}

async fn ten_thousand_runs_are_flushed_in_order(empty: Empty) -> anyhow::Result<()> {
    let journal = self::journal(&empty).await?;
    let clone = journal.clone();
    std::thread::spawn(move || {
        for _ in 0..10_000 {
            let id = clone.next_id();
            clone.begin(row(id, "h"));
            clone.end(id, ended(RunState::Completed, 1));
        }
    })
    .join()
    .unwrap();
    journal.flush_async().await?;
    let ids = |newest_first, limit| {
        let filter = RunFilter {
            state: Some(RunState::Completed),
            newest_first,
            limit,
            ..RunFilter::default()
        };
        let runs = journal.runs(&filter).unwrap();
        runs.iter().map(|run| run.row.id).collect::<Vec<_>>()
    };
    assert_eq!(ids(false, 20_000), (1..=10_000).collect::<Vec<_>>());
    assert_eq!(ids(true, 3), [10_000, 9_999, 9_998]);
    Ok(())
}

async fn without_a_thread_the_writer_is_not_waited_for(empty: Empty) -> anyhow::Result<()> {
    let journal = self::journal(&empty).await?;
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

async fn runs_are_filtered(empty: Empty) -> anyhow::Result<()> {
    let journal = self::journal(&empty).await?;
    for (id, session, hook, point, turn) in [
        (1, "s1", "a", "pre-turn", 1),
        (2, "s1", "b", "pre-turn", 2),
        (3, "s2", "a", "post-turn", 1),
    ] {
        journal.begin(RunRow {
            session: session.into(),
            point: point.into(),
            turn,
            ..row(id, hook)
        });
    }
    journal.end(3, ended(RunState::TimedOut, 1));
    let any = RunFilter::default;
    let text = |text: &str| Some(text.to_owned());
    let cases = [
        (any(), vec![1, 2, 3]),
        (
            RunFilter {
                session: text("s1"),
                ..any()
            },
            vec![1, 2],
        ),
        (
            RunFilter {
                hook: text("a"),
                ..any()
            },
            vec![1, 3],
        ),
        (
            RunFilter {
                point: text("post-turn"),
                ..any()
            },
            vec![3],
        ),
        (
            RunFilter {
                state: Some(RunState::Started),
                ..any()
            },
            vec![1, 2],
        ),
        (
            RunFilter {
                turn: Some(2),
                ..any()
            },
            vec![2],
        ),
        (
            RunFilter {
                session: text("' OR 1"),
                ..any()
            },
            vec![],
        ),
        (
            RunFilter {
                hook: text("a"),
                turn: Some(1),
                limit: 1,
                ..any()
            },
            vec![1],
        ),
    ];
    for (filter, expected) in cases {
        let runs = journal.runs(&filter)?;
        let ids: Vec<_> = runs.iter().map(|run| run.row.id).collect();
        assert_eq!(ids, expected, "{filter:?}");
    }
    Ok(())
}

async fn the_summary_counts_by_hook(empty: Empty) -> anyhow::Result<()> {
    let journal = self::journal(&empty).await?;
    for latency in 1..=200 {
        let id = journal.next_id();
        journal.begin(row(id, "busy"));
        let state = if latency > 198 {
            RunState::TimedOut
        } else {
            RunState::Completed
        };
        journal.end(id, ended(state, latency));
    }
    let id = journal.next_id();
    journal.begin(row(id, "skipped"));
    journal.end(id, ended(RunState::Skipped, 0));
    let line = |hook: &str, runs, failures, skipped, p50_us, p99_us| HookSummary {
        hook: hook.into(),
        runs,
        failures,
        skipped,
        lost: 0,
        p50_us,
        p99_us,
    };
    assert_eq!(
        journal.summary()?,
        [
            line("busy", 200, 2, 0, Some(100), Some(198)),
            line("skipped", 0, 0, 1, None, None)
        ]
    );
    Ok(())
}

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
        let journal = self::journal(&empty).await?;
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

async fn a_run_that_is_committed_is_there_for_everybody(empty: Empty) -> anyhow::Result<()> {
    let journal = self::journal(&empty).await?;
    for id in 1..20 {
        journal.begin(row(id, "h"));
        journal
            .committed(vec![id])
            .await
            .map_err(anyhow::Error::msg)?;
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
    let journal = self::journal(&empty).await?;
    let mut direct = empty.connect().await?;
    journal.begin(row(1, "h"));
    assert_eq!(journal.committed(vec![1]).await, Ok(()));
    direct.execute("ALTER TABLE runs RENAME TO gone").await?;
    journal.begin(row(2, "h"));
    assert!(journal.committed(vec![1, 2]).await.is_err());
    direct.execute("ALTER TABLE gone RENAME TO runs").await?;
    journal.begin(row(3, "h"));
    assert!(journal.committed(vec![2]).await.is_err());
    assert_eq!(journal.committed(vec![1, 3]).await, Ok(()));
    journal.end(2, ended(RunState::Completed, 1));
    assert_eq!(journal.committed(vec![1, 2, 3]).await, Ok(()));
    Ok(())
}

async fn a_write_error_is_kept_and_reported(empty: Empty) -> anyhow::Result<()> {
    let journal = self::journal(&empty).await?;
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

async fn outcomes_are_those_since_a_time(empty: Empty) -> anyhow::Result<()> {
    let journal = self::journal(&empty).await?;
    for (id, point, at, state, outcome) in [
        (
            1,
            "session-start",
            500,
            RunState::Completed,
            Some("continue"),
        ),
        (
            2,
            "pre-tool-call",
            1_000,
            RunState::Completed,
            Some("reject"),
        ),
        (
            3,
            "pre-tool-call",
            1_001,
            RunState::Completed,
            Some("continue"),
        ),
        (
            4,
            "pre-tool-call",
            1_002,
            RunState::Completed,
            Some("continue"),
        ),
        (5, "post-turn", 1_003, RunState::Failed, None),
        (6, "pre-turn", 1_004, RunState::Skipped, None),
    ] {
        journal.begin(RunRow {
            point: point.into(),
            started_ms: at,
            ..row(id, "a")
        });
        journal.end(
            id,
            RunEnd {
                outcome: outcome.map(str::to_owned),
                ..RunEnd::of(state)
            },
        );
    }
    journal.begin(row(7, "b"));
    let read = journal.activity("a", 1_000)?.outcomes;
    let read: Vec<(&str, Vec<&str>)> = read
        .iter()
        .map(|(point, outcomes)| {
            (
                point.as_str(),
                outcomes.iter().map(String::as_str).collect(),
            )
        })
        .collect();
    assert_eq!(
        read,
        [
            ("post-turn", vec![]),
            ("pre-tool-call", vec!["continue", "reject"])
        ]
    );
    Ok(())
}
