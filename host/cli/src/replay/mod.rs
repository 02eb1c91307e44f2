//! `portcullis replay`: recorded calls, made again by another version of a hook.

mod table;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use clap::Args;
use portcullis::hooks::inspect;
use portcullis::settings::Settings;
use portcullis::{HookId, LoadOptions};
use portcullis_store::RecordingFilter;
use portcullis_workbench::replay::{ReplayOptions, replay};

use crate::hooks::CacheArgs;
use crate::identity::IdentityArg;
use crate::runs::time;
use crate::store::Where;
use crate::subject::is_no_directory;
use crate::terminal::json;
use crate::terminal::progress::LoadBar;

/// Make recorded calls again by another version of a hook, and report what differs.
///
/// The calls are those that `portcullis run --record` and `record = true` in [stores] keep. Those that are encrypted
/// are read with --identity. Nothing real is reached: clocks,
/// random numbers, servers and the model are as they were, and so are the hook's configuration, grants and limits. Files of
/// the directories that the hook is granted are in temporary ones, if `directories = true` kept them. Calls are
/// the same, changed, newly refused or newly allowed; the same component gives the same result for the same fuel. What the new
/// version asks for and was not recorded is named. Without --times, the report of the same calls is the same.
///
/// Exit code 0: no result differs; 1: some do, or no call could be made again.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  portcullis replay --hook new/path-jail.wasm\n  \
    portcullis replay --hook new/path-guard.wasm --id path-jail --since 7d --json"
)]
pub struct ReplayArgs {
    /// The component.
    #[arg(long, value_name = "FILE")]
    hook: PathBuf,
    /// The hook whose calls are made again [default: the one that the component is].
    #[arg(long, value_name = "HOOK")]
    id: Option<String>,
    /// Only calls of this session.
    #[arg(long, value_name = "ID")]
    session: Option<String>,
    /// Only calls that began since: `30m`, `2h` or `7d` ago, or a time in UTC such as `2026-01-31` or
    /// `2026-01-31T18:30:00Z`.
    #[arg(long, value_name = "TIME", value_parser = time::parse)]
    since: Option<u64>,
    /// By how many percent a call may use more fuel before it is reported.
    #[arg(long, value_name = "PERCENT", default_value_t = 10)]
    fuel_percent: u64,
    /// Compare times too: a call that takes twice as long, and a millisecond more, is slower.
    #[arg(long)]
    times: bool,
    /// How many differing calls the table shows. JSON has all.
    #[arg(long, value_name = "N", default_value_t = 10)]
    examples: usize,
    /// How many threads make calls [default: one for each processor].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    #[command(flatten)]
    store: Where,
    #[command(flatten)]
    identity: IdentityArg,
    #[command(flatten)]
    cache: CacheArgs,
    /// Print JSON: the report, with every call that differs.
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: &ReplayArgs) -> anyhow::Result<ExitCode> {
    let own = own_id(args)?;
    let id = args.id.clone().unwrap_or_else(|| own.to_string());
    let store = args.store.open()?;
    let calls = store.recorded_calls(&RecordingFilter {
        hook: Some(id.clone()),
        session: args.session.clone(),
        since_ms: args.since,
        run: None,
        identities: args.identity.read()?,
    })?;
    let default = ReplayOptions::new(args.hook.clone(), own);
    let report = replay(
        calls,
        &ReplayOptions {
            since_ms: args.since,
            threads: args.threads.map_or(default.threads, usize::from),
            fuel_percent: args.fuel_percent,
            times: args.times,
            cache: args.cache.choice(),
            compiler: crate::compiler::child(),
            ..default
        },
    )
    .with_context(|| format!("the calls of the hook `{id}` in {store} are not replayed"))?;
    match args.json {
        true => json::document(&report)?,
        false => table::print(&report, args.examples)?,
    }
    if report.replayed == 0 {
        bail!("none of the calls could be made again, so nothing was compared");
    }
    Ok(match report.is_same() {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    })
}

/// The id of the component.
fn own_id(args: &ReplayArgs) -> anyhow::Result<HookId> {
    is_no_directory(&args.hook)?;
    let bar = LoadBar::hidden();
    let options = LoadOptions {
        compiler: crate::compiler::child(),
        cache: args.cache.choice(),
        progress: &|progress| bar.update(progress),
        ..LoadOptions::default()
    };
    Ok(inspect(&args.hook, &Settings::default(), &options)?.id)
}
