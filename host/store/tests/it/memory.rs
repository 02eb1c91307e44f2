//! A memory in a store.

use std::sync::Arc;

use portcullis::contract::ContentPart;
use portcullis_agent::{Memory as _, MemoryConfig, MemoryTurn, RecallMemory};

use crate::support::{Empty, cases};

cases![
    finds_the_turns_of_the_same_user_in_other_sessions,
    keeps_the_newest_and_survives_a_restart,
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
    // What a user writes is never query syntax.
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
