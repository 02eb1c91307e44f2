//! Unfinished turns: recorded, found by another process, forgotten.

use portcullis_agent::{
    NewTurn, Place, RecordedEffect, SavedSession, SessionStore as _, TurnStore as _, UnfinishedTurn,
};
use serde_json::json;

use crate::support::{Empty, cases};

cases![
    another_process_finds_what_was_recorded,
    a_new_turn_takes_the_place_of_the_old_one,
    a_session_whose_first_turn_was_interrupted_is_kept_and_found,
    a_turn_that_is_saved_was_not_interrupted,
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
    let one = empty.open().await?.turns();
    assert_eq!(one.unfinished("s").await?, None);
    one.begin(turn("t")).await?;
    one.record("t", effect("0")).await?;
    one.record("t", effect("1.0")).await?;
    drop(one);
    let two = empty.open().await?.turns();
    let mut found = two.unfinished("s").await?.unwrap();
    found
        .effects
        .sort_by_key(|effect| effect.place.path.clone());
    let expected = UnfinishedTurn {
        turn: turn("t"),
        effects: vec![effect("0"), effect("1.0")],
    };
    assert_eq!(found, expected);
    // A place has one value.
    two.record("t", effect("0")).await.unwrap_err();
    two.end("t").await?;
    assert_eq!(two.unfinished("s").await?, None);
    let error = two.record("t", effect("2")).await.unwrap_err();
    assert!(error.to_string().contains("not there any more"), "{error}");
    Ok(())
}

async fn a_new_turn_takes_the_place_of_the_old_one(empty: Empty) -> anyhow::Result<()> {
    let turns = empty.open().await?.turns();
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
    turns.begin(turn("t")).await?;
    sessions.close("s").await?;
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

/// Its process died after it had saved the session, and before it removed the record.
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
