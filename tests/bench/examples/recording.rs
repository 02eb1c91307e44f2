//! The cost of the journal and of recording for a warm call, as ratios within one run, and the
//! speed of replaying recorded calls.
//!
//! The hook is the guard of `bench/hooks` at `pre-tool-call`, in Rust or in the named language: it
//! reads the tool's name and arguments. The variants take turns, and a ratio is the median of the
//! ratios within each round. A round is measured twice: until the last call has its verdict (the
//! agent's wait), and until everything is written. After the rounds each variant makes enough calls
//! that they wait for the writer: the sustained rate.
//!
//! `cargo run --release -p portcullis-bench --example recording -- javascript`

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use futures::future::BoxFuture;
use portcullis::observer::TracingSink;
use portcullis::{Hooks, LoadOptions, Session, SessionOptions};
use portcullis_agent::{JournalObserver, RunRecorder};
use portcullis_bench::hooks;
use portcullis_project::Language;
use portcullis_store::{Journal, RecordingFilter, RecordingOptions, Store, StoreOptions, StoreUrl};
use portcullis_tests::{cache, tool_call};
use portcullis_workbench::replay::{ReplayOptions, replay};

/// The number of calls in a round.
const CALLS: u32 = 2_000;
/// The number of rounds.
const ROUNDS: usize = 21;
/// The number of calls in a row that the sustained rate is measured with.
const SUSTAINED: u32 = 100_000;
/// The number of sessions, and of calls in each, that are replayed.
const SESSIONS: u32 = 100;
const EACH: u32 = 1_000;

/// A way to record calls.
struct Variant {
    name: &'static str,
    session: Session,
    journal: Option<Journal>,
    called: Vec<f64>,
    written: Vec<f64>,
}

fn main() -> anyhow::Result<()> {
    let dir = tempfile::tempdir()?;
    let name = std::env::args().nth(1).unwrap_or_else(|| "rust".to_owned());
    let language: Language = name.parse().map_err(anyhow::Error::msg)?;
    let component = hooks::build(language, &hooks::root().join("target/bench-hooks"))?;
    let hooks_dir = dir.path().join("hooks");
    std::fs::create_dir(&hooks_dir)?;
    let name = component.file_name().unwrap_or_default();
    std::fs::copy(&component, hooks_dir.join(name))?;
    std::fs::write(
        hooks_dir.join("hooks.toml"),
        "[turn]\nhooks-ms = 86_400_000\nfuel = 1_000_000_000_000_000\n[unnamed]\nload = \"trusted\"\n",
    )?;
    let options = LoadOptions {
        cache: cache(),
        records_runs: true,
        ..LoadOptions::default()
    };
    let hooks = Hooks::load(&hooks_dir, &options)?;
    let runtime = tokio::runtime::Runtime::new()?;
    let store = |name: &str| -> anyhow::Result<Store> {
        let url = StoreUrl::sqlite(dir.path().join(name));
        Ok(Store::open_blocking(url, StoreOptions::default())?)
    };
    let journal = store("journal.sqlite")?.journal()?;
    let both = store("both.sqlite")?;
    let recording = both
        .journal()?
        .recording(both.recorder(RecordingOptions::default())?);
    let only = store("only.sqlite")?;
    let alone = Alone(
        only.journal()?
            .recording(only.recorder(RecordingOptions::default())?),
    );
    let mut variants = vec![
        variant("nothing", &hooks, None, None),
        variant(
            "the journal",
            &hooks,
            Some(Arc::new(journal.clone())),
            Some(journal),
        ),
        variant(
            "calls, without the journal",
            &hooks,
            Some(Arc::new(alone.clone())),
            Some(alone.0),
        ),
        variant(
            "the journal and calls",
            &hooks,
            Some(Arc::new(recording.clone())),
            Some(recording),
        ),
    ];
    for round in 0..=ROUNDS {
        for variant in &mut variants {
            let (called, written) = runtime.block_on(made(variant, CALLS))?;
            // The first warms up.
            if round > 0 {
                variant.called.push(called.as_secs_f64());
                variant.written.push(written.as_secs_f64());
            }
        }
    }
    let nothing = (
        variants
            .first()
            .map(|v| v.called.clone())
            .unwrap_or_default(),
        variants
            .first()
            .map(|v| v.written.clone())
            .unwrap_or_default(),
    );
    println!("| kept | a call | against nothing | until written | against nothing | sustained |");
    println!("| --- | --- | --- | --- | --- | --- |");
    for variant in &mut variants {
        let (_, sustained) = runtime.block_on(made(variant, SUSTAINED))?;
        let each =
            |times: &[f64]| Duration::from_secs_f64(median(times.to_vec()) / f64::from(CALLS));
        let ratio = |times: &[f64], to: &[f64]| {
            median(times.iter().zip(to).map(|(time, to)| time / to).collect())
        };
        println!(
            "| {} | {:.2?} | {:.2} × | {:.2?} | {:.2} × | {:.2?} |",
            variant.name,
            each(&variant.called),
            ratio(&variant.called, &nothing.0),
            each(&variant.written),
            ratio(&variant.written, &nothing.1),
            sustained / SUSTAINED
        );
    }
    let totals = both.recording_totals()?;
    println!(
        "\n{} calls recorded: {} bytes each in the store, {} before they are compressed",
        totals.calls,
        totals.bytes / totals.calls.max(1),
        totals.raw_bytes / totals.calls.max(1)
    );
    match language {
        Language::Rust => again(&runtime, &hooks, &store("again.sqlite")?, component),
        _ => Ok(()),
    }
}

