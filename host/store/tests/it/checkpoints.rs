//! The promises of a store of checkpoints.

use std::collections::BTreeMap;

use portcullis_agent::{
    Answerer, CheckpointError, CheckpointInfo, CheckpointStore as _, NewCheckpoint, PendingCall,
    ProcessState, Question, Resolution, SessionStore as _, Wanted,
};
use portcullis_store::{Sessions, Store, SuspendedTurn};
use serde_json::json;
use sqlx::AssertSqlSafe;

use crate::sessions::{after_a_turn, session};
use crate::support::{Empty, cases};

cases![
    a_checkpoint_is_claimed_once_released_and_discarded,
    resolutions_are_recorded_until_the_checkpoint_is_claimed,
    of_many_who_answer_exactly_one_succeeds_and_the_others_are_told_who,
    an_answer_that_comes_too_late_is_refused,
    of_many_claimers_exactly_one_succeeds,
    waiting_checkpoints_survive_reopening_and_are_listed_oldest_first,
    a_damaged_checkpoint_is_named_and_still_waits,
    a_session_whose_turn_is_suspended_was_used_last,
    a_session_shows_its_suspended_turn,
];

fn call(id: &str, wants: Wanted) -> PendingCall {
    PendingCall {
        call_id: id.into(),
        tool: "t".into(),
        arguments: "{}".into(),
        wants,
    }
}

fn pending() -> Vec<PendingCall> {
    let request = Question {
        question: "May it?".into(),
        details: None,
    };
    let hook = "h".into();
    vec![
        call(
            "call-1",
            Wanted::Decision {
                hook,
                request,
                then: Vec::new(),
            },
        ),
        call("call-2", Wanted::Result),
    ]
}

pub fn new(session: &str, turn: u32) -> NewCheckpoint {
    NewCheckpoint {
        session: session.into(),
        root_session: session.into(),
        agent: "a".into(),
        turn,
        reason: "approval".into(),
        pending: pending(),
        of_subagent: false,
        until_ms: None,
        data: json!({ "messages": [1, 2, "\u{0}"] }),
    }
}

fn turns(list: &[CheckpointInfo]) -> Vec<u32> {
    list.iter().map(|info| info.turn).collect()
}

async fn a_checkpoint_is_claimed_once_released_and_discarded(empty: Empty) -> anyhow::Result<()> {
    let store = empty.open().await?.checkpoints();
    let id = store.save(new("s", 3)).await.unwrap();
    let claimed = store.claim(&id).await.unwrap();
    assert_eq!(claimed.info.id, id);
    assert_eq!(claimed.info.pending, pending());
    assert_eq!(claimed.data, json!({ "messages": [1, 2, "\u{0}"] }));
    assert_eq!(store.list(None).await.unwrap(), []);
    let held = store.claimed(None).await.unwrap();
    assert_eq!(held.len(), 1);
    assert_eq!(held[0].id, id);
    assert_eq!(store.claimed(Some("s")).await.unwrap(), held);
    assert_eq!(store.claimed(Some("another")).await.unwrap(), []);
    let by = held[0].claim.clone().unwrap();
    assert!(by.at_ms >= held[0].saved_ms);
    assert_eq!(by.process_state(), ProcessState::Alive);
    assert_eq!(by.process, std::process::id());

    let again = store.claim(&id).await.unwrap_err();
    assert!(
        matches!(&again, CheckpointError::AlreadyClaimed { id: of, by: winner } if *of == id && *winner == by),
        "{again}"
    );
    assert_eq!(store.get(&id).await.unwrap(), held[0]);

    store.release(&id).await.unwrap();
    let waiting = CheckpointInfo {
        claim: None,
        ..claimed.info
    };
    assert_eq!(store.list(None).await.unwrap(), [waiting]);
    assert_eq!(store.claimed(None).await.unwrap(), []);
    store.claim(&id).await.unwrap();

    store.discard(&id).await.unwrap();
    let unknown = CheckpointError::Unknown(id.clone());
    assert_eq!(store.claim(&id).await.unwrap_err(), unknown);
    assert_eq!(store.release(&id).await.unwrap_err(), unknown);
    assert_eq!(store.discard(&id).await.unwrap_err(), unknown);
    assert_eq!(store.get(&id).await.unwrap_err(), unknown);
    Ok(())
}

