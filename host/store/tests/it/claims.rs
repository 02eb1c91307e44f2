//! Claims of sessions: a session is open once, in one process.

use std::time::Duration;

use futures::FutureExt as _;
use futures::future::join;
use portcullis_agent::{SavedSessionError, SessionStore as _};
use portcullis_store::{Released, Sessions};

use crate::sessions::{after_a_turn, session};
use crate::support::{Empty, cases};

cases![
    a_session_is_open_in_one_process_and_the_error_says_in_which,
    a_released_session_cannot_be_saved,
    a_session_is_open_once_in_a_process_although_it_was_released,
    a_session_is_opened_once_if_it_is_opened_twice_at_the_same_time,
    a_session_that_another_process_closes_meanwhile_is_opened_or_held,
    a_session_that_could_not_be_closed_is_opened_again,
    an_opening_that_nobody_waits_for_gives_its_claim_back,
];

async fn a_session_is_open_in_one_process_and_the_error_says_in_which(
    empty: Empty,
) -> anyhow::Result<()> {
    let one = empty.open().await?.sessions();
    let two = empty.open().await?.sessions();
    one.open(session("s")).await?;
    for sessions in [&one, &two] {
        let error = sessions.open(session("s")).await.unwrap_err();
        let pid = std::process::id().to_string();
        assert!(matches!(error, SavedSessionError::Held { .. }), "{error}");
        assert!(error.to_string().contains(&pid), "{error}");
    }
    // The first process ends without closing it.
    drop(one);
    two.open(session("s")).await?;
    Ok(())
}

async fn a_released_session_cannot_be_saved(empty: Empty) -> anyhow::Result<()> {
    let one = empty.open().await?.sessions();
    let two = empty.open().await?.sessions();
    one.open(session("s")).await?;
    one.save(after_a_turn("s")).await?;
    let Released::From(Some(holder)) = two.release("s").await? else {
        panic!("it was open");
    };
    assert_eq!(holder.pid, u64::from(std::process::id()));
    assert_eq!(two.release("s").await?, Released::WasFree);
    assert_eq!(two.release("other").await?, Released::Unknown);
    two.open(session("s")).await?;
    let error = one.save(after_a_turn("s")).await.unwrap_err();
    assert_eq!(error, SavedSessionError::Lost { id: "s".into() });
    Ok(())
}

async fn a_session_is_open_once_in_a_process_although_it_was_released(
    empty: Empty,
) -> anyhow::Result<()> {
    let one = empty.open().await?.sessions();
    let two = empty.open().await?.sessions();
    one.open(session("s")).await?;
    assert!(matches!(two.release("s").await?, Released::From(_)));
    let error = one.open(session("s")).await.unwrap_err();
    let pid = u64::from(std::process::id());
    assert!(
        matches!(error, SavedSessionError::Held { pid: by, .. } if by == pid),
        "{error}"
    );
    one.close("s").await?;
    one.open(session("s")).await?;
    one.save(after_a_turn("s")).await?;
    Ok(())
}

async fn a_session_is_opened_once_if_it_is_opened_twice_at_the_same_time(
    empty: Empty,
) -> anyhow::Result<()> {
    let sessions = empty.open().await?.sessions();
    for _ in 0..20 {
        let (one, two) = join(sessions.open(session("s")), sessions.open(session("s"))).await;
        let (opened, refused) = match (one, two) {
            (Ok(opened), Err(refused)) | (Err(refused), Ok(opened)) => (opened, refused),
            both => panic!("{both:?}"),
        };
        assert_eq!(opened, session("s"));
        assert!(
            matches!(refused, SavedSessionError::Held { .. }),
            "{refused}"
        );
        sessions.close("s").await?;
    }
    Ok(())
}

async fn a_session_that_another_process_closes_meanwhile_is_opened_or_held(
    empty: Empty,
) -> anyhow::Result<()> {
    let one = empty.open().await?.sessions();
    let two = empty.open().await?.sessions();
    let used = async |sessions: &Sessions| {
        for _ in 0..100 {
            match sessions.open(session("s")).await {
                Ok(_) => sessions.close("s").await.unwrap(),
                Err(error) => assert!(matches!(error, SavedSessionError::Held { .. }), "{error}"),
            }
        }
    };
    join(used(&one), used(&two)).await;
    Ok(())
}

async fn a_session_that_could_not_be_closed_is_opened_again(empty: Empty) -> anyhow::Result<()> {
    let one = empty.open().await?.sessions();
    let two = empty.open().await?.sessions();
    one.open(session("s")).await?;
    one.save(after_a_turn("s")).await?;
    let mut direct = empty.connect().await?;
    // Closing the session reads this table.
    let hide = sqlx::query("ALTER TABLE checkpoints RENAME TO hidden");
    hide.execute(&mut direct).await?;
    let failed = one.close("s").await.unwrap_err();
    assert!(matches!(failed, SavedSessionError::Store(_)), "{failed}");
    let show = sqlx::query("ALTER TABLE hidden RENAME TO checkpoints");
    show.execute(&mut direct).await?;
    // The database still shows it as open in this process.
    let error = two.open(session("s")).await.unwrap_err();
    assert!(matches!(error, SavedSessionError::Held { .. }), "{error}");
    assert_eq!(one.open(session("s")).await?, after_a_turn("s"));
    let error = one.open(session("s")).await.unwrap_err();
    assert!(matches!(error, SavedSessionError::Held { .. }), "{error}");
    one.save(after_a_turn("s")).await?;
    one.close("s").await?;
    assert_eq!(two.open(session("s")).await?, after_a_turn("s"));
    Ok(())
}

async fn an_opening_that_nobody_waits_for_gives_its_claim_back(empty: Empty) -> anyhow::Result<()> {
    let one = empty.open().await?.sessions();
    let two = empty.open().await?.sessions();
    // The store's thread may finish first.
    while let Some(opened) = Box::pin(one.open(session("s"))).now_or_never() {
        opened?;
        one.close("s").await?;
    }
    // The claim is made and released before or after other processes try to claim it.
    for sessions in [&one, &two] {
        let is_free = async {
            while let Err(error) = sessions.open(session("s")).await {
                assert!(matches!(error, SavedSessionError::Held { .. }), "{error}");
                tokio::task::yield_now().await;
            }
        };
        tokio::time::timeout(Duration::from_secs(300), is_free).await?;
        sessions.close("s").await?;
    }
    Ok(())
}
