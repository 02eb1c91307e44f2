//! Sessions: saving, listing, deleting.

use std::time::Duration;

use portcullis::state::{PrivateKey, StateStore as _, Writes};
use portcullis_agent::{
    CheckpointStore as _, Job, JobStore as _, NewCheckpoint, RunRecorder as _, RunState,
    SavedSession, SavedSessionError, SessionStore as _, next_run_id,
};
use portcullis_store::{Deleted, RunFilter, Sessions, Store};
use serde_json::json;

use crate::journal;
use crate::support::{Empty, cases};

cases![
    a_session_is_restored_by_another_process,
    a_session_whose_id_has_a_nul_is_saved,
    a_damaged_session_is_an_error,
    a_session_is_its_users,
    a_session_that_had_no_turn_leaves_nothing_that_hooks_kept,
    what_is_saved_before_the_first_turn_is_kept,
    an_open_session_is_deleted_only_by_force,
    the_oldest_are_deleted_by_size_and_age,
    the_newest_and_the_continued_are_kept_whatever_their_size,
    a_smaller_session_does_not_outlive_a_newer_one,
    jobs_of_sub_agents_are_deleted_with_the_session,
    suspended_turns_of_sub_agents_are_deleted_with_the_session,
    what_is_of_no_saved_session_is_deleted_by_its_age,
    events_of_a_session_that_was_never_saved_are_there_for_a_day,
];

pub(crate) fn session(id: &str) -> SavedSession {
    SavedSession {
        id: id.into(),
        agent: "a".into(),
        working_dir: Some("/d".into()),
        ..SavedSession::default()
    }
}

pub(crate) fn after_a_turn(id: &str) -> SavedSession {
    SavedSession {
        turns: 1,
        messages: 2,
        data: json!({ "conversation": ["a\u{0}b"] }),
        ..session(id)
    }
}

async fn a_session_is_restored_by_another_process(empty: Empty) -> anyhow::Result<()> {
    let sessions = empty.open().await?.sessions();
    assert_eq!(sessions.open(session("s")).await?, session("s"));
    sessions.save(after_a_turn("s")).await?;
    sessions.open(session("unused")).await?;
    sessions.close("unused").await?;
    drop(sessions);
    let store = empty.open().await?;
    let sessions = store.sessions();
    assert_eq!(
        sessions.latest("a", "/d", None).await?.as_deref(),
        Some("s")
    );
    assert_eq!(sessions.latest("a", "/other", None).await?, None);
    assert_eq!(sessions.open(session("s")).await?, after_a_turn("s"));
    let other = SavedSession {
        agent: "b".into(),
        ..session("s")
    };
    sessions.close("s").await?;
    let error = sessions.open(other).await.unwrap_err();
    assert!(
        matches!(error, SavedSessionError::OtherAgent { .. }),
        "{error}"
    );
    let listed = sessions.list().await?;
    assert_eq!(listed.len(), 1, "{listed:?}");
    assert!(listed[0].open_in.is_none() && listed[0].data.is_none());
    assert!(listed[0].updated_ms >= listed[0].created_ms && listed[0].bytes > 0);
    Ok(())
}

/// Neither database accepts a NUL in a text.
async fn a_session_whose_id_has_a_nul_is_saved(empty: Empty) -> anyhow::Result<()> {
    let sessions = empty.open().await?.sessions();
    let id = "a\0b";
    sessions.open(session(id)).await?;
    sessions.open(session(id)).await.unwrap_err();
    sessions.save(after_a_turn(id)).await?;
    sessions.close(id).await?;
    let found = sessions.get(id).await?.expect("it is saved");
    assert!(found.open_in.is_none() && found.turns == 1, "{found:?}");
    assert_eq!(sessions.delete(id, false).await?.sessions, 1);
    Ok(())
}

async fn a_damaged_session_is_an_error(empty: Empty) -> anyhow::Result<()> {
    let sessions = empty.open().await?.sessions();
    sessions.open(session("s")).await?;
    let damage = sqlx::query("UPDATE sessions SET data = '{'");
    damage.execute(&mut empty.connect().await?).await?;
    let error = sessions.get("s").await.unwrap_err().to_string();
    assert!(error.contains("`s` is damaged"), "{error}");
    assert!(sessions.row("s").await?.is_some());
    Ok(())
}

