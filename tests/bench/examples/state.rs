//! What a call that adds to its state costs, in memory and in a store, as ratios within one run.
//!
//! The first argument, or `PORTCULLIS_POSTGRES`, is the URL of a PostgreSQL database to measure on too.

use std::sync::Arc;
use std::time::{Duration, Instant};

use portcullis::hooks::StateStorage;
use portcullis::{Hooks, LoadOptions, Session, SessionOptions};
use portcullis_agent::{SavedSession, SessionStore as _};
use portcullis_store::{Store, StoreOptions, StoreUrl};
use portcullis_tests::{HooksDir, cache, turn};

/// How often each call is made in one round.
const CALLS: u32 = 200;
/// How many rounds there are; the quickest one counts.
const ROUNDS: usize = 5;
/// What the hook is told: to add to its own state, and to shared state.
const ACTIONS: [(&str, &str); 2] = [("private", "remember"), ("shared", "add 1")];

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let dir = tempfile::tempdir()?;
    let file = StoreUrl::sqlite(dir.path().join("store.sqlite"));
    let mut stores = vec![("memory", None), ("SQLite", Some(file))];
    let named = std::env::args().nth(1);
    match named.or_else(|| std::env::var("PORTCULLIS_POSTGRES").ok()) {
        Some(url) => stores.push(("PostgreSQL", Some(url.parse()?))),
        None => eprintln!("NOT RUN: PostgreSQL, because no URL of a database is given"),
    }
    let mut sessions = Vec::new();
    for (name, url) in stores {
        for when in ["after-answer", "before-answer"] {
            sessions.push((name, when, session(url.clone(), when).await?));
        }
    }
    println!("| state | kept in | write-state | a call | against memory |");
    println!("| --- | --- | --- | --- | --- |");
    for (kind, action) in ACTIONS {
        let mut best = vec![Duration::MAX; sessions.len()];
        for _ in 0..ROUNDS {
            for (best, (.., session)) in best.iter_mut().zip(&sessions) {
                *best = (*best).min(round(session, action).await?);
            }
        }
        let memory = best.first().copied().unwrap_or_default().as_secs_f64();
        for (time, (name, when, _)) in best.iter().zip(&sessions) {
            let ratio = time.as_secs_f64() / memory;
            println!("| {kind} | {name} | {when} | {time:.1?} | {ratio:.1} × |");
        }
    }
    Ok(())
}

async fn session(url: Option<StoreUrl>, when: &str) -> anyhow::Result<Session> {
    let dir = HooksDir::new().with("spender").settings(&format!(
        "[turn]\nhooks-ms = 600_000\nfuel = 1_000_000_000_000\n[hooks.spender]\nwrite-state = \"{when}\"\n\
         [hooks.spender.grants]\nstate = true\nshared-state = [\"sums\"]\n"
    ));
    let state = match url {
        Some(url) => {
            let store = Store::open(url, StoreOptions::default()).await?;
            let session = SavedSession {
                id: "bench".into(),
                ..SavedSession::default()
            };
            // Hooks' state of a session is written only while it is open.
            store.sessions().open(session).await?;
            StateStorage::Store(Arc::new(store.hook_state("bench")))
        }
        None => StateStorage::Memory,
    };
    let options = LoadOptions {
        cache: cache(),
        state,
        ..LoadOptions::default()
    };
    let hooks = Hooks::load(dir.path(), &options)?;
    Ok(hooks.session(SessionOptions {
        state: hooks.stored_state("bench").await?,
        ..SessionOptions::new("bench")
    }))
}

/// The time of one call, with what it has written in the store at the end of the round.
async fn round(session: &Session, action: &str) -> anyhow::Result<Duration> {
    let began = Instant::now();
    for _ in 0..CALLS {
        let verdict = session.run(&mut turn(action)).await;
        anyhow::ensure!(verdict.decision.passed(), "{:?}", verdict.decision);
    }
    session.flush_state().await?;
    Ok(began.elapsed() / CALLS)
}
