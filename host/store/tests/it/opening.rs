//! Opening stores: files of other programs, other versions, many processes.

use std::collections::BTreeSet;
use std::net::TcpListener;

use futures::future::try_join_all;
use portcullis::hooks::Mode;
use portcullis::state::StateStore as _;
use portcullis_agent::{
    CheckpointStore as _, MemoryTurn, NewCheckpoint, PastTurns as _, RunEnd, RunRecorder as _,
    RunState, SavedSession, SessionStore as _, next_run_id,
};
use portcullis_store::{RunFilter, SessionFilter, Store, StoreOptions, StoreUrl};
use serde_json::json;
use sqlx::Executor as _;

use crate::journal::{answered, ended, row};
use crate::sessions::suspended;
use crate::support::{Empty, cases};

cases![
    a_newer_store_is_refused,
    what_hooks_kept_of_unsaved_sessions_in_an_older_store_is_deleted,
    runs_of_an_older_store_are_read_without_their_mode,
    a_store_without_events_gets_them,
    what_an_older_store_says_of_engines_and_audit_mode_has_columns,
    what_an_older_memory_kept_is_of_the_directory_of_its_session,
    suspended_turns_of_sub_agents_in_an_older_store_are_deleted_with_their_session,
    many_may_create_it_at_once,
    other_files_are_refused,
    a_server_that_is_not_there_is_named_with_the_cause,
    the_file_is_private,
    it_can_be_opened_without_a_runtime,
];

async fn a_newer_store_is_refused(empty: Empty) -> anyhow::Result<()> {
    drop(empty.open().await?);
    let mut direct = empty.connect().await?;
    direct
        .execute(
            "INSERT INTO _sqlx_migrations
                 (version, description, installed_on, success, checksum, execution_time)
             SELECT 99, description, installed_on, success, checksum, execution_time
             FROM _sqlx_migrations WHERE version = 1",
        )
        .await?;
    let error = empty.open().await.unwrap_err().to_string();
    for part in [
        empty.url.to_string().as_str(),
        "version 99",
        "name another store",
    ] {
        assert!(error.contains(part), "{error}");
    }
    Ok(())
}

async fn what_hooks_kept_of_unsaved_sessions_in_an_older_store_is_deleted(
    empty: Empty,
) -> anyhow::Result<()> {
    let session = SavedSession {
        id: "saved".into(),
        ..SavedSession::default()
    };
    empty.open().await?.sessions().open(session).await?;
    // The store of version 7.
    let mut direct = empty.connect().await?;
    for sql in [
        "DROP INDEX jobs_by_root",
        "ALTER TABLE jobs DROP COLUMN root",
        "ALTER TABLE checkpoints DROP COLUMN claimed_start",
        "DELETE FROM _sqlx_migrations WHERE version = 8",
    ] {
        direct.execute(sql).await?;
    }
    for id in ["saved", "gone"] {
        let sql = "INSERT INTO private_state (session, agent, hook, key, value)
                   VALUES ($1, 0, 'h', $2, $2)";
        let insert = sqlx::query(sql).bind(id).bind(&b"k"[..]);
        insert.execute(&mut direct).await?;
    }
    let state = empty.open().await?.hook_state("here");
    assert_eq!(state.private("gone").await?, []);
    assert_eq!(state.private("saved").await?.len(), 1);
    Ok(())
}

