//! Runs the sessions, and checks each against the expected result.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Instant;

use anyhow::Context as _;
use portcullis_agent::{Agent, NewSession, RunState, TurnEnd, TurnError};
use portcullis_store::{Journal, RunFilter, Store, StoreOptions, StoreUrl};
use portcullis_tests::resident;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

use crate::Size;
use crate::oracle::{End, Oracle, Run, said};
use crate::stage;
use crate::summary::Summary;

/// The number of sessions that are open at once.
const AT_ONCE: usize = 8;
/// The number of turns between two memory samples.
const SAMPLE: u32 = 10;

/// The state that all sessions share.
struct Soak {
    agent: Agent,
    journal: Journal,
    oracle: Oracle,
    size: Size,
    /// The number of finished turns.
    played: AtomicU32,
    memory: std::sync::Mutex<Vec<u64>>,
}

/// The result of a session.
pub struct Played {
    /// The hook runs, from the journal.
    pub runs: Vec<Run>,
    /// The turns that did not end as expected, in words.
    pub wrong: Vec<String>,
    /// The expected hook runs that are missing.
    pub lost: Vec<String>,
    /// The hook runs that were not expected, or not as often.
    pub doubled: Vec<String>,
}

/// Runs all sessions.
pub async fn play(size: Size) -> anyhow::Result<Summary> {
    let dir = tempfile::tempdir()?;
    let url = StoreUrl::sqlite(dir.path().join("store.sqlite"));
    let journal = Store::open(url, StoreOptions::default()).await?.journal()?;
    let hooks = stage::hooks()?;
    let oracle = Oracle::new(&hooks);
    let soak = Arc::new(Soak {
        agent: stage::agent(hooks, journal.clone())?,
        oracle,
        journal,
        size,
        played: AtomicU32::new(0),
        memory: std::sync::Mutex::default(),
    });
    let began = Instant::now();
    let room = Arc::new(Semaphore::new(AT_ONCE));
    let mut sessions = JoinSet::new();
    for number in 0..size.sessions {
        let (soak, room) = (soak.clone(), room.clone());
        sessions.spawn(async move {
            let _room = room.acquire_owned().await?;
            soak.session(&format!("soak-{number}")).await
        });
    }
    let mut summary = Summary::new(size, soak.oracle.hooks());
    while let Some(ended) = sessions.join_next().await {
        summary.add(ended??);
    }
    // The journal reports inconsistencies: a run that began or ended twice.
    soak.journal.flush_async().await?;
    summary.took = began.elapsed();
    summary.memory = std::mem::take(&mut *soak.memory.lock().expect("no panic"));
    Ok(summary)
}

impl Soak {
    /// Runs one session, and checks it against the expected result.
    async fn session(&self, id: &str) -> anyhow::Result<Played> {
        let expected = self.oracle.session(id, self.size.turns);
        let mut wrong = Vec::new();
        let mut session = self
            .agent
            .session(NewSession {
                id: id.to_owned(),
                ..NewSession::default()
            })
            .await?;
        for (turn, end) in (1..).zip(&expected.ends) {
            let ended = self::end(session.turn(said(turn)).await)?;
            if ended != *end {
                wrong.push(format!("{id}, turn {turn}: {ended:?}, not {end:?}"));
            }
            self.sample();
        }
        session.close().await;
        let runs = self.runs(id).await?;
        let named = |run: &Run| format!("{id}: {run:?}");
        Ok(Played {
            wrong,
            lost: missing(&expected.runs, &runs).map(named).collect(),
            doubled: missing(&runs, &expected.runs).map(named).collect(),
            runs,
        })
    }

    fn sample(&self) {
        let played = self.played.fetch_add(1, Ordering::Relaxed) + 1;
        if played.is_multiple_of(SAMPLE)
            && let Some(resident) = resident()
        {
            self.memory.lock().expect("no panic").push(resident);
        }
        let all = self.size.sessions * self.size.turns;
        if played.is_multiple_of((all / 10).max(1)) {
            let resident = resident().unwrap_or(0) >> 20;
            eprintln!("soak: {played} of {all} turns, {resident} MiB");
        }
    }

    /// Returns the hook runs of a session, from the journal. Every one of them has ended.
    async fn runs(&self, id: &str) -> anyhow::Result<Vec<Run>> {
        let journal = self.journal.clone();
        let filter = RunFilter {
            session: Some(id.to_owned()),
            limit: u32::MAX,
            ..RunFilter::default()
        };
        let rows = tokio::task::spawn_blocking(move || journal.runs(&filter)).await??;
        let mut runs = Vec::with_capacity(rows.len());
        for run in rows {
            let said = match run.end.state {
                RunState::Skipped => Some("skipped".to_owned()),
                RunState::Completed | RunState::NotApplied => run.end.outcome.map(Cow::into_owned),
                RunState::Failed | RunState::TimedOut => run.end.cause.map(Cow::into_owned),
                state => anyhow::bail!("{id}: a run is {state:?}: {:?}", run.row),
            };
            let said =
                said.with_context(|| format!("{id}: a run without an end: {:?}", run.row))?;
            runs.push((run.row.turn, run.row.point, run.row.hook, said));
        }
        Ok(runs)
    }
}

/// Returns the elements of one list that are not, or not as often, in the other.
fn missing<'a>(of: &'a [Run], within: &[Run]) -> impl Iterator<Item = &'a Run> {
    let mut left: BTreeMap<Run, usize> = BTreeMap::new();
    for run in within {
        *left.entry(run.clone()).or_default() += 1;
    }
    of.iter().filter(move |run| match left.get_mut(*run) {
        Some(times @ 1..) => {
            *times -= 1;
            false
        }
        _ => true,
    })
}

fn end(ended: Result<TurnEnd, TurnError>) -> anyhow::Result<End> {
    Ok(match ended {
        Ok(ended) => {
            let text = ended
                .done()
                .map_err(|_| anyhow::anyhow!("it waits"))?
                .text();
            match text.starts_with("[The tool was not run") {
                true => End::NotRun,
                false => End::Said(text),
            }
        }
        Err(TurnError::Rejected { by, .. }) => End::Refused { by: by.to_string() },
        Err(TurnError::Hook(failed)) => End::Failed {
            by: failed.hook.to_string(),
            cause: failed.failure.cause().code().to_owned(),
        },
        Err(error) => return Err(error.into()),
    })
}