/// Records 100,000 calls, and replays them twice.
fn again(
    runtime: &tokio::runtime::Runtime,
    hooks: &Hooks,
    store: &Store,
    component: PathBuf,
) -> anyhow::Result<()> {
    let recorder = store.recorder(RecordingOptions::default())?;
    let journal = Alone(store.journal()?.recording(recorder));
    for number in 0..SESSIONS {
        let session = session(
            hooks,
            Some(Arc::new(journal.clone())),
            &format!("s{number}"),
        );
        runtime.block_on(async {
            for _ in 0..EACH {
                session.run(&mut tool_call(r#"{"path": "notes.md"}"#)).await;
            }
        });
    }
    journal.0.flush()?;
    let hook = hooks.reports().into_iter().next();
    let id = hook.context("no hook is loaded")?.id;
    let mut reports = Vec::new();
    for _ in 0..2 {
        let began = Instant::now();
        let calls = store.recorded_calls(&RecordingFilter::default())?.calls;
        let read = began.elapsed();
        let options = ReplayOptions {
            threads: 2,
            cache: cache(),
            ..ReplayOptions::new(component.clone(), id.clone())
        };
        let report = replay(calls, &options)?;
        println!(
            "{} calls made again on two threads in {:.1?}, of which {read:.1?} to read them; {} identical",
            report.replayed,
            began.elapsed(),
            report.identical
        );
        reports.push(serde_json::to_vec(&report)?);
    }
    let [first, second] = &reports[..] else {
        anyhow::bail!("two reports");
    };
    anyhow::ensure!(first == second, "the reports differ");
    println!("the two reports are the same {} bytes", first.len());
    Ok(())
}

/// Records calls, and keeps no journal: the cost of recording by itself.
#[derive(Clone)]
struct Alone(Journal);

impl RunRecorder for Alone {
    fn begin(&self, _: portcullis_agent::RunRow) {}

    fn end(&self, _: i64, _: portcullis_agent::RunEnd) {}

    fn hook_began(&self, _: portcullis_agent::HookStart) {}

    fn hook_ended(&self, _: i64, _: portcullis_agent::HookEnd) {}

    fn hook_ran(&self, _: portcullis_agent::HookRan<'_>) {}

    fn event(&self, _: portcullis_agent::EventRow) {}

    fn keeps_values(&self) -> bool {
        false
    }

    fn records_calls(&self) -> portcullis::recording::CallRecording {
        portcullis::recording::CallRecording::Calls
    }

    fn call(&self, call: portcullis::recording::RecordedCall) {
        self.0.call(call);
    }

    fn committed<'a>(&'a self, session: &'a str) -> BoxFuture<'a, Result<(), String>> {
        self.0.committed(session)
    }
}

fn session(hooks: &Hooks, recorder: Option<Arc<dyn RunRecorder>>, id: &str) -> Session {
    hooks.session(SessionOptions {
        sink: Arc::new(JournalObserver::new(Arc::new(TracingSink), recorder)),
        ..SessionOptions::new(id)
    })
}

fn variant(
    name: &'static str,
    hooks: &Hooks,
    recorder: Option<Arc<dyn RunRecorder>>,
    journal: Option<Journal>,
) -> Variant {
    Variant {
        name,
        session: session(hooks, recorder, name),
        journal,
        called: Vec::new(),
        written: Vec::new(),
    }
}

/// Returns the time until the last call has its verdict, and the time until everything is written.
async fn made(variant: &Variant, calls: u32) -> anyhow::Result<(Duration, Duration)> {
    // Made before the timer starts: making the catalogue of tools takes longer than a call.
    let mut call = tool_call(r#"{"path": "notes.md"}"#);
    let began = Instant::now();
    for _ in 0..calls {
        let verdict = variant.session.run(&mut call).await;
        anyhow::ensure!(verdict.decision.passed(), "{:?}", verdict.decision);
    }
    let called = began.elapsed();
    if let Some(journal) = &variant.journal {
        journal.flush_async().await?;
    }
    Ok((called, began.elapsed()))
}

fn median(mut all: Vec<f64>) -> f64 {
    all.sort_by(f64::total_cmp);
    all.get(all.len() / 2).copied().unwrap_or_default()
}