async fn what_an_older_store_says_of_engines_and_audit_mode_has_columns(
    empty: Empty,
) -> anyhow::Result<()> {
    let session = |id: &str| SavedSession {
        id: id.into(),
        agent: "a".into(),
        ..SavedSession::default()
    };
    let store = empty.open().await?;
    for id in ["here", "engine"] {
        store.sessions().open(session(id)).await?;
    }
    let journal = store.journal()?;
    for (mode, fatal, outcome) in [
        (Mode::Audit, false, "reject"),
        (Mode::Audit, true, "transform"),
        (Mode::Audit, false, "continue"),
        (Mode::Enforce, false, "reject"),
    ] {
        let id = next_run_id();
        journal.begin(row(id, "h"));
        let end = RunEnd {
            mode: Some(mode),
            fatal,
            ..answered(outcome)
        };
        journal.end(id, end);
    }
    drop(journal);
    drop(store);
    // The store of version 27.
    let mut direct = empty.connect().await?;
    for sql in [
        "ALTER TABLE turns DROP COLUMN engine",
        "DROP INDEX runs_audited",
        "ALTER TABLE journal_sessions DROP COLUMN would_refuse",
        "DELETE FROM _sqlx_migrations WHERE version > 27",
        "UPDATE sessions SET host = NULL",
    ]
    .iter()
    .chain(&WITHOUT_DIRECTORIES_IN_THE_MEMORY)
    {
        direct.execute(*sql).await?;
    }
    for (id, data) in [("here", "{}"), ("engine", r#"{"engine":"restate"}"#)] {
        let sql = "INSERT INTO turns (id, session, agent, turn, began_ms, data)
                   VALUES ($1, $1, 'a', 1, 1, $2)";
        let insert = sqlx::query(sql).bind(id).bind(data);
        insert.execute(&mut direct).await?;
    }
    let store = empty.open().await?;
    let interrupted = store.turns().interrupted("a", None, None).await?;
    let interrupted: Vec<_> = interrupted.iter().map(|turn| &*turn.session).collect();
    assert_eq!(interrupted, ["here"]);
    let listed = store.journal()?.overview(&SessionFilter::default())?;
    let counted: Vec<_> = listed
        .iter()
        .map(|it| (it.refusals, it.would_refuse))
        .collect();
    assert_eq!(counted, [(1, 2)]);
    Ok(())
}

/// Statements that remove the additions of version 30 to the memory.
const WITHOUT_DIRECTORIES_IN_THE_MEMORY: [&str; 3] = [
    "DROP INDEX memory_by_directory",
    "ALTER TABLE memory DROP COLUMN working_dir",
    "CREATE INDEX memory_by_person ON memory (agent, person)",
];

async fn what_an_older_memory_kept_is_of_the_directory_of_its_session(
    empty: Empty,
) -> anyhow::Result<()> {
    let session = SavedSession {
        id: "here".into(),
        working_dir: Some("/here".into()),
        ..SavedSession::default()
    };
    empty.open().await?.sessions().open(session).await?;
    // The store of version 29.
    let mut direct = empty.connect().await?;
    for sql in WITHOUT_DIRECTORIES_IN_THE_MEMORY {
        direct.execute(sql).await?;
    }
    direct
        .execute("DELETE FROM _sqlx_migrations WHERE version = 30")
        .await?;
    for (session, said) in [("here", "my cat Milo"), ("gone", "my cat Tom")] {
        let sql = "INSERT INTO memory (at_ms, agent, person, session, turn, input, output)
                   VALUES (1, 'a', '', $1, 1, $2, 'ok')";
        let insert = sqlx::query(sql).bind(session).bind(said);
        insert.execute(&mut direct).await?;
    }
    let all = empty.open().await?.past_turns();
    for (turns, expected) in [
        (all.clone().in_directory("/here"), &["my cat Milo"][..]),
        (all.clone().in_directory("/other"), &[]),
        (all, &["my cat Milo", "my cat Tom"]),
    ] {
        let turn = MemoryTurn {
            agent: "a",
            user: None,
            session_id: "new",
            turn: 1,
        };
        let words = BTreeSet::from(["cat".to_owned()]);
        let found = turns.search(turn, &words, 5).await?;
        let found: BTreeSet<_> = found.iter().map(|turn| turn.input.as_str()).collect();
        assert_eq!(found, expected.iter().copied().collect());
    }
    Ok(())
}

async fn suspended_turns_of_sub_agents_in_an_older_store_are_deleted_with_their_session(
    empty: Empty,
) -> anyhow::Result<()> {
    let store = empty.open().await?;
    let below = |session: &str, parent: Option<&str>| NewCheckpoint {
        session: session.into(),
        of_subagent: parent.is_some(),
        data: json!({ "parent": parent }),
        ..suspended(session)
    };
    let checkpoints = store.checkpoints();
    for (session, parent) in [
        ("grandchild", Some("child")),
        ("child", Some("s")),
        ("s", None),
        ("other", None),
        ("damaged", Some("other")),
    ] {
        checkpoints.save(below(session, parent)).await?;
    }
    drop((checkpoints, store));
    // The store of version 9.
    let mut direct = empty.connect().await?;
    for sql in [
        "UPDATE checkpoints SET root = session",
        "UPDATE checkpoints SET data = '{' WHERE session = 'damaged'",
        "DELETE FROM _sqlx_migrations WHERE version = 10",
    ] {
        direct.execute(sql).await?;
    }
    let store = empty.open().await?;
    assert_eq!(store.sessions().delete("s", false).await?.checkpoints, 3);
    let left = store.checkpoints().list(None).await?;
    let left: Vec<_> = left.iter().map(|info| info.session.as_str()).collect();
    assert_eq!(left, ["other", "damaged"]);
    Ok(())
}

/// Keeps a run in a store, and changes the store to the form of an older version.
async fn one_run_is_kept(
    empty: &Empty,
    end: &RunEnd,
    older: &[&'static str],
) -> anyhow::Result<()> {
    let store = empty.open().await?;
    let journal = store.journal()?;
    journal.begin(row(1, "h"));
    journal.end(1, end.clone());
    journal.flush()?;
    drop((journal, store));
    let mut direct = empty.connect().await?;
    for sql in older {
        direct.execute(*sql).await?;
    }
    Ok(())
}

async fn runs_of_an_older_store_are_read_without_their_mode(empty: Empty) -> anyhow::Result<()> {
    let end = RunEnd {
        mode: Some(Mode::Audit),
        code: Some("no".into()),
        message: Some("because".into()),
        restarted: true,
        ..ended(RunState::Completed, 17)
    };
    let as_version_10_left_it = [
        "DROP INDEX runs_audited",
        "ALTER TABLE runs DROP COLUMN mode",
        "ALTER TABLE runs DROP COLUMN code",
        "ALTER TABLE runs DROP COLUMN restarted",
        "DELETE FROM _sqlx_migrations WHERE version = 11",
    ];
    one_run_is_kept(&empty, &end, &as_version_10_left_it).await?;
    let journal = empty.open().await?.journal()?;
    let runs = journal.runs(&RunFilter::default())?;
    let [run] = runs.as_slice() else {
        panic!("{runs:?}");
    };
    let old = RunEnd {
        mode: None,
        code: None,
        restarted: false,
        ..end
    };
    assert_eq!((&run.row, &run.end), (&row(1, "h"), &old));
    assert_eq!(journal.hooks()?, ["h"]);
    assert_eq!(journal.stats(&RunFilter::default())?.len(), 1);
    Ok(())
}

async fn a_store_without_events_gets_them(empty: Empty) -> anyhow::Result<()> {
    let end = ended(RunState::Completed, 17);
    let as_version_12_left_it = [
        "DROP TABLE events",
        "DROP TABLE hook_sets",
        "DROP INDEX runs_by_session",
        "DROP INDEX runs_by_kind",
        "DROP INDEX runs_audited",
        "DROP TABLE run_kinds",
        "DROP TABLE journal_sessions",
        "CREATE INDEX runs_by_session ON runs (session, turn)",
        "CREATE INDEX runs_by_hook ON runs (hook)",
        "ALTER TABLE runs DROP COLUMN call_id",
        "ALTER TABLE runs DROP COLUMN changes",
        "ALTER TABLE runs DROP COLUMN kind",
        "DELETE FROM _sqlx_migrations WHERE version IN (13, 16, 17, 29)",
    ];
    one_run_is_kept(&empty, &end, &as_version_12_left_it).await?;
    let journal = empty.open().await?.journal()?;
    let completed = RunFilter {
        hook: Some("h".into()),
        state: Some(RunState::Completed),
        ..RunFilter::default()
    };
    let runs = journal.runs(&completed)?;
    assert_eq!(
        (runs.len(), &runs[0].end, &runs[0].row.call_id),
        (1, &end, &None)
    );
    assert_eq!(journal.events("s")?, []);
    let [session] = &journal.overview(&SessionFilter::default())?[..] else {
        panic!("one session");
    };
    assert_eq!((session.runs, session.state), (1, None));
    Ok(())
}

async fn many_may_create_it_at_once(empty: Empty) -> anyhow::Result<()> {
    try_join_all((0..8).map(|_| empty.open())).await?;
    Ok(())
}

async fn other_files_are_refused(empty: Empty) -> anyhow::Result<()> {
    let open = |name: &str| {
        let url = StoreUrl::sqlite(empty.dir.path().join(name));
        Store::open(url, StoreOptions::default())
    };
    std::fs::write(empty.dir.path().join("text"), "x".repeat(4096))?;
    let error = open("text").await.unwrap_err().to_string();
    assert!(
        error.contains("not a database; name the file of a store"),
        "{error}"
    );
    let theirs = empty.dir.path().join("theirs");
    let mut direct =
        crate::support::connect(&format!("sqlite:{}?mode=rwc", theirs.display())).await?;
    direct.execute("CREATE TABLE theirs (id)").await?;
    let error = open("theirs").await.unwrap_err().to_string();
    assert!(error.contains("something else"), "{error}");
    std::fs::create_dir(empty.dir.path().join("dir"))?;
    let error = open("dir").await.unwrap_err().to_string();
    assert!(error.contains("; name a file that you may"), "{error}");
    Ok(())
}

async fn a_server_that_is_not_there_is_named_with_the_cause(_: Empty) -> anyhow::Result<()> {
    // No process listens at the port once the listener is dropped.
    let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
    let url = format!("postgres://ann:s3cret@127.0.0.1:{port}/d").parse()?;
    let error = Store::open(url, StoreOptions::default()).await;
    let error = error.unwrap_err().to_string();
    assert!(error.contains("refused"), "{error}");
    assert!(!error.contains("s3cret"), "{error}");
    Ok(())
}

async fn the_file_is_private(empty: Empty) -> anyhow::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    let store = empty.open().await?;
    if let Some(file) = store.url().file() {
        let mode = std::fs::metadata(file)?.permissions().mode();
        assert_eq!(mode & 0o077, 0, "{mode:o}");
        for entry in std::fs::read_dir(empty.dir.path())? {
            let entry = entry?;
            let (name, mode) = (entry.file_name(), entry.metadata()?.permissions().mode());
            assert_eq!(mode & 0o077, 0, "{name:?} {mode:o}");
        }
    }
    Ok(())
}

async fn it_can_be_opened_without_a_runtime(empty: Empty) -> anyhow::Result<()> {
    let url = empty.url.clone();
    let opened =
        std::thread::spawn(|| Store::open_blocking(url, StoreOptions::default()).map(drop));
    assert_eq!(opened.join().unwrap(), Ok(()));
    Ok(())
}