async fn resolutions_are_recorded_until_the_checkpoint_is_claimed(
    empty: Empty,
) -> anyhow::Result<()> {
    let store = empty.open().await?.checkpoints();
    let id = store.save(new("s", 1)).await.unwrap();
    let record = |call: &str, resolution: Resolution| {
        let one = BTreeMap::from([(call.to_owned(), resolution)]);
        let (store, id) = (store.clone(), id.clone());
        let anna = Answerer {
            replaces: true,
            ..Answerer::new("anna")
        };
        async move { store.resolve(&id, one, anna).await }
    };
    for (call, unfit) in [
        ("call-1", Resolution::result("r")),
        ("call-2", Resolution::yes()),
        ("call-3", Resolution::yes()),
    ] {
        let error = record(call, unfit).await.unwrap_err();
        assert!(
            matches!(&error, CheckpointError::Resolutions { .. }),
            "{call}: {error}"
        );
    }
    assert!(store.get(&id).await.unwrap().resolutions.is_empty());

    record("call-1", Resolution::no("not today")).await.unwrap();
    record("call-1", Resolution::change("{}")).await.unwrap();
    assert!(!store.get(&id).await.unwrap().is_resolved());
    record("call-2", Resolution::result("blue")).await.unwrap();
    let info = store.get(&id).await.unwrap();
    assert!(info.is_resolved());
    let expected = BTreeMap::from([
        ("call-1".to_owned(), Resolution::change("{}")),
        ("call-2".to_owned(), Resolution::result("blue")),
    ]);
    assert_eq!(info.resolutions, expected);

    store.claim(&id).await.unwrap();
    let late = record("call-1", Resolution::yes()).await.unwrap_err();
    assert!(
        matches!(&late, CheckpointError::AlreadyClaimed { .. }),
        "{late}"
    );
    store.release(&id).await.unwrap();
    assert_eq!(store.get(&id).await.unwrap().resolutions, expected);
    Ok(())
}

async fn of_many_claimers_exactly_one_succeeds(empty: Empty) -> anyhow::Result<()> {
    let one = empty.open().await?.checkpoints();
    let two = empty.open().await?.checkpoints();
    for round in 0..10 {
        let id = one.save(new("s", round)).await?;
        let claimers = (0..16).map(|n| {
            let store = if n % 2 == 0 { one.clone() } else { two.clone() };
            let id = id.clone();
            tokio::spawn(async move { store.claim(&id).await })
        });
        let mut won = 0;
        for claimed in futures::future::join_all(claimers).await {
            match claimed? {
                Ok(_) => won += 1,
                Err(CheckpointError::AlreadyClaimed { .. }) => {}
                Err(other) => panic!("{other}"),
            }
        }
        assert_eq!(won, 1);
    }
    Ok(())
}

async fn waiting_checkpoints_survive_reopening_and_are_listed_oldest_first(
    empty: Empty,
) -> anyhow::Result<()> {
    let store = empty.open().await?.checkpoints();
    let mut ids = Vec::new();
    for (session, turn) in [("s1", 1), ("s2", 2), ("s1", 3), ("s1", 4)] {
        ids.push(store.save(new(session, turn)).await?);
    }
    store.claim(&ids[2]).await?;
    drop(store);

    let store = empty.open().await?.checkpoints();
    assert_eq!(turns(&store.list(None).await?), [1, 2, 4]);
    assert_eq!(turns(&store.list(Some("s1")).await?), [1, 4]);
    assert!(store.list(Some("s3")).await?.is_empty());
    assert!(store.claim(&ids[2]).await.is_err());
    assert_eq!(store.claim(&ids[0]).await?.info.turn, 1);
    Ok(())
}

async fn a_damaged_checkpoint_is_named_and_still_waits(empty: Empty) -> anyhow::Result<()> {
    let store = empty.open().await?.checkpoints();
    let mut direct = empty.connect().await?;
    for column in ["data", "pending"] {
        let id = store.save(new("s", 1)).await?;
        let sql = format!("UPDATE checkpoints SET {column} = '[\"cut' WHERE id = $1");
        let damage = sqlx::query(AssertSqlSafe(sql)).bind(id.to_string());
        damage.execute(&mut direct).await?;
        for _ in 0..2 {
            let error = store.claim(&id).await.unwrap_err();
            assert!(matches!(error, CheckpointError::Damaged { .. }), "{error}");
            assert!(error.to_string().contains(id.as_str()), "{error}");
        }
        store.discard(&id).await?;
    }
    Ok(())
}

async fn of_many_who_answer_exactly_one_succeeds_and_the_others_are_told_who(
    empty: Empty,
) -> anyhow::Result<()> {
    let id = empty.open().await?.checkpoints().save(new("s", 1)).await?;
    // Each store is a separate process, and all claim at once.
    let mut stores: Vec<Store> = Vec::new();
    for _ in 0..4 {
        stores.push(empty.open().await?);
    }
    let answers = stores.iter().enumerate().map(|(number, store)| {
        let no = Resolution::no(format!("because of {number}"));
        let one = BTreeMap::from([("call-1".to_owned(), no)]);
        let (checkpoints, id) = (store.checkpoints(), id.clone());
        let by = Answerer::new(format!("person {number}"));
        async move { checkpoints.resolve(&id, one, by).await }
    });
    let answers = futures::future::join_all(answers).await;
    let (mut first, mut refused) = (None, Vec::new());
    for (number, answer) in answers.into_iter().enumerate() {
        match answer {
            Ok(info) => assert!(first.replace((number, info)).is_none(), "two succeeded"),
            Err(error) => refused.push(error),
        }
    }
    let (number, info) = first.expect("one succeeded");
    let store = stores[0].checkpoints();
    assert_eq!(store.get(&id).await?, info);
    assert_eq!(
        info.resolutions["call-1"],
        Resolution::no(format!("because of {number}"))
    );
    let by = &info.answered["call-1"];
    assert_eq!(by.who, format!("person {number}"));
    for error in refused {
        let CheckpointError::Answered {
            call,
            by: Some(who),
            ..
        } = &error
        else {
            panic!("{error}");
        };
        assert_eq!((call.as_str(), who), ("call-1", by));
        assert!(error.to_string().contains(&by.who), "{error}");
    }

    // An answerer with `replaces` replaces the answer.
    let by = Answerer {
        replaces: true,
        ..Answerer::new("anna")
    };
    let yes = BTreeMap::from([("call-1".to_owned(), Resolution::yes())]);
    let info = store.resolve(&id, yes, by).await?;
    assert_eq!(info.answered["call-1"].who, "anna");
    assert_eq!(info.resolutions["call-1"], Resolution::yes());
    Ok(())
}

