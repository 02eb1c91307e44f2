//! The contents of the journal: runs and events.

use portcullis::hooks::Mode;
use portcullis::verdict::Effect;
use portcullis_agent::{
    EventRow, FieldChange, HookAuthority, JournalEvent, RunEnd, RunRecorder as _, RunRow, RunState,
    WouldHave, next_run_id,
};
use portcullis_store::{Journal, RunFilter};
use sqlx::{Executor as _, Row as _};

use crate::support::{Empty, cases};

cases![
    runs_are_read_as_they_were_written,
    ten_thousand_runs_are_flushed_in_order,
    runs_are_filtered,
    a_list_is_within_its_limit_whatever_the_kinds,
    events_are_read_as_they_were_written,
    events_outlive_their_host,
    hooks_that_no_session_names_are_deleted,
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
        call_id: Some("c".into()),
    }
}

pub fn ended(state: RunState, latency_us: u64) -> RunEnd {
    RunEnd {
        latency_us: Some(latency_us),
        ..RunEnd::of(state)
    }
}

pub async fn journal(empty: &Empty) -> anyhow::Result<Journal> {
    Ok(empty.open().await?.journal()?)
}

async fn runs_are_read_as_they_were_written(empty: Empty) -> anyhow::Result<()> {
    let journal = self::journal(&empty).await?;
    let end = RunEnd {
        state: RunState::Failed,
        outcome: Some("transform".into()),
        latency_us: Some(17),
        fuel: Some(99),
        memory: Some(1 << 20),
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
        changes: Some(vec![FieldChange {
            path: "/path".into(),
            before: Some("a b".into()),
            after: None,
        }]),
        added: Some(vec![FieldChange {
            path: "/0/section/text".into(),
            before: None,
            after: Some("Be brief.".into()),
        }]),
        would: Some(would(Effect::Answered)),
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

pub fn would(effect: Effect) -> WouldHave {
    WouldHave {
        effect,
        message: Some("so".into()),
        answer: None,
        before: None,
        after: None,
        changes: None,
        not_run: vec!["behind".into()],
    }
}

async fn ten_thousand_runs_are_flushed_in_order(empty: Empty) -> anyhow::Result<()> {
    let journal = self::journal(&empty).await?;
    let clone = journal.clone();
    std::thread::spawn(move || {
        for id in 1..=10_000 {
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

pub fn answered(outcome: &str) -> RunEnd {
    RunEnd {
        outcome: Some(outcome.to_owned().into()),
        ..ended(RunState::Completed, 1)
    }
}

pub fn opened(hooks: &[&str]) -> JournalEvent {
    let hook = |hook: &&str| HookAuthority {
        hook: (*hook).to_owned(),
        sort: "native".into(),
        version: None,
        description: None,
        role: "gate".into(),
        failure: "fail-open".into(),
        mode: Mode::Enforce,
        share: None,
        priority: 100,
        named: true,
        points: Vec::new(),
        grants: Vec::new(),
    };
    JournalEvent::SessionOpened {
        agent: "a".into(),
        parent: None,
        hooks: hooks.iter().map(hook).collect(),
    }
}

pub fn event(journal: &Journal, session: &str, event: JournalEvent) -> EventRow {
    let row = EventRow {
        id: next_run_id(),
        session: session.into(),
        turn: 1,
        step: 2,
        at_ms: 1_700_000_000_000,
        event,
    };
    journal.event(row.clone());
    row
}

async fn hook_sets(empty: &Empty) -> anyhow::Result<i64> {
    let mut direct = empty.connect().await?;
    let row = direct.fetch_one("SELECT count(*) FROM hook_sets").await?;
    Ok(row.try_get(0)?)
}

async fn events_outlive_their_host(empty: Empty) -> anyhow::Result<()> {
    let journal = self::journal(&empty).await?;
    event(&journal, "s", opened(&["a"]));
    journal.flush()?;
    drop(journal);
    let journal = self::journal(&empty).await?;
    assert_eq!(journal.events("s")?.len(), 1);
    Ok(())
}

async fn events_are_read_as_they_were_written(empty: Empty) -> anyhow::Result<()> {
    let journal = self::journal(&empty).await?;
    let written = [
        event(&journal, "s", opened(&["a", "b"])),
        event(
            &journal,
            "s",
            JournalEvent::TurnBegan {
                input: Some("a b".into()),
            },
        ),
        event(&journal, "s", JournalEvent::TurnResumed),
    ];
    event(&journal, "other", opened(&["a", "b"]));
    let read = journal.events("s")?;
    let rows: Vec<_> = read.iter().map(|event| event.row.clone()).collect();
    assert_eq!(rows, written);
    assert!(read.iter().all(|event| event.host == journal.host()));
    assert_eq!(
        hook_sets(&empty).await?,
        1,
        "two sessions have the same hooks"
    );
    // An event of a later version.
    let mut direct = empty.connect().await?;
    direct
        .execute("UPDATE events SET data = '{\"event\":\"later\",\"x\":1}' WHERE hooks IS NULL")
        .await?;
    let read = journal.events("s")?;
    assert_eq!(read[1].row.event, JournalEvent::Unknown);
    Ok(())
}

async fn hooks_that_no_session_names_are_deleted(empty: Empty) -> anyhow::Result<()> {
    let store = empty.open().await?;
    let journal = store.journal()?;
    event(&journal, "s", opened(&["a"]));
    event(&journal, "s", opened(&["b"]));
    journal.flush_async().await?;
    let sessions = store.sessions();
    sessions.prune(None, None, None).await?;
    assert_eq!(
        (journal.events("s")?.len(), hook_sets(&empty).await?),
        (2, 2)
    );
    sessions
        .prune(Some(std::time::Duration::from_secs(60)), None, None)
        .await?;
    assert_eq!(
        (journal.events("s")?.len(), hook_sets(&empty).await?),
        (0, 0)
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
    for (id, hook, started_ms, end) in [
        (4, "c", 1_700_000_000_002, answered("reject")),
        (5, "a", 1_700_000_000_005, answered("continue")),
        (
            6,
            "c",
            1_700_000_000_006,
            RunEnd {
                cause: Some("trap".into()),
                ..ended(RunState::Failed, 1)
            },
        ),
    ] {
        journal.begin(RunRow {
            session: "s3".into(),
            point: "post-step".into(),
            turn: 9,
            started_ms,
            ..row(id, hook)
        });
        journal.end(id, end);
    }
    let any = RunFilter::default;
    let text = |text: &str| Some(text.to_owned());
    let cases = [
        (any(), vec![1, 2, 3, 4, 5, 6]),
        (
            RunFilter {
                outcome: text("reject"),
                ..any()
            },
            vec![4],
        ),
        (
            RunFilter {
                outcome: text("continue"),
                hook: text("a"),
                ..any()
            },
            vec![5],
        ),
        (
            RunFilter {
                cause: text("trap"),
                state: Some(RunState::Failed),
                ..any()
            },
            vec![6],
        ),
        (
            RunFilter {
                since_ms: Some(1_700_000_000_001),
                until_ms: Some(1_700_000_000_005),
                ..any()
            },
            vec![4],
        ),
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
            vec![1, 3, 5],
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

/// The kinds' runs begin at the same time, and there are more kinds than the list has runs.
async fn a_list_is_within_its_limit_whatever_the_kinds(empty: Empty) -> anyhow::Result<()> {
    let journal = self::journal(&empty).await?;
    let mut times = Vec::new();
    for id in 1..=60 {
        let started_ms = 1_700_000_000_000 + u64::try_from(id * 7 % 11)?;
        times.push((started_ms, id));
        let hook = format!("h{}", id % 20);
        journal.begin(RunRow {
            started_ms,
            ..row(id, &hook)
        });
        if id % 13 > 0 {
            journal.end(id, answered("continue"));
        }
    }
    times.sort_unstable();
    for limit in [1, 5, 19, 21, 60] {
        for newest_first in [false, true] {
            let filter = RunFilter {
                limit,
                newest_first,
                ..RunFilter::default()
            };
            let found = journal.runs(&filter)?;
            let found: Vec<_> = found.iter().map(|run| run.row.id).collect();
            let all: Vec<_> = times.iter().map(|(_, id)| *id).collect();
            let expected: Vec<_> = match newest_first {
                true => all.into_iter().rev().take(limit as usize).collect(),
                false => all.into_iter().take(limit as usize).collect(),
            };
            assert_eq!(found, expected, "{limit} {newest_first}");
        }
    }
    Ok(())
}