fn remembered(session: &str) -> Writes {
    let key = PrivateKey {
        session: session.into(),
        agent: 0,
        hook: "hook".into(),
        key: "key".into(),
    };
    Writes {
        private: vec![(key, Some(b"value".to_vec()))],
        shared: Vec::new(),
    }
}

pub fn suspended(session: &str) -> NewCheckpoint {
    NewCheckpoint {
        session: session.into(),
        root_session: session.into(),
        agent: "a".into(),
        turn: 1,
        reason: "human".into(),
        pending: Vec::new(),
        of_subagent: false,
        until_ms: None,
        data: json!(null),
    }
}

async fn a_session_that_had_no_turn_leaves_nothing_that_hooks_kept(
    empty: Empty,
) -> anyhow::Result<()> {
    let store = empty.open().await?;
    let (sessions, state) = (store.sessions(), store.hook_state("here"));
    store.checkpoints().save(suspended("suspended")).await?;
    for (id, turns, kept) in [("unused", 0, 0), ("used", 1, 1), ("suspended", 0, 1)] {
        sessions.open(session(id)).await?;
        state.write(&remembered(id)).await?;
        if turns > 0 {
            sessions.save(after_a_turn(id)).await?;
        }
        sessions.close(id).await?;
        assert_eq!(state.private(id).await?.len(), kept, "{id}");
    }
    let other = SavedSession {
        agent: "b".into(),
        ..session("unused")
    };
    assert_eq!(sessions.open(other.clone()).await?, other);
    Ok(())
}

async fn what_is_saved_before_the_first_turn_is_kept(empty: Empty) -> anyhow::Result<()> {
    let sessions = empty.open().await?.sessions();
    let saved = SavedSession {
        data: json!({ "refused": true }),
        ..session("s")
    };
    sessions.open(session("s")).await?;
    sessions.save(saved.clone()).await?;
    sessions.close("s").await?;
    assert_eq!(ids(&sessions).await?, [""; 0]);
    assert_eq!(sessions.open(session("s")).await?, saved);
    Ok(())
}

async fn an_open_session_is_deleted_only_by_force(empty: Empty) -> anyhow::Result<()> {
    let one = empty.open().await?.sessions();
    let two = empty.open().await?.sessions();
    one.open(session("s")).await?;
    one.save(after_a_turn("s")).await?;
    let error = two.delete("s", false).await.unwrap_err().to_string();
    let process = format!("process {}", std::process::id());
    assert!(
        error.contains(&process) && error.contains("--force"),
        "{error}"
    );
    assert!(two.get("s").await?.is_some());
    assert_eq!(two.delete("s", true).await?.sessions, 1);
    one.close("s").await?;
    one.open(session("s")).await?;
    one.save(after_a_turn("s")).await?;
    one.close("s").await?;
    assert_eq!(two.delete("s", false).await?.sessions, 1);
    Ok(())
}

/// Saves and closes three sessions of the same size.
async fn three(empty: &Empty, store: &Store) -> anyhow::Result<()> {
    let sessions = store.sessions();
    let mut direct = empty.connect().await?;
    let state = store.hook_state("here");
    for (id, updated_ms) in [("old", 1_000_i64), ("middle", 2_000), ("new", 3_000)] {
        sessions.open(session(id)).await?;
        sessions.save(after_a_turn(id)).await?;
        state.write(&remembered(id)).await?;
        sessions.close(id).await?;
        let sql = "UPDATE sessions SET updated_ms = $2 WHERE id = $1";
        sqlx::query(sql)
            .bind(id)
            .bind(updated_ms)
            .execute(&mut direct)
            .await?;
    }
    Ok(())
}

async fn ids(sessions: &Sessions) -> anyhow::Result<Vec<String>> {
    Ok(sessions.list().await?.into_iter().map(|s| s.id).collect())
}

