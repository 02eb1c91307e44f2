//! The cost of a call that adds to its state, in memory and in a store, as ratios within one run.
//!
//! The stores take turns, and a ratio is the median of the ratios within each round, so that a
//! machine that gets slower for a while does not change it. The example starts a PostgreSQL server,
//! and prints NOT RUN where it cannot. Both databases wait for the disk.

use std::sync::Arc;
use std::time::{Duration, Instant};

use portcullis::hooks::StateStorage;
use portcullis::{Hooks, LoadOptions, Session, SessionOptions};
use portcullis_agent::{SavedSession, SessionStore as _};
use portcullis_postgres::Server;
use portcullis_store::{Store, StoreOptions, StoreUrl};
use portcullis_tests::{HooksDir, cache, turn};

/// The number of times that each call is made in one round.
const CALLS: u32 = 200;
/// The number of rounds.
const ROUNDS: usize = 15;
/// The hook's actions: to add to its own state, and to shared state.
const ACTIONS: [(&str, &str); 2] = [("private", "remember"), ("shared", "add 1")];

fn main() -> anyhow::Result<()> {
    let dir = tempfile::tempdir()?;
    let file = |when: &str| StoreUrl::sqlite(dir.path().join(when));
    let server = Server::start_durable();
    if let Err(why) = &server {
        eprintln!("NOT RUN: PostgreSQL: {why:#}");
    }
    let mut stores = vec![("memory", "never", None)];
    for when in ["after-answer", "before-answer"] {
        stores.push(("SQLite", when, Some(file(when))));
        if let Ok(server) = &server {
            let url = server.address().create(&when.replace('-', "_"))?;
            stores.push(("PostgreSQL", when, Some(url.parse()?)));
        }
    }
    let runtime = tokio::runtime::Runtime::new()?;
    runtime.block_on(measure(stores))
}

async fn measure(
    stores: Vec<(&'static str, &'static str, Option<StoreUrl>)>,
) -> anyhow::Result<()> {
    let mut sessions = Vec::new();
    for (name, when, url) in stores {
        sessions.push((name, when, session(url, when).await?));
    }
    println!("| state | kept in | write-state | a call | against memory |");
    println!("| --- | --- | --- | --- | --- |");
    for (kind, action) in ACTIONS {
        let mut times = vec![Vec::new(); sessions.len()];
        for _ in 0..ROUNDS {
            for (times, (.., session)) in times.iter_mut().zip(&sessions) {
                times.push(round(session, action).await?.as_secs_f64());
            }
        }
        let memory = times.first().cloned().unwrap_or_default();
        for (times, (name, when, _)) in times.into_iter().zip(&sessions) {
            let ratios = times
                .iter()
                .zip(&memory)
                .map(|(time, memory)| time / memory);
            let ratio = median(ratios.collect());
            let time = Duration::from_secs_f64(median(times));
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
            // A session's hook state is written only while the session is open.
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

fn median(mut all: Vec<f64>) -> f64 {
    all.sort_by(f64::total_cmp);
    all.get(all.len() / 2).copied().unwrap_or_default()
}

/// Returns the time of one call, including the writes to the store at the end of the round.
async fn round(session: &Session, action: &str) -> anyhow::Result<Duration> {
    let began = Instant::now();
    for _ in 0..CALLS {
        let verdict = session.run(&mut turn(action)).await;
        anyhow::ensure!(verdict.decision.passed(), "{:?}", verdict.decision);
    }
    session.flush_state().await?;
    Ok(began.elapsed() / CALLS)
}
