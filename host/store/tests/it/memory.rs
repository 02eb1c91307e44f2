//! A memory in a store.

use std::sync::Arc;

use portcullis::contract::ContentPart;
use portcullis_agent::{Memory as _, MemoryConfig, MemoryTurn, RecallMemory};
use portcullis_store::StoredTurns;

use crate::support::{Empty, cases};

cases![
    finds_the_turns_of_the_same_user_in_other_sessions,
    keeps_the_newest_and_survives_a_restart,
    a_directory_has_a_memory_of_its_own,
    the_newest_of_each_directory_are_kept,
];

fn turn<'a>(user: Option<&'a str>, session_id: &'a str) -> MemoryTurn<'a> {
    MemoryTurn {
        agent: "a",
        user,
        session_id,
        turn: 1,
    }
}

fn text(text: &str) -> [ContentPart; 1] {
    [ContentPart::Text(text.into())]
}

async fn recalled(memory: &RecallMemory, turn: MemoryTurn<'_>, said: &str) -> String {
    let found = memory.pre_turn_context(turn, &text(said)).await.unwrap();
    found.unwrap_or_default()
}

async fn memory(empty: &Empty, config: MemoryConfig) -> anyhow::Result<RecallMemory> {
    let turns = Arc::new(empty.open().await?.past_turns());
    Ok(RecallMemory::new(turns, config))
}

async fn finds_the_turns_of_the_same_user_in_other_sessions(empty: Empty) -> anyhow::Result<()> {
    let memory = self::memory(&empty, MemoryConfig::default()).await?;
    for (user, session, said, answered) in [
        (Some("ann"), "s1", "my cat is called Milo", "Nice name!"),
        (Some("bob"), "s2", "my cat is called Tom", "Classic.\u{0}"),
        (None, "s3", "nobody's cat", "Poor cat."),
    ] {
        let turn = turn(user, session);
        memory
            .post_turn_observe(turn, &text(said), &text(answered))
            .await?;
    }
    let ann = recalled(&memory, turn(Some("ann"), "s9"), "what is my CAT called?").await;
    assert!(ann.contains("Milo") && ann.contains("Nice name!"), "{ann}");
    assert!(!ann.contains("Tom") && !ann.contains("nobody"), "{ann}");
    assert_eq!(
        recalled(&memory, turn(Some("ann"), "s1"), "my cat").await,
        ""
    );
    assert_eq!(recalled(&memory, turn(Some("ann"), "s9"), "dogs").await, "");
    let nobody = recalled(&memory, turn(None, "s9"), "cat").await;
    assert!(nobody.contains("nobody"), "{nobody}");
    // A user's text is not parsed as a query.
    recalled(&memory, turn(None, "s9"), "\" OR NEAR( * ' ; DROP | & ! :*").await;
    Ok(())
}

async fn keeps_the_newest_and_survives_a_restart(empty: Empty) -> anyhow::Result<()> {
    let config = MemoryConfig {
        max_turns: 2,
        ..MemoryConfig::default()
    };
    let memory = self::memory(&empty, config.clone()).await?;
    for n in ["first", "second", "third"] {
        let said = text(&format!("note {n}"));
        memory
            .post_turn_observe(turn(None, "s"), &said, &text("ok"))
            .await?;
    }
    drop(memory);
    let memory = self::memory(&empty, config).await?;
    let found = recalled(&memory, turn(None, "other"), "note").await;
    assert!(!found.contains("first") && found.contains("second") && found.contains("third"));
    Ok(())
}

async fn a_directory_has_a_memory_of_its_own(empty: Empty) -> anyhow::Result<()> {
    let store = empty.open().await?;
    let of = |turns: StoredTurns| RecallMemory::new(Arc::new(turns), MemoryConfig::default());
    let here = of(store.past_turns().in_directory("/here"));
    let there = of(store.past_turns().in_directory("/there"));
    let anywhere = of(store
        .past_turns()
        .in_directory("/there")
        .of_all_directories());
    let nowhere = of(store.past_turns());
    for (memory, session, name) in [
        (&here, "s1", "Milo"),
        (&there, "s2", "Tom"),
        (&anywhere, "s3", "Kim"),
        (&nowhere, "s4", "Ali"),
    ] {
        let said = format!("my cat is called {name}");
        memory
            .post_turn_observe(turn(None, session), &text(&said), &text("ok"))
            .await?;
    }
    for (memory, names) in [
        (&here, &["Milo"][..]),
        (&there, &["Tom", "Kim"]),
        (&anywhere, &["Milo", "Tom", "Kim", "Ali"]),
        (&nowhere, &["Milo", "Tom", "Kim", "Ali"]),
    ] {
        let found = recalled(memory, turn(None, "s9"), "what is my cat called?").await;
        for name in ["Milo", "Tom", "Kim", "Ali"] {
            assert_eq!(
                found.contains(name),
                names.contains(&name),
                "{name}: {found}"
            );
        }
    }
    Ok(())
}

async fn the_newest_of_each_directory_are_kept(empty: Empty) -> anyhow::Result<()> {
    let store = empty.open().await?;
    let config = MemoryConfig {
        max_turns: 1,
        ..MemoryConfig::default()
    };
    let here = store.past_turns().in_directory("/here");
    let there = store.past_turns().in_directory("/there");
    for (turns, n) in [
        (here.clone(), "first"),
        (here, "second"),
        (there.clone().of_all_directories(), "third"),
    ] {
        let memory = RecallMemory::new(Arc::new(turns), config.clone());
        let said = text(&format!("note {n}"));
        memory
            .post_turn_observe(turn(None, "s"), &said, &text("ok"))
            .await?;
    }
    let all = RecallMemory::new(Arc::new(there.of_all_directories()), config);
    let found = recalled(&all, turn(None, "other"), "note").await;
    assert!(!found.contains("first"), "{found}");
    assert!(
        found.contains("second") && found.contains("third"),
        "{found}"
    );
    Ok(())
}