async fn the_newest_and_the_continued_are_kept_whatever_their_size(
    empty: Empty,
) -> anyhow::Result<()> {
    let store = empty.open().await?;
    let sessions = store.sessions();
    three(&empty, &store).await?;
    // A session without turns is not the newest.
    sessions.open(session("begun")).await?;
    sessions.prune(None, Some(1), Some("old")).await?;
    assert_eq!(ids(&sessions).await?, ["begun", "new", "old"]);
    sessions.prune(None, Some(1), None).await?;
    assert_eq!(ids(&sessions).await?, ["begun", "new"]);
    Ok(())
}

async fn a_smaller_session_does_not_outlive_a_newer_one(empty: Empty) -> anyhow::Result<()> {
    let store = empty.open().await?;
    let sessions = store.sessions();
    three(&empty, &store).await?;
    let mut direct = empty.connect().await?;
    let sql = "UPDATE sessions SET bytes = 1000 WHERE id = 'middle'";
    sqlx::query(sql).execute(&mut direct).await?;
    sessions.prune(None, Some(1000), None).await?;
    assert_eq!(ids(&sessions).await?, ["new"]);
    Ok(())
}

async fn a_session_is_its_users(empty: Empty) -> anyhow::Result<()> {
    let sessions = empty.open().await?.sessions();
    let of = |id: &str, user: Option<&str>| SavedSession {
        user: user.map(str::to_owned),
        ..after_a_turn(id)
    };
    let users = [("1", Some("ann")), ("2", Some("bob")), ("3", None)];
    for (id, user) in users {
        sessions.open(of(id, user)).await?;
        sessions.save(of(id, user)).await?;
        sessions.close(id).await?;
    }
    for (id, user) in users {
        let latest = sessions.latest("a", "/d", user).await?;
        assert_eq!(latest.as_deref(), Some(id), "{user:?}");
        for (_, other) in users.into_iter().filter(|(_, other)| *other != user) {
            let error = sessions.open(of(id, other)).await.unwrap_err();
            let is_others = matches!(error, SavedSessionError::OtherUser { .. });
            assert!(is_others, "{error}");
        }
        // A refused claim changes nothing.
        sessions.open(of(id, user)).await?;
    }
    assert_eq!(sessions.latest("a", "/d", Some("eve")).await?, None);
    Ok(())
}

async fn the_oldest_are_deleted_by_size_and_age(empty: Empty) -> anyhow::Result<()> {
    let store = empty.open().await?;
    let sessions = store.sessions();
    three(&empty, &store).await?;
    assert_eq!(sessions.prune(None, None, None).await?.sessions, 0);
    let size = sessions.list().await?[0].bytes;
    let deleted = sessions.prune(None, Some(2 * size), None).await?;
    assert_eq!((deleted.sessions, deleted.hook_state), (1, 1));
    assert_eq!(ids(&sessions).await?, ["new", "middle"]);
    sessions.open(session("new")).await?;
    let day = Duration::from_secs(86_400);
    assert_eq!(
        sessions.prune(Some(day), None, None).await?.sessions,
        1,
        "an open one is kept"
    );
    Ok(())
}

/// Returns a job of a session with this id, below the session `root`.
fn job(root: &str, id: &str) -> Job {
    Job {
        session_id: id.into(),
        root_session: root.into(),
        ..crate::jobs::job(1)
    }
}

async fn jobs_of_sub_agents_are_deleted_with_the_session(empty: Empty) -> anyhow::Result<()> {
    let store = empty.open().await?;
    let (sessions, jobs) = (store.sessions(), crate::jobs::jobs(&store));
    for id in ["s", "t"] {
        sessions.open(session(id)).await?;
        sessions.save(after_a_turn(id)).await?;
        sessions.close(id).await?;
        jobs.add(&job(id, id)).await?;
        jobs.add(&job(id, &format!("below-{id}"))).await?;
    }
    assert_eq!(sessions.delete("s", false).await?.jobs, 2);
    let left = store.jobs().list().await?;
    let left: Vec<_> = left.iter().map(|job| job.session.as_str()).collect();
    assert_eq!(left, ["below-t", "t"]);
    Ok(())
}

