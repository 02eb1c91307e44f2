//! `portcullis replay`: recorded calls, repeated with another version of a hook.

mod table;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use clap::Args;
use portcullis::LoadOptions;
use portcullis::hooks::inspect;
use portcullis::report::HookReport;
use portcullis::settings::{Settings, TomlSource, read_text};
use portcullis::text::nearest;
use portcullis_store::{DamagedBlock, RecordedCalls, RecordedNames, RecordingFilter};
use portcullis_workbench::replay::{ReplayOptions, replay};
use serde_json::{Map, Value};

use crate::hooks::CacheArgs;
use crate::identity::IdentityArg;
use crate::runs::time;
use crate::store::Where;
use crate::subject::is_no_directory;
use crate::terminal::json;
use crate::terminal::progress::LoadBar;
use crate::unknown::{listed, no_such_in};

/// The most bytes of a configuration.
const LARGEST_CONFIG: u64 = 1 << 20;

/// Repeat recorded calls with another version of a hook, and report the differences.
///
/// The calls are those that `portcullis run --record`, `record = true` in [stores] of agent.toml
/// and a table [recording] in hooks.toml keep. Encrypted calls are read with --identity. Nothing
/// real is reached: clocks, random numbers, servers and the model are as they were, and so are the
/// hook's grants, its limits, and without --config its configuration. Files of the directories that
/// the hook is granted are in temporary ones, if `directories = true` kept them. Calls are the
/// same, changed, newly refused or newly allowed; the same component gives the same result for the
/// same fuel. Requests of the new version that were not recorded are named. Without --times, the
/// report of the same calls is the same.
///
/// Exit code 0: no result differs; 1: some do, or no call could be made again.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  portcullis replay --hook new/path-jail.wasm\n  \
    portcullis replay --hook new/path-guard.wasm --id path-jail --config path-guard.toml --since 7d --json"
)]
pub struct ReplayArgs {
    /// The component.
    #[arg(long, value_name = "FILE")]
    hook: PathBuf,
    /// The hook whose calls are made again [default: the one that the component is].
    #[arg(long, value_name = "HOOK")]
    id: Option<String>,
    /// A TOML file with the hook's configuration, the keys of `[hooks.ID.config]`, in place of the recorded one. Another hook
    /// needs its own.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Only calls of this session.
    #[arg(long, value_name = "ID")]
    session: Option<String>,
    /// Only calls that began since: `30m`, `2h` or `7d` ago, or a time in UTC such as `2026-01-31` or
    /// `2026-01-31T18:30:00Z`.
    #[arg(long, value_name = "TIME", value_parser = time::parse)]
    since: Option<u64>,
    /// Only calls that began before this time.
    #[arg(long, value_name = "TIME", value_parser = time::parse)]
    until: Option<u64>,
    /// The percentage by which a call may use more fuel before it is reported.
    #[arg(long, value_name = "PERCENT", default_value_t = 10)]
    fuel_percent: u64,
    /// Compare times too: a call that takes twice as long, and a millisecond more, is slower.
    #[arg(long)]
    times: bool,
    /// The number of differing calls that the table shows. JSON has all.
    #[arg(long, value_name = "N", default_value_t = 10)]
    examples: usize,
    /// The number of threads that make calls [default: one for each processor].
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
    let own = inspected(args)?;
    let reads_config = own.reads_config();
    let id = args.id.clone().unwrap_or_else(|| own.id.to_string());
    let store = args.store.open()?;
    let config = config(args)?;
    let RecordedCalls { calls, damaged } = store.recorded_calls(&RecordingFilter {
        hook: Some(id.clone()),
        session: args.session.clone(),
        since_ms: args.since,
        until_ms: args.until,
        run: None,
        identities: args.identity.read()?,
    })?;
    if calls.is_empty() {
        if let Some(block) = damaged.first() {
            bail!(
                "none of the recorded calls of `{id}` can be read: {}",
                block.cause
            );
        }
        ensure_known(args, &id, &store.recorded_names()?)?;
    }
    let default = ReplayOptions::new(args.hook.clone(), own.id);
    let mut report = replay(
        calls,
        &ReplayOptions {
            config,
            reads_config,
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
    for DamagedBlock { calls, cause } in damaged {
        let why =
            format!("{cause} (the number includes calls of other hooks in the damaged blocks)");
        let of_reason = report.not_replayed.entry(why).or_default();
        *of_reason = of_reason.saturating_add(calls);
        report.calls = report.calls.saturating_add(calls);
    }
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

/// Returns the configuration for the calls, if one is given.
fn config(args: &ReplayArgs) -> anyhow::Result<Option<Map<String, Value>>> {
    let Some(path) = &args.config else {
        return Ok(None);
    };
    let text = read_text(path, LARGEST_CONFIG)
        .with_context(|| format!("the configuration {} cannot be read", path.display()))?;
    match TomlSource::new(path, &text).read() {
        Ok(config) => Ok(Some(config)),
        Err(errors) => {
            let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
            bail!("{}", errors.join("\n"))
        }
    }
}

/// Refuses a hook or a session of which no call is recorded. `all` has the recorded hooks, each with its sessions.
fn ensure_known(args: &ReplayArgs, id: &str, all: &RecordedNames) -> anyhow::Result<()> {
    if all.is_empty() {
        return Ok(());
    }
    let hooks: Vec<&str> = all.keys().map(String::as_str).collect();
    let Some(sessions) = all.get(id) else {
        let hint = match nearest(id, hooks.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "name the hook whose calls are meant with --id HOOK, or record some, with `portcullis run --record` or a table [recording] in hooks.toml."
                .to_owned(),
        };
        bail!(
            "there is no recorded call of `{id}`; {hint} Calls are recorded of: {}",
            listed(&hooks)
        );
    };
    let sessions: Vec<&str> = sessions.iter().map(String::as_str).collect();
    match &args.session {
        Some(session) if !sessions.contains(&session.as_str()) => bail!(
            "{}",
            no_such_in(
                format_args!("the recorded calls of `{id}`"),
                "session",
                session,
                &sessions
            )
        ),
        _ => bail!("no recorded call of `{id}` began in that time; change --since or --until"),
    }
}

/// Returns the component.
fn inspected(args: &ReplayArgs) -> anyhow::Result<HookReport> {
    is_no_directory(&args.hook)?;
    let bar = LoadBar::hidden();
    let options = LoadOptions {
        compiler: crate::compiler::child(),
        cache: args.cache.choice(),
        progress: &|progress| bar.update(progress),
        ..LoadOptions::default()
    };
    Ok(inspect(&args.hook, &Settings::default(), &options)?)
}
