//! Unfinished turns: recording, finding in another process, deleting.

use std::pin::pin;

use futures::future::try_join_all;
use futures::poll;
use portcullis_agent::{
    NewTurn, Place, RecordedEffect, SavedSession, SessionStore as _, TurnStore as _,
    TurnStoreError, UnfinishedTurn,
};
use serde_json::json;
use sqlx::Connection as _;

use crate::support::{Empty, cases};

cases![
    another_process_finds_what_was_recorded,
    a_new_turn_takes_the_place_of_the_old_one,
    a_session_whose_first_turn_was_interrupted_is_kept_and_found,
    a_turn_that_is_saved_was_not_interrupted,
    a_process_that_lost_the_session_writes_nothing_of_its_turn,
    interrupted_turns_are_found,
    an_effect_waits_for_another_writer,
    writers_at_the_same_time_lose_no_effect,
];

fn turn(id: &str) -> NewTurn {
    NewTurn {
        id: id.into(),
        session: "s".into(),
        agent: "a".into(),
        turn: 1,
        began_ms: 7,
        data: json!({ "said": "a\u{0}b" }),
    }
}

fn session() -> SavedSession {
    SavedSession {
        id: "s".into(),
        agent: "a".into(),
        working_dir: Some("/d".into()),
        ..SavedSession::default()
    }
}

fn effect(path: &str) -> RecordedEffect {
    RecordedEffect {
        place: Place {
            path: path.into(),
            name: "tool echo".into(),
        },
        value: json!("a\u{0}b").to_string(),
    }
}

async fn another_process_finds_what_was_recorded(empty: Empty) -> anyhow::Result<()> {
    let store = empty.open().await?;
    store.sessions().open(session()).await?;
    let one = store.turns();
    assert_eq!(one.unfinished("s").await?, None);
    one.begin(turn("t")).await?;
    one.record("t", effect("0")).await?;
    one.record("t", effect("1.0")).await?;
    drop((store, one));
    let store = empty.open().await?;
    store.sessions().open(session()).await?;
    let two = store.turns();
    let mut found = two.unfinished("s").await?.unwrap();
    found
        .effects
        .sort_by_key(|effect| effect.place.path.clone());
    let expected = UnfinishedTurn {
        turn: turn("t"),
        effects: vec![effect("0"), effect("1.0")],
        attempt: 2,
    };
    assert_eq!(found, expected);
    // Recorded again, as after a broken connection; a place has one effect.
    two.record("t", effect("0")).await?;
    let other = RecordedEffect {
        place: Place {
            name: "tool other".into(),
            ..effect("0").place
        },
        ..effect("0")
    };
    two.record("t", other).await.unwrap_err();
    two.end("t").await?;
    assert_eq!(two.unfinished("s").await?, None);
    let error = two.record("t", effect("2")).await.unwrap_err();
    assert!(error.to_string().contains("not there any more"), "{error}");
    Ok(())
}

async fn a_new_turn_takes_the_place_of_the_old_one(empty: Empty) -> anyhow::Result<()> {
    let store = empty.open().await?;
    store.sessions().open(session()).await?;
    let turns = store.turns();
    turns.begin(turn("old")).await?;
    turns.record("old", effect("0")).await?;
    turns.begin(turn("new")).await?;
    turns.record("old", effect("1")).await.unwrap_err();
    let found = turns.unfinished("s").await?.unwrap();
    assert_eq!((found.turn, found.effects), (turn("new"), Vec::new()));
    Ok(())
}

async fn a_session_whose_first_turn_was_interrupted_is_kept_and_found(
    empty: Empty,
) -> anyhow::Result<()> {
    let store = empty.open().await?;
    let (sessions, turns) = (store.sessions(), store.turns());
    sessions.open(session()).await?;
    let unused = "UPDATE sessions SET updated_ms = 1";
    sqlx::query(unused)
        .execute(&mut empty.connect().await?)
        .await?;
    turns.begin(turn("t")).await?;
    sessions.close("s").await?;
    assert!(sessions.list().await?[0].updated_ms > 1, "a turn is a use");
    assert_eq!(
        sessions.latest("a", "/d", None).await?.as_deref(),
        Some("s")
    );
    let listed = sessions.list().await?;
    assert_eq!(listed[0].turn_since_ms, Some(7), "{listed:?}");
    assert_eq!(sessions.delete("s", false).await?.turns, 1);
    assert_eq!(turns.unfinished("s").await?, None);
    Ok(())
}

/// The process died after it saved the session, and before it removed the record.
async fn a_turn_that_is_saved_was_not_interrupted(empty: Empty) -> anyhow::Result<()> {
    let store = empty.open().await?;
    let (sessions, turns) = (store.sessions(), store.turns());
    sessions.open(session()).await?;
    turns.begin(turn("t")).await?;
    let saved = SavedSession {
        turns: 1,
        ..session()
    };
    sessions.save(saved).await?;
    assert_eq!(sessions.list().await?[0].turn_since_ms, None);
    Ok(())
}