async fn suspended_turns_of_sub_agents_are_deleted_with_the_session(
    empty: Empty,
) -> anyhow::Result<()> {
    let store = empty.open().await?;
    let (sessions, checkpoints) = (store.sessions(), store.checkpoints());
    for id in ["s", "t"] {
        sessions.open(session(id)).await?;
        for (of, of_subagent) in [(id.to_owned(), false), (format!("below-{id}"), true)] {
            let suspended = NewCheckpoint {
                session: of,
                of_subagent,
                ..suspended(id)
            };
            checkpoints.save(suspended).await?;
        }
        sessions.close(id).await?;
    }
    assert_eq!(sessions.delete("s", false).await?.checkpoints, 2);
    let left = checkpoints.list(None).await?;
    let left: Vec<_> = left.iter().map(|info| info.session.as_str()).collect();
    assert_eq!(left, ["t", "below-t"]);
    Ok(())
}

async fn what_is_of_no_saved_session_is_deleted_by_its_age(empty: Empty) -> anyhow::Result<()> {
    let store = empty.open().await?;
    let (sessions, jobs, journal) = (
        store.sessions(),
        crate::jobs::jobs(&store),
        store.journal()?,
    );
    sessions.open(session("saved")).await?;
    sessions.save(after_a_turn("saved")).await?;
    for root in ["saved", "unsaved"] {
        let ended = jobs.add(&job(root, root)).await?;
        jobs.end(ended, None).await?;
        // A job that has not ended is kept.
        jobs.add(&job(root, root)).await?;
        for ends in [true, false] {
            let id = next_run_id();
            let mut row = journal::row(id, "h");
            row.session = root.into();
            journal.begin(row);
            if ends {
                journal.end(id, journal::ended(RunState::Completed, 1));
            }
        }
    }
    journal.flush_async().await?;
    let day = Duration::from_secs(86_400);
    assert_eq!(
        sessions.prune(Some(day), None, None).await?,
        Deleted::default()
    );
    let mut direct = empty.connect().await?;
    for sql in [
        "UPDATE jobs SET ended_ms = 1 WHERE ended_ms IS NOT NULL",
        "UPDATE runs SET ended_ms = 1 WHERE ended_ms IS NOT NULL",
    ] {
        sqlx::query(sql).execute(&mut direct).await?;
    }
    let deleted = sessions.prune(Some(day), None, None).await?;
    assert_eq!((deleted.jobs, deleted.hook_runs), (1, 1));
    assert_eq!(store.jobs().list().await?.len(), 3);
    assert_eq!(journal.runs(&RunFilter::default())?.len(), 3);
    Ok(())
}

async fn events_of_a_session_that_was_never_saved_are_there_for_a_day(
    empty: Empty,
) -> anyhow::Result<()> {
    let store = empty.open().await?;
    let (feed, sessions) = (store.feed(), store.sessions());
    for id in ["saved", "failed", "new", "again"] {
        let attempt = feed.begin(id, id).await?;
        feed.add(id, id, attempt, 1, vec!["e".into()]).await?;
    }
    sessions.open(session("saved")).await?;
    sessions.save(after_a_turn("saved")).await?;
    sessions.close("saved").await?;
    let mut beside = empty.connect().await?;
    let two_days =
        "UPDATE feed SET at_ms = at_ms - 172800000 WHERE number = 0 AND session <> 'new'";
    sqlx::query(two_days).execute(&mut beside).await?;
    feed.begin("again", "again").await?;
    drop((store, feed, sessions));

    // Old events are deleted at the next opening of the store.
    let store = empty.open().await?;
    let left = async |id: &str| Ok::<_, anyhow::Error>(store.feed().after(id, 0).await?.len());
    for (id, events) in [("saved", 1), ("failed", 0), ("new", 1), ("again", 1)] {
        assert_eq!(left(id).await?, events, "{id}");
    }
    // They are also deleted by the given age.
    tokio::time::sleep(Duration::from_millis(5)).await;
    store
        .sessions()
        .prune(Some(Duration::ZERO), None, Some("saved"))
        .await?;
    for (id, events) in [("saved", 1), ("new", 0), ("again", 0)] {
        assert_eq!(left(id).await?, events, "{id}");
    }
    Ok(())
}