async fn an_answer_that_comes_too_late_is_refused(empty: Empty) -> anyhow::Result<()> {
    let store = empty.open().await?.checkpoints();
    for (until_ms, is_late) in [(Some(1), true), (Some(u64::MAX >> 1), false), (None, false)] {
        let id = store
            .save(NewCheckpoint {
                until_ms,
                ..new("s", 1)
            })
            .await?;
        assert_eq!(store.get(&id).await?.is_over(), is_late);
        let yes = BTreeMap::from([("call-1".to_owned(), Resolution::yes())]);
        let answered = store.resolve(&id, yes, Answerer::new("anna")).await;
        match is_late {
            true => assert!(
                matches!(answered, Err(CheckpointError::Late { until_ms: 1, .. })),
                "{answered:?}"
            ),
            false => drop(answered?),
        }
    }
    Ok(())
}

/// Saves a session with a turn that ended an hour ago.
async fn an_hour_ago(empty: &Empty, sessions: &Sessions, id: &str) -> anyhow::Result<()> {
    sessions.open(session(id)).await?;
    sessions.save(after_a_turn(id)).await?;
    sessions.close(id).await?;
    let sql = "UPDATE sessions SET updated_ms = updated_ms - 3600000 WHERE id = $1";
    let older = sqlx::query(sql).bind(id);
    older.execute(&mut empty.connect().await?).await?;
    Ok(())
}

async fn a_session_whose_turn_is_suspended_was_used_last(empty: Empty) -> anyhow::Result<()> {
    let store = empty.open().await?;
    let (sessions, checkpoints) = (store.sessions(), store.checkpoints());
    let latest = async || sessions.latest("a", "/d", None).await;
    // In its first turn.
    sessions.open(session("first")).await?;
    assert_eq!(latest().await?, None);
    let first = checkpoints.save(new("first", 1)).await?;
    sessions.close("first").await?;
    assert_eq!(latest().await?.as_deref(), Some("first"));
    checkpoints.discard(&first).await?;
    assert_eq!(latest().await?, None);
    // In a later turn, of an older session.
    an_hour_ago(&empty, &sessions, "a").await?;
    sessions.open(session("b")).await?;
    sessions.save(after_a_turn("b")).await?;
    let earlier = "UPDATE sessions SET updated_ms = updated_ms - 1000 WHERE id = 'b'";
    let earlier = sqlx::query(earlier);
    earlier.execute(&mut empty.connect().await?).await?;
    assert_eq!(latest().await?.as_deref(), Some("b"));
    let suspended = checkpoints.save(new("a", 2)).await?;
    assert_eq!(latest().await?.as_deref(), Some("a"));
    // A turn that was resumed has been used no less.
    checkpoints.claim(&suspended).await?;
    assert_eq!(latest().await?.as_deref(), Some("a"));
    Ok(())
}

async fn a_session_shows_its_suspended_turn(empty: Empty) -> anyhow::Result<()> {
    let store = empty.open().await?;
    let (sessions, checkpoints) = (store.sessions(), store.checkpoints());
    sessions.open(session("s")).await?;
    let id = checkpoints.save(new("s", 1)).await?;
    let of_subagent = NewCheckpoint {
        session: "child".into(),
        of_subagent: true,
        ..new("s", 1)
    };
    checkpoints.save(of_subagent).await?;
    sessions.close("s").await?;
    let shown = async || -> anyhow::Result<Option<SuspendedTurn>> {
        let listed = sessions.list().await?;
        assert_eq!(listed.len(), 1, "{listed:?}");
        let row = sessions.row("s").await?.expect("it is there");
        assert_eq!(row.suspended, listed[0].suspended);
        Ok(row.suspended)
    };
    let waiting = shown().await?.expect("it is suspended");
    assert_eq!((&waiting.checkpoint, waiting.claimed), (&id, false));
    assert!(waiting.since_ms > 0);
    checkpoints.claim(&id).await?;
    assert!(shown().await?.is_some_and(|turn| turn.claimed));
    // Its process died after it saved the turn, and before it discarded the checkpoint.
    sessions.open(session("s")).await?;
    sessions.save(after_a_turn("s")).await?;
    assert_eq!(shown().await?, None);
    Ok(())
}
