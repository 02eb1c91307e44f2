//! `portcullis hooks quarantine`

use std::path::Path;
use std::process::ExitCode;

use anyhow::bail;
use clap::Args;
use portcullis::Hooks;
use portcullis::state::{QuarantineStore as _, SharedQuarantine};
use portcullis::time::now_ms;
use portcullis::verdict::{Cause, Digest};
use portcullis_store::{HookState, Store, directory_scope};
use serde::Serialize;

use super::{CacheArgs, HooksDir, load};
use crate::store::Where;
use crate::terminal::format::{print_line, printable};
use crate::terminal::style::{BOLD, DIM};
use crate::terminal::table::{Cell, Table};
use crate::terminal::{Out, Printable, json, units};
use crate::unknown::no_such;

/// The arguments of `portcullis hooks quarantine`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  portcullis hooks quarantine --hooks ./hooks\n  portcullis hooks quarantine shell-safety --end"
)]
pub struct QuarantineArgs {
    /// The hook. Default: all hooks that are in quarantine.
    #[arg(value_name = "HOOK")]
    hook: Option<String>,
    /// End the quarantine of the hook.
    #[arg(long, requires = "hook")]
    end: bool,
    #[command(flatten)]
    dir: HooksDir,
    #[command(flatten)]
    cache: CacheArgs,
    #[command(flatten)]
    store: Where,
    /// Print a JSON list of the quarantines; with `--end`, of the ended ones.
    #[arg(long)]
    json: bool,
}

/// A quarantine, for machines.
#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) struct Shown<'a> {
    hook: &'a str,
    component: Digest,
    failures: u32,
    cause: Cause,
    until_ms: u64,
}

impl<'a> From<&'a SharedQuarantine> for Shown<'a> {
    fn from(quarantine: &'a SharedQuarantine) -> Self {
        Self {
            hook: &quarantine.hook,
            component: quarantine.component,
            failures: quarantine.failures,
            cause: quarantine.cause,
            until_ms: quarantine.until_ms,
        }
    }
}

pub(super) fn run(args: &QuarantineArgs) -> anyhow::Result<ExitCode> {
    let dir = &args.dir.hooks;
    let store = args.store.open()?;
    let found = match args.end {
        // Hooks that do not load may be in quarantine too.
        true => all_in(&store, dir)?,
        false => of(&store, dir, &load(dir, None, &args.cache, true)?)?,
    };
    let meant: Vec<&SharedQuarantine> = match &args.hook {
        None => found.iter().collect(),
        Some(hook) => found.iter().filter(|it| it.hook == *hook).collect(),
    };
    if args.end {
        end(&store, args, &meant, &found)?;
    }
    if args.json {
        let shown: Vec<Shown<'_>> = meant.into_iter().map(Shown::from).collect();
        json::document(&shown)?;
    } else if let (true, Some(hook)) = (args.end, &args.hook) {
        print_line!(
            Out::stdout(),
            "{BOLD}{}{BOLD:#} has left quarantine {DIM}in all processes with this store, within two seconds{DIM:#}",
            Printable::line(hook)
        )?;
    } else if let (Some(hook), []) = (&args.hook, &meant[..]) {
        let none = Printable::line(no_quarantine(hook, &found));
        print_line!(Out::stdout(), "{DIM}{}{DIM:#}", none)?;
    } else if meant.is_empty() {
        print_line!(Out::stdout(), "{DIM}no hook is in quarantine{DIM:#}")?;
    } else {
        print_line!(Out::stdout(), "{}", table(&meant))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn end(
    store: &Store,
    args: &QuarantineArgs,
    meant: &[&SharedQuarantine],
    all: &[SharedQuarantine],
) -> anyhow::Result<()> {
    if let (Some(hook), []) = (&args.hook, meant) {
        bail!("{}", no_quarantine(hook, all));
    }
    let kept = kept(store, &args.dir.hooks);
    let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    runtime.block_on(async {
        for quarantine in meant {
            kept.remove(quarantine).await?;
        }
        anyhow::Ok(())
    })
}

fn no_quarantine(hook: &str, all: &[SharedQuarantine]) -> String {
    let known: Vec<&str> = all.iter().map(|it| it.hook.as_str()).collect();
    no_such("hook in quarantine", hook, &known)
}

/// Returns the quarantines of a directory's hooks, as they are loaded.
pub(super) fn of(
    store: &Store,
    dir: &Path,
    hooks: &Hooks,
) -> anyhow::Result<Vec<SharedQuarantine>> {
    let mut found = all_in(store, dir)?;
    found.retain(|quarantine| hooks.has_quarantine(quarantine));
    Ok(found)
}

/// Returns all quarantines, including those of components and settings that are no longer loaded.
fn all_in(store: &Store, dir: &Path) -> anyhow::Result<Vec<SharedQuarantine>> {
    let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    Ok(runtime.block_on(kept(store, dir).list())?)
}

fn kept(store: &Store, dir: &Path) -> HookState {
    store.hook_state(&directory_scope(dir))
}

/// Describes the end of a quarantine.
pub(super) fn until(quarantine: &SharedQuarantine) -> Printable {
    match quarantine.until_ms.saturating_sub(now_ms()).div_ceil(1_000) {
        0 => "until its next call".into(),
        seconds => printable!("for {} s", seconds),
    }
}

fn table(quarantines: &[&SharedQuarantine]) -> Printable {
    let mut table = Table::new(&["hook", "failures in a row", "last cause", "in quarantine"]);
    for quarantine in quarantines {
        table.row([
            Cell::new(Printable::line(&quarantine.hook)).bold(),
            Cell::right(units::count(u64::from(quarantine.failures))),
            Cell::new(Printable::line(quarantine.cause.to_string())),
            Cell::new(until(quarantine)).note(),
        ]);
    }
    table.shown()
}
