//! The cost of recording turns, and of waiting: `cargo run -p portcullis-bench --example turns`.
//!
//! The turn is that of the tests: three model calls, four tools, of which two run in parallel, and
//! a sub-agent, with a native hook at every point. All figures are of one run, and each round has a
//! turn of each sort.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anyhow::Context as _;
use async_trait::async_trait;
use portcullis_agent::{
    NewSession, NewTurn, RecordedEffect, Replay, TurnEnd, TurnStore, TurnStoreError, UnfinishedTurn,
};
use portcullis_parity::{Story, World};
use portcullis_store::{Durability, Store, StoreOptions, StoreUrl, Turns};

const ROUNDS: usize = 200;
const WAITING: usize = 500;

/// Counts effects.
struct Counting(Turns, AtomicU64);

#[async_trait]
impl TurnStore for Counting {
    async fn begin(&self, turn: NewTurn) -> Result<(), TurnStoreError> {
        self.0.begin(turn).await
    }
    async fn record(&self, id: &str, effect: RecordedEffect) -> Result<(), TurnStoreError> {
        self.1.fetch_add(1, Ordering::Relaxed);
        self.0.record(id, effect).await
    }
    async fn is_there(&self, id: &str) -> Result<bool, TurnStoreError> {
        self.0.is_there(id).await
    }
    async fn unfinished(&self, session: &str) -> Result<Option<UnfinishedTurn>, TurnStoreError> {
        self.0.unfinished(session).await
    }
    async fn end(&self, id: &str) -> Result<(), TurnStoreError> {
        self.0.end(id).await
    }
}

/// A sort of turn: its store, and whether its turns are recorded.
struct Sort {
    name: &'static str,
    store: Store,
    turns: Option<Arc<Counting>>,
    took: Vec<Duration>,
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let dir = tempfile::tempdir()?;
    let mut sorts = Vec::new();
    for (name, durability, records) in [
        ("direct", Durability::Normal, false),
        ("local, normal", Durability::Normal, true),
        ("local, full", Durability::Full, true),
    ] {
        let url = StoreUrl::sqlite(dir.path().join(format!("{}.sqlite", sorts.len())));
        let store = Store::open(url, StoreOptions::default().durability(durability)).await?;
        let turns = records.then(|| Arc::new(Counting(store.turns(), AtomicU64::new(0))));
        sorts.push(Sort {
            name,
            store,
            turns,
            took: Vec::new(),
        });
    }
    for _ in 0..ROUNDS {
        for sort in &mut sorts {
            let took = turn(sort).await?;
            sort.took.push(took);
        }
    }
    let mut direct = None;
    for sort in &mut sorts {
        sort.took.sort();
        let median = sort.took.get(ROUNDS / 2).copied().unwrap_or_default();
        let direct = *direct.get_or_insert(median);
        let ratio = median.as_secs_f64() / direct.as_secs_f64();
        print!(
            "{:<16}{median:>12.1?} a turn, {ratio:.2} x direct",
            sort.name
        );
        if let Some(turns) = &sort.turns {
            let effects = turns.1.load(Ordering::Relaxed) as f64 / ROUNDS as f64;
            let each = median.saturating_sub(direct).as_secs_f64() * 1e6 / effects;
            print!(", {effects:.0} effects, {each:.1} µs more for each");
        }
        println!();
    }
    waiting(dir.path()).await
}

/// Runs a turn of a new session.
async fn turn(sort: &Sort) -> anyhow::Result<Duration> {
    let world = World::new(Story::Whole, Replay::Safe);
    let (agent, new, _) = world.agent("a");
    let turns = sort.turns.clone().map(|turns| turns as Arc<dyn TurnStore>);
    let new = NewSession {
        sessions: Some(Arc::new(sort.store.sessions())),
        turns,
        ..new
    };
    let mut session = agent.session(new).await?;
    let began = Instant::now();
    session.turn("go").await?;
    let took = began.elapsed();
    session.close().await;
    Ok(took)
}

/// Measures the cost of a session that waits for a person.
async fn waiting(dir: &std::path::Path) -> anyhow::Result<()> {
    let url = StoreUrl::sqlite(dir.join("waiting.sqlite"));
    let store = Store::open(
        url.clone(),
        StoreOptions::default().durability(Durability::Normal),
    )
    .await?;
    let file = url.file().context("a file")?.to_owned();
    let worlds: Vec<World> = (0..=WAITING)
        .map(|_| World::new(Story::Asks, Replay::Safe))
        .collect();
    let (agent, ..) = worlds.first().context("a world")?.agent("a");
    let (mut memory, mut bytes) = (0, 0);
    for (number, world) in worlds.iter().enumerate() {
        let (_, new, _) = world.agent("a");
        let new = NewSession {
            sessions: Some(Arc::new(store.sessions())),
            checkpoints: Some(Arc::new(store.checkpoints())),
            turns: Some(Arc::new(store.turns())),
            ..new
        };
        let mut session = agent.session(new).await?;
        let ended = session.turn("go").await?;
        anyhow::ensure!(matches!(ended, TurnEnd::Suspended(_)), "{ended:?}");
        session.close().await;
        if number == 0 {
            (memory, bytes) = (resident()?, size(&file)?);
        }
    }
    let of_each = |all: u64, before: u64| all.saturating_sub(before) as f64 / WAITING as f64 / 1e3;
    println!(
        "a session that waits: {:.1} kB in the process, {:.1} kB in the store, of {WAITING}",
        of_each(resident()?, memory),
        of_each(size(&file)?, bytes),
    );
    Ok(())
}

/// Returns the resident bytes of the process.
fn resident() -> anyhow::Result<u64> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kilobytes = line.and_then(|line| line.split_whitespace().next());
    Ok(kilobytes.context("no VmRSS")?.parse::<u64>()? * 1_024)
}

/// Returns the bytes of a store, including its write-ahead log.
fn size(file: &std::path::Path) -> anyhow::Result<u64> {
    let mut log = file.as_os_str().to_owned();
    log.push("-wal");
    let log = std::fs::metadata(log).map_or(0, |log| log.len());
    Ok(std::fs::metadata(file)?.len() + log)
}
