//! The journal's summary of each session.

use portcullis::hooks::Mode;
use portcullis_agent::{CheckpointStore as _, JournalEvent, RunEnd, RunRecorder as _, next_run_id};
use portcullis_store::{Journal, JournalSession, RunFilter, SessionFilter, TurnOutcome};

use crate::checkpoints;
use crate::journal::{answered, event, opened, row};
use crate::support::{Empty, cases};

cases![
    sessions_are_seen_as_they_go,
    a_session_whose_process_died_is_interrupted,
    a_session_waits_when_its_interrupted_turn_is_released,
];

fn overview(journal: &Journal, session: &str) -> JournalSession {
    let filter = SessionFilter {
        session: Some(session.into()),
        top: false,
        ..SessionFilter::default()
    };
    let found = journal.overview(&filter).unwrap();
    found.into_iter().next().unwrap()
}

async fn sessions_are_seen_as_they_go(empty: Empty) -> anyhow::Result<()> {
    let journal = crate::journal::journal(&empty).await?;
    event(&journal, "s", opened(&["h"]));
    let began = JournalEvent::TurnBegan { input: None };
    event(&journal, "s", began.clone());
    let first = overview(&journal, "s");
    assert_eq!(
        (first.agent.as_deref(), first.state),
        (Some("a"), Some(TurnOutcome::Running))
    );
    for mode in [Mode::Enforce, Mode::Audit] {
        let id = next_run_id();
        journal.begin(row(id, "h"));
        let refused = RunEnd {
            mode: Some(mode),
            ..answered("reject")
        };
        journal.end(id, refused);
    }
    for mode in [Mode::Enforce, Mode::Audit] {
        for outcome in [None, Some("reject".to_owned())] {
            let filter = RunFilter {
                mode: Some(mode),
                outcome,
                ..RunFilter::default()
            };
            let found = journal.runs(&filter)?;
            let modes: Vec<_> = found.iter().map(|run| run.end.mode).collect();
            assert_eq!(modes, [Some(mode)]);
        }
    }
    let below = JournalEvent::SessionOpened {
        agent: "below".into(),
        parent: Some("s".into()),
        hooks: Vec::new(),
    };
    let before = journal.revision("s")?;
    event(&journal, "100%", below);
    assert!(journal.revision("s")? > before, "of its sub-agent");
    let suspended = JournalEvent::TurnSuspended {
        reason: "asked".into(),
    };
    event(&journal, "s", suspended);
    let then = overview(&journal, "s");
    assert_eq!(
        (then.runs, then.refusals, then.would_refuse, then.state),
        (2, 1, 1, Some(TurnOutcome::Waiting))
    );
    assert!(then.revision > first.revision);
    let listed = |filter: SessionFilter| {
        let found = journal.overview(&filter).unwrap().into_iter();
        found.map(|it| it.session).collect::<Vec<_>>()
    };
    assert_eq!(listed(SessionFilter::default()), ["s"]);
    for (text, expected) in [("BEL", vec!["100%"]), ("0%", vec!["100%"]), ("_", vec![])] {
        let filter = SessionFilter {
            text: Some(text.into()),
            top: false,
            ..SessionFilter::default()
        };
        assert_eq!(listed(filter), expected, "{text}");
    }
    let ended = SessionFilter {
        states: vec![TurnOutcome::Ended, TurnOutcome::Failed],
        ..SessionFilter::default()
    };
    assert_eq!(listed(ended), [""; 0]);
    assert_eq!(journal.revision("none")?, 0);
    Ok(())
}

async fn a_session_whose_process_died_is_interrupted(empty: Empty) -> anyhow::Result<()> {
    let journal = crate::journal::journal(&empty).await?;
    event(&journal, "s", JournalEvent::TurnBegan { input: None });
    journal.flush_async().await?;
    // Another process also writes records of the session, and ends first.
    let beside = crate::journal::journal(&empty).await?;
    let answered = JournalEvent::Answered {
        call_id: "c".into(),
        by: "ann".into(),
        answer: "approved".into(),
    };
    event(&beside, "s", answered);
    beside.flush_async().await?;
    drop(beside);
    assert_eq!(overview(&journal, "s").state, Some(TurnOutcome::Running));
    drop(journal);
    let journal = crate::journal::journal(&empty).await?;
    assert_eq!(
        overview(&journal, "s").state,
        Some(TurnOutcome::Interrupted)
    );
    Ok(())
}

async fn a_session_waits_when_its_interrupted_turn_is_released(empty: Empty) -> anyhow::Result<()> {
    let state = |journal: &Journal| overview(journal, "s").state;
    let first = empty.open().await?;
    let id = first.checkpoints().save(checkpoints::new("s", 1)).await?;
    let journal = first.journal()?;
    let began = JournalEvent::TurnBegan { input: None };
    let reason = "human".to_owned();
    event(&journal, "s", began);
    event(&journal, "s", JournalEvent::TurnSuspended { reason });
    journal.flush_async().await?;
    // Another process resumes it, and ends before the turn does.
    let second = empty.open().await?;
    second.checkpoints().claim(&id).await?;
    let resumed = second.journal()?;
    event(&resumed, "s", JournalEvent::TurnResumed);
    resumed.flush_async().await?;
    drop((resumed, second));
    assert_eq!(state(&journal), Some(TurnOutcome::Interrupted));

    first.checkpoints().release(&id).await?;
    assert_eq!(state(&journal), Some(TurnOutcome::Waiting));
    // The release of a claim whose turn has not begun changes nothing.
    first.checkpoints().claim(&id).await?;
    let revision = journal.revision("s")?;
    first.checkpoints().release(&id).await?;
    assert_eq!(journal.revision("s")?, revision);
    Ok(())
}