/// A process loses the session if it cannot reach the database and is considered dead.
async fn a_process_that_lost_the_session_writes_nothing_of_its_turn(
    empty: Empty,
) -> anyhow::Result<()> {
    let (one, two) = (empty.open().await?, empty.open().await?);
    one.sessions().open(session()).await?;
    one.turns().begin(turn("t")).await?;
    one.turns().record("t", effect("0")).await?;
    assert!(one.turns().is_there("t").await?);
    two.sessions().release("s").await?;
    two.sessions().open(session()).await?;
    let found = two.turns().unfinished("s").await?.unwrap();
    assert_eq!((found.effects.len(), found.attempt), (1, 2));
    let gone = one.turns().record("t", effect("1")).await.unwrap_err();
    assert_eq!(gone, TurnStoreError::Gone("t".into()));
    assert!(!one.turns().is_there("t").await?);
    one.turns().begin(turn("u")).await.unwrap_err();
    one.turns().end("t").await?;
    two.turns().record("t", effect("1")).await?;
    assert!(two.turns().is_there("t").await?);
    Ok(())
}

async fn interrupted_turns_are_found(empty: Empty) -> anyhow::Result<()> {
    let (one, two) = (empty.open().await?, empty.open().await?);
    one.sessions().open(session()).await?;
    one.turns().begin(turn("t")).await?;
    let interrupted = |agent: &'static str, dir, user| {
        let turns = two.turns();
        async move {
            let found = turns.interrupted(agent, dir, user).await?;
            anyhow::Ok(
                found
                    .into_iter()
                    .map(|turn| turn.session)
                    .collect::<Vec<_>>(),
            )
        }
    };
    let here = Some("/d");
    assert_eq!(interrupted("a", here, None).await?, [""; 0], "it runs");
    one.sessions().close("s").await?;
    assert_eq!(interrupted("a", here, None).await?, ["s"]);
    for (agent, dir, user) in [
        ("b", here, None),
        ("a", Some("/other"), None),
        ("a", None, None),
        ("a", here, Some("ann")),
    ] {
        assert_eq!(
            interrupted(agent, dir, user).await?,
            [""; 0],
            "{agent} {dir:?} {user:?}"
        );
    }
    let without = SavedSession {
        id: "without".into(),
        working_dir: None,
        ..session()
    };
    one.sessions().open(without).await?;
    let begun = NewTurn {
        session: "without".into(),
        ..turn("u")
    };
    one.turns().begin(begun).await?;
    one.sessions().close("without").await?;
    assert_eq!(interrupted("a", None, None).await?, ["without"]);
    Ok(())
}

/// With SQLite, an effect is recorded on the calling thread, unless another writer has locked the
/// file.
async fn an_effect_waits_for_another_writer(empty: Empty) -> anyhow::Result<()> {
    let store = empty.open().await?;
    store.sessions().open(session()).await?;
    let turns = store.turns();
    turns.begin(turn("t")).await?;
    let mut at_once = 0;
    for number in 0..20 {
        let mut recording = pin!(turns.record("t", effect(&number.to_string())));
        match poll!(&mut recording) {
            std::task::Poll::Ready(recorded) => {
                recorded?;
                at_once += 1;
            }
            std::task::Poll::Pending => recording.await?,
        }
    }
    // Not all effects: the store also writes for itself, and PostgreSQL may have answered by the
    // first poll.
    let is_sqlite = empty.url.file().is_some();
    assert!(at_once > 0 || !is_sqlite, "none of 20 was recorded at once");
    let mut other = empty.connect().await?;
    let begin = match is_sqlite {
        true => "BEGIN IMMEDIATE",
        false => "BEGIN",
    };
    let mut held = other.begin_with(begin).await?;
    let hold = sqlx::query("UPDATE sessions SET host = host WHERE id = 's'");
    hold.execute(&mut *held).await?;
    let mut recording = pin!(turns.record("t", effect("20")));
    assert!(poll!(&mut recording).is_pending());
    held.commit().await?;
    recording.await?;
    assert_eq!(turns.unfinished("s").await?.unwrap().effects.len(), 21);
    Ok(())
}

/// Two processes with two turns each. With SQLite, each repeatedly finds the file locked by the
/// other.
async fn writers_at_the_same_time_lose_no_effect(empty: Empty) -> anyhow::Result<()> {
    // More than the number of statements between two statements of the pool.
    const EFFECTS: usize = 250;
    let stores = [empty.open().await?, empty.open().await?];
    let mut writers = Vec::new();
    for (number, store) in stores.iter().chain(&stores).enumerate() {
        let (id, of) = (format!("t{number}"), format!("s{number}"));
        let new = SavedSession {
            id: of.clone(),
            ..session()
        };
        store.sessions().open(new).await?;
        let turns = store.turns();
        let begun = NewTurn {
            session: of.clone(),
            ..turn(&id)
        };
        turns.begin(begun).await?;
        writers.push(tokio::spawn(async move {
            for number in 0..EFFECTS {
                turns.record(&id, effect(&number.to_string())).await?;
            }
            let mut recorded = turns.unfinished(&of).await?.unwrap().effects;
            recorded.sort_by_key(|effect| effect.place.path.parse().unwrap_or(EFFECTS));
            let expected: Vec<_> = (0..EFFECTS).map(|n| effect(&n.to_string())).collect();
            assert_eq!(recorded, expected);
            anyhow::Ok(())
        }));
    }
    for written in try_join_all(writers).await? {
        written?;
    }
    Ok(())
}
