//! `portcullis hooks lock`

use std::process::ExitCode;

use anyhow::Context as _;
use clap::Args;
use portcullis::LoadOptions;
use portcullis::hooks::{HooksError, LoadFault};
use portcullis::lock::{LOCK_NAME, Lock, LockChange, LockChangeKind, lock};
use portcullis::verdict::Digest;
use serde::Serialize;

use super::trust::files;
use super::{CacheArgs, HooksDir};
use crate::terminal::format::{print_line, printable};
use crate::terminal::progress::LoadBar;
use crate::terminal::style::{BOLD, DIM, GOOD, NOTE};
use crate::terminal::table::{Cell, Table};
use crate::terminal::{Out, Printable};
use crate::terminal::{json, units};

/// The arguments of `portcullis hooks lock`.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  portcullis hooks lock --hooks ./hooks --update")]
pub struct LockArgs {
    #[command(flatten)]
    dir: HooksDir,
    #[command(flatten)]
    cache: CacheArgs,
    /// Rewrite an existing lock.
    #[arg(long)]
    update: bool,
    /// Print JSON: whether the lock was written, and the change of every file.
    #[arg(long)]
    json: bool,
}

/// The result, for machines.
#[derive(Serialize)]
struct Locked<'a> {
    written: bool,
    changes: &'a [LockChange],
}

pub(super) fn run(args: &LockArgs) -> anyhow::Result<ExitCode> {
    let dir = &args.dir.hooks;
    files::is_no_output(dir)?;
    let settings = files::settings(dir)?;
    let old = match Lock::of_dir(dir) {
        // `--update` replaces a lock that cannot be read.
        Err(error) if args.update && matches!(error.fault, LoadFault::BadLock(_)) => {
            Some(Lock::default())
        }
        other => other.map_err(HooksError::from)?,
    };
    let bar = LoadBar::hidden();
    let mut new = lock(
        dir,
        &settings,
        &LoadOptions {
            cache: args.cache.choice(),
            compiler: crate::compiler::child(),
            progress: &|progress| bar.update(progress),
            ..LoadOptions::default()
        },
    )?;
    drop(bar);
    if let Some(old) = &old {
        new.keep_origins(old);
    }
    let changes = new.changes_since(old.as_ref().unwrap_or(&Lock::default()));
    let same = old.as_ref() == Some(&new);
    let write = !same && (old.is_none() || args.update);
    if write {
        new.write(dir)
            .with_context(|| printable!("{} cannot be written", dir.join(LOCK_NAME).display()))?;
    }
    if args.json {
        json::document(&Locked {
            written: write,
            changes: &changes,
        })?;
    } else {
        show(args, &changes, same, write)?;
    }
    Ok(match same || write {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    })
}

fn show(args: &LockArgs, changes: &[LockChange], same: bool, written: bool) -> anyhow::Result<()> {
    let mut out = Out::stdout();
    let path = args.dir.hooks.join(LOCK_NAME);
    let pinned = changes.iter().filter(|change| change.after.is_some());
    let hooks = units::plural(pinned.count(), "hook");
    match (same, written) {
        (true, _) => print_line!(
            out,
            "{GOOD}✓{GOOD:#} {BOLD}{}{BOLD:#} {DIM}pinned in {}, unchanged{DIM:#}",
            hooks,
            path.display()
        )?,
        (false, true) => print_line!(
            out,
            "{GOOD}✓{GOOD:#} {BOLD}{}{BOLD:#} {DIM}pinned in {}{DIM:#}",
            hooks,
            path.display()
        )?,
        (false, false) => print_line!(
            out,
            "{NOTE}{} was not changed.{NOTE:#} If these changes are intended, pin them: portcullis \
             hooks lock --update",
            path.display()
        )?,
    }
    if same {
        return Ok(());
    }
    let mut table = Table::new(&["file", "hook", "change", "before", "after"]);
    for change in changes {
        let name = match change.change {
            LockChangeKind::Added => "added",
            LockChangeKind::Changed => "changed",
            LockChangeKind::Removed => "removed",
            LockChangeKind::Same => continue,
        };
        table.row([
            Cell::new(Printable::line(&change.file)).bold(),
            Cell::new(Printable::line(&change.id)),
            Cell::new(name),
            Cell::new(short(change.before)),
            Cell::new(short(change.after)),
        ]);
    }
    print_line!(out, "\n{}", table.shown())?;
    Ok(())
}

/// Returns the beginning of a digest.
fn short(digest: Option<Digest>) -> String {
    digest.map_or_else(
        || "-".to_owned(),
        |digest| digest.to_string().chars().take(12).chain(['…']).collect(),
    )
}
